import { basename } from 'node:path'
import { assertNever } from '../../shared/sentences/errors.ts'
import type { Job } from '../../shared/jobs/job.ts'
import type { Reason } from '../../shared/sentences/reasons.ts'
import { say } from '../../shared/sentences/sentence.ts'
import type { Claim, KnownPayment, Outcome } from '../core/account-ledger.ts'
import { needsDownload, planWork } from '../core/plan-work.ts'
import { failed, skipped, unknownBecause, waits, type JobEvent } from '../core/transition.ts'
import { findPayment } from '../journal/payments.ts'
import { learnPayment } from '../journal/team-claims.ts'
import { findInSidecar } from './assess-picture.ts'
import type { QueueContext } from './context.ts'
import type { Lane } from './lane.ts'
import { needOf } from './prepare-ready.ts'
import { ruleNewTexts } from './rule-texts.ts'

/** How soon a job is tried again while another computer has its content. */
const RECHECK_MS = 2000
/** How long the computer that paid has to write its results before another computer fetches them too. */
const LEFT_TO_ITS_COMPUTER_MS = 90_000

/** The right to send a ready job, from the account's ledger; null if it is not to be sent now. If any computer sent its key before, that outcome is applied. */
export async function claimPayment(context: QueueContext, lane: Lane, job: Job): Promise<Claim | null> {
  const paidKey = job.paidKey
  const need = needOf(context, job)
  if (paidKey === null || need.kind !== 'send') return null
  const { perDay, perMonth } = context.settings().caps
  const answer = await lane.ledger.claim({ paidKey, isRepetition: need.isRepetition, caps: { perDay, perMonth } })
  switch (answer.kind) {
    case 'granted':
      return answer.claim
    case 'elsewhere':
      waitForOther(context, job, answer.computer)
      return null
    case 'known':
      await follow(context, lane, job, answer.payment)
      return null
    case 'dropped':
      await follow(context, lane, job, answer.payment)
      if (context.store.get(job.id)?.state === 'unknown') context.store.apply(job.id, { type: 'drop' })
      return null
    case 'askAgain':
      apply(context, job, waits(job.reason, context.clock.nowMs() + RECHECK_MS))
      return null
    case 'capped':
      // When asked again, the guard knows what the account has spent and gives the reason.
      return null
    case 'noAnswer':
      lane.slots.backOff()
      return null
  }
}

function waitForOther(context: QueueContext, job: Job, computer: string): void {
  const reason: Reason = { code: 'under_way_elsewhere', detail: say('on_computer', { computer }) }
  apply(context, job, waits(reason, context.clock.nowMs() + RECHECK_MS))
}

/** Applies the outcome of a dispatch by another computer, or by a run that this journal no longer knows. */
async function follow(context: QueueContext, lane: Lane, job: Job, payment: KnownPayment): Promise<void> {
  if (payment.state === 'paid' && payment.computer !== null && !job.force && (await isDoneBeside(context, job)))
    return apply(context, job, skipped('already_done'))
  const isBeingWritten =
    payment.state === 'paid' && payment.computer !== null && payment.changedMs < LEFT_TO_ITS_COMPUTER_MS
  if (isBeingWritten) return waitForOther(context, job, payment.computer!)
  const event = eventOf(context, lane, job, payment)
  apply(context, job, event, () => {
    learn(context, job, payment)
    // The first time that this computer has the texts.
    if (event.type === 'reuse') ruleNewTexts(context, job, event.result)
  })
}

function eventOf({ db, clock }: QueueContext, lane: Lane, job: Job, payment: KnownPayment): JobEvent {
  const { state, result, remoteJobId, ageMs, computer } = payment
  const nowMs = clock.nowMs()
  // Ordered again after it was paid. Once the journal knows of the payment, that order covers it.
  const isRepetition = state === 'paid' && job.force && nowMs - job.createdAtMs < ageMs
  if (isRepetition && findPayment(db, job.paidKey!)?.state !== 'paid') return waits(null, null)
  if (state === 'paid' && result !== null) return { type: 'reuse', result, remoteJobId, download: needsDownload(job) }
  if ((state === 'paid' || state === 'accepted') && remoteJobId !== null)
    return { type: 'adopt', remoteJobId, accountId: lane.accountId, sentAtMs: nowMs - ageMs }
  if (state === 'ended') return failed('job_failed')
  return unknownBecause('unknown_elsewhere', computer === null ? null : say('on_computer', { computer }))
}

function learn({ db, clock }: QueueContext, job: Job, payment: KnownPayment): void {
  const { state, remoteJobId, result, ageMs } = payment
  const known = { paidKey: job.paidKey!, serviceId: job.serviceId, jobId: job.id, state, remoteJobId, result }
  learnPayment(db, { ...known, atMs: clock.nowMs() - ageMs })
  payment.learn()
}

/** Whether the computer that paid has written all results where this one would. */
async function isDoneBeside(context: QueueContext, job: Job): Promise<boolean> {
  const plan = job.image === null ? null : planWork(job.recipe, job.image)
  if (plan === null || 'cannot' in plan) return false
  const { path, sizeBytes } = job.source
  const request = { path, rootDir: job.rootDir, recipe: job.recipe, serviceId: job.serviceId }
  const read = { sha256: job.image!.sha256, sizeBytes }
  try {
    return (await findInSidecar(context, request, read, plan)).isDone
  } catch (error) {
    context.log.debug('a sidecar cannot be read now', { file: basename(path), error: String(error) })
    return false
  }
}

/** A person may have given a command while the ledger was being asked, which takes precedence. */
function apply(context: QueueContext, job: Job, event: JobEvent, alongside?: () => void): void {
  if (context.store.get(job.id)?.state === 'ready') context.store.apply(job.id, event, alongside)
}

/** Applies what became of a picture that is unknown here, as the ledger knows it from other computers. */
export function resolveUnknown(context: QueueContext, { id }: Job, outcome: Outcome): void {
  const { store, clock } = context
  const job = store.get(id)
  if (job?.state !== 'unknown') return
  switch (outcome.kind) {
    case 'known':
      store.apply(id, { type: 'resolved' }, () => learn(context, job, outcome.payment))
      return
    case 'notSent':
      store.apply(id, { type: 'resolved' }, () => outcome.forget())
      return
    case 'dropped':
      // Not a picture that was added since then: the person who added it may want it sent.
      if (clock.nowMs() - (job.sentAtMs ?? job.createdAtMs) >= outcome.agoMs) store.apply(id, { type: 'drop' })
      return
    default:
      assertNever(outcome)
  }
}
