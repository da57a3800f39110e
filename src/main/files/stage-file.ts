import { createHash } from 'node:crypto'
import { constants, open, rm, type FileHandle } from 'node:fs/promises'
import { AppError } from '../../shared/sentences/errors.ts'
import type { OutputRole } from '../../shared/jobs/job.ts'
import { say } from '../../shared/sentences/sentence.ts'
import type { StagedFile } from '../core/published-output.ts'
import { toDiskError } from './disk-error.ts'
import { hashHandle, openRegularFile, readSmallFile, whileOpen } from './regular-file.ts'
import { openFolder, type FolderHandle } from './folder-handle.ts'
import { partName } from './leftovers.ts'
import { PRIVATE, takeAccess } from './take-access.ts'

/** A complete file, synced to disk under a hidden name until it gets its final one. */
export interface StagedPart extends StagedFile {
  folder: FolderHandle
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
interface FileIdentity {
  /** In decimal. */
  ino: string
  sha256: string
}

const CREATE = constants.O_RDWR | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0)

/**
 * Writes what `produce` passes to its sink into a hidden file, hashes it on the way and syncs it to disk. Throws `disk_full`, `not_writable` or
 * `path_outside_root`, or what `produce` threw, and then leaves nothing behind.
 */
export async function stageFile(
  request: StageRequest,
  produce: (sink: (chunk: Uint8Array) => Promise<void>) => Promise<void>,
): Promise<StagedPart> {
  const { rootDir, targetDir, jobId, role, width, maxBytes, existing } = request
  let producing = false
  let partPath: string | null = null
  try {
    const folder = await openFolder(rootDir, targetDir, { make: true, existing })
    const address = (partPath = folder.at(partName(jobId, role, width)))
    // One that is there is left from a crash, or is what this one takes the place of: a job stages no part twice at a time.
    await rm(address, { force: true })
    return await whileOpen(await open(address, CREATE, PRIVATE), async (part) => {
      const hash = createHash('sha256')
      let sizeBytes = 0
      producing = true
      await produce(async (chunk) => {
        sizeBytes += chunk.byteLength
        if (sizeBytes > maxBytes) throw new AppError('bad_request', say('result_too_large', { bytes: maxBytes }))
        hash.update(chunk)
        await part.writeFile(chunk).catch((error: unknown) => {
          throw toDiskError(error, targetDir)
        })
      })
      producing = false
      await giveAccess(part, request)
      await part.sync()
      return { partPath: address, folder, sha256: hash.digest('hex'), sizeBytes, width }
    })
  } catch (error) {
    if (partPath !== null) await rm(partPath, { force: true }).catch(() => undefined)
    throw producing ? error : toDiskError(error, targetDir)
  }
}

/** Only once it is written: an owner who is given it may write it too. */
async function giveAccess(
  file: FileHandle,
  { accessFrom, accessIf }: Pick<StageRequest, 'accessFrom' | 'accessIf'>,
): Promise<void> {
  const found = accessFrom === undefined ? null : await openRegularFile(accessFrom).catch(() => null)
  if (found === null) return
  await whileOpen(found.handle, async (from) => {
    const isIt =
      accessIf === undefined || accessIf.ino === `${found.stats.ino}` || accessIf.sha256 === (await hashHandle(from))
    if (isIt) await takeAccess({ file, from, most: 6 })
  })
}

/** The staged bytes, for a check before publishing. */
export async function readStaged({ partPath, sizeBytes }: StagedPart): Promise<Buffer> {
  const bytes = await readSmallFile(partPath, sizeBytes)
  if (bytes?.length !== sizeBytes) throw new Error(`${partPath} is not as it was written`)
  return bytes
}

/** Removes its hidden name. Does nothing when it was discarded before or is published, or its folder is another one by now. */
export async function discardStaged({ partPath, folder }: StagedPart): Promise<void> {
  try {
    await folder.assertUnmoved()
  } catch {
    return
  }
  await rm(partPath, { force: true }).catch((error: unknown) => {
    throw toDiskError(error, folder.path)
  })
}
