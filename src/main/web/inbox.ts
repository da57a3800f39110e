import { createHash, randomBytes } from 'node:crypto'
import type { BigIntStats } from 'node:fs'
import { constants, lstat, open, readdir, statfs, unlink, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { foreignFolder } from '../../shared/jobs/foreign-folders.ts'
import { pictureSuffix } from '../../shared/jobs/picture-name.ts'
import { AppError } from '../../shared/sentences/errors.ts'
import { say } from '../../shared/sentences/sentence.ts'
import { collisionKey, numberedName, safeBaseName } from '../core/naming.ts'
import { errorCode } from '../../shared/runtime/error-code.ts'
import { syncFolder, toDiskError } from '../files/disk-error.ts'
import { hashFile } from '../files/hash-file.ts'
import { sniffImageType, SNIFF_BYTES } from '../images/image-type.ts'
import { openFolder, type FolderHandle } from '../files/folder-handle.ts'
import { isFileAt } from '../files/real-path.ts'
import { realLinks, takeName } from '../files/take-name.ts'
import { foldersAbove, type PendingUploads } from './pending-uploads.ts'

const MAX_FOLDERS = 16
const MAX_NAMES = 9999
const CREATE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0)

/** The target of an upload below the inbox; every part is a safe name. */
interface InboxPlace {
  folders: string[]
  name: string
}

/**
 * Turns the untrusted name or relative path from a browser into a place below the inbox. The folders of a dropped
 * folder are kept, each under a safe name; parts without one, such as `..`, are dropped. Null when the name is not a
 * picture's.
 */
export function inboxPlace(relativePath: string): InboxPlace | null {
  const parts = relativePath.split(/[/\\]/)
  const name = parts.pop() ?? ''
  const extension = pictureSuffix(name)
  if (extension === null) return null
  const folders = parts.map((part) => safeBaseName(part)).filter((part) => part !== null)
  return { folders: folders.slice(0, MAX_FOLDERS).map(ownName), name: `${safeBaseName(name) ?? 'picture'}${extension}` }
}

/**
 * A name for the copy of a folder that is left out as another program's elsewhere, such as a library or a folder of packages: a person
 * chose to upload it.
 */
function ownName(folder: string): string {
  if (foreignFolder(folder) === null) return folder
  const plain = folder.replaceAll('.', '-')
  return foreignFolder(plain) === null ? plain : `_${plain}`
}

/**
 * Writes a picture into the inbox and returns its path: first under a hidden name, then, complete and synced, linked to
 * the first free name (`-2`, `-3`, …). Content already there under one of these names is not written again. A new file
 * is `pending` until a person decides. Throws `bad_request` if the bytes are not a picture, `disk_full`,
 * `not_writable`, `path_outside_root`, `name_taken`, or what `chunks` threw, and then leaves nothing behind.
 */
export async function saveToInbox(
  inboxDir: string,
  place: InboxPlace,
  chunks: AsyncIterable<Uint8Array>,
  pending: PendingUploads,
): Promise<string> {
  const onDisk: OnDisk = (work) =>
    work.catch((error: unknown) => {
      throw toDiskError(error, inboxDir)
    })
  const inbox = await onDisk(openFolder(inboxDir, inboxDir))
  try {
    const name = `.hangar-upload-${randomBytes(16).toString('hex')}.part`
    const part = inbox.at(name)
    pending.beginPart(join(inbox.path, name), inbox.path)
    let handle: FileHandle | null = null
    try {
      handle = await onDisk(open(part, CREATE, 0o666))
      const sha256 = await receive(handle, chunks, onDisk)
      const upload = { part, handle, sha256, stats: await handle.stat({ bigint: true }) }
      return await onDisk(pending.exclusively(() => publish(upload, inbox, place, pending)))
    } catch (error) {
      await unlink(part).catch(() => undefined)
      throw error
    } finally {
      await handle?.close()
      pending.endPart(join(inbox.path, name))
    }
  } finally {
    await inbox.close()
  }
}

type OnDisk = <Value>(work: Promise<Value>) => Promise<Value>

/** A complete upload under its hidden name. */
interface Upload {
  part: string
  handle: FileHandle
  stats: BigIntStats
  sha256: string
}

/** Returns the SHA-256 of the received bytes, in hex. */
async function receive(handle: FileHandle, chunks: AsyncIterable<Uint8Array>, onDisk: OnDisk): Promise<string> {
  const hash = createHash('sha256')
  let head = Buffer.alloc(0)
  let isKnown = false
  for await (const chunk of chunks) {
    if (!isKnown) {
      head = Buffer.concat([head, chunk]).subarray(0, SNIFF_BYTES)
      if (head.length === SNIFF_BYTES) isKnown = mustBePicture(head)
    }
    hash.update(chunk)
    for (let at = 0; at < chunk.byteLength;) at += (await onDisk(handle.write(chunk, at))).bytesWritten
  }
  if (!isKnown) mustBePicture(head)
  await onDisk(handle.sync())
  return hash.digest('hex')
}

function mustBePicture(head: Uint8Array): true {
  if (sniffImageType(head) !== null) return true
  throw new AppError('bad_request', say('upload_no_picture'))
}

async function publish(
  { part, handle, stats, sha256 }: Upload,
  inbox: FolderHandle,
  { folders, name: wanted }: InboxPlace,
  pending: PendingUploads,
): Promise<string> {
  const { path: inboxDir } = inbox
  const dir = join(inboxDir, ...folders)
  // Its drive may have gone while the bytes came: nothing must then be made, or land, in the place where it was.
  await inbox.assertUnmoved()
  for (const above of foldersAbove(join(dir, wanted), inboxDir))
    if ((await lstat(above).catch(errorCode)) === 'ENOENT') pending.beginFolder(above, inboxDir)
  const folder = await openFolder(inboxDir, dir, { make: folders.length > 0 })
  try {
    const names = new Set(await readdir(folder.self))
    const taken = new Set([...names].map(collisionKey))
    await folder.assertUnmoved()
    for (let n = 1; n <= MAX_NAMES; n += 1) {
      const name = numberedName(wanted, n)
      const path = join(folder.path, name)
      if (names.has(name) && (await holds(folder.at(name), stats.size, sha256))) {
        await unlink(part)
        pending.uploadedAgain(path)
        return path
      }
      if (taken.has(collisionKey(name))) continue
      pending.begin(path, inboxDir, stats)
      if ((await takeName(part, folder.at(name), realLinks)) !== 'named') {
        pending.forget(path)
        continue
      }
      await syncFolder(folder.self)
      if (await isFileAt(handle, folder.at(name))) return path
      throw new AppError('file_swapped', say('part_swapped', { path }))
    }
  } finally {
    await folder.close()
  }
  throw new AppError('name_taken', say('upload_names_taken', { name: wanted }))
}

/** Whether a regular file at the path has this content. */
async function holds(path: string, sizeBytes: bigint, sha256: string): Promise<boolean> {
  const found = await lstat(path, { bigint: true }).catch(() => null)
  return found?.isFile() === true && found.size === sizeBytes && (await hashFile(path)) === sha256
}

/** Throws `disk_full` when there is no room for this many bytes, before any time is spent on the upload. */
export async function checkRoom(inboxDir: string, sizeBytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(inboxDir).catch((error: unknown) => {
    throw toDiskError(error, inboxDir)
  })
  if (bavail * bsize < sizeBytes) throw new AppError('disk_full', say('upload_no_space', { dir: inboxDir }))
}
