import { createHash } from 'node:crypto'
import type { FileHandle } from 'node:fs/promises'
import { lstat, readdir, rename } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { AppError } from '../../shared/errors.ts'
import { ownSentence } from '../../shared/own-sentences.ts'
import { MAX_SIDECAR_BYTES, SIDECAR_SUFFIX, Sidecar } from '../../shared/sidecar.ts'
import { cutToBytes } from '../core/naming.ts'
import { errorCode, syncFolder, toDiskError } from './disk-error.ts'
import { openWithoutFollowing } from './hash-file.ts'
import { mergeSidecar } from './merge-sidecar.ts'
import { discardStaged, stageFile } from './stage-file.ts'
import { realLinks, takeName } from './take-name.ts'
import type { LinkPort } from './take-name.ts'

/** 255 bytes less `-99` and the suffix. */
const MAX_SOURCE_NAME_BYTES = 240
const MAX_NAMES = 99

/** `photo.jpg.alt.json`, then `photo.jpg-2.alt.json` where somebody else's file has the name. */
export function sidecarName(sourceName: string, n: number): string {
  return `${cutToBytes(sourceName, MAX_SOURCE_NAME_BYTES)}${n >= 2 ? `-${n}` : ''}${SIDECAR_SUFFIX}`
}

/**
 * A sidecar in full, or null for anything else: missing, too large, no regular file, not ours, malformed. Throws
 * `AppError` `unreadable` when it is there and cannot be read now: what it says is not known then.
 */
export async function readSidecarFile(path: string): Promise<Sidecar | null> {
  let handle: FileHandle | null = null
  try {
    handle = await openWithoutFollowing(path)
    const stats = await handle.stat()
    if (!stats.isFile() || stats.size > MAX_SIDECAR_BYTES) return null
    const buffer = Buffer.alloc(stats.size)
    const { bytesRead } = await handle.read(buffer, 0, buffer.length, 0)
    const parsed = Sidecar.safeParse(JSON.parse(buffer.toString('utf8', 0, bytesRead)))
    return parsed.success ? parsed.data : null
  } catch (error) {
    const code = errorCode(error)
    if (code !== '' && !NO_SIDECAR.has(code))
      throw new AppError('unreadable', ownSentence('sidecar_unreadable', { name: basename(path), why: code }), {
        cause: error,
      })
    return null
  } finally {
    await handle?.close()
  }
}

/** The sidecar of a source in a folder, or null. Sidecars of other sources and foreign files are passed over. */
export async function findSidecar(dir: string, sourceName: string): Promise<{ path: string; sidecar: Sidecar } | null> {
  for (let n = 1; n <= MAX_NAMES; n++) {
    const path = join(dir, sidecarName(sourceName, n))
    const sidecar = await readSidecarFile(path)
    if (sidecar?.source.name === sourceName) return { path, sidecar }
    if (sidecar === null && !(await exists(path))) return null
  }
  return null
}

export interface WriteSidecarRequest {
  rootDir: string
  targetDir: string
  jobId: string
  sidecar: Sidecar
  modeFrom?: string
  links?: LinkPort
}

/** What the system says when there is nothing to read at a path, or no regular file. */
const NO_SIDECAR = new Set(['ENOENT', 'ENOTDIR', 'ELOOP', 'EMLINK', 'EISDIR', 'ENXIO', 'ENAMETOOLONG'])

/** How often a sidecar that a person is just editing is read and merged again. */
export const MAX_TRIES = 5

/**
 * Creates the sidecar of a source, or replaces our own one after merging (see `mergeSidecar`). Whole at every moment;
 * a foreign file is passed over. Throws the `AppError`s of `stageFile`, and `name_taken`.
 */
export async function writeSidecarFile(
  request: WriteSidecarRequest,
): Promise<{ path: string; sha256: string; sizeBytes: number }> {
  const { targetDir, sidecar } = request
  for (let attempt = 0; attempt < MAX_TRIES; attempt++) {
    const known = await findSidecar(targetDir, sidecar.source.name)
    const version = known === null ? null : await versionOf(known.path)
    const current = known === null ? null : await readSidecarFile(known.path)
    if (known !== null && current === null) continue
    const bytes = serialize(current === null ? sidecar : mergeSidecar(current, sidecar), sidecar)
    const path =
      known === null ? await createSidecar(request, bytes) : await replaceSidecar(request, bytes, known.path, version)
    if (path !== null) {
      return { path, sha256: createHash('sha256').update(bytes).digest('hex'), sizeBytes: bytes.byteLength }
    }
  }
  throw new AppError('name_taken', ownSentence('sidecar_keeps_changing', { name: sidecar.source.name }))
}

