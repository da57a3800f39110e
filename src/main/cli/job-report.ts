import { basename } from 'node:path'
import type { JobView } from '../../shared/contract.ts'
import { PRACTICE_SERVICE } from '../../shared/recipe.ts'
import type { Reason, ReasonCode } from '../../shared/reasons.ts'
import { noteText, reasonLine, reasonText, stateText } from '../../shared/reason-text.ts'
import { changeText, pathText, sizeText } from './figures.ts'

/** A job as `--json` shows it: a projection of the contract's types. */
export interface JobLine {
  event: 'job'
  /** Null for a file that needs nothing and so has no job. */
  id: string | null
  path: string
  state: JobView['state']
  reason?: Reason
  outputs?: { role: string; path: string; type: string; sizeBytes: number; sha256: string }[]
}

export function jobLine(job: JobView): JobLine {
  const outputs = job.outputs
    .filter((output) => output.state === 'published')
    .map(({ role, path, type, sizeBytes, sha256 }) => ({ role, path, type, sizeBytes, sha256 }))
  return {
    ...{ event: 'job', id: job.id, path: job.source.path, state: job.state },
    ...(job.reason === null ? {} : { reason: job.reason }),
    ...(outputs.length === 0 ? {} : { outputs }),
  }
}

/** One line for people about a job that came to rest. */
export function jobText(job: JobView, cwd: string): string {
  const head = `${stateText(job.state).padEnd(9)} ${pathText(job.source.path, cwd)}`
  if (job.state === 'done') return `${head}  ${doneText(job)}`
  return job.reason === null ? head : `${head}  ${reasonLine(job.reason)}`
}

function doneText(job: JobView): string {
  const optimized = job.outputs.find((output) => output.role === 'optimized')
  const size =
    optimized === undefined
      ? ''
      : `${sizeText(job.source.sizeBytes)} → ${sizeText(optimized.sizeBytes)} (${changeText(job.source.sizeBytes, optimized.sizeBytes)})  `
  const names = job.outputs.map((output) => basename(output.path)).join(', ')
  return `${size}${names === '' ? 'no file was written' : names}`
}

/** What is worth knowing about a job that went well, one line each. */
export function noteLines(job: JobView): string[] {
  return job.state === 'done' || job.state === 'skipped' ? job.notes.map((note) => `          ${noteText(note)}`) : []
}

/**
 * Why pictures were not done, each reason once with the number of pictures, what it means and what to do. The first
 * detail of a reason stands for all.
 */
export function reasonParagraphs(jobs: readonly JobView[]): string[] {
  const groups = new Map<string, { job: JobView; reason: Reason; count: number }>()
  for (const job of jobs) {
    if (job.reason === null) continue
    const key = `${job.state} ${job.reason.code} ${isPractice(job)}`
    const group = groups.get(key)
    if (group === undefined) groups.set(key, { job, reason: job.reason, count: 1 })
    else group.count += 1
  }
  return [...groups.values()].map(
    ({ job, reason, count }) => `${count} ${stateText(job.state)}: ${reasonText(reason, isPractice(job))}`,
  )
}

export const isPractice = ({ serviceId }: JobView): boolean => serviceId === PRACTICE_SERVICE

/** Holds that concern everything at once: said once, not for each picture. */
const GENERAL_HOLDS: readonly ReasonCode[] = [
  'key_missing',
  'key_refused',
  'credits_short',
  'address_wrong',
  'spend_guard',
]

export const isGeneralHold = ({ state, reason }: JobView) =>
  state === 'held' && reason !== null && GENERAL_HOLDS.includes(reason.code)

/** Holds that were said already: while the disk is full, a job is tried and held again each minute. */
export class SaidHolds {
  readonly #reasons = new Map<string, ReasonCode>()

  /** False for a job that is held once more for the reason that was said last. */
  isNews({ id, state, reason }: Pick<JobView, 'id' | 'state' | 'reason'>): boolean {
    if (state !== 'held' || reason === null) return true
    const isNews = this.#reasons.get(id) !== reason.code
    this.#reasons.set(id, reason.code)
    return isNews
  }
}

/**
 * Whether a person wants to see this job go by. What is still moving is in the progress bar, what was done before is
 * counted, and a hold of everything is said at the end.
 */
export function isWorthALine(job: JobView): boolean {
  const { state, reason } = job
  if (state === 'skipped') return reason?.code !== 'own_output' && reason?.code !== 'already_done'
  return ['done', 'failed', 'unknown', 'held', 'cancelled'].includes(state) && !isGeneralHold(job)
}
