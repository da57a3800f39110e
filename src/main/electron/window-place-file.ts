import { join } from 'node:path'
import { readOwnFile, writeOwnFile } from './own-file.ts'
import { WindowPlace } from './window-bounds.ts'

const NAME = 'window.json'

export interface WindowPlaceFile {
  /** Null when there is none or it cannot be parsed: the system chooses the position. */
  read(): WindowPlace | null
  /** Throws the disk's error. */
  write(place: WindowPlace): void
}

/** The window's last bounds, in the data folder. */
export function windowPlaceFile(dataDir: string): WindowPlaceFile {
  const path = join(dataDir, NAME)
  return {
    read: () => WindowPlace.safeParse(readOwnFile(path)).data ?? null,
    write: (place) => writeOwnFile(path, place),
  }
}
