import { createHash } from 'node:crypto'
import { lstat, readdir } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { AppError } from '../../shared/sentences/errors.ts'
import { say } from '../../shared/sentences/sentence.ts'
import { MAX_SIDECAR_BYTES, SIDECAR_SUFFIX, Sidecar } from '../../shared/jobs/sidecar.ts'
import { cutToBytes } from '../core/naming.ts'
import { errorCode, syncFolder, toDiskError } from './disk-error.ts'
import { openFolder, type FolderHandle } from './folder-handle.ts'
import { mergeSidecar } from './merge-sidecar.ts'
import { readSmallFile } from './open-regular-file.ts'
import { renameWithRetry } from './rename-with-retry.ts'
import { discardStaged, mustBeStaged, nameStaged, releaseStaged, stageFile, type StagedPart } from './stage-file.ts'
import { realLinks } from './take-name.ts'
import type { LinkPort } from './take-name.ts'

/** 255 bytes less `-99` and the suffix. */
const MAX_SOURCE_NAME_BYTES = 240
const MAX_NAMES = 99

/** `photo.jpg.alt.json`, then `photo.jpg-2.alt.json` if another program's file has that name. */
export function sidecarName(sourceName: string, n: number): string {
  return `${cutToBytes(sourceName, MAX_SOURCE_NAME_BYTES)}${n >= 2 ? `-${n}` : ''}${SIDECAR_SUFFIX}`
}

/**
 * A parsed sidecar, or null for anything else: missing, too large, not a regular file, not ours, malformed. Throws
 * `AppError` `unreadable` when it exists but cannot be read now, so that its content is not taken for absent.
 */
export async function readSidecarFile(path: string): Promise<Sidecar | null> {
  try {
    const bytes = await readSmallFile(path, MAX_SIDECAR_BYTES)
    return bytes === null ? null : parseSidecar(bytes.toString('utf8'))
  } catch (error) {
    const why = errorCode(error)
    if (NO_SIDECAR.has(why)) return null
    const name = basename(path)
    throw new AppError('unreadable', say('sidecar_unreadable', { name, why }), { cause: error })
  }
}

function parseSidecar(text: string): Sidecar | null {
  try {
    const parsed = nestsDeeper(text, MAX_SIDECAR_DEPTH) ? null : Sidecar.safeParse(JSON.parse(text))
    return parsed?.success === true ? parsed.data : null
  } catch {
    return null
  }
}

/** Hangar's own sidecars nest three deep; members that others add are kept as long as they can be serialised again. */
const MAX_SIDECAR_DEPTH = 32

/** Whether JSON nests deeper than `most`. Scans without parsing, since serialising it again would recurse. */
function nestsDeeper(text: string, most: number): boolean {
  let depth = 0
  let inText = false
  for (let at = 0; at < text.length; at++) {
    const character = text[at]
    if (inText && character === '\\') at += 1
    else if (character === '"') inText = !inText
    else if (inText) continue
    else if (character === '{' || character === '[') depth += 1
    else if (character === '}' || character === ']') depth -= 1
    if (depth > most) return true
  }
  return false
}

/**
 * The sidecar of a source in a folder, or null; `rootDir` must contain the folder. Skips sidecars of other sources and
 * other programs' files. Throws as `readSidecarFile` does.
 */
export async function findSidecar(
  dir: string,
  sourceName: string,
  rootDir: string = dir,
): Promise<(FoundSidecar & { path: string }) | null> {
  const folder = await openFolder(rootDir, dir).catch(() => null)
  if (folder === null) return null
  try {
    const found = await findSidecarIn(folder, sourceName)
    return found === null ? null : { ...found, path: join(dir, found.name) }
  } finally {
    await folder.close()
  }
}

/** A sidecar that was read; `version` changes whenever the file does. */
interface FoundSidecar {
  name: string
  version: string
  sidecar: Sidecar
}

/**
 * Throws as `readSidecarFile` does, except that with `passForbidden` a file without read permission counts as another
 * program's.
 */
async function findSidecarIn(
  folder: FolderHandle,
  sourceName: string,
  { passForbidden = false } = {},
): Promise<FoundSidecar | null> {
  for (let n = 1; n <= MAX_NAMES; n++) {
    const name = sidecarName(sourceName, n)
    // Taken before reading, so that a change during the read does not match this version.
    const version = await versionOf(folder.at(name))
    if (version === null) return null
    const sidecar = await readSidecarFile(folder.at(name)).catch((error: unknown) => {
      const cause = error instanceof AppError ? error.cause : null
      if (passForbidden && ['EACCES', 'EPERM'].includes(errorCode(cause))) return null
      throw error
    })
    if (sidecar?.source.name === sourceName) return { name, version, sidecar }
  }
  return null
}

