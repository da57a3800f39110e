import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { WindowPlace } from './window-bounds.ts'

const NAME = 'window.json'
const MAX_BYTES = 4096

export interface WindowPlaceFile {
  /** Null when there is none or it cannot be understood. */
  read(): WindowPlace | null
  /** Whole or not at all. Synchronous, because a window that closes does not wait. Throws what the disk says. */
  write(place: WindowPlace): void
}

/** Where the window was left, in the data folder. */
export function windowPlaceFile(dataDir: string): WindowPlaceFile {
  const path = join(dataDir, NAME)
  return {
    read() {
      try {
        const text = readFileSync(path, 'utf8')
        return text.length > MAX_BYTES ? null : WindowPlace.parse(JSON.parse(text))
      } catch {
        // Absent at the first start, or spoiled: the system's choice of place will do.
        return null
      }
    },
    write(place) {
      const part = `${path}.new`
      writeFileSync(part, `${JSON.stringify(place)}\n`)
      renameSync(part, path)
    },
  }
}
