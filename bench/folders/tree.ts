import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const FILES_A_FOLDER = 500

/** A tree as people keep pictures: years, in each some events, a few hundred pictures in each. */
export function makeTree(root: string, files: number): void {
  for (let first = 0; first < files; first += FILES_A_FOLDER) {
    const event = first / FILES_A_FOLDER
    const dir = join(root, String(2000 + (event % 25)), `event-${event}`)
    mkdirSync(dir, { recursive: true })
    for (let index = first; index < Math.min(files, first + FILES_A_FOLDER); index++) {
      writeFileSync(join(dir, `IMG_${String(index).padStart(6, '0')}.jpg`), 'x')
    }
  }
}
