import type { Job } from '../../shared/jobs/job.ts'
import { AppError, assertNever } from '../../shared/sentences/errors.ts'
import type { Reason } from '../../shared/sentences/reasons.ts'
import { raw, say, type Sentence } from '../../shared/sentences/sentence.ts'
import { classifyDispatch, classifyDispatchError, classifyFree, type DispatchVerdict } from '../core/classify.ts'
import type { AccountLedger, Claim } from '../core/account-ledger.ts'
import type { ImageService, TakenSlot } from '../core/image-service.ts'
import { groupOfKey, priceQuestions } from '../core/credit-budget.ts'
import { maxSourceBytes, needsDownload, wantsReplace } from '../core/plan-work.ts'
import { mayRetry, RETRIES, retryMs } from '../core/retries.ts'
import type { JobEvent } from '../core/transition.ts'
import { applyForSure, untilJournalled, type QueueContext } from './context.ts'
import { claimPayment } from './claim-payment.ts'
import type { Lane } from './lane.ts'
import { isLookDue, lookAtBalance, noteAnswer } from './look-at-balance.ts'
import type { SourceRead } from './ports.ts'
import { eventForMissing } from './missing-original.ts'
import { isJobOfAnother } from '../journal/payments.ts'
import { prepareReady } from './prepare-ready.ts'
import { nameForUpload, uploadOf, type Upload } from './sent-copy.ts'

/**
 * Sends one ready job: asks for price and balance where credits are limited, claims its paid key in the account's ledger, reads a
 * snapshot of the file, makes a smaller copy where the recipe wants one, takes a slot, journals the intent, has the ledger confirm
 * the claim, and only then makes the request. Every answer becomes a state. Nothing is sent once `mayStill` returns false. Aborting
 * `signal` stops waiting for the answer: the job becomes unknown. Returns whether a request was made.
 */
export async function dispatchJob(
  context: QueueContext,
  lane: Lane,
  begun: Job,
  signal: AbortSignal,
  mayStill: (job: Job) => boolean,
): Promise<boolean> {
  const service = lane.service
  if (service === null || begun.operation === null) return false
  if (!(await lookAtBalance(context, lane, service, begun, signal))) return false
  const { ledger } = lane
  const claimed = await claimPayment(context, lane, begun)
  if (claimed.kind !== 'claimed') return false
  const { claim } = claimed
  const intent = await begin(context, { lane, service, ledger, begun, claim, mayStill }, signal)
  if (intent === null) return false
  const { job, upload, slot } = intent
  if (!(await claim.confirm())) {
    slot.unused()
    lane.slots.rest()
    await giveBack(context, job, { reason: null, isCancelled: context.cancelRequested.delete(job.id) }, signal)
    return false
  }
  const request = {
    operation: job.operation!,
    bytes: upload.bytes,
    ...nameForUpload(job),
    languages: job.recipe.languages,
    format: job.recipe.format,
    project: job.recipe.project,
  }
  const leftAtMs = lane.nowMs()
  const verdict = await service.dispatch(request, { slot, signal }).then(classifyDispatch, classifyDispatchError)
  // Before the state is written: nothing may be sent in between once the lane is closed.
  lane.follow(verdict.lane, 'detail' in verdict ? verdict.detail : null, leftAtMs)
  noteAnswer(context, lane, job, verdict)
  await conclude(context, lane, job, verdict, service, signal)
  return true
}

interface Beginning {
  lane: Lane
  service: ImageService
  /** The ledger that the claim was made in: the settings may have changed to another one since. */
  ledger: AccountLedger
  begun: Job
  claim: Claim
  mayStill: (job: Job) => boolean
}

