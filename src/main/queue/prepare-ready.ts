import type { Job, ServiceResult } from '../../shared/jobs/job.ts'
import { failed, held, unknownBecause, waits, type JobEvent } from '../core/transition.ts'
import type { DecisionContext, QueueContext } from './context.ts'
import { needsDownload } from '../core/plan-work.ts'
import { giveTo, mayRepeat, paymentFor } from '../journal/payments.ts'
import { guardSpend } from './spend.ts'

/** A job that waits for another job with the same content is checked again after this time at the latest. */
const TWIN_RECHECK_MS = 30_000
const IN_FLIGHT = ['sending', 'waiting', 'held']

/** What a ready job currently needs. */
type Need =
  /** `isRepetition`: a person asked to send it again in spite of an earlier dispatch. */
  | { kind: 'send'; isRepetition: boolean }
  | { kind: 'reuse'; result: ServiceResult; remoteJobId: string | null }
  /** The same content is under way in another job. */
  | { kind: 'wait' }
  /** The service has it: poll for its result. */
  | { kind: 'adopt'; remoteJobId: string; owner: Job | null; sentAtMs: number }
  /** Not to be sent: it may have been charged already, or its job failed at the service. */
  | { kind: 'over'; event: Extract<JobEvent, { type: 'unknown' | 'fail' }> }

const UNKNOWN: Need = { kind: 'over', event: unknownBecause('unclear_answer') }

/** Whether a ready job has to be sent. A known paid key is never sent again unless a person asked for it. Previews use it too. */
export function needOf({ db, store }: DecisionContext, job: Job): Need {
  const payment = paymentFor(db, job)
  if (payment === null) return { kind: 'send', isRepetition: false }
  if (mayRepeat(db, job, payment.state)) return { kind: 'send', isRepetition: true }
  const { state, result, remoteJobId, atMs: sentAtMs } = payment
  const owner = payment.jobId === '' || payment.jobId === job.id ? null : store.get(payment.jobId)
  // Also for a stored result that no longer parses: polling again is free.
  const askFor = (): Need => (remoteJobId === null ? UNKNOWN : { kind: 'adopt', remoteJobId, owner, sentAtMs })
  switch (state) {
    case 'paid':
      return result === null ? askFor() : { kind: 'reuse', result, remoteJobId }
    case 'sending':
    case 'accepted':
      return owner !== null && IN_FLIGHT.includes(owner.state) ? { kind: 'wait' } : askFor()
    case 'unknown':
      return UNKNOWN
    case 'ended':
      return { kind: 'over', event: failed('job_failed') }
  }
}

/** Whether a job would be sent again because a person asked for it. */
export function isRepetition(context: DecisionContext, job: Job): boolean {
  if (!job.force && !job.resendApproved) return false
  const need = needOf(context, job)
  return need.kind === 'send' && need.isRepetition
}

/** Does what a ready job needs and is free. `send`, or `ask` for price and balance first: it is to be sent now; `wait`: its batch waits. */
export function prepareReady(context: QueueContext, job: Job): 'send' | 'ask' | 'wait' | 'not now' {
  const { store, clock } = context
  const need = needOf(context, job)
  switch (need.kind) {
    case 'send': {
      const spend = guardSpend(context, job, need.isRepetition)
      if (spend.kind !== 'hold') return spend.kind
      store.apply(job.id, held('spend_guard', spend.detail))
      return 'not now'
    }
    case 'reuse':
      reuse(context, job, need.result, need.remoteJobId)
      return 'not now'
    case 'wait':
      store.apply(job.id, waits({ code: 'same_content_in_flight', detail: null }, clock.nowMs() + TWIN_RECHECK_MS))
      return 'not now'
    case 'adopt':
      adopt(context, job, need)
      return 'not now'
    case 'over':
      store.apply(job.id, need.event)
      return 'not now'
  }
}

function reuse(context: QueueContext, job: Job, result: ServiceResult, remoteJobId: string | null): void {
  context.store.apply(job.id, { type: 'reuse', result, remoteJobId, download: needsDownload(job) })
}

/** Lets a new job continue at once if its result is stored: that is free, so neither pause nor credits stop it. */
export function reuseIfPaid(context: QueueContext, job: Job): void {
  if (job.state !== 'ready' || job.paidKey === null) return
  const need = needOf(context, job)
  if (need.kind === 'reuse') reuse(context, job, need.result, need.remoteJobId)
}

function adopt(
  context: QueueContext,
  job: Job,
  { remoteJobId, owner, sentAtMs }: Extract<Need, { kind: 'adopt' }>,
): void {
  context.store.apply(job.id, { type: 'adopt', remoteJobId, accountId: owner?.accountId ?? null, sentAtMs }, () =>
    giveTo(context.db, job.paidKey!, job.id),
  )
}

/** Lets jobs with the same content continue as soon as the job they waited for has moved. */
export function wakeTwins(context: QueueContext, moved: Job): void {
  if (moved.paidKey === null || IN_FLIGHT.includes(moved.state) || moved.state === 'ready') return
  for (const twin of context.store.list({ states: ['ready'], paidKey: moved.paidKey, limit: 1000 }))
    if (twin.reason?.code === 'same_content_in_flight') context.store.apply(twin.id, waits(null, null))
}
