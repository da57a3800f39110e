import { assertNever } from '../../shared/errors.ts'
import { ServiceResult, type Job } from '../../shared/job.ts'
import { ownSentence } from '../../shared/own-sentences.ts'
import { backoffMs } from '../core/backoff.ts'
import { classifyFree, readJobStatus } from '../core/classify.ts'
import type { RemoteJob } from '../core/image-service.ts'
import { planWork } from '../core/plan-work.ts'
import { applyForSure, type QueueContext } from './context.ts'
import type { Lane } from './lane.ts'

const SECOND = 1000
const HOUR = 3600 * SECOND
const DAY = 24 * HOUR

/** After so long without an end a job is held as stalled and asked after hourly, then given up (asking stays free). */
const STALLED_AFTER_MS = DAY
const GIVEN_UP_AFTER_MS = 7 * DAY
/** A job that is said to be completed but shows no result is asked again so many times. */
const EMPTY_RESULT_TRIES = 10

/** What a poll learned about how long the job took, for the planner. */
export type PollOutcome = 'ended' | 'notYet' | 'nothing'

/** Asks once after a waiting job. Free, so every doubt is settled by asking again later. */
export async function pollJob(context: QueueContext, lane: Lane, job: Job, signal: AbortSignal): Promise<PollOutcome> {
  const service = lane.service
  if (service === null || job.remoteJobId === null) return 'nothing'
  const slot = lane.tryTakeSlot()
  if (slot === null) return 'nothing'
  const verdict = classifyFree(await service.job(job.remoteJobId, { slot, signal }))
  if (signal.aborted) return 'nothing'
  switch (verdict.kind) {
    case 'ok':
      lane.opened()
      return readAnswer(context, job, verdict.value, signal)
    case 'retry':
      if (verdict.reason === 'service_unreachable') lane.close(verdict.reason)
      pollLater(context, job, verdict.reason, verdict.detail)
      return 'nothing'
    case 'redirected':
      lane.redirected(verdict.detail)
      pollLater(context, job, 'service_doubtful', verdict.detail)
      return 'nothing'
    case 'rateLimited':
      return 'nothing'
    case 'hold':
      lane.setHold({ code: verdict.reason, detail: verdict.detail })
      return 'nothing'
    case 'notFound':
      lane.opened()
      if (job.accountId !== null && job.accountId !== lane.accountId)
        context.store.apply(job.id, { type: 'hold', reason: { code: 'other_account', detail: null } })
      else
        await applyForSure(
          context,
          job.id,
          { type: 'doubt', reason: { code: 'lost_at_service', detail: verdict.detail } },
          signal,
        )
      return 'nothing'
    case 'refused':
      lane.opened()
      pollLater(context, job, 'service_doubtful', verdict.detail)
      return 'nothing'
    default:
      return assertNever(verdict)
  }
}

async function readAnswer(
  context: QueueContext,
  job: Job,
  remote: RemoteJob,
  signal: AbortSignal,
): Promise<PollOutcome> {
  const status = readJobStatus(remote.status)
  if (status === 'failed') {
    await applyForSure(context, job.id, { type: 'fail', reason: { code: 'job_failed', detail: null } }, signal)
    return 'ended'
  }
  if (status === 'notYet') {
    notYet(context, job)
    return 'notYet'
  }
  const result = resultOf(remote)
  if (result === null) {
    if (job.attempts < EMPTY_RESULT_TRIES) pollLater(context, job, 'service_doubtful', ownSentence('no_result'))
    else
      context.store.apply(job.id, {
        type: 'fail',
        reason: { code: 'job_failed', detail: ownSentence('no_result') },
      })
    return 'nothing'
  }
  const plan = planWork(job.recipe, job.image!)
  await applyForSure(
    context,
    job.id,
    { type: 'completed', result, download: 'cannot' in plan ? false : plan.optimized },
    signal,
  )
  return 'ended'
}

function resultOf(remote: RemoteJob): ServiceResult | null {
  if (remote.image?.id === null || remote.image?.id === undefined) return null
  const { id: imageId, ...rest } = remote.image
  const parsed = ServiceResult.safeParse({ imageId, ...rest })
  return parsed.success ? parsed.data : null
}

function notYet(context: QueueContext, job: Job): void {
  const nowMs = context.clock.nowMs()
  context.store.apply(job.id, { type: 'notYet', atMs: nowMs })
  endWhenTooOld(context, job)
}

/** A job that does not end, or whose end cannot be learnt, is not asked after for ever. */
function endWhenTooOld(context: QueueContext, job: Job): void {
  const nowMs = context.clock.nowMs()
  const ageMs = nowMs - (job.sentAtMs ?? nowMs)
  if (ageMs > GIVEN_UP_AFTER_MS)
    context.store.apply(job.id, { type: 'fail', reason: { code: 'never_ended', detail: null } })
  else if (ageMs > STALLED_AFTER_MS)
    context.store.apply(job.id, { type: 'hold', reason: { code: 'stalled', detail: null } })
}

function pollLater(
  context: QueueContext,
  job: Job,
  code: 'service_unreachable' | 'service_doubtful',
  detail: string,
): void {
  const waitMs = backoffMs({ attempt: job.attempts + 1, baseMs: 2 * SECOND, capMs: 300 * SECOND }, context.random)
  context.store.apply(job.id, {
    type: 'later',
    reason: { code, detail: detail.slice(0, 500) },
    notBeforeMs: context.clock.nowMs() + waitMs,
    countsAsAttempt: true,
  })
  if (code === 'service_doubtful') endWhenTooOld(context, job)
}
