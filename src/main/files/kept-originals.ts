import type { BigIntStats } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import { constants, lstat, mkdir, open, readdir, unlink } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { z } from 'zod'
import { AppError } from '../../shared/sentences/errors.ts'
import { say } from '../../shared/sentences/sentence.ts'
import { collisionKey, cutToBytes } from '../core/naming.ts'
import { errorCode } from '../../shared/runtime/error-code.ts'
import { syncFolder } from './disk-error.ts'
import { hashFile } from './hash-file.ts'
import { openFolder, type FolderHandle } from './folder-handle.ts'
import { nameRoomIn } from './name-room.ts'
import { readSmallFile } from './open-regular-file.ts'
import { renameWithRetry, unlinkWithRetry } from './rename-with-retry.ts'
import { leaveOriginals } from './replacing-hangar.ts'
import { PRIVATE, takeAccess } from './take-access.ts'
import { linksAreMissing, takeName } from './take-name.ts'
import type { LinkPort } from './take-name.ts'

/** The subfolder in which replaced originals are kept, beside where they were. */
export const ORIGINALS_FOLDER = '.hangar-originals'

const MAX_NAME_BYTES = 200
/** Of what is around the name: the start of a hash, `-99-`, and `.json.draft` while its record is written. */
const AROUND_BYTES = 32
/** A longer record is not Hangar's. */
export const MAX_RECORD_BYTES = 1_000_000

const sha256 = z.string().regex(/^[0-9a-f]{64}$/)
const Record = z.object({
  hangarOriginal: z.literal(1),
  name: z.string().min(1).max(1000),
  sha256,
  /** Hashes of what Hangar put in its place, oldest first. */
  replacedBy: z.array(sha256),
  /** Increases within a folder: the highest is the newest. */
  order: z.number().int().nonnegative(),
})
type Kept = z.infer<typeof Record>

/** A kept original: the file, the record beside it (`<file>.json`), and what the record says. */
export interface KeptOriginal {
  name: string
  /** For messages and for decoding the picture; calls that change something use the folder and `name`. */
  filePath: string
  record: Kept
}

const recordName = (name: string): string => `${name}.json`

/**
 * Holds the kept-originals folder of a folder; null when there is none. Throws `path_outside_root` when the name is a
 * link.
 */
export async function openOriginals(folder: FolderHandle, make: boolean): Promise<FolderHandle | null> {
  if (make) await makeOriginals(folder)
  return folder.child(ORIGINALS_FOLDER, false)
}

/** Those who may use the folder may use what is kept in it. */
async function makeOriginals(folder: FolderHandle): Promise<void> {
  const address = folder.at(ORIGINALS_FOLDER)
  try {
    await mkdir(address, 0o700)
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return
    throw error
  }
  if (process.platform === 'win32') return
  const [from, file] = [await open(folder.self, 'r'), await open(address, FOLDER_WITHOUT_FOLLOWING)]
  try {
    await takeAccess({ file, from, most: 7 })
  } finally {
    await from.close()
    await file.close()
  }
}

const FOLDER_WITHOUT_FOLLOWING = constants.O_RDONLY | constants.O_DIRECTORY | (constants.O_NOFOLLOW ?? 0)

/**
 * All originals kept from `path`, newest first; `rootDir` must contain them. Skips records that do not parse, have no
 * file, or are reached through a link.
 */
export async function keptOriginalsOf(path: string, rootDir: string = dirname(path)): Promise<KeptOriginal[]> {
  const folder = await openFolder(rootDir, dirname(path)).catch(() => null)
  const originals = await folder?.child(ORIGINALS_FOLDER, false).catch(() => null)
  return originals == null ? [] : keptIn(originals, basename(path))
}

/** All originals in the folder that were kept from a file of this name, newest first. */
export async function keptIn(originals: FolderHandle, sourceName: string): Promise<KeptOriginal[]> {
  const all = await readFolder(originals)
  return all.filter(({ record }) => record.name === sourceName).sort((a, b) => b.record.order - a.record.order)
}

/** As `keptIn`, for all spellings of the name in case and normal form. */
export async function keptAlike(originals: FolderHandle, sourceName: string): Promise<KeptOriginal[]> {
  const all = await readFolder(originals)
  const key = collisionKey(sourceName)
  return all.filter(({ record }) => collisionKey(record.name) === key).sort((a, b) => b.record.order - a.record.order)
}

async function readFolder(originals: FolderHandle): Promise<KeptOriginal[]> {
  const kept: KeptOriginal[] = []
  for (const found of await readdir(originals.self)) {
    if (!found.endsWith('.json')) continue
    const name = found.slice(0, -'.json'.length)
    const record = name === '' ? null : await readRecord(originals.at(found))
    const file = record === null ? null : await lstat(originals.at(name)).catch(() => null)
    if (record !== null && file?.isFile() === true) kept.push({ name, filePath: join(originals.path, name), record })
  }
  return kept
}

async function readRecord(address: string): Promise<Kept | null> {
  const bytes = await readSmallFile(address, MAX_RECORD_BYTES).catch(() => null)
  try {
    return bytes === null ? null : Record.parse(JSON.parse(bytes.toString('utf8')))
  } catch {
    return null
  }
}

interface Wanted {
  /** The folder that contains the file. */
  folder: FolderHandle
  originals: FolderHandle
  name: string
  handle: FileHandle
  stats: BigIntStats
  sha256: string
  links: LinkPort
}