/** Prepares the dispatch and journals the intent. Null, with claim and slot returned, if the job is not to be sent now. */
async function begin(
  context: QueueContext,
  { lane, service, ledger, begun, claim, mayStill }: Beginning,
  signal: AbortSignal,
): Promise<{ job: Job; upload: Upload; slot: TakenSlot } | null> {
  let slot: TakenSlot | null = null
  let isJournalled = false
  // The claim is within the caps of the account, whose count has it already.
  const claimed: QueueContext = { ...context, accountSpent: () => null }
  /** Making a copy takes seconds; meanwhile a person may have cancelled the job or moved it to another batch. */
  const sendable = (): Job | null => {
    if (context.settings().paused || !lane.sends || lane.service !== service) return null
    if (lane.ledger !== ledger) return null
    const job = context.store.get(begun.id)
    if (job?.state !== 'ready' || job.operation === null || !mayStill(job)) return null
    if (isLookDue(context, lane, job)) return null
    return prepareReady(claimed, job) === 'send' ? job : null
  }
  try {
    if (!(await mayReplace(context, begun))) return null
    const upload = await readUpload(context, begun, signal)
    if (upload === null || sendable() === null) return null
    slot = await lane.slots.tryTake()
    if (slot === null) return null
    // Synchronous from here until the intent is journalled: no other dispatch can spend what the guard and the budget have
    // checked.
    const job = sendable()
    if (job === null || !hasRoom(context, lane)) return null
    const group = groupOfKey(job.paidKey!)
    if (!lane.covers(group)) {
      context.store.apply(job.id, { type: 'hold', reason: { code: 'credits_short', detail: null } })
      lane.holdIfShort()
      return null
    }
    context.guard.check()
    const event = { type: 'dispatch', accountId: lane.accountId, notes: upload.notes } as const
    context.store.apply(job.id, event, () => claim.begun())
    isJournalled = true
    try {
      context.guard.sent()
      lane.spend(group)
    } catch (error) {
      // No request was made. Left as it is, the job would take up the place of one that is being sent.
      slot.unused()
      await giveBack(context, job, { reason: null, isCancelled: context.cancelRequested.delete(job.id) }, signal)
      throw error
    }
    return { job, upload, slot }
  } finally {
    if (!isJournalled) {
      slot?.unused()
      claim.release()
    }
  }
}

/** Asked again here: a dispatch may have been lost while this one was being prepared. */
function hasRoom({ store }: QueueContext, { serviceId, maxDispatches }: Lane): boolean {
  return store.countUpTo(maxDispatches, { states: ['sending'], serviceId }) < maxDispatches
}

/** False for a job that is now held: what it would pay for could not take the original's place, or could not be written. */
async function mayReplace(context: QueueContext, job: Job): Promise<boolean> {
  if (!wantsReplace(job) || !needsDownload(job)) return true
  const reason = await whyNotReplaceable(context, job)
  if (reason === null) return true
  const now = context.store.get(job.id)
  if (now?.state === 'ready') context.store.apply(job.id, { type: 'hold', reason })
  return false
}

type HoldReason = Extract<JobEvent, { type: 'hold' }>['reason']

async function whyNotReplaceable({ files, writing }: QueueContext, job: Job): Promise<HoldReason | null> {
  const place = files.place(job.source.path, job.rootDir, job.recipe.output, null)
  try {
    const why = await files.whyNotReplaceable(place, job.id)
    return why === null ? null : { code: 'not_replaceable', detail: why }
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'disk_full') throw error
    writing.isBlocked = true
    return { code: 'disk_full', detail: error.sentence }
  }
}

/**
 * Separate from the sending, so that the original can be garbage-collected before the answer is awaited when only a copy is
 * sent.
 */
async function readUpload(context: QueueContext, job: Job, signal: AbortSignal): Promise<Upload | null> {
  const read = await context.files.readSource(job.source.path, job.rootDir, maxSourceBytes(job.recipe))
  const bytes = await snapshotBytes(context, job, read)
  return bytes === null ? null : uploadOf(context, job, bytes, signal)
}

/** The bytes to send. Null when the file has changed since intake; then the job's state has been updated. */
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
        reason: { code: 'backoff', detail: say('file_changing') },
        notBeforeMs: clock.nowMs() + retryMs(RETRIES.changingFile, 1, context.random),
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

/** Makes a job that was certainly not accepted ready again, or cancelled. */
async function giveBack(
  context: QueueContext,
  job: Job,
  { reason, isCancelled }: { reason: Reason | null; isCancelled: boolean },
  signal: AbortSignal,
): Promise<void> {
  const event = { type: 'notSent', reason, notBeforeMs: null, countsAsAttempt: false } as const
  await applyForSure(context, job.id, event, signal)
  if (isCancelled) await applyForSure(context, job.id, { type: 'cancel' }, signal)
}

