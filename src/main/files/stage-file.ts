import { createHash } from 'node:crypto'
import type { FileHandle } from 'node:fs/promises'
import { constants, lstat, open, unlink } from 'node:fs/promises'
import { AppError } from '../../shared/sentences/errors.ts'
import type { OutputRole } from '../../shared/jobs/job.ts'
import { say } from '../../shared/sentences/sentence.ts'
import { errorCode } from '../../shared/runtime/error-code.ts'
import { toDiskError } from './disk-error.ts'
import { hashHandle, openWithoutFollowing, readSmallFile } from './regular-file.ts'
import { openFolder, type FolderHandle } from './folder-handle.ts'
import { partName } from './leftovers.ts'
import { PRIVATE, takeAccess } from './take-access.ts'

/** A complete file, synced to disk under a hidden name until it gets its final one. */
export interface StagedPart {
  /** The address of that name. */
  partPath: string
  folder: FolderHandle
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
  let producing = false
  let partPath: string | null = null
  let handle: FileHandle | null = null
  try {
    const folder = await openFolder(rootDir, targetDir, { make: true, existing })
    partPath = folder.at(partName(jobId, role, width))
    const part = (handle = await createPart(partPath))
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
    const ofWidth = width === undefined ? {} : { width }
    return { partPath, folder, sha256: hash.digest('hex'), sizeBytes, jobId, role, ...ofWidth }
  } catch (error) {
    if (partPath !== null && handle !== null) await unlink(partPath).catch(() => undefined)
    throw producing ? error : toDiskError(error, targetDir)
  } finally {
    await handle?.close()
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

/** The staged bytes, for a check before publishing. */
export async function readStaged({ partPath, sizeBytes }: StagedPart): Promise<Buffer> {
  const bytes = await readSmallFile(partPath, sizeBytes)
  if (bytes?.length !== sizeBytes) throw new AppError('file_swapped', say('part_swapped', { path: partPath }))
  return bytes
}

/** Throws `AppError` `file_swapped` where something else has its hidden name. */
export async function assertStaged({ partPath, sizeBytes }: StagedPart): Promise<void> {
  const found = await lstat(partPath).catch(() => null)
  if (found?.isFile() !== true || found.size !== sizeBytes)
    throw new AppError('file_swapped', say('part_swapped', { path: partPath }))
}

/** Removes its hidden name. Does nothing when it was discarded before or is published, or its folder is another one by now. */
export async function discardStaged({ partPath, folder }: StagedPart): Promise<void> {
  const isThere = await folder.assertUnmoved().then(
    () => true,
    () => false,
  )
  try {
    if (isThere) await unlink(partPath)
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw toDiskError(error, folder.path)
  }
}