interface WriteSidecarRequest {
  rootDir: string
  targetDir: string
  jobId: string
  sidecar: Sidecar
  modeFrom?: string
  links?: LinkPort
}

/** Error codes when there is nothing to read at a path. */
const NO_SIDECAR = new Set(['ENOENT', 'ENOTDIR', 'ENAMETOOLONG'])

/** How many times a sidecar that is being edited is read and merged again. */
export const MAX_TRIES = 5

/**
 * Creates the sidecar of a source, or replaces our own after merging (see `mergeSidecar`). The write is atomic. Skips
 * other programs' files, files without read permission and files that are not sidecars. Throws the `AppError`s of
 * `stageFile`, and `name_taken`.
 */
export async function writeSidecarFile(
  request: WriteSidecarRequest,
): Promise<{ path: string; sha256: string; sizeBytes: number }> {
  const { sidecar } = request
  for (let attempt = 0; attempt < MAX_TRIES; attempt++) {
    const known = await findToMerge(request)
    const bytes = serialize(known === null ? sidecar : mergeSidecar(known.sidecar, sidecar), sidecar)
    const path = known === null ? await createSidecar(request, bytes) : await replaceSidecar(request, bytes, known)
    if (path !== null) {
      return { path, sha256: createHash('sha256').update(bytes).digest('hex'), sizeBytes: bytes.byteLength }
    }
  }
  throw new AppError('name_taken', say('sidecar_keeps_changing', { name: sidecar.source.name }))
}

async function findToMerge({ rootDir, targetDir, sidecar }: WriteSidecarRequest): Promise<FoundSidecar | null> {
  const folder = await openFolder(rootDir, targetDir, { make: true }).catch((error: unknown) => {
    throw toDiskError(error, targetDir)
  })
  try {
    return await findSidecarIn(folder, sidecar.source.name, { passForbidden: true })
  } finally {
    await folder.close()
  }
}

/** If the merged sidecar exceeds the size that can be read back, only the new result is written. */
function serialize(merged: Sidecar, made: Sidecar): Buffer {
  const bytes = Buffer.from(`${JSON.stringify(merged, null, 2)}\n`)
  return bytes.byteLength <= MAX_SIDECAR_BYTES ? bytes : Buffer.from(`${JSON.stringify(made, null, 2)}\n`)
}

async function createSidecar(request: WriteSidecarRequest, bytes: Buffer): Promise<string> {
  const { targetDir, sidecar, links = realLinks } = request
  const path = await publishSidecar(request, bytes, async (part) => {
    for (let n = 1; n <= MAX_NAMES; n++) {
      const name = sidecarName(sidecar.source.name, n)
      if ((await nameStaged(part, part.folder.at(name), links)) !== 'taken') return name
    }
    return null
  })
  if (path !== null) return path
  throw new AppError('name_taken', say('sidecar_names_taken', { name: sidecar.source.name, dir: targetDir }))
}

/** Null when the sidecar was changed since it was read. */
export async function replaceSidecar(
  request: WriteSidecarRequest,
  bytes: Buffer,
  { name, version }: Pick<FoundSidecar, 'name' | 'version'>,
): Promise<string | null> {
  return publishSidecar(request, bytes, async (part) => {
    const { folder } = part
    if ((await versionOf(folder.at(name))) !== version) return null
    await renameWithRetry(folder.at(part.name), folder.at(name))
    await mustBeStaged(part, folder.at(name))
    return name
  })
}

/** Stages the bytes and lets `publish` give them a name. Returns the path; null when it gave none, with nothing left behind. */
async function publishSidecar(
  request: WriteSidecarRequest,
  bytes: Buffer,
  publish: (part: StagedPart) => Promise<string | null>,
): Promise<string | null> {
  const { targetDir } = request
  const part = await stageFile({ ...request, role: 'sidecar', maxBytes: bytes.byteLength }, (sink) => sink(bytes))
  const { folder } = part
  try {
    await folder.assertUnmoved()
    const name = await publish(part)
    if (name === null) {
      await discardStaged(part)
      return null
    }
    await syncFolder(folder.self)
    await releaseStaged(part)
    return join(targetDir, name)
  } catch (error) {
    await discardStaged(part)
    throw toDiskError(error, targetDir)
  }
}

