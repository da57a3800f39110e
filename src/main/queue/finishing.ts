import { AppError, isOutOfFiles, toAppError } from '../../shared/sentences/errors.ts'
import type { EmbeddedTexts, Extra, ImageFacts, Job, Output } from '../../shared/jobs/job.ts'
import type { CreditCode, MetadataLoss, Note } from '../../shared/sentences/reasons.ts'
import type { ServedLoss } from '../core/judge-served.ts'
import type { WorkPlan } from '../core/plan-work.ts'
import { mayRetry, RETRIES, retryMs } from '../core/retries.ts'
import { failed, held, triedAgain, type JobEvent } from '../core/transition.ts'
import type { QueueContext } from './context.ts'
import type { StagedFile } from '../core/published-output.ts'
import type { Placement } from './ports.ts'

/** A job whose results are being made; each step adds to it. */
export interface Finishing {
  job: Job
  image: ImageFacts
  plan: WorkPlan
  place: Placement
  signal: AbortSignal
  /** The original. */
  bytes: Uint8Array
  notes: Note[]
  /** What the results lack of the original's credits; `notes` has one note of all. */
  lostCredits: Set<CreditCode>
  /** Hidden files that wait for their final names. */
  staged: StagedOutput[]
  /** All hidden files that were made; discarded when the work stops. */
  parts: StagedFile[]
  /** The compressed file of an earlier run, when it is kept unchanged. */
  kept: KeptOptimized | null
  outputs: Output[]
  /** What the compressed file lacks of the original's picture. */
  losses: readonly ServedLoss[]
}

export interface StagedOutput {
  role: 'optimized' | 'converted' | 'variant'
  type: Output['type']
  file: StagedFile
  /** In pixels; only of files encoded here. */
  width?: number
  height?: number
  extras: readonly Extra[]
  /** Set once the texts are embedded. */
  texts?: EmbeddedTexts
}

export interface KeptOptimized {
  output: Output
  extras: readonly Extra[]
}

/** Stages a file, in place of one that was staged for the same result; it is discarded when the work stops. */
export async function stageFor(
  { files }: QueueContext,
  { job, place, parts }: Pick<Finishing, 'job' | 'place' | 'parts'>,
  role: StagedOutput['role'],
  produce: (sink: (chunk: Uint8Array) => Promise<void>) => Promise<void>,
  width?: number,
): Promise<StagedFile> {
  const file = await files.stage(place, job.id, role, produce, width)
  parts.push(file)
  return file
}

/** Notes what of the original's metadata a result lacks, once for all results of the picture. */
export function noteLost(work: Finishing, lost: readonly MetadataLoss[]): void {
  for (const code of lost)
    if (code !== 'descriptions' && code !== 'details') work.lostCredits.add(code)
    else if (!work.notes.some((note) => note.code === `${code}_lost`))
      work.notes.push({ code: `${code}_lost`, detail: null })
  if (work.lostCredits.size === 0) return
  work.notes = work.notes.filter(({ code }) => code !== 'credits_lost')
  work.notes.push({ code: 'credits_lost', detail: [...work.lostCredits].join(',') })
}

/** What a step made, or why work on the job stops. Steps throw only unexpected errors and those of the disk. */
export type Step<Made extends object = object> = { stop: Stop } | ({ stop: null } & Made)

/** What becomes of the job; `not now`: the runner retries it. */
export type Stop = JobEvent | 'not now'

/** What becomes of a job when something was thrown, most often by the disk. */
export function eventOnError(context: QueueContext, job: Job, thrown: unknown): JobEvent {
  const error = toAppError(thrown instanceof AppError && isOutOfFiles(thrown.cause) ? thrown.cause : thrown)
  const { message, sentence } = error
  if (error.code === 'disk_full' || error.code === 'too_few_files') {
    context.writing.isBlocked = true
    return held(error.code, sentence)
  }
  if (error.code === 'not_writable') return held('target_not_writable', sentence)
  if (error.code === 'path_outside_root' || error.code === 'name_taken') return failed('no_free_name', sentence)
  context.log.warn('writing a result failed', { job: job.id, error: message })
  const failures = 1 + job.writeAttempts
  if (!mayRetry(RETRIES.write, failures)) return failed('encode_failed', sentence)
  const notBeforeMs = context.clock.nowMs() + retryMs(RETRIES.write, failures, context.random)
  return triedAgain({ code: 'backoff', detail: sentence }, notBeforeMs, 'writing')
}
