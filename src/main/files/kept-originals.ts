import type { BigIntStats } from 'node:fs'
import { chmod, constants, copyFile, lstat, mkdir, open, readdir, rm, unlink, type FileHandle } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { z } from 'zod'
import { AppError } from '../../shared/sentences/errors.ts'
import { say } from '../../shared/sentences/sentence.ts'
import { collisionKey, cutToBytes } from '../core/naming.ts'
import { errorCode } from '../../shared/runtime/error-code.ts'
import { syncFolder } from './disk-error.ts'
import { hashFile, hashHandle, readSmallFile, whileOpen } from './regular-file.ts'
import { openFolder, type FolderHandle } from './folder-handle.ts'
import { nameRoomOf } from './name-room.ts'
import { type LinkPort, linksAreMissing, renameWithRetry, takeName, unlinkWithRetry } from './take-name.ts'
import { PRIVATE, takeAccess } from './take-access.ts'
import { writeDraft } from './write-whole.ts'

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

/** Null when there is none. Throws `path_outside_root` when the name is a link. */
export async function openOriginals(folder: FolderHandle, make: boolean): Promise<FolderHandle | null> {
  if (make) await makeOriginals(folder)
  return folder.child(ORIGINALS_FOLDER)
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
  await whileOpen(await open(folder.self, 'r'), async (from) =>
    whileOpen(await open(address, FOLDER_WITHOUT_FOLLOWING), (file) => takeAccess({ file, from, most: 7 })),
  )
}

const FOLDER_WITHOUT_FOLLOWING = constants.O_RDONLY | constants.O_DIRECTORY | (constants.O_NOFOLLOW ?? 0)

/** All originals kept from `path`, newest first. Skips records that do not parse, have no file, or are reached through a link. */
export async function keptOriginalsOf(path: string, rootDir: string = dirname(path)): Promise<KeptOriginal[]> {
  const folder = await openFolder(rootDir, dirname(path)).catch(() => null)
  const originals = await folder?.child(ORIGINALS_FOLDER).catch(() => null)
  const alike = originals == null ? [] : await keptAlike(originals, basename(path))
  return alike.filter(({ record }) => record.name === basename(path))
}

/** All originals in the folder that were kept from a file of this name, in any case and normal form, newest first. */
export async function keptAlike(originals: FolderHandle, sourceName: string): Promise<KeptOriginal[]> {
  const key = collisionKey(sourceName)
  const alike = (await readFolder(originals)).filter(({ record }) => collisionKey(record.name) === key)
  return alike.sort((a, b) => b.record.order - a.record.order)
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

/** Keeps the open file, once. For one of Hangar's, the record of what it replaced is extended. Null if the name is not its own now. */
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

/** Hard-links the file or, without links, copies it with its times. Never overwrites. */
async function keepFile(wanted: Wanted): Promise<string | null> {
  const { folder, originals, name, sha256, links } = wanted
  const nameBytes = Math.min(MAX_NAME_BYTES, (await nameRoomOf(originals.self)) - AROUND_BYTES)
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
      if (await copyTo(kept, wanted)) return kept
    }
  }
  throw new AppError('name_taken', say('names_taken', { name, dir: originals.path }))
}

/** False when the name is taken by something else. */
async function copyTo(
  name: string,
  { folder, originals, name: source, handle, stats, sha256, links }: Wanted,
): Promise<boolean> {
  const address = originals.at(name)
  if ((await hashFile(address)) === sha256) return true
  const draft = originals.at(`${name}.draft`)
  await rm(draft, { force: true })
  try {
    // With what macOS and Windows keep beside the bytes.
    await copyFile(folder.at(source), draft, constants.COPYFILE_EXCL)
    // The original may not be writable.
    await chmod(draft, PRIVATE)
    await whileOpen(await open(draft, 'r+'), async (copy) => {
      await takeAccess({ file: copy, from: handle, most: 7, takesAttributes: true })
      await copy.utimes(Number(stats.atimeNs) / 1e9, Number(stats.mtimeNs) / 1e9)
      await copy.sync()
      if ((await hashHandle(copy)) !== sha256) throw new AppError('internal', say('copy_differs', { name: source }))
    })
    return (await takeName(draft, address, links)) === 'named'
  } finally {
    await rm(draft, { force: true })
  }
}

