import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { WindowPlace } from './window-bounds.ts'

const NAME = 'window.json'
const MAX_BYTES = 4096

export interface WindowPlaceFile {
  /** Null when there is none or it cannot be parsed. */
  read(): WindowPlace | null
  /** Writes all of it or nothing. Synchronous, because a closing window does not wait. Throws the disk's error. */
  write(place: WindowPlace): void
}

/** The window's last bounds, in the data folder. */
export function windowPlaceFile(dataDir: string): WindowPlaceFile {
  const path = join(dataDir, NAME)
  return {
    read() {
      try {
        const text = readFileSync(path, 'utf8')
        return text.length > MAX_BYTES ? null : WindowPlace.parse(JSON.parse(text))
      } catch {
        // Missing at the first start, or damaged: the system chooses the position.
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
