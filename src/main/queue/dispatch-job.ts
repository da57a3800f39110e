import type { Job } from '../../shared/jobs/job.ts'
import { AppError } from '../../shared/sentences/errors.ts'
import { raw, say, type Sentence } from '../../shared/sentences/sentence.ts'
import { classifyDispatch, classifyDispatchError, classifyFree, type DispatchVerdict } from '../core/classify.ts'
import type { AccountLedger, Claim } from '../core/account-ledger.ts'
import type { ImageService, TakenSlot } from '../core/image-service.ts'
import { groupOfKey, priceQuestions } from '../core/credit-budget.ts'
import { maxSourceBytes, needsDownload, wantsReplace } from '../core/plan-work.ts'
import { mayRetry, RETRIES } from '../core/retries.ts'
import { canTake, failed, held, readyAgain, skipped, unknownBecause, type JobEvent } from '../core/transition.ts'
import { applyForSure, untilJournalled, whileFileChanges, type QueueContext } from './context.ts'
import { isUnsent } from '../core/next-steps.ts'
import { eventForMissing } from './missing-original.ts'
import { claimPayment } from './claim-payment.ts'
import type { Lane } from './lane.ts'
import { isLookDue, lookAtBalance, noteAnswer } from './look-at-balance.ts'
import type { SourceRead } from '../core/source-read.ts'
import { isJobOfAnother } from '../journal/payments.ts'
import { prepareReady } from './prepare-ready.ts'
import { nameForUpload, uploadOf, type Upload } from './sent-copy.ts'

/**
 * Sends one ready job: asks for price and balance where credits are limited, claims its paid key in the account's ledger, reads the
 * file again, makes a copy where one is sent, takes a slot, journals the intent, confirms the claim, and only then makes the request.
 * Every answer becomes a state. Aborting `signal` stops waiting for it: the job becomes unknown. Returns whether a request was made.
 */
