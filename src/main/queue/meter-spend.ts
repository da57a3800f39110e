import type { Job } from '../../shared/jobs/job.ts'
import { AppError } from '../../shared/sentences/errors.ts'
import { classifyFree } from '../core/classify.ts'
import { isPrice, readMeter } from '../core/credit-meter.ts'
import type { ImageService } from '../core/image-service.ts'
import { mayRetry, RETRIES } from '../core/retries.ts'
import { findBatch, setPrice } from '../journal/batches.ts'
import { keepMeter, meterOf, newestDispatch, sentAfter } from '../journal/credit-meters.ts'
import type { QueueContext } from './context.ts'
import type { Lane } from './lane.ts'
import { sentInBatch } from '../journal/spending.ts'
import { guardSpend } from './spend.ts'

/**
 * Asks for price and balance, in one free call, where the credits of a job's batch are limited and what they bought so far has to be
 * known before more is sent. Without a price nothing more of the batch is sent.
 */
export async function meterSpend(
  context: QueueContext,
  lane: Lane,
  service: ImageService,
  job: Job,
  signal: AbortSignal,
): Promise<void> {
  if (guardSpend(context, job, job.resendApproved).kind !== 'ask') return
  await lane.oneAtATime(job.batchId, async () => {
    // Another picture of the batch may have asked meanwhile.
    if (guardSpend(context, job, job.resendApproved).kind === 'ask') await ask(context, lane, service, job, signal)
  })
}

async function ask(
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
  const { accountId } = lane
  const meter = meterOf(db, clock, batchId)
  const seen = sentInBatch(db, job).ended
  const lastDispatch = newestDispatch(db)
  const request = { images: 1, languages: recipe.languages.length, format: recipe.format }
  const verdict = classifyFree(await service.afford(request, { slot, signal }))
  if (signal.aborted) return
  lane.follow(verdict.lane, verdict.kind === 'ok' ? null : verdict.detail)
  if (verdict.kind === 'ok') {
    const { balance, required } = verdict.value
    lane.noteBalance(balance)
    lane.priceless.delete(batchId)
    if (!isPrice(required)) return setPrice(db, batchId, null)
    // The price before sending counts too, if it was higher.
    const perImage = Math.max(required, findBatch(db, batchId)?.creditsPerImage ?? 0)
    const begun = sentInBatch(db, job).sent
    const begunOfAll = meter === null ? 0 : sentAfter(db, serviceId, meter.afterDispatch)
    const now = readMeter(meter, { accountId, balance, perImage, seen, begun, begunOfAll, lastDispatch })
    setPrice(db, batchId, now.perImage)
    keepMeter(db, clock, batchId, now)
  } else if (verdict.kind !== 'rateLimited' && !(verdict.kind === 'retry' && verdict.reason !== 'service_doubtful')) {
    const misses = (lane.priceless.get(batchId) ?? 0) + 1
    lane.priceless.set(batchId, misses)
    if (!mayRetry(RETRIES.batchPrice, misses)) setPrice(db, batchId, null)
  }
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
