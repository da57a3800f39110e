import { createHash } from 'node:crypto'
import type { FileHandle } from 'node:fs/promises'
import { constants, lstat, open, readFile, realpath, unlink } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { AppError } from '../../shared/errors.ts'
import type { OutputRole } from '../../shared/job.ts'
import { ownSentence } from '../../shared/own-sentences.ts'
import { errorCode, toDiskError } from './disk-error.ts'
import { partName } from './leftover-names.ts'
import { ensureFolderInside, isInside, outside, realPathOf } from './real-path.ts'

/** A file that is whole and on disk under a hidden name, waiting for its final one. */
export interface StagedPart {
  partPath: string
  sha256: string
  sizeBytes: number
  jobId: string
  role: OutputRole
}

export interface StageRequest {
  /** The folder that must contain everything written. */
  rootDir: string
  /** Made inside `rootDir` when it is missing. */
  targetDir: string
  jobId: string
  role: OutputRole
  /** More than this is refused with `AppError` `bad_request`. */
  maxBytes: number
  /** The file whose permissions the new one gets (never its execute bits). */
  modeFrom?: string
}

const CREATE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0)

/**
 * Writes what `produce` gives to its sink into a hidden file in the target folder, hashes it on the way and brings it
 * to the disk. Throws `AppError` `disk_full`, `not_writable` or `path_outside_root`, or what `produce` threw; then
 * nothing is left behind.
 */
export async function stageFile(
  request: StageRequest,
  produce: (sink: (chunk: Uint8Array) => Promise<void>) => Promise<void>,
): Promise<StagedPart> {
  const { rootDir, targetDir, jobId, role, maxBytes, modeFrom } = request
  const partPath = join(targetDir, partName(jobId, role))
  let producing = false
  let handle: FileHandle | null = null
  try {
    await ensureFolderInside(rootDir, targetDir)
    const mode = modeFrom === undefined ? 0o666 : await modeOf(modeFrom)
    const part = (handle = await createPart(partPath, mode))
    await refuseIfOutside(part, partPath, rootDir)
    const hash = createHash('sha256')
    let sizeBytes = 0
    producing = true
    await produce(async (chunk) => {
      sizeBytes += chunk.byteLength
      if (sizeBytes > maxBytes) throw new AppError('bad_request', ownSentence('result_too_large', { bytes: maxBytes }))
      hash.update(chunk)
      await writeAll(part, chunk).catch((error: unknown) => {
        throw toDiskError(error, targetDir)
      })
    })
    producing = false
    await part.sync()
    return { partPath, sha256: hash.digest('hex'), sizeBytes, jobId, role }
  } catch (error) {
    if (handle !== null) await unlink(partPath).catch(() => undefined)
    throw producing ? error : toDiskError(error, targetDir)
  } finally {
    await handle?.close()
  }
}

/** A part of the same job and role is from a run that crashed: one job never stages one role twice at a time. */
async function createPart(partPath: string, mode: number): Promise<FileHandle> {
  try {
    return await open(partPath, CREATE, mode)
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error
    await unlink(partPath)
    return open(partPath, CREATE, mode)
  }
}

/** The folder may have been swapped for a link since it was looked at; the open file tells where it really is. */
async function refuseIfOutside(handle: FileHandle, partPath: string, rootDir: string): Promise<void> {
  const real = await realPathOf(handle, partPath)
  const realRoot = await realpath(rootDir)
  if (real === null || !isInside(realRoot, real)) throw outside(resolve(partPath))
}

async function writeAll(handle: FileHandle, chunk: Uint8Array): Promise<void> {
  for (let at = 0; at < chunk.byteLength;) at += (await handle.write(chunk, at)).bytesWritten
}

async function modeOf(path: string): Promise<number> {
  const stats = await lstat(path).catch(() => null)
  return stats?.isFile() === true ? stats.mode & 0o666 : 0o666
}

/** The bytes that were staged, for a check before they are published. */
export function readStaged(part: StagedPart): Promise<Buffer> {
  return readFile(part.partPath)
}

/** Gives a staged file up. Nothing happens when it is gone already. */
export async function discardStaged(part: Pick<StagedPart, 'partPath'>): Promise<void> {
  await unlink(part.partPath).catch((error: unknown) => {
    if (errorCode(error) !== 'ENOENT') throw toDiskError(error, part.partPath)
  })
}
