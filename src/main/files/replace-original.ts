import type { BigIntStats } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import { basename, dirname, resolve } from 'node:path'
import { errorCode } from '../../shared/runtime/error-code.ts'
import { toDiskError, syncFolder } from './disk-error.ts'
import { hashHandle, openRegularFile, openWithoutFollowing, whileOpen } from './regular-file.ts'
import type { FolderHandle } from './folder-handle.ts'
import { holdOriginals, isUnchanged, keepOriginal, openOriginals, recordReplacement } from './kept-originals.ts'
import { type LinkPort, realLinks, renameWithRetry } from './take-name.ts'
import { outside } from './real-path.ts'
import { discardStaged, type StagedPart } from './stage-file.ts'
import { PRIVATE, takeAccess, takeTime, type Loser } from './take-access.ts'

export interface ReplaceRequest {
  path: string
  /** Staged in the original's own folder. */
  part: StagedPart
  /** The hash of the snapshot, which the original must still have. */
  sha256: string
  /** Tells this Hangar from others: two do not replace in one folder. */
  replacer: string
  /** Awaited before the original is swapped. */
  onPlanned: (path: string) => Promise<void> | void
  links?: LinkPort
}

/** `changed`: the original no longer matches the snapshot; `loser`: who would have less access. Nothing is done in either case. */
export type ReplaceOutcome = 'replaced' | 'changed' | { loser: Loser | 'another_hangar' }

/**
 * Swaps the original for a staged file with the same access in one step, after keeping the original itself in `.hangar-originals` beside it.
 * Safe to repeat after a crash at any point. Throws `disk_full`, `not_writable`, `path_outside_root`; the original is then untouched.
 */
export async function replaceOriginal(request: ReplaceRequest): Promise<ReplaceOutcome> {
  try {
    return await replace(request)
  } catch (error) {
    throw toDiskError(error, dirname(request.path))
  }
}

async function replace(request: ReplaceRequest): Promise<ReplaceOutcome> {
  const { path, part, sha256 } = request
  const { folder } = part
  if (resolve(dirname(path)) !== resolve(folder.path)) throw outside(path)
  await folder.assertUnmoved()
  const file = await openRegularFile(folder.at(basename(path))).catch((error: unknown) => {
    if (['ENOENT', 'ENOTDIR'].includes(errorCode(error))) return null
    throw error
  })
  if (file === null) return 'changed'
  const { handle: original, stats: before } = file
  return whileOpen(original, async (): Promise<ReplaceOutcome> => {
    const present = await hashHandle(original)
    if (present === part.sha256 && present !== sha256) {
      await discardStaged(part)
      return 'replaced'
    }
    if (present !== sha256) return 'changed'
    const loser = await giveAccess(part, original)
    if (loser !== null) return { loser }
    const originals = await openOriginals(folder, true)
    if (originals === null) return 'changed'
    if (!(await holdOriginals(originals, request.replacer))) return { loser: 'another_hangar' }
    return swap(request, original, before, originals)
  })
}

async function giveAccess({ partPath }: StagedPart, original: FileHandle): Promise<Loser | null> {
  return whileOpen(await openWithoutFollowing(partPath), async (file) => {
    await file.chmod(PRIVATE)
    const loser = await takeAccess({ file, from: original, most: 7, takesAttributes: true })
    if (loser !== null) return loser
    await takeTime(file, original)
    // Windows syncs only what is open for writing.
    if (process.platform !== 'win32') await file.sync()
    return null
  })
}

/** Keeps the original, records what takes its place, and puts that there. */
async function swap(
  { path, part, sha256, onPlanned, links = realLinks }: ReplaceRequest,
  handle: FileHandle,
  stats: BigIntStats,
  originals: FolderHandle,
): Promise<'replaced' | 'changed'> {
  const { folder } = part
  const name = basename(path)
  const address = folder.at(name)
  const kept = await keepOriginal({ folder, originals, name, handle, stats, sha256, links })
  if (kept === null) return 'changed'
  await recordReplacement(originals, kept, part.sha256, handle)
  await onPlanned(path)
  // Read once more, since a program may have written and set the mtime back, and keeping a link has changed the ctime.
  if ((await hashHandle(handle)) !== sha256 || !(await isUnchanged(address, stats, true))) return 'changed'
  // Windows cannot replace an open file. Elsewhere, keeping it open stops its inode number from being reused.
  if (process.platform === 'win32') await handle.close()
  await renameWithRetry(part.partPath, address)
  await syncFolder(folder.self)
  return 'replaced'
}
