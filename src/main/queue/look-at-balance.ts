import type { Job } from '../../shared/jobs/job.ts'
import { AppError } from '../../shared/sentences/errors.ts'
import type { Sentence } from '../../shared/sentences/sentence.ts'
import { OWN_LEDGER } from '../core/account-ledger.ts'
import { classifyFree, type DispatchVerdict } from '../core/classify.ts'
import { isPrice, MAX_EQUAL_REFUSALS, readMeter, unexplainedFall } from '../core/credit-limit.ts'
import type { ImageService } from '../core/image-service.ts'
import { mayRetry, RETRIES } from '../core/retries.ts'
import { findBatch, setPrice } from '../journal/batches.ts'
import { acceptedAt, countRefusals, keepMeter, keepStop, meterOf } from '../journal/credit-limits.ts'
import { sentInBatch } from '../journal/spending.ts'
import type { QueueContext } from './context.ts'
import type { Lane } from './lane.ts'
import { isRepetition } from './prepare-ready.ts'
import { guardSpend } from './spend.ts'

/**
 * Asks for price and balance, in one free call, where a limit in credits is in force: at first, after every few pictures, and after every
 * refusal. Without a price nothing more of a run with `--max-credits` is sent. False if the balance is needed and not known now.
 */
export async function lookAtBalance(
  context: QueueContext,
  lane: Lane,
  service: ImageService,
  job: Job,
  signal: AbortSignal,
): Promise<boolean> {
  if (!isLookDue(context, lane, job)) return true
  return lane.balanceMutex('balance', async () => {
    // Another picture may have asked meanwhile.
    if (isLookDue(context, lane, job)) await look(context, lane, service, job, signal)
    return !isLookDue(context, lane, job)
  })
}

/** Whether a job must not leave before the balance is looked at. */
export const isLookDue = (context: QueueContext, lane: Lane, job: Job): boolean =>
  (lane.refusals.isLookDue && isLimited(context, job)) ||
  guardSpend(context, job, isRepetition(context, job)).kind === 'ask'

function isLimited({ db, settings }: QueueContext, { batchId }: Job): boolean {
  const { perDay, perMonth, perFolderPerDay } = settings().caps
  return (perDay ?? perMonth ?? perFolderPerDay ?? findBatch(db, batchId)?.maxCredits ?? null) !== null
}

async function look(
  context: QueueContext,
  lane: Lane,
  service: ImageService,
  job: Job,
  signal: AbortSignal,
): Promise<void> {
  const { db, clock } = context
  const { batchId, serviceId, recipe } = job
  const slot = await slotOf(lane, signal)
  if (slot === null) return
  const refused = lane.refusals.unseen()
  const { ended } = acceptedAt(db, serviceId)
  const seen = sentInBatch(db, job, clock.nowMs()).ended
  const request = { images: 1, languages: recipe.languages.length, format: recipe.format }
  const verdict = classifyFree(await service.afford(request, { slot, signal }))
  if (signal.aborted) return
  lane.follow(verdict.lane, verdict.kind === 'ok' ? null : verdict.detail)
  const batch = findBatch(db, batchId)
  if (verdict.kind === 'ok') {
    const { balance, required } = verdict.value
    lane.noteBalance(balance)
    lane.priceFailures.delete(batchId)
    judgeRefusals(context, lane, serviceId, { refused, balance, price: required })
    lane.refusals.looked({ balance, ended }, refused)
    if (batch?.maxCredits == null) return
    if (!isPrice(required)) return setPrice(db, batchId, null)
    // The price before sending counts too, if it was higher.
    const price = Math.max(required, batch.creditsPerImage ?? 0)
    const { accountId } = lane
    const meter = readMeter(meterOf(db, batchId), { accountId, balance, price, seen })
    setPrice(db, batchId, meter.price)
    keepMeter(db, batchId, meter)
  } else if (verdict.kind !== 'rateLimited' && !(verdict.kind === 'retry' && verdict.reason !== 'service_doubtful')) {
    const misses = (lane.priceFailures.get(batchId) ?? 0) + 1
    lane.priceFailures.set(batchId, misses)
    if (mayRetry(RETRIES.batchPrice, misses)) return
    setPrice(db, batchId, null)
    countRefusals(db, refused.keys())
    lane.refusals.looked(null, refused)
  }
}

/** Stops everything for this service if refusals were charged, which then count as sent. */
function judgeRefusals(
  { db }: QueueContext,
  lane: Lane,
  serviceId: string,
  { refused, balance, price }: { refused: ReadonlyMap<string, Sentence>; balance: number; price: number },
): void {
  const before = lane.refusals.look
  if (refused.size === 0 || before === null) return
  const fell = unexplainedFall(before, balance, acceptedAt(db, serviceId).accepted, isPrice(price) ? price : 0)
  if (fell === 0) return
  countRefusals(db, refused.keys())
  // In a team the fall may be another computer's: nothing is stopped because of it.
  if (lane.ledger === OWN_LEDGER)
    keepStop(db, serviceId, { refused: refused.size, fell, words: [...refused.values()].at(-1)! })
}

/** Notes what an answer to a dispatch says about charges, before the job's state changes: nothing leaves in between. */
export function noteAnswer({ db }: QueueContext, lane: Lane, job: Job, { event, refused }: DispatchVerdict): void {
  if (event.type === 'accepted') lane.refusals.accepted(job)
  if (refused === undefined) return
  const { status, words, ask } = refused
  lane.refusals.refused(job.id, words)
  // Too many equal refusals of pictures in a row hold the batch until a person approves.
  if ((ask !== null || event.type === 'fail') && lane.refusals.countRefusal(job, status))
    keepStop(db, job.batchId, { refused: MAX_EQUAL_REFUSALS, fell: null, words })
}

/** Null while the account's ledger cannot be reached: the lane says so. */
async function slotOf(lane: Lane, signal: AbortSignal) {
  try {
    return await lane.slots.take(signal)
  } catch (error) {
    if (error instanceof AppError) return null
    throw error
  }
}
