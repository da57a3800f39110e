import type { OutputRole } from '../../shared/jobs/job.ts'
import { isPlainName } from './folder-handle.ts'

/** The names of temporary files and of files moved aside. Nothing else is ever swept. */

const HIDDEN = '.hangar'
const ID = '([0-9A-Za-z]{26})'
const ROLE = '(optimized|converted|variant|sidecar)'
/** A job stages all its variants at the same time, so each has its width in the name. */
const WIDTH = '(?:-[1-9][0-9]{1,4})?'
const PART = new RegExp(`^\\.hangar-${ID}-${ROLE}${WIDTH}\\.part$`)
const ASIDE = new RegExp(`^\\.hangar-${ID}-${ROLE}-([0-9a-f]{16})\\.(.+)\\.old$`, 's')

/** A file being written for a job. */
export function partName(jobId: string, role: OutputRole, width?: number): string {
  return `.hangar-${jobId}-${role}${width === undefined ? '' : `-${width}`}.part`
}

/** An earlier output moved aside: its usual name, and the start of the hash it must have to be ours. */
export function asideName(jobId: string, role: OutputRole, sha256: string, name: string): string {
  return `.hangar-${jobId}-${role}-${sha256.slice(0, 16)}.${name}.old`
}

export type Leftover =
  | { kind: 'part'; jobId: string; role: OutputRole }
  | { kind: 'aside'; jobId: string; role: OutputRole; sha256Start: string; name: string }

/**
 * Null for any name that Hangar would not produce: others may plant one, for example one that would be restored to
 * `..`.
 */
export function parseLeftover(name: string): Leftover | null {
  const part = PART.exec(name)
  if (part !== null) return { kind: 'part', jobId: part[1] ?? '', role: part[2] as OutputRole }
  const [, jobId = '', role, sha256Start = '', original = ''] = ASIDE.exec(name) ?? []
  if (role === undefined || !isPlainName(original) || original.startsWith(HIDDEN)) return null
  return { kind: 'aside', jobId, role: role as OutputRole, sha256Start, name: original }
}
