import { basename } from 'node:path'
import type { Job } from '../../shared/job.ts'
import { AppError, assertNever } from '../../shared/errors.ts'
import { ownSentence } from '../../shared/own-sentences.ts'
import { classifyDispatch, classifyFree, type DispatchVerdict } from '../core/classify.ts'
import type { ImageService } from '../core/image-service.ts'
import { groupOfKey, priceQuestions } from '../core/purse.ts'
import { maxSourceBytes } from '../core/plan-work.ts'
import { applyForSure, type QueueContext } from './context.ts'
import type { Lane } from './lane.ts'
import type { SourceRead } from './ports.ts'
import { eventForMissing } from './missing-source.ts'
import { prepareReady } from './prepare-ready.ts'
import { uploadOf, type Upload } from './sent-copy.ts'

const CHANGING_RETRY_MS = 5000
/** How often a picture is sent that the service refuses for lack of credits although its own check says they suffice. */
const CREDITS_TRIES = 3
const PAYMENT_REQUIRED = 402

/**
 * Sends one ready job. Reads the snapshot first, makes a smaller copy where the recipe wants one, takes a slot, journals
 * the intent, and only then lets the request leave. Every answer becomes a state. Nothing leaves once `mayStill` says no.
 * Aborting `signal` gives up waiting for the answer: the job becomes unknown.
 */
export async function dispatchJob(
  context: QueueContext,
  lane: Lane,
  begun: Job,
  signal: AbortSignal,
  mayStill: (job: Job) => boolean,
): Promise<void> {
  const service = lane.service
  if (service === null || begun.operation === null) return
  const upload = await readUpload(context, begun, signal)
  if (upload === null) return
  // From here to the journal nothing else runs: what the guard and the budget see is what is spent.
  if (context.settings().paused || !lane.sends || lane.service !== service) return
  // Making a copy takes seconds, in which a person may have cancelled it or put it into another batch.
  const job = context.store.get(begun.id)
  if (job?.state !== 'ready' || job.operation === null || !mayStill(job)) return
  if (prepareReady(context, job) !== 'send') return
  const group = groupOfKey(job.paidKey!)
  if (!lane.covers(group)) {
    context.store.apply(job.id, { type: 'hold', reason: { code: 'credits_short', detail: null } })
    lane.settlePurse()
    return
  }
  const slot = lane.tryTakeSlot()
  if (slot === null) return
  try {
    context.store.apply(job.id, { type: 'dispatch', accountId: lane.accountId, notes: upload.notes })
    lane.spend(group)
  } catch (error) {
    slot.answered()
    throw error
  }
  const request = {
    operation: job.operation,
    bytes: upload.bytes,
    filename: basename(job.source.path),
    contentType: `image/${job.image!.type}`,
    languages: job.recipe.languages,
    format: job.recipe.format,
    project: job.recipe.project,
  }
  const verdict = await service.dispatch(request, { slot, signal }).then(classifyDispatch, verdictOnError)
  await conclude(context, lane, job, verdict, service, signal)
}

/** Apart from the sending, so that an original of which a copy is sent leaves memory before the answer is awaited. */
async function readUpload(context: QueueContext, job: Job, signal: AbortSignal): Promise<Upload | null> {
  const read = await context.files.readSource(job.source.path, job.rootDir, maxSourceBytes(job.recipe))
  const bytes = await snapshotBytes(context, job, read)
  return bytes === null ? null : uploadOf(context, job, bytes, signal)
}

/** The client rejects with `AppError` only before anything has left; anything else is a mistake, and so a doubt. */
function verdictOnError(error: unknown): DispatchVerdict | { kind: 'keyMissing' } {
  if (!(error instanceof AppError))
    return { kind: 'unknown', reason: 'answer_lost', detail: String(error).slice(0, 500) }
  if (error.code === 'key_missing') return { kind: 'keyMissing' }
  return { kind: 'failed', reason: 'rejected_by_service', detail: error.message }
}

/** The bytes to send, or null after the job was changed because the file is no longer what it was. */
async function snapshotBytes(context: QueueContext, job: Job, read: SourceRead): Promise<Uint8Array | null> {
  const { store, clock } = context
  switch (read.kind) {
    case 'snapshot':
      if (read.sha256 === job.image?.sha256) return read.bytes
      store.apply(job.id, { type: 'skip', reason: { code: 'source_changed', detail: null } })
      return null
    case 'gone':
    case 'ignored':
      store.apply(job.id, await eventForMissing(context, job))
      return null
    case 'changing':
      store.apply(job.id, {
        type: 'later',
        reason: { code: 'backoff', detail: ownSentence('file_changing') },
        notBeforeMs: clock.nowMs() + CHANGING_RETRY_MS,
        countsAsAttempt: false,
      })
      return null
    case 'refused':
      store.apply(job.id, { type: 'fail', reason: { code: read.reason, detail: read.detail } })
      return null
    default:
      return assertNever(read)
  }
}

