import type { BigIntStats } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import { lstat } from 'node:fs/promises'
import { basename, dirname, resolve } from 'node:path'
import { toDiskError, syncFolder, errorCode } from './disk-error.ts'
import { hashHandle, openWithoutFollowing } from './hash-file.ts'
import { keepOriginal, openOriginals, recordReplacement } from './kept-originals.ts'
import { renameWithRetry } from './rename-with-retry.ts'
import { outside } from './real-path.ts'
import { discardStaged, mustBeStaged, releaseStaged, type StagedPart } from './stage-file.ts'
import { realLinks } from './take-name.ts'
import type { LinkPort } from './take-name.ts'

export interface ReplaceRequest {
  path: string
  /** Staged in the original's own folder. */
  part: StagedPart
  /** The hash of the snapshot, which the original must still have. */
  sha256: string
  /** Awaited before the original is swapped. */
  onPlanned: (path: string) => Promise<void> | void
  links?: LinkPort
}

/**
 * Swaps the original for a staged file in one step, after keeping the original itself (its inode, so bytes, times and
 * permissions) in `.hangar-originals` beside it. `changed` when the original no longer matches the snapshot; nothing is
 * done then. Safe to repeat after a crash at any point. Throws `AppError` `disk_full`, `not_writable`,
 * `path_outside_root`; the original is then untouched.
 */
export async function replaceOriginal(request: ReplaceRequest): Promise<'replaced' | 'changed'> {
  try {
    return await replace(request)
  } catch (error) {
    throw toDiskError(error, dirname(request.path))
  }
}

async function replace(request: ReplaceRequest): Promise<'replaced' | 'changed'> {
  const { path, part, sha256, onPlanned } = request
  const { folder } = part
  if (resolve(dirname(path)) !== resolve(folder.path)) throw outside(path)
  await folder.assertUnmoved()
  const address = folder.at(basename(path))
  const original = await openOriginal(address)
  if (original === null) return 'changed'
  try {
    const before = await original.stat({ bigint: true })
    if (!before.isFile()) return 'changed'
    const present = await hashHandle(original)
    if (present === part.sha256 && present !== sha256) {
      await discardStaged(part)
      return 'replaced'
    }
    if (present !== sha256 || !(await keep(request, original, before))) return 'changed'
    await onPlanned(path)
    await folder.assertUnmoved()
    // On the descriptor: the hidden name may have become a link to any file.
    await part.handle.chmod(Number(before.mode & 0o777n))
    if (!(await isUnchanged(address, before))) return 'changed'
    // Windows cannot replace an open file. Elsewhere, keeping it open stops its inode number from being reused.
    if (process.platform === 'win32') await original.close()
    await renameWithRetry(folder.at(part.name), address)
    await mustBeStaged(part, address)
    await syncFolder(folder.self)
    await releaseStaged(part)
    return 'replaced'
  } finally {
    await original.close()
  }
}

/** Keeps the original and records what takes its place. False when the name now belongs to another file. */
async function keep(request: ReplaceRequest, handle: FileHandle, stats: BigIntStats): Promise<boolean> {
  const { path, part, sha256, links = realLinks } = request
  const originals = await openOriginals(part.folder, true)
  if (originals === null) return false
  try {
    const name = basename(path)
    const kept = await keepOriginal({ folder: part.folder, originals, name, handle, stats, sha256, links })
    if (kept !== null) await recordReplacement(originals, kept, part.sha256)
    return kept !== null
  } finally {
    await originals.close()
  }
}

async function openOriginal(address: string): Promise<FileHandle | null> {
  try {
    return await openWithoutFollowing(address)
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'ELOOP'].includes(errorCode(error))) return null
    throw error
  }
}

/** Leaves out `ctime`, which keeping a link to the file has just changed. */
async function isUnchanged(address: string, before: BigIntStats): Promise<boolean> {
  const now = await lstat(address, { bigint: true }).catch(() => null)
  return (
    now !== null &&
    now.ino === before.ino &&
    now.dev === before.dev &&
    now.size === before.size &&
    now.mtimeNs === before.mtimeNs
  )
}
