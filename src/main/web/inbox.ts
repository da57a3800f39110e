import { createHash } from 'node:crypto'
import type { BigIntStats } from 'node:fs'
import { constants, lstat, open, readdir, unlink, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { pictureSuffix } from '../../shared/jobs/picture-name.ts'
import { AppError } from '../../shared/sentences/errors.ts'
import { say } from '../../shared/sentences/sentence.ts'
import { collisionKey, numberedName, safeBaseName } from '../core/naming.ts'
import { errorCode } from '../../shared/runtime/error-code.ts'
import { syncFolder, toDiskError } from '../files/disk-error.ts'
import { hashFile } from '../files/regular-file.ts'
import { sniffImageType, SNIFF_BYTES } from '../images/image-type.ts'
import { openFolder, type FolderHandle } from '../files/folder-handle.ts'
import { realLinks, takeName } from '../files/take-name.ts'
import { foldersAbove, type PendingUploads } from './pending-uploads.ts'

const MAX_FOLDERS = 16
const MAX_NAMES = 9999
const CREATE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0)

/** Below the inbox; every part is a safe name. */
type InboxPlace = { folders: string[]; name: string }

/**
 * The place below the inbox for an untrusted name or relative path. Folders of a dropped folder are kept under safe names, or dropped
 * like `..`. Null if the name is not a picture's.
 */
export function inboxPlace(relativePath: string): InboxPlace | null {
  const parts = relativePath.split(/[/\\]/)
  const name = parts.pop() ?? ''
  const extension = pictureSuffix(name)
  if (extension === null) return null
  const folders = parts.map((part) => safeBaseName(part)).filter((part) => part !== null)
  return { folders: folders.slice(0, MAX_FOLDERS), name: `${safeBaseName(name) ?? 'picture'}${extension}` }
}

/**
 * Writes a picture into the inbox: first under a hidden name, then, complete and synced, linked to the first free name (`-2`, `-3`, …).
 * Content that is already there is not written again. A new file is `pending` until a person decides. Throws `bad_request` if the bytes
 * are no picture, `disk_full`, `not_writable`, `path_outside_root`, `name_taken`, or what `chunks` threw, and leaves nothing behind.
 */
export async function saveToInbox(
  inboxDir: string,
  place: InboxPlace,
  chunks: AsyncIterable<Uint8Array>,
  pending: PendingUploads,
): Promise<string> {
  const inbox = await openFolder(inboxDir, inboxDir).catch((error: unknown) => {
    throw toDiskError(error, inboxDir)
  })
  const part = inbox.at(pending.newPartName())
  try {
    const handle = await open(part, CREATE, 0o666)
    try {
      const sha256 = await receive(handle, chunks)
      return await publish({ part, sha256, stats: await handle.stat({ bigint: true }) }, inbox, place, pending)
    } finally {
      await handle.close()
    }
  } catch (error) {
    await unlink(part).catch(() => undefined)
    throw toDiskError(error, inboxDir)
  }
}

/** Returns the SHA-256 in hex. */
async function receive(handle: FileHandle, chunks: AsyncIterable<Uint8Array>): Promise<string> {
  const hash = createHash('sha256')
  let head = Buffer.alloc(0)
  let isKnown = false
  for await (const chunk of chunks) {
    if (!isKnown) {
      head = Buffer.concat([head, chunk]).subarray(0, SNIFF_BYTES)
      if (head.length === SNIFF_BYTES) isKnown = mustBePicture(head)
    }
    hash.update(chunk)
    for (let at = 0; at < chunk.byteLength;) at += (await handle.write(chunk, at)).bytesWritten
  }
  if (!isKnown) mustBePicture(head)
  await handle.sync()
  return hash.digest('hex')
}

function mustBePicture(head: Uint8Array): true {
  if (sniffImageType(head) !== null) return true
  throw new AppError('bad_request', say('upload_no_picture'))
}

async function publish(
  { part, stats, sha256 }: { part: string; stats: BigIntStats; sha256: string },
  inbox: FolderHandle,
  { folders, name: wanted }: InboxPlace,
  pending: PendingUploads,
): Promise<string> {
  const { path: inboxDir } = inbox
  const dir = join(inboxDir, ...folders)
  // Its drive may have gone while the bytes came: nothing must then be made in the place where it was.
  await inbox.assertUnmoved()
  const made: string[] = []
  for (const above of foldersAbove(join(dir, wanted), inboxDir))
    if ((await lstat(above).catch(errorCode)) === 'ENOENT') made.push(above)
  const folder = await openFolder(inboxDir, dir, { make: folders.length > 0 })
  const names = new Set(await readdir(folder.self))
  const taken = new Set([...names].map(collisionKey))
  for (let n = 1; n <= MAX_NAMES; n += 1) {
    const name = numberedName(wanted, n)
    const path = join(folder.path, name)
    if (names.has(name) && (await holds(folder.at(name), stats.size, sha256))) {
      await unlink(part)
      pending.keep(path)
      return path
    }
    if (taken.has(collisionKey(name)) || (await takeName(part, folder.at(name), realLinks)) === 'taken') continue
    pending.add(path, stats, made)
    await syncFolder(folder.self)
    return path
  }
  throw new AppError('name_taken', say('upload_names_taken', { name: wanted }))
}

/** Whether a regular file at the path has this content. */
async function holds(path: string, sizeBytes: bigint, sha256: string): Promise<boolean> {
  const found = await lstat(path, { bigint: true }).catch(() => null)
  return found?.isFile() === true && found.size === sizeBytes && (await hashFile(path)) === sha256
}
