import { closeSync, mkdirSync, openSync } from 'node:fs'
import { join } from 'node:path'

const FILES_A_FOLDER = 500

/** A tree as people keep pictures: years, in each some events, a few hundred pictures in each. */
export function makeTree(root: string, files: number): void {
  for (let first = 0; first < files; first += FILES_A_FOLDER) {
    const event = first / FILES_A_FOLDER
    const dir = join(root, String(2000 + (event % 25)), `event-${event}`)
    mkdirSync(dir, { recursive: true })
    for (let index = first; index < Math.min(files, first + FILES_A_FOLDER); index++) {
      makeFile(join(dir, `IMG_${String(index).padStart(6, '0')}.jpg`))
    }
  }
}

/** Many folders beside each other with a few pictures each; returns their paths. */
export function makeFolders(root: string, folders: number, files: number): string[] {
  return Array.from({ length: folders }, (_, folder) => {
    const dir = join(root, `folder-${folder}`)
    mkdirSync(dir, { recursive: true })
    for (let index = folder; index < files; index += folders) makeFile(join(dir, `IMG_${index}.jpg`))
    return dir
  })
}

/** Empty, so that a million files fit into memory. */
function makeFile(path: string): void {
  closeSync(openSync(path, 'w'))
}
