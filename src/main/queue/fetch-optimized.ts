import type { Job } from '../../shared/job.ts'
import { ownSentence } from '../../shared/own-sentences.ts'
import type { ImageType } from '../../shared/recipe.ts'
import { backoffMs } from '../core/backoff.ts'
import { classifyDownload } from '../core/classify.ts'
import type { DownloadAnswer } from '../core/image-service.ts'
import type { QueueContext } from './context.ts'
import type { Lane } from './lane.ts'
import type { Placement, StagedFile } from './ports.ts'
import { Stopped } from './stop.ts'

const SECOND = 1000
/** `GET /images/{id}/optimized` may lag behind `completed` (document, Errors); so long a 404 is asked again. */
const NOT_THERE_YET_MS = 600 * SECOND
const NOT_THERE_RETRY_MS = 15 * SECOND
/** Broken downloads are fetched again so often: it is free, but not for ever. */
const BROKEN_TRIES = 6
/** Without an answer the fetch is retried for about half an hour: an outage must not leave every picture to a person. */
const UNANSWERED_TRIES = 35

/**
 * Downloads the compressed file into a hidden part in the target folder and proves it whole: status, length, magic
 * bytes of the original's type and a full decode. Throws `Stopped`; then no part is left.
 */
export async function fetchOptimized(
  context: QueueContext,
  lane: Lane | null,
  work: { job: Job; place: Placement; type: ImageType },
  signal: AbortSignal,
): Promise<StagedFile> {
  const service = lane?.service ?? null
  if (lane === null || service === null || work.job.result === null) throw new Stopped({ kind: 'notNow' })
  const imageId = work.job.result.imageId
  let answer: DownloadAnswer | null = null
  const staged = await context.files.stage(work.place, work.job.id, 'optimized', async (sink) => {
    // Only now, when nothing stands between the slot and the call that gives it back.
    const slot = lane.tryTakeSlot()
    if (slot === null) throw new Stopped({ kind: 'notNow' })
    answer = await service.optimized(imageId, sink, { slot, signal })
  })
  try {
    signal.throwIfAborted()
    checkAnswer(context, lane, work.job, answer!)
    await checkContent(context, work, staged, signal)
    return staged
  } catch (error) {
    await context.files.discard(staged)
    throw error
  }
}

function checkAnswer(context: QueueContext, lane: Lane, job: Job, answer: DownloadAnswer): void {
  const verdict = classifyDownload(answer)
  switch (verdict.kind) {
    case 'ok':
      lane.opened()
      return
    case 'rateLimited':
      throw new Stopped({ kind: 'notNow' })
    case 'hold':
      lane.setHold({ code: verdict.reason, detail: verdict.detail })
      throw new Stopped({ kind: 'notNow' })
    case 'notFound':
      lane.opened()
      return notThere(context, lane, job, verdict.detail)
    case 'unreachable':
      lane.close('service_unreachable')
      throw fetchLater(context, job, verdict.detail, UNANSWERED_TRIES)
    case 'unanswered':
      throw fetchLater(context, job, verdict.detail, UNANSWERED_TRIES)
    case 'broken':
      throw fetchLater(context, job, verdict.detail, BROKEN_TRIES)
  }
}

/** A 404 right after the end may only be early; one that stays means that the file is gone there. */
function notThere(context: QueueContext, lane: Lane, job: Job, detail: string | null): never {
  if (job.accountId !== null && job.accountId !== lane.accountId)
    throw new Stopped({ kind: 'hold', reason: 'other_account', detail })
  const nowMs = context.clock.nowMs()
  if (nowMs - (job.missingSinceMs ?? nowMs) > NOT_THERE_YET_MS)
    throw new Stopped({ kind: 'fail', reason: 'download_gone', detail })
  throw new Stopped({
    kind: 'later',
    detail: ownSentence('not_there_yet'),
    notBeforeMs: nowMs + NOT_THERE_RETRY_MS,
    countsAsAttempt: false,
    missing: true,
  })
}

async function checkContent(
  context: QueueContext,
  work: { job: Job; type: ImageType },
  staged: StagedFile,
  signal: AbortSignal,
): Promise<void> {
  const bytes = await context.files.readStaged(staged)
  const seen = await context.files.inspect(bytes, signal)
  signal.throwIfAborted()
  if (seen.kind === 'refused')
    throw fetchLater(context, work.job, ownSentence('download_not_whole', { why: seen.detail }), BROKEN_TRIES)
  if (seen.type !== work.type)
    throw fetchLater(
      context,
      work.job,
      ownSentence('download_other_type', { type: seen.type.toUpperCase(), wanted: work.type.toUpperCase() }),
      BROKEN_TRIES,
    )
}

function fetchLater(context: QueueContext, job: Job, detail: string, tries: number): Stopped {
  if (job.attempts + 1 >= tries) return new Stopped({ kind: 'fail', reason: 'download_broken', detail })
  const waitMs = backoffMs({ attempt: job.attempts + 1, baseMs: 2 * SECOND, capMs: 120 * SECOND }, context.random)
  return new Stopped({ kind: 'later', detail, notBeforeMs: context.clock.nowMs() + waitMs, countsAsAttempt: true })
}