/** Null when there is none. */
async function versionOf(path: string): Promise<string | null> {
  const stats = await lstat(path, { bigint: true }).catch(() => null)
  return stats === null ? null : `${stats.ino}:${stats.size}:${stats.mtimeNs}`
}

/** What a folder's sidecars list as outputs. Untrusted: a file is an output only if its hash agrees. */
interface ListedOutputs {
  /** SHA-256 by base name. */
  byName: ReadonlyMap<string, string>
  hashes: ReadonlySet<string>
}

interface IndexedFolder {
  /** Null when the folder may change again within the same tick of its clock. */
  mtimeNs: bigint | null
  /** The folder's mtime, taken before its sidecars were read; by the clock of its disk, which may be hours away from ours. */
  seenNs: bigint
  /** When this mtime was first seen. */
  seenSinceMs: number
  readAtMs: number
  files: Map<string, { version: string; outputs: Sidecar['outputs'] }>
  outputs: ListedOutputs
}

/** A folder that is still as it was first seen this long ago gets another timestamp with its next change. */
const SETTLED_MS = 2000
const MAX_FOLDERS = 200
/** Reading thousands of sidecars for each picture would take longer than all its other work. */
const GOOD_FOR_MS = 5000

/**
 * Reads what the sidecars of folders list as outputs, with a cache: an unchanged folder is not read again, and in a changed one
 * only new sidecars are. Keeps the most recently used folders.
 *
 * Hangar writes a sidecar before it names a result, here as on another computer. So a listing read after a file
 * arrived, by the folder's own clock, includes that file if it is a result. With `changedNs`, the latest timestamp of
 * the file, such a listing is returned for up to five seconds even if the folder has changed since.
 */
export function createSidecarIndex(nowMs: () => number = () => performance.now()): {
  outputsIn(dir: string, changedNs?: bigint): Promise<ListedOutputs>
} {
  const folders = new Map<string, IndexedFolder>()
  return {
    async outputsIn(dir, changedNs) {
      const known = folders.get(dir)
      if (known !== undefined && changedNs !== undefined && wasReadAfter(known, changedNs, nowMs()))
        return known.outputs
      const readAtMs = nowMs()
      const stats = await lstat(dir, { bigint: true }).catch(() => null)
      if (known !== undefined && stats !== null && known.mtimeNs === stats.mtimeNs) return known.outputs
      const seenSinceMs = known?.seenNs === stats?.mtimeNs ? (known?.seenSinceMs ?? readAtMs) : readAtMs
      const mtimeNs = readAtMs - seenSinceMs > SETTLED_MS ? (stats?.mtimeNs ?? null) : null
      const read = await readOutputs(dir, known?.files)
      const folder = { ...read, mtimeNs, seenNs: stats?.mtimeNs ?? 0n, seenSinceMs, readAtMs }
      folders.delete(dir)
      folders.set(dir, folder)
      const oldest = folders.keys().next()
      if (folders.size > MAX_FOLDERS && oldest.done !== true) folders.delete(oldest.value)
      return folder.outputs
    },
  }
}

function wasReadAfter({ seenNs, readAtMs }: IndexedFolder, changedNs: bigint, nowMs: number): boolean {
  const ageMs = nowMs - readAtMs
  return ageMs >= 0 && ageMs < GOOD_FOR_MS && seenNs > changedNs + BigInt(SETTLED_MS) * 1_000_000n
}

async function readOutputs(
  dir: string,
  known: IndexedFolder['files'] = new Map(),
): Promise<Pick<IndexedFolder, 'files' | 'outputs'>> {
  const files: IndexedFolder['files'] = new Map()
  const outputs = { byName: new Map<string, string>(), hashes: new Set<string>() }
  for (const name of (await namesIn(dir)).filter((found) => found.endsWith(SIDECAR_SUFFIX))) {
    const path = join(dir, name)
    const version = await versionOf(path)
    if (version === null) continue
    const earlier = known.get(name)
    const file =
      earlier?.version === version ? earlier : { version, outputs: (await readSidecarFile(path))?.outputs ?? [] }
    files.set(name, file)
    for (const { name: outputName, sha256 } of file.outputs) {
      outputs.byName.set(outputName, sha256)
      outputs.hashes.add(sha256)
    }
  }
  return { files, outputs }
}

async function namesIn(dir: string): Promise<string[]> {
  try {
    return await readdir(dir)
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'EACCES'].includes(errorCode(error))) return []
    throw error
  }
}
