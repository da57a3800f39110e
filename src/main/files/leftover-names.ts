import { createHash } from 'node:crypto'
import type { OutputRole } from '../../shared/jobs/job.ts'
import { isPlainName } from './folder-handle.ts'

/** The names of temporary files and of files moved aside. Nothing else is ever swept. */

const HIDDEN = '.hangar'
const TAG_LETTERS = 26
const TAG = `([0-9a-f]{${TAG_LETTERS}})`
const ROLE = '(optimized|converted|variant|sidecar)'
/** A job stages all its variants at the same time, so each has its width in the name. */
const WIDTH = '(?:-[1-9][0-9]{1,4})?'
const PART = new RegExp(`^\\.hangar-${TAG}-${ROLE}${WIDTH}\\.part$`)
const ASIDE = new RegExp(`^\\.hangar-${TAG}-${ROLE}-([0-9a-f]{16})\\.(.+)\\.old$`, 's')

/**
 * Stands for a job in names that everybody who can list the folder sees. The id itself cannot be had from it: with the id, a
 * program that has the cookie of a browser could ask the web server for the job's files.
 */
export function tagOf(jobId: string): string {
  return createHash('sha256').update(jobId).digest('hex').slice(0, TAG_LETTERS)
}

/** A file being written for a job. */
export function partName(jobId: string, role: OutputRole, width?: number): string {
  return partOf(tagOf(jobId), role, width)
}

/** The part of a job that is known by its tag only. */
export function partOf(tag: string, role: OutputRole, width?: number): string {
  return `.hangar-${tag}-${role}${width === undefined ? '' : `-${width}`}.part`
}

/** An earlier output moved aside: its usual name, and the start of the hash it must have to be ours. */
export function asideName(jobId: string, role: OutputRole, sha256: string, name: string): string {
  return `.hangar-${tagOf(jobId)}-${role}-${sha256.slice(0, 16)}.${name}.old`
}

export type Leftover =
  | { kind: 'part'; tag: string; role: OutputRole }
  | { kind: 'aside'; tag: string; role: OutputRole; sha256Start: string; name: string }

/**
 * Null for any name that Hangar would not produce: others may plant one, for example one that would be restored to
 * `..`.
 */
export function parseLeftover(name: string): Leftover | null {
  const part = PART.exec(name)
  if (part !== null) return { kind: 'part', tag: part[1] ?? '', role: part[2] as OutputRole }
  const [, tag = '', role, sha256Start = '', original = ''] = ASIDE.exec(name) ?? []
  if (role === undefined || !isPlainName(original) || original.startsWith(HIDDEN)) return null
  return { kind: 'aside', tag, role: role as OutputRole, sha256Start, name: original }
}
