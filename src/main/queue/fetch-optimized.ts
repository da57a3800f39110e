import type { Extra, Job } from '../../shared/jobs/job.ts'
import { say, type Sentence } from '../../shared/sentences/sentence.ts'
import type { ImageType } from '../../shared/recipes/recipe.ts'
import { assertNever } from '../../shared/sentences/errors.ts'
import { backoffMs } from '../core/backoff.ts'
import { brokenDownload, classifyDownload, type Patience } from '../core/classify.ts'
import type { DownloadAnswer } from '../core/image-service.ts'
import type { QueueContext } from './context.ts'
import type { Step, Stop } from './finishing.ts'
import type { Lane } from './lane.ts'
import type { Placement, StagedFile } from './ports.ts'

const SECOND = 1000
/** `GET /images/{id}/optimized` may lag behind `completed` (document, Errors); a 404 is retried for this long. */
const NOT_THERE_YET_MS = 600 * SECOND
const NOT_THERE_RETRY_MS = 15 * SECOND

interface FetchedFile {
  file: StagedFile
  frames: number
  extras: Extra[]
}

/**
 * Downloads the compressed file into a hidden part in the target folder and verifies it: status, length, magic bytes of the
 * original's type and a full decode. When a check fails, no part is left.
 */
export async function fetchOptimized(
  context: QueueContext,
  lane: Lane | null,
  work: { job: Job; place: Placement; type: ImageType },
  signal: AbortSignal,
): Promise<Step<FetchedFile>> {
  const service = lane?.service ?? null
  if (lane === null || service === null || work.job.result === null) return NOT_NOW
  const imageId = work.job.result.imageId
  const heard: { answer: DownloadAnswer | null } = { answer: null }
  const staged = await context.files.stage(work.place, work.job.id, 'optimized', async (sink) => {
    // Taken last: nothing may throw between taking the slot and the call that returns it.
    const slot = await lane.slots.tryTake()
    if (slot !== null) heard.answer = await service.optimized(imageId, sink, { slot, signal })
  })
  try {
    signal.throwIfAborted()
    const { answer } = heard
    const stop = answer === null ? NOT_NOW.stop : stopOnAnswer(context, lane, work.job, answer)
    const checked = stop === null ? await checkContent(context, work, staged, signal) : { stop }
    if (checked.stop === null) return { ...checked, file: staged }
    await context.files.discard(staged)
    return checked
  } catch (error) {
    await context.files.discard(staged)
    throw error
  }
}

const NOT_NOW = { stop: { kind: 'notNow' } } as const

/** Null when the file was received. */
function stopOnAnswer(context: QueueContext, lane: Lane, job: Job, answer: DownloadAnswer): Stop | null {
  const verdict = classifyDownload(answer)
  lane.follow(verdict.lane, verdict.kind === 'ok' ? null : verdict.detail)
  switch (verdict.kind) {
    case 'ok':
      return null
    case 'rateLimited':
    case 'hold':
      return NOT_NOW.stop
    case 'notFound':
      return notThere(context, lane, job, verdict.detail)
    case 'fetchLater':
      return fetchLater(context, job, verdict)
    default:
      return assertNever(verdict)
  }
}

/** A 404 soon after completion may only be early; one that persists means that the service no longer has the file. */
function notThere(context: QueueContext, lane: Lane, job: Job, detail: Sentence): Stop {
  if (job.accountId !== null && job.accountId !== lane.accountId)
    return { kind: 'hold', reason: 'other_account', detail }
  const nowMs = context.clock.nowMs()
  if (nowMs - (job.missingSinceMs ?? nowMs) > NOT_THERE_YET_MS) return { kind: 'fail', reason: 'download_gone', detail }
  return {
    kind: 'later',
    detail: say('not_there_yet'),
    notBeforeMs: nowMs + NOT_THERE_RETRY_MS,
    countsAsAttempt: false,
    missing: true,
  }
}

async function checkContent(
  context: QueueContext,
  work: { job: Job; type: ImageType },
  staged: StagedFile,
  signal: AbortSignal,
): Promise<Step<Omit<FetchedFile, 'file'>>> {
  const bytes = await context.files.readStaged(staged)
  const seen = await context.files.inspect(bytes, signal)
  signal.throwIfAborted()
  const broken = (detail: Sentence) => ({ stop: fetchLater(context, work.job, brokenDownload(detail)) })
  if (seen.kind === 'refused') return broken(say('download_not_whole', { why: seen.detail }))
  const [type, wanted] = [seen.type.toUpperCase(), work.type.toUpperCase()]
  if (type !== wanted) return broken(say('download_other_type', { type, wanted }))
  return { stop: null, frames: seen.frames, extras: seen.extras }
}

function fetchLater(context: QueueContext, job: Job, why: { patience: Patience; detail: Sentence }): Stop {
  const { patience, detail } = why
  const attempt = job.attempts + 1
  if (attempt >= patience.tries) return { kind: 'fail', reason: 'download_broken', detail }
  const waitMs = backoffMs({ attempt, ...patience }, context.random)
  return { kind: 'later', detail, notBeforeMs: context.clock.nowMs() + waitMs, countsAsAttempt: true }
}