async function conclude(
  context: QueueContext,
  lane: Lane,
  job: Job,
  verdict: DispatchVerdict | { kind: 'keyMissing' },
  service: ImageService,
  signal: AbortSignal,
): Promise<void> {
  const sure = (event: Parameters<typeof applyForSure>[2]) => applyForSure(context, job.id, event, signal)
  /** A person who cancelled while it was being sent meant this picture, whatever the answer. */
  const cancelled = context.cancelRequested.delete(job.id)
  /** Ready again, or cancelled; says which. */
  const back = async (reason: 'rate_limited' | 'service_unreachable' | null, detail: string | null) => {
    await sure({
      type: 'notSent',
      reason: reason === null ? null : { code: reason, detail },
      notBeforeMs: null,
      countsAsAttempt: false,
    })
    if (cancelled) await sure({ type: 'cancel' })
    return cancelled
  }
  switch (verdict.kind) {
    case 'waiting':
      lane.opened()
      lane.addressIsRight()
      await sure({ type: 'accepted', remoteJobId: verdict.jobId })
      if (cancelled) await sure({ type: 'cancel' })
      return
    case 'unknown':
      // The gate closes before the state is written: nothing else may leave in between.
      lane.close('service_doubtful')
      await sure({ type: 'doubt', reason: { code: verdict.reason, detail: verdict.detail } })
      return
    case 'notSent':
      lane.close('service_unreachable')
      await back('service_unreachable', verdict.detail)
      return
    case 'rateLimited':
      await back('rate_limited', null)
      return
    case 'addressWrong':
      lane.setHold({ code: 'address_wrong', detail: verdict.detail })
      await sure({ type: 'hold', reason: { code: 'address_wrong', detail: verdict.detail } })
      if (cancelled) await sure({ type: 'cancel' })
      return
    case 'keyMissing':
      lane.setHold({ code: 'key_missing', detail: null })
      await back(null, null)
      return
    case 'failed':
      lane.opened()
      await sure({ type: 'fail', reason: { code: verdict.reason, detail: verdict.detail } })
      return
    case 'probeKey':
      if (await back(null, null)) return
      await askAboutKey(context, lane, job, verdict, signal)
      return
    case 'probeCredits':
      if (await back(null, null)) return
      await askAboutCredits(context, lane, job, verdict, service, signal)
      return
    default:
      assertNever(verdict)
  }
}

const words = (verdict: { status: number; detail: string | null }) =>
  `${verdict.status}${verdict.detail === null ? '' : `: ${verdict.detail}`}`

/** A refused dispatch is about the key when the free call is refused too, else about this picture. */
async function askAboutKey(
  context: QueueContext,
  lane: Lane,
  job: Job,
  refusal: { status: number; detail: string | null },
  signal: AbortSignal,
): Promise<void> {
  const probe = await lane.probe(signal)
  if (probe.kind === 'hold' && probe.reason === 'key_refused')
    await applyForSure(
      context,
      job.id,
      { type: 'hold', reason: { code: 'key_refused', detail: words(refusal) } },
      signal,
    )
  else if (probe.kind === 'ok' || probe.kind === 'refused')
    await applyForSure(
      context,
      job.id,
      { type: 'fail', reason: { code: 'rejected_by_service', detail: words(refusal) } },
      signal,
    )
  // Otherwise the lane is closed or held and the job is ready: it is asked again when the service is there.
}

async function askAboutCredits(
  context: QueueContext,
  lane: Lane,
  job: Job,
  refusal: { status: number; detail: string | null },
  service: ImageService,
  signal: AbortSignal,
): Promise<void> {
  const [request] = priceQuestions([groupOfKey(job.paidKey!)])
  const verdict = classifyFree(await service.afford(request!, { slot: await lane.takeSlot(signal), signal }))
  if (verdict.kind === 'ok' && verdict.value.shortfall > 0) {
    const { balance, shortfall } = verdict.value
    lane.noteBalance(balance)
    lane.runShort(balance, shortfall)
    await applyForSure(
      context,
      job.id,
      {
        type: 'hold',
        reason: { code: 'credits_short', detail: ownSentence('credits_missing', { credits: shortfall }) },
      },
      signal,
    )
  } else if (verdict.kind !== 'ok' && verdict.kind !== 'refused') {
    lane.conclude(verdict)
  } else if (refusal.status === PAYMENT_REQUIRED && job.attempts + 1 < CREDITS_TRIES) {
    // Credits may have come in between, or be set aside for other pictures, or this one costs more than the check says.
    const reason = { code: 'credits_refused', detail: words(refusal) } as const
    await applyForSure(context, job.id, { type: 'hold', reason, countsAsAttempt: true }, signal)
  } else {
    await applyForSure(
      context,
      job.id,
      { type: 'fail', reason: { code: 'rejected_by_service', detail: words(refusal) } },
      signal,
    )
  }
}
