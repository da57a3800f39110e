import { opendir } from 'node:fs/promises'
import { isImageName } from './path-filter.ts'

/** Enough to tell a folder of links; a tree without any is not searched to its end. */
const MAX_ENTRIES = 20_000

/** Whether links with the names of pictures lie below the folders: they are never followed. */
export async function hasLinkedPictures(paths: readonly string[]): Promise<boolean> {
  let left = MAX_ENTRIES
  for (const path of paths) {
    try {
      for await (const entry of await opendir(path, { recursive: true })) {
        if (entry.isSymbolicLink() && isImageName(entry.name)) return true
        left -= 1
        if (left <= 0) return false
      }
    } catch {
      // No folder, or not readable, which the run has said.
    }
  }
  return false
}
