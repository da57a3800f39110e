import { lstat, readdir, unlink } from 'node:fs/promises'
import { errorCode } from '../../shared/runtime/error-code.ts'
import { syncFolder } from './disk-error.ts'
import { openFolder, type FolderHandle } from './folder-handle.ts'
import { tagOfPart } from './leftover-names.ts'

/**
 * Removes the parts in a folder that a crash left, and returns how many. Touches only regular files with exactly our hidden names and
 * never follows links. A missing folder is not an error. Throws the first failure after the remaining files are done, and
 * `path_outside_root` for a folder that is not inside `rootDir`, by default the folder itself.
 */
export async function sweepLeftovers(
  dir: string,
  options: { rootDir?: string; isLive: (tag: string) => boolean },
): Promise<number> {
  const folder = await openFolder(options.rootDir ?? dir, dir).catch((error: unknown) => {
    if (['ENOENT', 'ENOTDIR'].includes(errorCode(error))) return null
    throw error
  })
  return folder === null ? 0 : sweep(folder, options.isLive)
}

async function sweep(folder: FolderHandle, isLive: (tag: string) => boolean): Promise<number> {
  const failures: unknown[] = []
  let removed = 0
  for (const name of await readdir(folder.self)) {
    const tag = tagOfPart(name)
    if (tag === null || isLive(tag)) continue
    try {
      if (!(await lstat(folder.at(name))).isFile()) continue
      await unlink(folder.at(name))
      removed += 1
    } catch (error) {
      // A leftover that cannot be handled, perhaps a planted one, does not stop the others.
      if (errorCode(error) !== 'ENOENT') failures.push(error)
    }
  }
  if (removed > 0) await syncFolder(folder.self)
  if (failures.length > 0) throw failures[0]
  return removed
}