/** What does not fit the size that is read again is written without what was there before. */
function serialize(merged: Sidecar, made: Sidecar): Buffer {
  const bytes = Buffer.from(`${JSON.stringify(merged, null, 2)}\n`)
  return bytes.byteLength <= MAX_SIDECAR_BYTES ? bytes : Buffer.from(`${JSON.stringify(made, null, 2)}\n`)
}

async function createSidecar(request: WriteSidecarRequest, bytes: Buffer): Promise<string> {
  const { targetDir, sidecar, links = realLinks } = request
  const part = await stageFile({ ...request, role: 'sidecar', maxBytes: bytes.byteLength }, (sink) => sink(bytes))
  try {
    for (let n = 1; n <= MAX_NAMES; n++) {
      const path = join(targetDir, sidecarName(sidecar.source.name, n))
      if ((await takeName(part.partPath, path, links)) === 'taken') continue
      await syncFolder(targetDir)
      return path
    }
  } catch (error) {
    await discardStaged(part)
    throw toDiskError(error, targetDir)
  }
  await discardStaged(part)
  throw new AppError('name_taken', ownSentence('sidecar_names_taken', { name: sidecar.source.name, dir: targetDir }))
}

/** Null when the sidecar was changed since it was read. */
export async function replaceSidecar(
  request: WriteSidecarRequest,
  bytes: Buffer,
  path: string,
  version: string | null,
): Promise<string | null> {
  const part = await stageFile({ ...request, role: 'sidecar', maxBytes: bytes.byteLength }, (sink) => sink(bytes))
  try {
    if ((await versionOf(path)) !== version) {
      await discardStaged(part)
      return null
    }
    await rename(part.partPath, path)
    await syncFolder(request.targetDir)
    return path
  } catch (error) {
    await discardStaged(part)
    throw toDiskError(error, request.targetDir)
  }
}

/** Changes whenever the file does; null when there is none. */
export async function versionOf(path: string): Promise<string | null> {
  const stats = await lstat(path, { bigint: true }).catch(() => null)
  return stats === null ? null : `${stats.ino}:${stats.size}:${stats.mtimeNs}`
}

async function exists(path: string): Promise<boolean> {
  return (await versionOf(path)) !== null
}

/** What a folder's sidecars list as outputs. Untrusted: a file is an output only if its bytes agree. */
export async function outputsListedIn(dir: string): Promise<ListedOutputs> {
  return createSidecarIndex().outputsIn(dir)
}

export interface ListedOutputs {
  /** SHA-256 by base name. */
  byName: ReadonlyMap<string, string>
  hashes: ReadonlySet<string>
}

interface IndexedFolder {
  /** Null when the folder may have changed again within one tick of its clock. */
  mtimeNs: bigint | null
  files: Map<string, { version: string; outputs: Sidecar['outputs'] }>
  outputs: ListedOutputs
}

/** Younger changes of a folder may share their time with one that comes later. */
const SETTLED_MS = 2000
const MAX_FOLDERS = 200

/**
 * `outputsListedIn` with a memory: an unchanged folder is not read again, and in a changed one only new sidecars are.
 * Keeps the most recently asked folders.
 */
export function createSidecarIndex(nowMs: () => number = Date.now): {
  outputsIn(dir: string): Promise<ListedOutputs>
} {
  const folders = new Map<string, IndexedFolder>()
  return {
    async outputsIn(dir) {
      const known = folders.get(dir)
      const stats = await lstat(dir, { bigint: true }).catch(() => null)
      if (known !== undefined && stats !== null && known.mtimeNs === stats.mtimeNs) return known.outputs
      const ageMs = stats === null ? 0 : nowMs() - Number(stats.mtimeNs / 1_000_000n)
      const folder = await indexFolder(dir, ageMs > SETTLED_MS ? (stats?.mtimeNs ?? null) : null, known?.files)
      folders.delete(dir)
      folders.set(dir, folder)
      const oldest = folders.keys().next()
      if (folders.size > MAX_FOLDERS && oldest.done !== true) folders.delete(oldest.value)
      return folder.outputs
    },
  }
}

async function indexFolder(
  dir: string,
  mtimeNs: bigint | null,
  known: IndexedFolder['files'] = new Map(),
): Promise<IndexedFolder> {
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
  return { mtimeNs, files, outputs }
}

async function namesIn(dir: string): Promise<string[]> {
  try {
    return await readdir(dir)
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'EACCES'].includes(errorCode(error))) return []
    throw error
  }
}
