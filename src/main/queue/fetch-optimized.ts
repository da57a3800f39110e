import type { Job } from '../../shared/jobs/job.ts'
import { say, type Sentence } from '../../shared/sentences/sentence.ts'
import { PRACTICE_SERVICE } from '../../shared/recipes/recipe.ts'
import { assertNever } from '../../shared/sentences/errors.ts'
import { groupOfKey, priceQuestions } from '../core/credit-budget.ts'
import { isPrice } from '../core/credit-limit.ts'
import { brokenDownload, classifyDownload } from '../core/classify.ts'
import type { DownloadAnswer } from '../core/image-service.ts'
import { uploadTypeOf } from '../core/plan-work.ts'
import { mayRetry, RETRIES, type Retry, retryMs } from '../core/retries.ts'
import { failed, held, triedAgain, waits } from '../core/transition.ts'
import { findPayment } from '../journal/payments.ts'
import type { QueueContext } from './context.ts'
import { stageFor, type Finishing, type Step, type Stop } from './finishing.ts'
import type { Lane } from './lane.ts'
import type { StagedFile } from '../core/published-output.ts'

const { missingFile } = RETRIES

interface FetchedFile {
  file: StagedFile
  frames: number
}

/** Downloads the compressed file into a hidden part and verifies it by its status, length and type, and a full decode. */
export async function fetchOptimized(
  context: QueueContext,
  lane: Lane | null,
  work: Finishing,
): Promise<Step<FetchedFile>> {
  const service = lane?.service ?? null
  if (lane === null || service === null || work.job.result === null) return NOT_NOW
  const { signal } = work
  const { imageId } = work.job.result
  const heard: { answer: DownloadAnswer | null } = { answer: null }
  const file = await stageFor(context, work, 'optimized', async (sink) => {
    // Taken last: nothing may throw between taking the slot and the call that returns it.
    const slot = await lane.slots.tryTake()
    if (slot !== null) heard.answer = await service.optimized(imageId, sink, { slot, signal })
  })
  signal.throwIfAborted()
  if (heard.answer === null) return NOT_NOW
  const stop = await stopOnAnswer(context, lane, work, heard.answer)
  return stop === null ? checkContent(context, work, file) : { stop }
}

const NOT_NOW = { stop: 'not now' } as const

/** Null when the file was received. */
async function stopOnAnswer(
  context: QueueContext,
  lane: Lane,
  work: Finishing,
  answer: DownloadAnswer,
): Promise<Stop | null> {
  const verdict = classifyDownload(answer)
  lane.follow(verdict.lane, verdict.kind === 'ok' ? null : verdict.detail)
  switch (verdict.kind) {
    case 'ok':
      return null
    case 'rateLimited':
    case 'hold':
      return NOT_NOW.stop
    case 'notFound':
      return notThere(context, lane, work, verdict.detail)
    case 'fetchLater':
      return fetchLater(context, work.job, verdict)
    default:
      return assertNever(verdict)
  }
}

/** A 404 soon after completion may be early; one that persists, or for a result from before, means that the file is gone. */
async function notThere(context: QueueContext, lane: Lane, work: Finishing, detail: Sentence): Promise<Stop> {
  const { job } = work
  if (job.accountId !== null && job.accountId !== lane.accountId) return held('other_account', detail)
  if (job.serviceId === PRACTICE_SERVICE) return { type: 'sendAgain' }
  const nowMs = context.clock.nowMs()
  const isGone = isFromBefore(context, job) || nowMs - (job.missingSinceMs ?? nowMs) > missingFile.givenUpAfterMs
  if (isGone) return failed('download_gone', (await priceOfAnother(lane, work)) ?? detail)
  return {
    ...waits({ code: 'backoff', detail: say('not_there_yet') }, nowMs + retryMs(missingFile, 1, context.random)),
    missing: true,
  }
}

/** The result is known from a sidecar, or from a picture that was sent so long ago that its file must have been there. */
function isFromBefore({ db, clock }: QueueContext, job: Job): boolean {
  if (job.sentAtMs !== null || job.paidKey === null) return false
  const payment = findPayment(db, job.paidKey)
  return payment?.remoteJobId !== job.remoteJobId || clock.nowMs() - payment.atMs > missingFile.givenUpAfterMs
}

/** What sending the picture again would cost at most; null if that cannot be asked now. */
async function priceOfAnother(lane: Lane, { job, signal }: Finishing): Promise<Sentence | null> {
  const [question] = job.paidKey === null ? [] : priceQuestions([groupOfKey(job.paidKey)])
  const { service } = lane
  if (service === null || question === undefined) return null
  const slot = await lane.slots.tryTake()
  if (slot === null) return null
  const answer = await service.afford(question, { slot, signal })
  if (answer.kind !== 'ok' || !isPrice(answer.value.required)) return null
  lane.noteBalance(answer.value.balance)
  return say('resend_price', { credits: answer.value.required })
}

async function checkContent(
  context: QueueContext,
  { job, image, signal }: Finishing,
  file: StagedFile,
): Promise<Step<FetchedFile>> {
  const bytes = await context.files.readStaged(file)
  const seen = await context.files.pictures.inspect({ bytes }, signal)
  signal.throwIfAborted()
  const broken = (detail: Sentence) => ({ stop: fetchLater(context, job, brokenDownload(detail)) })
  if (!seen.ok) return broken(say('download_not_whole', { why: seen.detail }))
  const [type, wanted] = [seen.type, uploadTypeOf(image)].map((one) => one.toUpperCase()) as [string, string]
  if (type !== wanted) return broken(say('download_other_type', { type, wanted }))
  return { stop: null, file, frames: seen.frames }
}

function fetchLater(context: QueueContext, job: Job, { retry, detail }: { retry: Retry; detail: Sentence }): Stop {
  // Counted apart: after an outage, one odd answer is the first.
  const isOdd = retry === RETRIES.brokenFile
  const failures = 1 + (isOdd ? job.oddAnswers : job.attempts)
  if (!mayRetry(retry, failures)) return failed('download_broken', detail)
  const notBeforeMs = context.clock.nowMs() + retryMs(retry, failures, context.random)
  return triedAgain({ code: 'service_doubtful', detail }, notBeforeMs, isOdd ? 'odd_answer' : undefined)
}
