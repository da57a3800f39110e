import { basename, dirname } from 'node:path'
import type { Job, Output, OutputRole } from '../../shared/jobs/job.ts'
import { listedName } from './result-name.ts'

/** The newest published output of this role. */
export function publishedOf(outputs: readonly Output[], role: OutputRole): Output | null {
  return outputs.findLast((output) => output.role === role && output.state === 'published') ?? null
}

/** The output that a list compares with the original: the compressed file, else the converted one. */
export function shownResult(outputs: readonly Output[]): Output | null {
  return publishedOf(outputs, 'optimized') ?? publishedOf(outputs, 'converted')
}

/** Bytes that a finished job saved: by compression if it was compressed, else by conversion; otherwise 0. */
export function savedBytesOf(job: Pick<Job, 'state' | 'source' | 'outputs'>): number {
  const after = shownResult(job.outputs)
  return job.state === 'done' && after !== null ? Math.max(0, job.source.sizeBytes - after.sizeBytes) : 0
}

/** The path of a result from the folder of its sidecar, with `/`; its base name where there is no sidecar, or the result is elsewhere. */
export function nameAmong(outputs: readonly Pick<Output, 'role' | 'path'>[], path: string): string {
  const sidecar = outputs.find(({ role }) => role === 'sidecar')
  return (sidecar === undefined ? null : listedName(dirname(sidecar.path), path)) ?? basename(path)
}

/** One of our own results; `name` is its base name in `dir`, which lies inside `rootDir`. */
export interface OwnResult {
  rootDir: string
  dir: string
  name: string
  sha256: string
  jobId: string
  role: 'optimized' | 'converted' | 'variant'
}

/** A file written in full under a hidden name, with its hash, waiting for its final name. */
export interface StagedFile {
  partPath: string
  sha256: string
  sizeBytes: number
  /** In pixels; only of a variant. */
  width?: number | undefined
}

/** What a folder's sidecars list as outputs. Untrusted: a file is an output only if its hash agrees. */
export interface ListedOutputs {
  /** SHA-256 by name. */
  byName: ReadonlyMap<string, string>
  hashes: ReadonlySet<string>
}
