import { assertNever } from '../../shared/sentences/errors.ts'
import { ServiceResult, type Job } from '../../shared/jobs/job.ts'
import { say, type Sentence } from '../../shared/sentences/sentence.ts'
import { classifyPoll, readJobStatus, type Trouble } from '../core/classify.ts'
import type { RemoteJob } from '../core/image-service.ts'
import { mayRetry, RETRIES, retryMs } from '../core/retries.ts'
import { failed, held, triedAgain, unknownBecause } from '../core/transition.ts'
import { wantedTexts } from '../core/wanted-texts.ts'
import { PRACTICE_SERVICE } from '../../shared/recipes/recipe.ts'
import { needsDownload } from '../core/plan-work.ts'
import { isImageOfAnother } from '../journal/payments.ts'
import { applyForSure, type QueueContext } from './context.ts'
import type { Lane } from './lane.ts'
import { ruleNewTexts } from './rule-texts.ts'

/** A job that has not ended after this time is held as stalled. */
const STALLED_AFTER_MS = 24 * 3_600_000

type PollOutcome = 'ended' | 'notYet' | 'nothing'

/** Polls a waiting job once. Polls are free, so any ambiguity is resolved by polling again later. */
export async function pollJob(context: QueueContext, lane: Lane, job: Job, signal: AbortSignal): Promise<PollOutcome> {
  const service = lane.service
  if (service === null || job.remoteJobId === null) return 'nothing'
  const slot = await lane.slots.tryTake()
  if (slot === null) return 'nothing'
  const verdict = classifyPoll(await service.job(job.remoteJobId, { slot, signal }))
  if (signal.aborted) return 'nothing'
  lane.follow(verdict.lane, verdict.kind === 'ok' ? null : verdict.detail)
  switch (verdict.kind) {
    case 'ok':
      return readAnswer(context, job, verdict.value, signal)
    case 'retry':
      if ('unusable' in verdict) return unusable(context, job, verdict.detail)
      pollLater(context, job, verdict.reason, verdict.detail)
      return 'nothing'
    case 'redirected':
    case 'refused':
      pollLater(context, job, 'service_doubtful', verdict.detail)
      return 'nothing'
    case 'rateLimited':
    case 'hold':
      return 'nothing'
    case 'notFound':
      if (job.serviceId === PRACTICE_SERVICE) {
        context.store.apply(job.id, { type: 'sendAgain' })
        return 'nothing'
      }
      if (job.accountId !== null && job.accountId !== lane.accountId) context.store.apply(job.id, held('other_account'))
      else await applyForSure(context, job.id, unknownBecause('lost_at_service', verdict.detail), signal)
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
    await applyForSure(context, job.id, failed('job_failed'), signal)
    return 'ended'
  }
  if (status === 'notYet') {
    context.store.apply(job.id, { type: 'notYet', atMs: context.clock.nowMs() })
    endWhenTooOld(context, job)
    return 'notYet'
  }
  const result = resultOf(remote, job.recipe.languages)
  if (result === null) return unusable(context, job, say('no_result'))
  if (isImageOfAnother(context.db, job, result.imageId)) return unusable(context, job, say('image_of_another'))
  await applyForSure(context, job.id, { type: 'completed', result, download: needsDownload(job) }, signal, () =>
    ruleNewTexts(context, job, result),
  )
  return 'ended'
}

/** An answer that says nothing about this job. Another poll may, and is free; but not for ever. */
function unusable(context: QueueContext, job: Job, detail: Sentence): PollOutcome {
  if (mayRetry(RETRIES.unusableAnswer, job.oddAnswers + 1))
    pollLater(context, job, 'service_doubtful', detail, 'odd_answer')
  else context.store.apply(job.id, failed('never_ended', detail))
  return 'nothing'
}

function resultOf(remote: RemoteJob, languages: readonly string[]): ServiceResult | null {
  if (remote.image?.id === null || remote.image?.id === undefined) return null
  const { id: imageId, translations, ...rest } = remote.image
  const parsed = ServiceResult.safeParse({ imageId, ...rest, translations: wantedTexts(translations, languages) })
  return parsed.success ? parsed.data : null
}

/** A job is not polled for ever. */
function endWhenTooOld(context: QueueContext, job: Job): void {
  const nowMs = context.clock.nowMs()
  const ageMs = nowMs - (job.sentAtMs ?? nowMs)
  if (ageMs > RETRIES.stalled.givenUpAfterMs) context.store.apply(job.id, failed('never_ended'))
  else if (ageMs > STALLED_AFTER_MS) context.store.apply(job.id, held('stalled'))
}

function pollLater(context: QueueContext, job: Job, code: Trouble, detail: Sentence, failed?: 'odd_answer'): void {
  const notBeforeMs = context.clock.nowMs() + retryMs(RETRIES.poll, job.attempts + 1, context.random)
  context.store.apply(job.id, triedAgain({ code, detail }, notBeforeMs, failed))
  if (code === 'service_doubtful') endWhenTooOld(context, job)
}
