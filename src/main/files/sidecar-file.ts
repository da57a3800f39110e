import { createHash } from 'node:crypto'
import { lstat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { AppError } from '../../shared/sentences/errors.ts'
import { say } from '../../shared/sentences/sentence.ts'
import { MAX_SIDECAR_BYTES, SIDECAR_SUFFIX, Sidecar } from '../../shared/jobs/sidecar.ts'
import type { SidecarEdit, SidecarText } from '../../shared/jobs/sidecar.ts'
import { collisionKey, cutToBytes, USUAL_NAME_ROOM } from '../core/naming.ts'
import { errorCode } from '../../shared/runtime/error-code.ts'
import { syncFolder, toDiskError } from './disk-error.ts'
import { openFolder } from './folder-handle.ts'
import { mergeSidecar, withEdit } from './merge-sidecar.ts'
import { nameRoomOf } from './name-room.ts'
import { readSmallFile } from './regular-file.ts'
import { type LinkPort, realLinks, renameWithRetry, takeName } from './take-name.ts'
import { discardStaged, stageFile, type StagedPart, type StageRequest } from './stage-file.ts'

/** Of `-99`, the suffix, and some to spare. */
const TAIL_BYTES = 15
const MAX_NAMES = 99
/** This many missing names in a row end the search: a sidecar with a lower number may have been deleted. */
const MAX_GAP = 3

/** `photo.jpg.alt.json`, then `photo.jpg-2.alt.json` if another program's file has that name. `room`: of a name there, in bytes. */
export function sidecarName(sourceName: string, n: number, room = USUAL_NAME_ROOM): string {
  return `${cutToBytes(sourceName, room - TAIL_BYTES)}${n >= 2 ? `-${n}` : ''}${SIDECAR_SUFFIX}`
}

/** Null for anything that is no sidecar of ours. Throws `unreadable` when it cannot be read now, so that it is not taken for absent. */
export async function readSidecarFile(path: string): Promise<Sidecar | null> {
  try {
    const bytes = await readSmallFile(path, MAX_SIDECAR_BYTES)
    return bytes === null ? null : parseSidecar(bytes.toString('utf8'))
  } catch (error) {
    if (NO_SIDECAR.has(errorCode(error))) return null
    throw unreadable(error, path)
  }
}

function unreadable(cause: unknown, path: string): AppError {
  const detail = say('sidecar_unreadable', { name: basename(path), why: errorCode(cause) })
  return new AppError('unreadable', detail, { cause })
}

/** Hangar's own sidecars nest three deep; members that others add are kept as long as they can be serialised again. */
const MAX_DEPTH = 32

function parseSidecar(text: string): Sidecar | null {
  try {
    const parsed = Sidecar.safeParse(JSON.parse(text))
    return parsed.success && depthOf(text) <= MAX_DEPTH ? parsed.data : null
  } catch {
    return null
  }
}

/** How deep JSON nests, which must be well-formed. Serialising it would recurse. */
function depthOf(json: string): number {
  let [depth, most] = [0, 0]
  for (const [sign] of json.matchAll(/"(?:[^"\\]|\\.)*"|[[{}\]]/g))
    if (sign === '[' || sign === '{') most = Math.max(most, (depth += 1))
    else if (sign === ']' || sign === '}') depth -= 1
  return most
}

/** A sidecar that was read; `version` changes whenever the file does. */
interface FoundSidecar {
  name: string
  path: string
  version: string
  sidecar: Sidecar
}

/** Where a picture's sidecar may be if none of its name is about its content: what `sidecarsBefore` finds. */
interface SidecarsBefore {
  sha256: string
  names(): Promise<readonly string[]>
}

/** The one of these sidecars that belongs to this content. */
export function sidecarOf<Found extends FoundSidecar>(found: readonly Found[], sha256: string): Found | null {
  return found.find(({ sidecar }) => sidecar.source.sha256 === sha256) ?? null
}

/** The sidecars of all pictures of this name. Throws as `readSidecarFile`; with `passForbidden` not for files without permission. */
export async function findSidecars(
  dir: string,
  sourceName: string,
  rootDir: string = dir,
  before?: SidecarsBefore,
  passForbidden = false,
): Promise<FoundSidecar[]> {
  const folder = await openFolder(rootDir, dir).catch((error: unknown) => {
    if (error instanceof AppError || NO_FOLDER.has(errorCode(error))) return null
    throw unreadable(error, dir)
  })
  if (folder === null) return []
  const found: FoundSidecar[] = []
  /** Whether there is a file of this name. */
  const look = async (name: string, isOf: (source: string) => boolean): Promise<boolean> => {
    // Taken before reading, so that a change during the read does not match this version.
    const version = await versionOf(folder.at(name))
    if (version === null) return false
    const sidecar = await readSidecarFile(folder.at(name)).catch((error: unknown) => {
      const cause = error instanceof AppError ? error.cause : null
      if (passForbidden && ['EACCES', 'EPERM'].includes(errorCode(cause))) return null
      throw error
    })
    if (sidecar !== null && isOf(sidecar.source.name))
      found.push({ name, path: join(folder.path, name), version, sidecar })
    return true
  }
  const room = await nameRoomOf(folder.self)
  for (let n = 1, gap = 0; n <= MAX_NAMES && gap < MAX_GAP; n++)
    gap = (await look(sidecarName(sourceName, n, room), (source) => source === sourceName)) ? 0 : gap + 1
  if (before !== undefined && sidecarOf(found, before.sha256) === null)
    for (const name of await before.names())
      await look(name, (source) => collisionKey(source) === collisionKey(sourceName))
  return found
}

interface WriteSidecarRequest extends Omit<StageRequest, 'role' | 'width' | 'maxBytes'> {
  sidecar: Sidecar
  /** Whether the sidecar at this path, of other content of the same name, is of an earlier version of the same picture. */
  isEarlier?: (path: string) => boolean
  before?: SidecarsBefore
  links?: LinkPort
}

interface WrittenSidecar {
  path: string
  sha256: string
  sizeBytes: number
  /** It holds a person's words about earlier content. */
  hasEarlierWords: boolean
  /** Texts of a person that this write has put there. */
  setAside: readonly SidecarText[]
}

/** Error codes when there is nothing to read at a path. */
const NO_SIDECAR = new Set(['ENOENT', 'ENOTDIR', 'ENAMETOOLONG'])
/** The same for a folder; what may not be read holds nothing for this user. */
const NO_FOLDER = new Set([...NO_SIDECAR, 'EACCES', 'EPERM', 'ELOOP'])

/** How many times a sidecar that is being edited is read and merged again. */
const MAX_TRIES = 5

/**
 * Creates the sidecar of a picture's content, or replaces its own or that of its earlier content after merging (`mergeSidecar`), atomically.
 * Other files keep their names, and the next one is taken. Throws the `AppError`s of `stageFile`, `unreadable`, and `name_taken`.
 */
export async function writeSidecarFile(request: WriteSidecarRequest): Promise<WrittenSidecar> {
  const { rootDir, targetDir, sidecar, before: earlierNames, isEarlier = () => false } = request
  for (let attempt = 0; attempt < MAX_TRIES; attempt++) {
    const all = await findSidecars(targetDir, sidecar.source.name, rootDir, earlierNames, true)
    const found = sidecarOf(all, sidecar.source.sha256) ?? all.find(({ path }) => isEarlier(path)) ?? null
    const merged = found === null ? sidecar : mergeSidecar(found.sidecar, sidecar)
    const before = found?.sidecar.source.sha256
    const fitting = serializeSidecar(merged)
    // Words about other content that have no room stay where they are.
    const isBeside = fitting === null && before !== sidecar.source.sha256
    const [known, bytes] = isBeside ? [null, serializeSidecar(sidecar)] : [found, fitting]
    if (bytes === null)
      throw new AppError('name_taken', say('sidecar_too_large', { name: sidecarName(sidecar.source.name, 1) }))
    const path = await putSidecar(request, bytes, known)
    if (path === null) continue
    const earlier = isBeside ? [] : (merged.earlier ?? [])
    return {
      path,
      sha256: createHash('sha256').update(bytes).digest('hex'),
      sizeBytes: bytes.byteLength,
      hasEarlierWords: earlier.some(({ translations, decorative }) => translations.length > 0 || decorative === true),
      setAside:
        before === sidecar.source.sha256
          ? []
          : earlier.flatMap((entry) => (entry.sha256 === before ? entry.translations : [])),
    }
  }
  throw new AppError('name_taken', say('sidecar_keeps_changing', { name: sidecar.source.name }))
}

/** `missing`: no picture of this name has a sidecar; `other`: only other content has. */
type EditOutcome = 'written' | 'missing' | 'other'

/** Applies a person's edits, atomically, and leaves everything else unchanged. Never creates one. Throws as `writeSidecarFile`. */
export async function editSidecarFile(request: {
  rootDir: string
  targetDir: string
  jobId: string
  sourceName: string
  sha256: string
  edit: SidecarEdit
  before?: SidecarsBefore
}): Promise<EditOutcome> {
  const { rootDir, targetDir, sourceName, sha256, edit, before } = request
  const isEmpty =
    edit.texts.length === 0 && !edit.removed?.length && edit.decorative === null && !edit.rewritten && !edit.renamed
  for (let attempt = 0; attempt < MAX_TRIES; attempt++) {
    const found = await findSidecars(targetDir, sourceName, rootDir, before)
    const known = sidecarOf(found, sha256)
    if (known === null) return found.length === 0 ? 'missing' : 'other'
    const edited = withEdit(known.sidecar, edit)
    const bytes = serializeSidecar(edited)
    if (bytes === null) throw new AppError('bad_request', say('sidecar_too_large', { name: known.name }))
    const job = { ...request, sidecar: edited, accessFrom: known.path }
    if (isEmpty || (await putSidecar(job, bytes, known)) !== null) return 'written'
  }
  throw new AppError('name_taken', say('sidecar_keeps_changing', { name: sourceName }))
}

/** The bytes of its file. Null if `readSidecarFile` would not read it again. */
function serializeSidecar(sidecar: Sidecar): Buffer | null {
  const bytes = Buffer.from(`${JSON.stringify(sidecar, null, 2)}\n`)
  return bytes.byteLength <= MAX_SIDECAR_BYTES && parseSidecar(bytes.toString()) !== null ? bytes : null
}

/** In place of the sidecar that was read, or under the first free name. Returns the path; null where that sidecar was changed since. */
async function putSidecar(
  request: WriteSidecarRequest,
  bytes: Buffer,
  known: Pick<FoundSidecar, 'name' | 'version'> | null,
): Promise<string | null> {
  const { targetDir } = request
  const part = await stageFile({ ...request, role: 'sidecar', maxBytes: bytes.byteLength }, (sink) => sink(bytes))
  const { folder } = part
  try {
    if (known !== null && (await versionOf(folder.at(known.name))) !== known.version) return null
    if (known !== null) await renameWithRetry(part.partPath, folder.at(known.name))
    const name = known?.name ?? (await takeFirstName(part, request))
    await syncFolder(folder.self)
    return join(targetDir, name)
  } catch (error) {
    throw toDiskError(error, targetDir)
  } finally {
    await discardStaged(part)
  }
}

async function takeFirstName(
  { folder, partPath }: StagedPart,
  { targetDir, sidecar: { source }, links = realLinks }: WriteSidecarRequest,
): Promise<string> {
  const room = await nameRoomOf(folder.self)
  for (let n = 1; n <= MAX_NAMES; n++) {
    const name = sidecarName(source.name, n, room)
    if ((await takeName(partPath, folder.at(name), links)) === 'named') return name
  }
  throw new AppError('name_taken', say('names_taken', { name: source.name, dir: targetDir }))
}

/** Changes whenever the file does. Null when there is none. */
export async function versionOf(path: string): Promise<string | null> {
  const stats = await lstat(path, { bigint: true }).catch(() => null)
  return stats === null ? null : `${stats.ino}:${stats.size}:${stats.mtimeNs}:${stats.ctimeNs}`
}
