import { createHash } from 'node:crypto'
import type { FileHandle } from 'node:fs/promises'
import { constants, open, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { AppError } from '../../shared/sentences/errors.ts'
import type { OutputRole } from '../../shared/jobs/job.ts'
import { say } from '../../shared/sentences/sentence.ts'
import { errorCode } from '../../shared/runtime/error-code.ts'
import { toDiskError } from './disk-error.ts'
import { hashFile, hashHandle, openWithoutFollowing } from './hash-file.ts'
import { openFolder, type FolderHandle } from './folder-handle.ts'
import { partName } from './leftover-names.ts'
import { isFileAt } from './real-path.ts'
import { PRIVATE, takeAccess } from './take-access.ts'
import { takeName, type LinkPort } from './take-name.ts'

/**
 * A complete file, synced to disk under a hidden name until it gets its final one. The file and its folder stay open
 * until it is published or discarded, since others may write in the folder and swap what the name refers to.
 */
export interface StagedPart {
  /** For messages; calls use `folder` and `name`. */
  partPath: string
  folder: FolderHandle
  name: string
  handle: FileHandle
  sha256: string
  sizeBytes: number
  jobId: string
  role: OutputRole
  /** Of a variant, in pixels. */
  width?: number
}

export interface StageRequest {
  /** The folder that must contain everything written. */
  rootDir: string
  /** Created inside `rootDir` when it is missing. */
  targetDir: string
  jobId: string
  role: OutputRole
  /** Of a variant, in pixels: one job may stage several. */
  width?: number
  /** Larger content is refused with `AppError` `bad_request`. */
  maxBytes: number
  /** The original's folder, where the file goes there or below: it is not made again, since its drive may be away. */
  existing?: string
  /** The file whose access the new one gets, without the execute bits. Where it is gone the new one is private. */
  accessFrom?: string
  /** What `accessFrom` must be: a user who swaps it for a file of their own gains nothing. */
  accessIf?: FileIdentity
}

/** Network file systems may give a file two inode numbers: there the hash decides. */
export interface FileIdentity {
  /** In decimal. */
  ino: string
  sha256: string
}

const CREATE = constants.O_RDWR | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0)

/**
 * Writes what `produce` passes to its sink into a hidden file in the target folder, hashes it on the way and syncs it
 * to disk. Throws `AppError` `disk_full`, `not_writable` or `path_outside_root`, or what `produce` threw, and then
 * leaves nothing behind.
 */
export async function stageFile(
  request: StageRequest,
  produce: (sink: (chunk: Uint8Array) => Promise<void>) => Promise<void>,
): Promise<StagedPart> {
  const { rootDir, targetDir, jobId, role, width, maxBytes, existing } = request
  const name = partName(jobId, role, width)
  let producing = false
  let folder: FolderHandle | null = null
  let handle: FileHandle | null = null
  try {
    folder = await openFolder(rootDir, targetDir, { make: true, existing })
    const part = (handle = await createPart(folder.at(name)))
    const hash = createHash('sha256')
    let sizeBytes = 0
    producing = true
    await produce(async (chunk) => {
      sizeBytes += chunk.byteLength
      if (sizeBytes > maxBytes) throw new AppError('bad_request', say('result_too_large', { bytes: maxBytes }))
      hash.update(chunk)
      await writeAll(part, chunk).catch((error: unknown) => {
        throw toDiskError(error, targetDir)
      })
    })
    producing = false
    await giveAccess(part, request)
    await part.sync()
    const partPath = join(targetDir, name)
    const ofWidth = width === undefined ? {} : { width }
    return { partPath, folder, name, handle: part, sha256: hash.digest('hex'), sizeBytes, jobId, role, ...ofWidth }
  } catch (error) {
    if (folder !== null && handle !== null) await unlink(folder.at(name)).catch(() => undefined)
    await handle?.close()
    await folder?.close()
    throw producing ? error : toDiskError(error, targetDir)
  }
}

/**
 * An existing part of the same job, role and width is left from a crash: a job never stages the same part concurrently.
 */
async function createPart(address: string): Promise<FileHandle> {
  try {
    return await open(address, CREATE, PRIVATE)
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error
    await unlink(address)
    return open(address, CREATE, PRIVATE)
  }
}

/** Only once it is written: an owner who is given it may write it too. */
async function giveAccess(
  file: FileHandle,
  { accessFrom, accessIf }: Pick<StageRequest, 'accessFrom' | 'accessIf'>,
): Promise<void> {
  const from = accessFrom === undefined ? null : await openWithoutFollowing(accessFrom).catch(() => null)
  if (from === null) return
  try {
    const stats = await from.stat({ bigint: true })
    if (!stats.isFile()) return
    const isIt =
      accessIf === undefined || accessIf.ino === `${stats.ino}` || accessIf.sha256 === (await hashHandle(from))
    if (isIt) await takeAccess({ file, from, most: 6 })
  } finally {
    await from.close()
  }
}

async function writeAll(handle: FileHandle, chunk: Uint8Array): Promise<void> {
  for (let at = 0; at < chunk.byteLength;) at += (await handle.write(chunk, at)).bytesWritten
}

/** The staged bytes, for a check before publishing. Read through the descriptor that wrote them. */
export async function readStaged({ handle, sizeBytes, partPath }: StagedPart): Promise<Buffer> {
  const bytes = Buffer.alloc(sizeBytes)
  for (let at = 0; at < sizeBytes;) {
    const { bytesRead } = await handle.read(bytes, at, sizeBytes - at, at)
    if (bytesRead === 0) throw new AppError('file_swapped', say('part_swapped', { path: partPath }))
    at += bytesRead
  }
  return bytes
}

/**
 * Whether the staged file is the one at the address. Network file systems may give a file two inode numbers: there the
 * hash decides.
 */
async function isStagedAt(part: StagedPart, address: string): Promise<boolean> {
  return (await isFileAt(part.handle, address)) || (await hashFile(address)) === part.sha256
}

/**
 * `takeName` for a staged file. Checks afterwards that the hidden name still referred to the staged file: throws if it
 * was another file, which is left where it is, since it is not Hangar's.
 */
export async function nameStaged(part: StagedPart, address: string, links: LinkPort): Promise<'named' | 'taken'> {
  const outcome = await takeName(part.folder.at(part.name), address, links)
  if (outcome === 'named') await mustBeStaged(part, address)
  return outcome
}

/** Throws `AppError` `file_swapped` when something else is at the address where the staged file was just put. */
export async function mustBeStaged(part: StagedPart, address: string): Promise<void> {
  if (!(await isStagedAt(part, address)))
    throw new AppError('file_swapped', say('part_swapped', { path: part.partPath }))
}

/** Closes a part that has its final name. */
export async function releaseStaged({ handle, folder }: StagedPart): Promise<void> {
  await handle.close()
  await folder.close()
}

/** Removes its hidden name, if that still refers to it. */
export async function removeStaged(part: StagedPart): Promise<void> {
  try {
    const address = part.folder.at(part.name)
    if (await isStagedAt(part, address)) await unlink(address)
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw toDiskError(error, part.folder.path)
  }
}

/** Discards a staged file. Does nothing when it was discarded before or is published. */
export async function discardStaged(part: StagedPart): Promise<void> {
  // A closed handle has no descriptor.
  if (part.handle.fd === -1) return
  try {
    await removeStaged(part)
  } finally {
    await releaseStaged(part)
  }
}