/**
 * Keeps the file that `handle` has open, once: a kept file is never written again. A file that Hangar itself put there
 * is not kept; the record of what it replaced is extended instead. Null when the name now belongs to another file.
 */
export async function keepOriginal(wanted: Wanted): Promise<KeptOriginal | null> {
  const { folder, originals, stats, sha256 } = wanted
  const all = await readFolder(originals)
  const sameName = all.filter(({ record }) => record.name === wanted.name)
  const known = sameName.find(({ record }) => record.sha256 === sha256 || record.replacedBy.includes(sha256))
  if (known !== undefined) return known
  const order = Math.max(0, ...all.map(({ record }) => record.order)) + 1
  const name = await keepFile(wanted)
  if (name === null) return null
  const record = { hangarOriginal: 1 as const, name: wanted.name, sha256, replacedBy: [], order }
  const filePath = join(originals.path, name)
  // If the file was swapped after it was opened, the link is to the other file.
  const linked = await lstat(originals.at(name), { bigint: true })
  const isIt = linked.ino === stats.ino && linked.dev === stats.dev
  if (!isIt && (await hashFile(originals.at(name))) !== sha256) return null
  await syncFolder(originals.self)
  await syncFolder(folder.self)
  return { name, filePath, record }
}

/**
 * Hard-links the file or, on a file system without links, copies it with its times (to the microsecond). Never
 * overwrites.
 */
async function keepFile(wanted: Wanted): Promise<string | null> {
  const { folder, originals, name, sha256, links } = wanted
  const nameBytes = Math.min(MAX_NAME_BYTES, (await nameRoomIn(originals)) - AROUND_BYTES)
  for (let n = 1; n <= 99; n++) {
    const again = n === 1 ? '' : `${n}-`
    const kept = `${sha256.slice(0, 16)}-${again}${cutToBytes(name, nameBytes)}`
    try {
      await links.link(folder.at(name), originals.at(kept))
      return kept
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return null
      if (errorCode(error) === 'EEXIST') {
        if ((await hashFile(originals.at(kept))) === sha256) return kept
        continue
      }
      if (!linksAreMissing(error)) throw error
      if (await copyFile(kept, wanted)) return kept
    }
  }
  throw new AppError('name_taken', say('copy_names_taken', { name, dir: originals.path }))
}

/** False when the name is taken by something else. */
async function copyFile(name: string, { originals, handle, stats, sha256, links }: Wanted): Promise<boolean> {
  const address = originals.at(name)
  if ((await hashFile(address)) === sha256) return true
  const draft = originals.at(`${name}.draft`)
  const copy = await createDraft(draft)
  try {
    const chunk = Buffer.allocUnsafe(1 << 20)
    // No further than its size at opening: a file that others keep appending to has no end.
    for (let at = 0; at < Number(stats.size);) {
      const { bytesRead } = await handle.read(chunk, 0, chunk.length, at)
      if (bytesRead === 0) break
      await copy.writeFile(chunk.subarray(0, bytesRead))
      at += bytesRead
    }
    await takeAccess({ file: copy, from: handle, most: 7, takesAttributes: true })
    await copy.utimes(Number(stats.atimeNs) / 1e9, Number(stats.mtimeNs) / 1e9)
    await copy.sync()
  } catch (error) {
    await unlink(draft)
    throw error
  } finally {
    await copy.close()
  }
  if ((await hashFile(draft)) !== sha256) {
    await unlink(draft)
    throw new AppError('internal', say('copy_differs', { name }))
  }
  if ((await takeName(draft, address, links)) === 'named') return true
  await unlink(draft)
  return false
}

/**
 * Writes the record before the original is replaced. `replacedBy` is the hash that takes its place, or null when that
 * file is not Hangar's.
 */
export async function recordReplacement(
  originals: FolderHandle,
  kept: KeptOriginal,
  replacedBy: string | null,
  /** The record names it and has its hash, so it is as private. */
  original: FileHandle,
): Promise<KeptOriginal> {
  const { name, record } = kept
  const added = replacedBy === null ? [] : [replacedBy]
  const extended = { ...record, replacedBy: [...new Set([...record.replacedBy, ...added])] }
  await writeRecord(originals, name, extended, original)
  return { ...kept, record: extended }
}

async function writeRecord(originals: FolderHandle, name: string, record: Kept, original: FileHandle): Promise<void> {
  const draft = originals.at(`${recordName(name)}.draft`)
  const handle = await createDraft(draft)
  try {
    await handle.writeFile(`${JSON.stringify(record, null, 2)}\n`)
    await takeAccess({ file: handle, from: original, most: 6 })
    await handle.sync()
  } catch (error) {
    await unlink(draft)
    throw error
  } finally {
    await handle.close()
  }
  await renameWithRetry(draft, originals.at(recordName(name)))
  await syncFolder(originals.self)
}

/** Deletes the record of a kept original that is back in its place. */
export async function removeRecord(originals: FolderHandle, { name }: KeptOriginal): Promise<void> {
  await unlinkWithRetry(originals.at(recordName(name)))
  await leaveOriginals(originals)
  await syncFolder(originals.self)
}

/** One that is there was left by a crash or planted: it is removed and not opened. */
async function createDraft(address: string): Promise<FileHandle> {
  await unlink(address).catch((error: unknown) => {
    if (errorCode(error) !== 'ENOENT') throw error
  })
  return open(address, 'wx', PRIVATE)
}
