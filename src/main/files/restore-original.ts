import type { BigIntStats } from 'node:fs'
import { lstat, realpath, rename, unlink } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { syncFolder, toDiskError } from './disk-error.ts'
import { hashFile, hashHandle, openWithoutFollowing } from './hash-file.ts'
import { keepOriginal, keptOriginalsOf, recordReplacement } from './kept-originals.ts'
import type { KeptOriginal } from './kept-originals.ts'
import { realLinks, takeName } from './take-name.ts'
import type { LinkPort } from './take-name.ts'

/**
 * `nothingKept`: Hangar keeps no original of this path. `alreadyOriginal`: the original is in its place. `changedSince`:
 * the file is not what Hangar put there; `force` restores all the same and keeps that file as Hangar keeps originals.
 */
export type RestoreOutcome =
  | { kind: 'restored'; sha256: string }
  | { kind: 'nothingKept' }
  | { kind: 'alreadyOriginal' }
  | { kind: 'changedSince' }

/**
 * Brings the newest kept original of `path` back in one step: the same inode, so bytes, times and permissions. Throws
 * `AppError` `disk_full` or `not_writable`; then the kept original is still kept.
 */
export async function restoreOriginal(
  path: string,
  options: { force?: boolean; links?: LinkPort } = {},
): Promise<RestoreOutcome> {
  try {
    return await restore(path, options.force === true, options.links ?? realLinks)
  } catch (error) {
    throw toDiskError(error, dirname(path))
  }
}

async function restore(path: string, force: boolean, links: LinkPort): Promise<RestoreOutcome> {
  const [kept] = await keptOriginalsOf(path)
  if (kept === undefined) return { kind: 'nothingKept' }
  const before = await lstat(path, { bigint: true }).catch(() => null)
  if (before === null) {
    if ((await takeName(kept.filePath, path, links)) === 'taken') return { kind: 'changedSince' }
    return forget(kept, path)
  }
  const present = await hashFile(path)
  if (present === kept.record.sha256) return { kind: 'alreadyOriginal' }
  const isOurs = present !== null && kept.record.replacedBy.includes(present)
  if (!isOurs && (!force || !(await keepForeign(path, links)))) return { kind: 'changedSince' }
  if (!(await isStill(path, before))) return { kind: 'changedSince' }
  await rename(kept.filePath, path)
  return forget(kept, path)
}

/** What is forced away is kept as well: restoring once more, by force, swaps the two back. */
async function keepForeign(path: string, links: LinkPort): Promise<boolean> {
  const handle = await openWithoutFollowing(path).catch(() => null)
  if (handle === null) return false
  try {
    const stats = await handle.stat({ bigint: true })
    if (!stats.isFile()) return false
    const sha256 = await hashHandle(handle)
    const rootDir = await realpath(dirname(path))
    const kept = await keepOriginal({ path: `${rootDir}/${basename(path)}`, rootDir, handle, stats, sha256, links })
    if (kept === null) return false
    // Not as replaced by the original: then restoring twice would drop the original as if it were an output.
    await recordReplacement(kept, null)
    return true
  } finally {
    await handle.close()
  }
}

async function isStill(path: string, before: BigIntStats): Promise<boolean> {
  const now = await lstat(path, { bigint: true }).catch(() => null)
  return now !== null && now.ino === before.ino && now.size === before.size && now.mtimeNs === before.mtimeNs
}

async function forget(kept: KeptOriginal, path: string): Promise<RestoreOutcome> {
  await syncFolder(dirname(path))
  await unlink(kept.recordPath)
  await syncFolder(dirname(kept.recordPath))
  return { kind: 'restored', sha256: kept.record.sha256 }
}
