import { createHash } from 'node:crypto'
import type { OutputRole } from '../../shared/jobs/job.ts'

/** The names of files that are being written. Nothing else is ever swept. */

const TAG_LETTERS = 26
/** A job stages all its variants at the same time, so each has its width in the name. */
const PART = new RegExp(
  `^\\.hangar-([0-9a-f]{${TAG_LETTERS}})-(?:optimized|converted|variant|sidecar)(?:-[1-9][0-9]{1,4})?\\.part$`,
)

/**
 * Stands for a job in names that everybody who can list the folder sees. The id itself cannot be had from it: with the id, a
 * program that has the cookie of a browser could ask the web server for the job's files.
 */
export function tagOf(jobId: string): string {
  return createHash('sha256').update(jobId).digest('hex').slice(0, TAG_LETTERS)
}

/** A file being written for a job. */
export function partName(jobId: string, role: OutputRole, width?: number): string {
  return `.hangar-${tagOf(jobId)}-${role}${width === undefined ? '' : `-${width}`}.part`
}

/** The tag of the job that left it; null for any name that Hangar would not produce. */
export const tagOfPart = (name: string): string | null => PART.exec(name)?.[1] ?? null
