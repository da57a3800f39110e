import { AppError, isOutOfFiles, toAppError, assertNever } from '../../shared/sentences/errors.ts'
import type { EmbeddedTexts, Extra, ImageFacts, Job, Output } from '../../shared/jobs/job.ts'
import type { CreditCode, FailReason, HoldReason, MetadataLoss, Note } from '../../shared/sentences/reasons.ts'
import type { Sentence } from '../../shared/sentences/sentence.ts'
import type { ServedLoss } from '../core/judge-served.ts'
import type { WorkPlan } from '../core/plan-work.ts'
import { mayRetry, RETRIES, retryMs } from '../core/retries.ts'
import type { FailedAttempt } from '../core/transition.ts'
import type { QueueContext } from './context.ts'
import type { Placement, StagedFile } from './ports.ts'
import { eventForMissing } from './missing-original.ts'

/** A job whose results are being made; each step adds to it. */
export interface Finishing {
  job: Job
  image: ImageFacts
  plan: WorkPlan
  place: Placement
  /** The original. */
  bytes: Uint8Array
  notes: Note[]
  /** What the results lack of the original's credits; `notes` has one note of all. */
  lostCredits: Set<CreditCode>
  /** Hidden files that wait for their final names; discarded when the work stops. */
  staged: StagedOutput[]
  /** The compressed file of an earlier run, when it is kept unchanged. */
  kept: KeptOptimized | null
  outputs: Output[]
  /** What the compressed file lacks of the original's picture. */
  losses: readonly ServedLoss[]
}

/** A file that is about to be published. */
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

/** Records what of the original's metadata a result lacks, as one note of each kind for all results of the picture. */
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

/** Why work on a finishing job stops early; decides the job's next state. */
export type Stop =
  | { kind: 'skip'; reason: 'source_changed' }
  /** The original is missing; see `eventForMissing`. */
  | { kind: 'missing' }
  | { kind: 'fail'; reason: FailReason; detail: Sentence | null }
  | { kind: 'hold'; reason: HoldReason; detail: Sentence | null }
  /** `missing`: because the service does not have the result's file yet; `doubtful`: because it gives something else. */
  | {
      kind: 'later'
      detail: Sentence
      notBeforeMs: number | null
      countsAsAttempt: boolean
      missing?: boolean
      doubtful?: boolean
      failed?: FailedAttempt
    }
  /** The practice service no longer has the result. */
  | { kind: 'sendAgain' }
  /** An earlier run did everything except record it. */
  | { kind: 'finished'; outputs: Output[]; notes: Note[] }
  /** No slot, or the service is held: the job stays as it is and the runner retries it. */
  | { kind: 'notNow' }
  /** Something was thrown, most often by the disk. */
  | { kind: 'trouble'; error: unknown }

/** Applies a stop to the job's state. */
export async function stopJob(context: QueueContext, id: string, given: Stop): Promise<void> {
  const job = context.store.get(id)
  if (job === null) return
  const stop = given.kind === 'trouble' ? stopFor(context, job, given.error) : given
  switch (stop.kind) {
    case 'notNow':
      return
    case 'finished': {
      if (job.state === 'fetching') context.store.apply(id, { type: 'fetched' })
      const outputs = stop.outputs.map((output) => ({ ...output, state: 'published' as const }))
      context.store.apply(id, { type: 'published', outputs, notes: stop.notes })
      return
    }
    case 'sendAgain':
      context.store.apply(id, { type: 'sendAgain' })
      return
    case 'missing':
      context.store.apply(id, await eventForMissing(context, job))
      return
    case 'skip':
      context.store.apply(id, { type: 'skip', reason: { code: stop.reason, detail: null } })
      return
    case 'fail':
      context.store.apply(id, { type: 'fail', reason: { code: stop.reason, detail: stop.detail } })
      return
    case 'hold':
      context.store.apply(id, { type: 'hold', reason: { code: stop.reason, detail: stop.detail } })
      return
    case 'later':
      context.store.apply(id, {
        type: 'later',
        reason: { code: stop.doubtful === true ? 'service_doubtful' : 'backoff', detail: stop.detail },
        notBeforeMs: stop.notBeforeMs,
        countsAsAttempt: stop.countsAsAttempt,
        missing: stop.missing === true,
        ...(stop.failed !== undefined && { failed: stop.failed }),
      })
      return
    default:
      assertNever(stop)
  }
}

function stopFor(context: QueueContext, job: Job, thrown: unknown): Exclude<Stop, { kind: 'trouble' }> {
  const error = toAppError(thrown instanceof AppError && isOutOfFiles(thrown.cause) ? thrown.cause : thrown)
  if (error.code === 'disk_full' || error.code === 'too_few_files') {
    context.writing.isBlocked = true
    return { kind: 'hold', reason: error.code, detail: error.sentence }
  }
  if (error.code === 'not_writable') return { kind: 'hold', reason: 'target_not_writable', detail: error.sentence }
  if (error.code === 'path_outside_root' || error.code === 'name_taken')
    return { kind: 'fail', reason: 'no_free_name', detail: error.sentence }
  const { message, sentence } = error
  context.log.warn('writing a result failed', { job: job.id, error: message })
  const failures = 1 + job.writeAttempts
  const reason = error.code === 'file_swapped' ? 'part_swapped' : 'encode_failed'
  if (!mayRetry(RETRIES.write, failures)) return { kind: 'fail', reason, detail: sentence }
  const notBeforeMs = context.clock.nowMs() + retryMs(RETRIES.write, failures, context.random)
  return { kind: 'later', detail: sentence, notBeforeMs, countsAsAttempt: true, failed: 'writing' }
}
