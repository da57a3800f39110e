import type { BigIntStats } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import { constants, lstat, mkdir, open, readdir, unlink } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { z } from 'zod'
import { AppError } from '../../shared/sentences/errors.ts'
import { say } from '../../shared/sentences/sentence.ts'
import { collisionKey, cutToBytes } from '../core/naming.ts'
import { errorCode } from '../../shared/runtime/error-code.ts'
import { syncFolder } from './disk-error.ts'
import { hashFile, openWithoutFollowing } from './hash-file.ts'
import { isPlainName, openFolder, type FolderHandle } from './folder-handle.ts'
import { nameRoomIn } from './name-room.ts'
import { readSmallFile } from './open-regular-file.ts'
import { isFileAt } from './real-path.ts'
import { renameWithRetry, unlinkWithRetry } from './rename-with-retry.ts'
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

/** Longer than most disks take to flush what is drafted. */
const DRAFT_MS = 1000
/** For all that others write before it is our turn. Not long, since whoever may write there can plant one draft after another. */
const MOST_DRAFTS_MS = 3000
const DRAFT_LOOK_MS = 10

const sha256 = z.string().regex(/^[0-9a-f]{64}$/)
const Record = z.object({
  hangarOriginal: z.literal(1),
  name: z.string().min(1).max(1000),
  sha256,
  /** Hashes of what Hangar put in its place, oldest first. */
  replacedBy: z.array(sha256),
  /** Increases within a folder: the highest is the newest. */
  order: z.number().int().nonnegative(),
  /** The job that moves the original here and puts its file in the original's place. A crash may come in between. */
  movedBy: z.string().min(1).max(100).optional(),
})
type Kept = z.infer<typeof Record>

/** A kept original: the file, the record beside it (`<file>.json`), and what the record says. */
export interface KeptOriginal {
  name: string
  /** For messages and for decoding the picture; calls that change something use the held folder and `name`. */
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
  try {
    return originals == null ? [] : await keptIn(originals, basename(path))
  } finally {
    await originals?.close()
    await folder?.close()
  }
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
  /** The job that may move a file here that it cannot link. */
  mover?: string
}

/**
 * Keeps the file that `handle` has open, once: a kept file is never written again. A file that Hangar itself put there
 * is not kept; the record of what it replaced is extended instead. Null when the name now belongs to another file. With `mover`,
 * another user's file that cannot be linked is still to be moved here, as its record says: a copy could not be given back to them.
 */