export async function dispatchJob(
  context: QueueContext,
  lane: Lane,
  begun: Job,
  signal: AbortSignal,
  isStillEligible: (job: Job) => boolean,
): Promise<boolean> {
  const service = lane.service
  if (service === null || begun.operation === null) return false
  if (!(await lookAtBalance(context, lane, service, begun, signal))) return false
  const { ledger } = lane
  const claim = await claimPayment(context, lane, begun)
  if (claim === null) return false
  const intent = await begin(context, { lane, service, ledger, begun, claim, isStillEligible }, signal)
  if (intent === null) return false
  const { job, upload, slot } = intent
  if (!(await claim.confirm())) {
    slot.unused()
    lane.slots.backOff()
    await settle(context, job, readyAgain(null), signal)
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
  // Before the state is written: once the lane is closed, nothing may be sent.
  lane.follow(verdict.lane, verdict.detail, leftAtMs)
  noteAnswer(context, lane, job, verdict)
  await conclude(context, lane, job, verdict, service, signal)
  return true
}

interface Beginning {
  lane: Lane
  service: ImageService
  /** The one that the claim was made in. */
  ledger: AccountLedger
  begun: Job
  claim: Claim
  isStillEligible: (job: Job) => boolean
}

/** Prepares the dispatch and journals the intent. Null, with claim and slot given back, if the job is not to be sent now. */
async function begin(
  context: QueueContext,
  { lane, service, ledger, begun, claim, isStillEligible }: Beginning,
  signal: AbortSignal,
): Promise<{ job: Job; upload: Upload; slot: TakenSlot } | null> {
  let slot: TakenSlot | null = null
  let isJournalled = false
  // The account's count includes the claim already, which was made within its caps.
  const claimed: QueueContext = { ...context, accountSpent: () => null }
  /** Making a copy takes seconds; meanwhile a person may have cancelled the job or moved it to another batch. */
  const sendable = (): Job | null => {
    if (context.settings().paused || !lane.sends || lane.service !== service) return null
    if (lane.ledger !== ledger) return null
    const job = context.store.get(begun.id)
    if (job?.state !== 'ready' || job.operation === null || !isStillEligible(job)) return null
    if (isLookDue(context, lane, job)) return null
    return prepareReady(claimed, job) === 'send' ? job : null
  }
  try {
    if (!(await mayReplace(context, begun))) return null
    const upload = await readUpload(context, begun, signal)
    if (upload === null || sendable() === null) return null
    slot = await lane.slots.tryTake()
    if (slot === null) return null
    // Synchronous from here until the intent is journalled: no other dispatch can spend what was checked.
    const job = sendable()
    if (job === null || !hasRoom(context, lane)) return null
    const group = groupOfKey(job.paidKey!)
    if (!lane.covers(group)) {
      context.store.apply(job.id, held('credits_short'))
      lane.holdIfShort()
      return null
    }
    context.guard.check()
    const event = { type: 'dispatch', accountId: lane.accountId, notes: upload.notes } as const
    context.store.apply(job.id, event, () => claim.begun())
    // A request to cancel was about an earlier dispatch.
    context.cancelRequested.delete(job.id)
    isJournalled = true
    try {
      context.guard.sent()
      lane.spend(group)
    } catch (error) {
      // No request was made. In `sending`, the job would take up the place of another.
      slot.unused()
      await settle(context, job, readyAgain(null), signal)
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

/** Checked again: a dispatch may have been lost meanwhile. */
function hasRoom({ store }: QueueContext, { serviceId, maxDispatches }: Lane): boolean {
  return store.countUpTo(maxDispatches, { states: ['sending'], serviceId }) < maxDispatches
}

/** Holds a job whose result could not replace the original, or could not be written, and returns false. */
async function mayReplace({ files, store, writing }: QueueContext, job: Job): Promise<boolean> {
  if (!wantsReplace(job) || !needsDownload(job)) return true
  const place = files.place(job.source.path, job.rootDir, job.recipe.output, null)
  let hold: JobEvent | null
  try {
    const why = await files.whyNotReplaceable(place, job.id)
    hold = why === null ? null : held('not_replaceable', why)
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'disk_full') throw error
    writing.isBlocked = true
    hold = held('disk_full', error.sentence)
  }
  if (hold !== null && store.get(job.id)?.state === 'ready') store.apply(job.id, hold)
  return hold === null
}

/**
 * Null when the file has changed since intake; then the job's state has been updated. A function of its own, so that an original of
 * which a copy is sent can be garbage-collected.
 */
async function readUpload(context: QueueContext, job: Job, signal: AbortSignal): Promise<Upload | null> {
  const read = await context.files.readSource(job.source.path, job.rootDir, maxSourceBytes(job.recipe))
  if (read.kind === 'snapshot' && read.sha256 === job.image?.sha256) return uploadOf(context, job, read.bytes, signal)
  context.store.apply(job.id, await eventForChanged(context, job, read))
  return null
}

async function eventForChanged(context: QueueContext, job: Job, read: SourceRead): Promise<JobEvent> {
  switch (read.kind) {
    case 'snapshot':
      return skipped('source_changed')
    case 'gone':
    case 'ignored':
      return eventForMissing(context, job)
    case 'changing':
      return whileFileChanges(context)
    case 'refused':
      return failed(read.reason, read.detail)
  }
}

/** Applies what became of a dispatch, and a cancellation meanwhile; true for one. */
async function settle(context: QueueContext, { id }: Job, event: JobEvent, signal: AbortSignal): Promise<boolean> {
  const job = await applyForSure(context, id, event, signal)
  // Of a cancelled batch only what was accepted goes on.
  const isLate = context.cancelledBatches.has(job.batchId) && isUnsent(job) && !job.resendApproved
  if (!context.cancelRequested.delete(id) && !isLate) return false
  if (canTake(job, { type: 'cancel' })) await applyForSure(context, id, { type: 'cancel' }, signal)
  return true
}

async function conclude(
  context: QueueContext,
  lane: Lane,
  job: Job,
  { event, refused }: DispatchVerdict,
  service: ImageService,
  signal: AbortSignal,
): Promise<void> {
  const remoteJobId = event.type === 'accepted' ? event.remoteJobId : null
  const isOfAnother =
    remoteJobId !== null && (await untilJournalled(context, signal, () => isJobOfAnother(context.db, job, remoteJobId)))
  // What that job brings would be taken for the result of two pictures.
  const meant = isOfAnother ? unknownBecause('no_job_id', raw(remoteJobId)) : event
  if (await settle(context, job, meant, signal)) return
  if (refused?.ask == null) return
  const about =
    refused.ask === 'key'
      ? await askAboutKey(lane, refused.words, signal)
      : await askAboutCredits(lane, job, refused, service, signal)
  if (about !== null) await applyForSure(context, job.id, about, signal)
}

/** A refused dispatch is about the key if the free call is refused too, else about this picture. Null: the job stays ready. */
async function askAboutKey(lane: Lane, words: Sentence, signal: AbortSignal): Promise<JobEvent | null> {
  const probe = await lane.probe(signal)
  if (probe.kind === 'hold' && probe.reason === 'key_refused') return held('key_refused', words)
  return probe.kind === 'ok' || probe.kind === 'refused' ? failed('rejected_by_service', words) : null
}

/** The same for one that may be about the credits. */
async function askAboutCredits(
  lane: Lane,
  job: Job,
  { words, ask }: NonNullable<DispatchVerdict['refused']>,
  service: ImageService,
  signal: AbortSignal,
): Promise<JobEvent | null> {
  const [request] = priceQuestions([groupOfKey(job.paidKey!)])
  const verdict = classifyFree(await service.afford(request!, { slot: await lane.slots.take(signal), signal }))
  if (verdict.kind === 'ok' && verdict.value.shortfall > 0) {
    const { balance, shortfall } = verdict.value
    lane.markOutOfCredits(balance, shortfall)
    lane.noteBalance(balance)
    return held('credits_short', say('credits_missing', { credits: shortfall }))
  }
  if (verdict.kind !== 'ok' && verdict.kind !== 'refused') {
    lane.follow(verdict.lane, verdict.detail)
    return null
  }
  if (ask === 'credits, else hold' && mayRetry(RETRIES.creditsRefused, job.attempts + 1))
    return { ...held('credits_refused', words), countsAsAttempt: true }
  return failed('rejected_by_service', words)
}
