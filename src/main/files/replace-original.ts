import type { BigIntStats } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import { chmod, lstat, realpath, rename } from 'node:fs/promises'
import { dirname } from 'node:path'
import { toDiskError, syncFolder, errorCode } from './disk-error.ts'
import { hashHandle, openWithoutFollowing } from './hash-file.ts'
import { keepOriginal, recordReplacement } from './kept-originals.ts'
import { isInside, outside, realPathOf } from './real-path.ts'
import { discardStaged } from './stage-file.ts'
import type { StagedPart } from './stage-file.ts'
import { realLinks } from './take-name.ts'
import type { LinkPort } from './take-name.ts'

export interface ReplaceRequest {
  path: string
  rootDir: string
  /** Staged in the original's own folder. */
  part: StagedPart
  /** What the original must still be: the hash of the snapshot. */
  sha256: string
  /** Awaited before the original is swapped. */
  onPlanned: (path: string) => Promise<void> | void
  links?: LinkPort
}

/**
 * Swaps the original for a staged file in one step, after keeping the original itself (its inode, so bytes, times and
 * permissions) in `.hangar-originals` beside it. `changed` when the original is not what the snapshot was; then nothing
 * happened. Doing it again after a crash is safe at every point. Throws `AppError` `disk_full`, `not_writable`,
 * `path_outside_root`; then the original is where and what it was.
 */
export async function replaceOriginal(request: ReplaceRequest): Promise<'replaced' | 'changed'> {
  try {
    return await replace(request)
  } catch (error) {
    throw toDiskError(error, dirname(request.path))
  }
}

async function replace(request: ReplaceRequest): Promise<'replaced' | 'changed'> {
  const { path, rootDir, part, sha256, onPlanned, links = realLinks } = request
  const original = await openOriginal(path)
  if (original === null) return 'changed'
  try {
    const before = await original.stat({ bigint: true })
    const real = await realPathOf(original, path)
    if (!before.isFile() || real === null) return 'changed'
    if (!isInside(await realpath(rootDir), real)) throw outside(path)
    const present = await hashHandle(original)
    if (present === part.sha256 && present !== sha256) {
      await discardStaged(part)
      return 'replaced'
    }
    if (present !== sha256) return 'changed'
    const kept = await keepOriginal({ path, rootDir, handle: original, stats: before, sha256, links })
    if (kept === null) return 'changed'
    await recordReplacement(kept, part.sha256)
    await onPlanned(path)
    await chmod(part.partPath, Number(before.mode & 0o777n))
    if (!(await isUnchanged(path, before))) return 'changed'
    await rename(part.partPath, path)
    await syncFolder(dirname(path))
    return 'replaced'
  } finally {
    await original.close()
  }
}

async function openOriginal(path: string): Promise<FileHandle | null> {
  try {
    return await openWithoutFollowing(path)
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'ELOOP'].includes(errorCode(error))) return null
    throw error
  }
}

/** Not `ctime`: keeping a link to the file has just changed that. */
async function isUnchanged(path: string, before: BigIntStats): Promise<boolean> {
  const now = await lstat(path, { bigint: true }).catch(() => null)
  return (
    now !== null &&
    now.ino === before.ino &&
    now.dev === before.dev &&
    now.size === before.size &&
    now.mtimeNs === before.mtimeNs
  )
}