export async function keepOriginal(wanted: Wanted): Promise<KeptOriginal | null> {
  const { folder, originals, stats, sha256 } = wanted
  const all = await readFolder(originals)
  const sameName = all.filter(({ record }) => record.name === wanted.name)
  const known = sameName.find(({ record }) => record.sha256 === sha256 || record.replacedBy.includes(sha256))
  if (known !== undefined) {
    const { movedBy: _moved, ...record } = known.record
    return { ...known, record }
  }
  const order = Math.max(0, ...all.map(({ record }) => record.order)) + 1
  const way = await keepFile(wanted)
  if (way === null) return null
  const { name } = way
  const record = { hangarOriginal: 1 as const, name: wanted.name, sha256, replacedBy: [], order }
  const filePath = join(originals.path, name)
  if (way.movedBy !== undefined) return { name, filePath, record: { ...record, movedBy: way.movedBy } }
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
async function keepFile(wanted: Wanted): Promise<{ name: string; movedBy?: string } | null> {
  const { folder, originals, name, sha256, links, mover, stats } = wanted
  const nameBytes = Math.min(MAX_NAME_BYTES, (await nameRoomIn(originals)) - AROUND_BYTES)
  for (let n = 1; n <= 99; n++) {
    const again = n === 1 ? '' : `${n}-`
    const kept = `${sha256.slice(0, 16)}-${again}${cutToBytes(name, nameBytes)}`
    try {
      await links.link(folder.at(name), originals.at(kept))
      return { name: kept }
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return null
      if (errorCode(error) === 'EEXIST') {
        if ((await hashFile(originals.at(kept))) === sha256) return { name: kept }
        continue
      }
      if (!linksAreMissing(error)) throw error
      if (mover !== undefined && Number(stats.uid) !== process.geteuid?.()) {
        if ((await lstat(originals.at(kept)).catch(() => null)) === null) return { name: kept, movedBy: mover }
      } else if (await copyFile(kept, wanted)) return { name: kept }
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
  // Another Hangar may have recorded what it puts there since this one looked.
  const extended = (there: Kept | null): Kept => {
    const before = there?.sha256 === record.sha256 ? there.replacedBy : []
    return { ...record, replacedBy: [...new Set([...before, ...record.replacedBy, ...added])] }
  }
  return { ...kept, record: await writeRecord(originals, name, extended, original) }
}

/** `make` gets what is recorded now. Only the holder of the draft writes the record. Returns the new record. */
async function writeRecord(
  originals: FolderHandle,
  name: string,
  make: (there: Kept | null) => Kept,
  original: FileHandle,
): Promise<Kept> {
  const draft = originals.at(`${recordName(name)}.draft`)
  const handle = await createDraft(draft)
  let record: Kept
  let isOurs: boolean
  try {
    record = make(await readRecord(originals.at(recordName(name))))
    await handle.writeFile(`${JSON.stringify(record, null, 2)}\n`)
    await takeAccess({ file: handle, from: original, most: 6 })
    await handle.sync()
    isOurs = await isFileAt(handle, draft)
  } catch (error) {
    await unlink(draft).catch(() => undefined)
    throw error
  } finally {
    await handle.close()
  }
  // The disk took so long that another Hangar took the draft for one that was left, and writes its own.
  if (!isOurs) return writeRecord(originals, name, make, original)
  await renameWithRetry(draft, originals.at(recordName(name)))
  await syncFolder(originals.self)
  return record
}

/**
 * Moves the original to where its record says that it is kept. The name is free then, for a moment; `finishMoves` repairs a crash.
 * False when the name belonged to another file, which has it back.
 */
export async function moveOriginal(
  folder: FolderHandle,
  originals: FolderHandle,
  { name, record }: KeptOriginal,
  stats: BigIntStats,
  links: LinkPort,
): Promise<boolean> {
  const [from, to] = [folder.at(record.name), originals.at(name)]
  if ((await lstat(to).catch(() => null)) !== null) return false
  await renameWithRetry(from, to)
  const moved = await lstat(to, { bigint: true })
  if (moved.ino === stats.ino && moved.dev === stats.dev && moved.mtimeNs === stats.mtimeNs) return true
  await takeName(to, from, links)
  return false
}

/**
 * After a crash in the middle of a replacement that moved its original: gives that its name back where the name is still free.
 * Returns how many got it.
 */
export async function finishMoves(
  folder: FolderHandle,
  isLive: (jobId: string) => boolean,
  links: LinkPort,
): Promise<number> {
  const originals = await openOriginals(folder, false).catch(() => null)
  if (originals === null) return 0
  try {
    let back = 0
    for (const kept of await readFolder(originals)) {
      const { movedBy, ...record } = kept.record
      // Anyone who may write in the folder can plant a record.
      if (movedBy === undefined || isLive(movedBy) || !isPlainName(record.name)) continue
      if ((await takeName(originals.at(kept.name), folder.at(record.name), links)) === 'named') {
        back += 1
        await removeRecord(originals, kept)
      } else {
        await markMoved(originals, { ...kept, record })
      }
    }
    return back
  } finally {
    await originals.close()
  }
}

/** Once the original is there and its name is taken again. */
export async function markMoved(originals: FolderHandle, { name, record }: KeptOriginal): Promise<void> {
  // Another Hangar may have recorded what it puts there since this one looked.
  const settled = (there: Kept | null): Kept => {
    const { movedBy: _moved, ...rest } = there?.sha256 === record.sha256 ? there : record
    return rest
  }
  const original = await openWithoutFollowing(originals.at(name))
  try {
    await writeRecord(originals, name, settled, original)
  } finally {
    await original.close()
  }
}

/** Deletes the record of a kept original that is back in its place. */
export async function removeRecord(originals: FolderHandle, { name }: KeptOriginal): Promise<void> {
  await unlinkWithRetry(originals.at(recordName(name)))
  await syncFolder(originals.self)
}

/**
 * A draft that is there may be another Hangar's, which writes the same file now. One that stays as it is was left by a crash or
 * planted, so it is removed and not opened.
 */
async function createDraft(address: string): Promise<FileHandle> {
  const startMs = performance.now()
  let [there, sinceMs] = ['', startMs]
  for (;;) {
    try {
      return await open(address, 'wx', PRIVATE)
    } catch (error) {
      if (errorCode(error) !== 'EEXIST' || performance.now() - startMs > MOST_DRAFTS_MS) throw error
    }
    const found = await stateOf(address)
    if (found !== there) [there, sinceMs] = [found, performance.now()]
    else if (performance.now() - sinceMs > DRAFT_MS) await unlink(address).catch(unlessGone)
    await delay(DRAFT_LOOK_MS)
  }
}

/** Changes with each write. */
async function stateOf(address: string): Promise<string> {
  const stats = await lstat(address, { bigint: true }).catch(unlessGone)
  return stats === undefined ? '' : `${stats.ino} ${stats.ctimeNs}`
}

function unlessGone(error: unknown): undefined {
  if (errorCode(error) !== 'ENOENT') throw error
}
