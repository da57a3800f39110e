import { lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { SIDECAR_SUFFIX, type Sidecar } from '../../shared/jobs/sidecar.ts'
import { collisionKey } from '../core/naming.ts'
import type { ListedOutputs } from '../core/published-output.ts'
import { errorCode } from '../../shared/runtime/error-code.ts'
import { readSidecarFile, versionOf } from './sidecar-file.ts'

interface IndexedOutputs extends ListedOutputs {
  /** The sidecars themselves, by `sidecarKey`. */
  sidecars: ReadonlyMap<string, readonly { name: string; sourceName: string }[]>
}

interface IndexedSidecar {
  version: string
  /** Null for what is no sidecar. */
  source: Sidecar['source'] | null
  outputs: Sidecar['outputs']
}

interface IndexedFolder {
  /** Null when the folder may change again within the same tick of its clock. */
  mtimeNs: bigint | null
  /** The folder's mtime, taken before its sidecars were read; by the clock of its disk, which may be hours away from ours. */
  seenNs: bigint
  /** When this mtime was first seen. */
  seenSinceMs: number
  readAtMs: number
  files: Map<string, IndexedSidecar>
  outputs: IndexedOutputs
}

/** A folder that is still as it was first seen this long ago gets another timestamp with its next change. */
const SETTLED_MS = 2000
const MAX_FOLDERS = 200
/** Reading thousands of sidecars for each picture would take longer than all its other work. */
const GOOD_FOR_MS = 5000

export interface SidecarIndex {
  outputsIn(dir: string, changedNs?: bigint): Promise<IndexedOutputs>
}

/**
 * What the sidecars of folders list as outputs: an unchanged folder is not read again, and in a changed one only new sidecars are.
 *
 * A sidecar is written before its result is named, here as on another computer. So a listing read after a file arrived, by the folder's own
 * clock, includes that file if it is a result: with `changedNs`, its latest timestamp, such a listing is returned for up to five seconds.
 */
export function createSidecarIndex(nowMs: () => number = () => performance.now()): SidecarIndex {
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
  const byName = new Map<string, string>()
  const sidecars = new Map<string, { name: string; sourceName: string }[]>()
  const names = await readdir(dir).catch((error: unknown) => {
    if (['ENOENT', 'ENOTDIR', 'EACCES'].includes(errorCode(error))) return []
    throw error
  })
  for (const name of names.filter((found) => found.endsWith(SIDECAR_SUFFIX))) {
    const path = join(dir, name)
    const version = await versionOf(path)
    if (version === null) continue
    const earlier = known.get(name)
    const sidecar = earlier?.version === version ? earlier : await readSidecarFile(path)
    const file = { version, source: sidecar?.source ?? null, outputs: sidecar?.outputs ?? [] }
    files.set(name, file)
    for (const { name: outputName, sha256 } of file.outputs) byName.set(outputName, sha256)
    if (file.source === null) continue
    const key = sidecarKey(file.source.name, file.source.sha256)
    sidecars.set(key, [...(sidecars.get(key) ?? []), { name, sourceName: file.source.name }])
  }
  const hashes = new Set([...files.values()].flatMap((file) => file.outputs.map(({ sha256 }) => sha256)))
  return { files, outputs: { byName, hashes, sidecars } }
}

/** One key for all spellings of a picture's name in case or normal form. */
export const sidecarKey = (sourceName: string, sha256: string): string => `${collisionKey(sourceName)}\0${sha256}`