/** Before the original is replaced. `replacedBy`: the hash that takes its place, null when that file is not Hangar's. */
export async function recordReplacement(
  originals: FolderHandle,
  kept: KeptOriginal,
  replacedBy: string | null,
  /** The record names it and has its hash, so it is as private. */
  original: FileHandle,
): Promise<void> {
  const { record } = kept
  const replacements = new Set([...record.replacedBy, ...(replacedBy === null ? [] : [replacedBy])])
  const address = originals.at(recordName(kept.name))
  const draft = `${address}.draft`
  const write = async (file: FileHandle) => {
    await file.writeFile(`${JSON.stringify({ ...record, replacedBy: [...replacements] }, null, 2)}\n`)
    await takeAccess({ file, from: original, most: 6 })
  }
  await writeDraft(draft, write, () => renameWithRetry(draft, address))
  await syncFolder(originals.self)
}

/** Deletes the record of a kept original that is back in its place. */
export async function removeRecord(originals: FolderHandle, { name }: KeptOriginal): Promise<void> {
  await unlinkWithRetry(originals.at(recordName(name)))
  const names = await readdir(originals.self)
  // Once no original is kept there any more.
  if (names.every((left) => left === HOLDER)) await unlink(originals.at(HOLDER)).catch(() => undefined)
  await syncFolder(originals.self)
}

/** Beside the kept originals of a folder: the id of the Hangar that replaces there. */
const HOLDER = 'replaced-by'
const MAX_HOLDER_BYTES = 100
/** Since it replaced the last one. */
const HELD_MS = 60 * 60_000
const RENEWED_AFTER_MS = 10 * 60_000

async function holderOf(originals: FolderHandle): Promise<{ id: string; ageMs: number } | null> {
  const address = originals.at(HOLDER)
  const stats = await lstat(address).catch(() => null)
  if (stats === null) return null
  const bytes = await readSmallFile(address, MAX_HOLDER_BYTES).catch(() => null)
  // A clock that is ahead elsewhere says no more than one that is behind.
  return { id: bytes?.toString('utf8') ?? '', ageMs: Math.abs(Date.now() - stats.mtimeMs) }
}

/** Whether another Hangar has replaced originals in this folder within the hour: two would take each other's results for a person's. */
export async function isHeldByAnother(originals: FolderHandle, me: string): Promise<boolean> {
  const there = await holderOf(originals)
  return there !== null && there.id !== me && there.ageMs < HELD_MS
}

/** Says that this Hangar replaces here. False where another one does. */
export async function holdOriginals(originals: FolderHandle, me: string): Promise<boolean> {
  if (await isHeldByAnother(originals, me)) return false
  const there = await holderOf(originals)
  if (there?.id === me && there.ageMs < RENEWED_AFTER_MS) return true
  // A fixed name: if a crash leaves it, the next write takes it. `me` writes one at a time in a folder.
  const draft = originals.at(`${HOLDER}.${me}.draft`)
  await writeDraft(
    draft,
    (file) => file.writeFile(me),
    () => renameWithRetry(draft, originals.at(HOLDER)),
    0o644,
  )
  return true
}

/** Whether the file is as it was; a link to it that was made since has changed its ctime. */
export async function isUnchanged(address: string, before: BigIntStats, isLinked: boolean): Promise<boolean> {
  const now = await lstat(address, { bigint: true }).catch(() => null)
  const parts = ['ino', 'dev', 'size', 'mtimeNs', ...(isLinked ? [] : (['ctimeNs'] as const))] as const
  return now !== null && parts.every((part) => now[part] === before[part])
}