async function conclude(
  context: QueueContext,
  lane: Lane,
  job: Job,
  verdict: DispatchVerdict,
  service: ImageService,
  signal: AbortSignal,
): Promise<void> {
  const sure = (event: Parameters<typeof applyForSure>[2]) => applyForSure(context, job.id, event, signal)
  /** A cancellation during the dispatch applies to this picture, whatever the answer. */
  const isCancelled = context.cancelRequested.delete(job.id)
  const back = (reason: Reason | null) => giveBack(context, job, { reason, isCancelled }, signal)
  const isOfAnother = (jobId: string) =>
    untilJournalled(context, { job: job.id }, signal, () => isJobOfAnother(context.db, job, jobId))
  switch (verdict.kind) {
    case 'waiting':
      // What that job brings would be taken for the result of two pictures.
      if (await isOfAnother(verdict.jobId)) {
        await sure({ type: 'unknown', reason: { code: 'job_of_another', detail: raw(verdict.jobId) } })
        return
      }
      await sure({ type: 'accepted', remoteJobId: verdict.jobId })
      if (isCancelled) await sure({ type: 'cancel' })
      return
    case 'unknown':
      await sure({ type: 'unknown', reason: { code: verdict.reason, detail: verdict.detail } })
      return
    case 'notSent':
      await back({ code: verdict.reason, detail: verdict.detail })
      return
    case 'rateLimited':
      await back({ code: 'rate_limited', detail: null })
      return
    case 'addressWrong':
      await sure({ type: 'hold', reason: { code: 'address_wrong', detail: verdict.detail } })
      if (isCancelled) await sure({ type: 'cancel' })
      return
    case 'keyMissing':
      await back(null)
      return
    case 'failed':
      await sure({ type: 'fail', reason: { code: verdict.reason, detail: verdict.detail } })
      return
    case 'probeKey':
      await back(null)
      if (isCancelled) return
      await askAboutKey(context, lane, job, verdict.detail, signal)
      return
    case 'probeCredits':
      await back(null)
      if (isCancelled) return
      await askAboutCredits(context, lane, job, verdict, service, signal)
      return
    default:
      assertNever(verdict)
  }
}

/** Tells what a refused dispatch is about: the key when the free call is refused too, otherwise this picture. */
async function askAboutKey(
  context: QueueContext,
  lane: Lane,
  job: Job,
  refusal: Sentence,
  signal: AbortSignal,
): Promise<void> {
  const probe = await lane.probe(signal)
  if (probe.kind === 'hold' && probe.reason === 'key_refused')
    await applyForSure(context, job.id, { type: 'hold', reason: { code: 'key_refused', detail: refusal } }, signal)
  else if (probe.kind === 'ok' || probe.kind === 'refused')
    await applyForSure(
      context,
      job.id,
      { type: 'fail', reason: { code: 'rejected_by_service', detail: refusal } },
      signal,
    )
  // Otherwise the lane is closed or held and the job is ready: it is sent again once the service answers.
}

async function askAboutCredits(
  context: QueueContext,
  lane: Lane,
  job: Job,
  refusal: { detail: Sentence; elseHeld: boolean },
  service: ImageService,
  signal: AbortSignal,
): Promise<void> {
  const [request] = priceQuestions([groupOfKey(job.paidKey!)])
  const verdict = classifyFree(await service.afford(request!, { slot: await lane.slots.take(signal), signal }))
  if (verdict.kind === 'ok' && verdict.value.shortfall > 0) {
    const { balance, shortfall, required } = verdict.value
    lane.runShort(balance, shortfall, [{ question: request!, credits: required }])
    lane.noteBalance(balance)
    await applyForSure(
      context,
      job.id,
      {
        type: 'hold',
        reason: { code: 'credits_short', detail: say('credits_missing', { credits: shortfall }) },
      },
      signal,
    )
  } else if (verdict.kind !== 'ok' && verdict.kind !== 'refused') {
    lane.follow(verdict.lane, verdict.detail)
  } else if (refusal.elseHeld && mayRetry(RETRIES.creditsRefused, job.attempts + 1)) {
    const reason = { code: 'credits_refused', detail: refusal.detail } as const
    await applyForSure(context, job.id, { type: 'hold', reason, countsAsAttempt: true }, signal)
  } else {
    await applyForSure(
      context,
      job.id,
      { type: 'fail', reason: { code: 'rejected_by_service', detail: refusal.detail } },
      signal,
    )
  }
}
