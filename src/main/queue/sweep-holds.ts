import type { Job } from '../../shared/jobs/job.ts'
import { HoldReason } from '../../shared/sentences/reasons.ts'
import { NO_SERVICE, PRACTICE_SERVICE, type ServiceId } from '../../shared/recipes/recipe.ts'
import { raw } from '../../shared/sentences/sentence.ts'
import { paidKeyOf, needsDownload } from '../core/plan-work.ts'
import { groupOfKey, type CreditBudget } from '../core/credit-budget.ts'
import { RETRIES, type Retry, retryMs } from '../core/retries.ts'
import { canTake, held, unknownBecause, type JobEvent } from '../core/transition.ts'
import { maySendTo } from '../journal/batches.ts'
import type { QueueContext } from './context.ts'
import type { JobQuery } from '../journal/job-query.ts'
import type { Lane } from './lane.ts'
import { dispatchCount } from '../journal/payments.ts'
import { lessReady } from './short-of-credits.ts'
import { isRepetition } from './prepare-ready.ts'
import { guardSpend } from './spend.ts'

/** While a disk has trouble only a few jobs try it; when one succeeds, all do. */
const DISK_TRIES = 4
const DISK_REASONS = ['disk_full', 'target_not_writable', 'too_few_files'] as const
/** While one of these holds a result nothing more is sent: no result can be written, in whatever folder. */
export const UNWRITABLE = ['disk_full', 'too_few_files'] as const
/** Jobs changed per slice before yielding to the event loop. */
const CHUNK = 200

interface SweepFacts {
  lanes: readonly Lane[]
  activeService: ServiceId | null
  scope: Pick<JobQuery, 'batchId'>
  isBusy: (jobId: string) => boolean
  shouldContinue: () => boolean
}

/**
 * Releases jobs whose cause of waiting is gone, holds ready jobs whose service cannot be used, and makes jobs in `sending` without a task
 * unknown. Runs in slices: there may be a hundred thousand jobs.
 */
export async function sweepHolds(context: QueueContext, facts: SweepFacts): Promise<void> {
  // No job waits for disk space any more, though nothing was written either: the next result shows whether there is room.
  if (context.store.list({ states: ['held'], reasons: UNWRITABLE, limit: 1 }).length === 0)
    context.writing.isBlocked = false
  const isCovered = onceFor(
    (job) => `${job.batchId} ${job.folderId} ${job.serviceId} ${isRepetition(context, job)}`,
    (job) => mayBeSent(context, job),
  )
  const maySend = onceFor(
    ({ batchId, serviceId }) => `${batchId} ${serviceId}`,
    (job) => maySendTo(context.db, job, facts.activeService),
  )
  const laneOf = ({ serviceId }: Job) => facts.lanes.find((lane) => lane.serviceId === serviceId)
  const budgets = new Map<Lane, CreditBudget>()
  /** Call at most once per held job and sweep: a job that continues is deducted from what the balance covers. */
  const isAffordable = (job: Job): boolean => {
    const lane = laneOf(job)
    if (lane === undefined || lane.credits === null || job.paidKey === null) return true
    const left = budgets.get(lane) ?? lessReady(context.db, lane.serviceId, lane.credits)
    budgets.set(lane, left)
    const group = groupOfKey(job.paidKey)
    if (!left.covers(group)) return false
    left.spend(group)
    return true
  }
  await inChunks(context, { states: ['held'] }, facts, async (job, nth) => {
    if (job.serviceId === NO_SERVICE && bindToService(context, job, facts.activeService)) return
    const mayGo = await mayRelease(context, job, laneOf(job), nth, { isCovered, maySend })
    if (mayGo && (job.reason?.code !== 'credits_short' || isAffordable(job)))
      applyIfAllowed(context, job.id, { type: 'release' })
  })
  await inChunks(context, { states: ['ready'], ...facts.scope, free: false }, facts, (job) => {
    const lane = laneOf(job)
    if (job.serviceId === NO_SERVICE) {
      if (!bindToService(context, job, facts.activeService)) applyIfAllowed(context, job.id, held('key_missing'))
    } else if (maySend(job)) {
      if (lane?.hold != null) applyIfAllowed(context, job.id, { type: 'hold', reason: lane.hold })
    } else if (facts.activeService === null) applyIfAllowed(context, job.id, held('key_missing'))
    else applyIfAllowed(context, job.id, held('other_service', raw(job.serviceId)))
  })
  // Applies to every job: results of sent pictures cannot be fetched until a person acts.
  await inChunks(context, { states: ['waiting', 'fetching'], free: false }, facts, (job) => {
    // Jobs that need no more calls continue without the service.
    if (job.state === 'fetching' && !needsDownload(job)) return
    const hold = laneOf(job)?.hold ?? null
    if (hold !== null && hold.code !== 'credits_short') applyIfAllowed(context, job.id, { type: 'hold', reason: hold })
  })
  // A bug kept the answer from the journal. In `sending`, it would take up a place in the lane until the next start.
  await inChunks(context, { states: ['sending'] }, facts, (job) =>
    applyIfAllowed(context, job.id, unknownBecause('unclear_answer')),
  )
  await inChunks(context, { states: ['unknown'] }, facts, (job) => {
    if (mayResend(context, job)) applyIfAllowed(context, job.id, { type: 'resend' })
  })
}

/** Decides alike for all jobs with one key. */
function onceFor(keyOf: (job: Job) => string, decide: (job: Job) => boolean): (job: Job) => boolean {
  const decided = new Map<string, boolean>()
  return (job) => {
    const key = keyOf(job)
    const known = decided.get(key) ?? decide(job)
    decided.set(key, known)
    return known
  }
}

/** A person may have given another command while a folder was checked: then that takes precedence. */
function applyIfAllowed(context: QueueContext, id: string, event: JobEvent): void {
  const job = context.store.get(id)
  if (job !== null && canTake(job, event)) context.store.apply(id, event)
}

async function inChunks(
  context: QueueContext,
  query: JobQuery,
  facts: SweepFacts,
  visit: (job: Job, nthOfReason: number) => void | Promise<void>,
): Promise<void> {
  const seen = new Map<string, number>()
  let looked = 0
  for (const job of context.store.each(query)) {
    if ((looked += 1) % CHUNK === 0) await new Promise((resolve) => setImmediate(resolve))
    if (facts.isBusy(job.id)) continue
    const reason = job.reason?.code ?? ''
    const nth = (seen.get(reason) ?? 0) + 1
    seen.set(reason, nth)
    await visit(job, nth)
    if (!facts.shouldContinue()) return
  }
}

/** An unknown picture is sent again without asking if a person set it so, or no real credits are at stake. */
function mayResend(context: QueueContext, job: Job): boolean {
  if (job.paidKey === null) return false
  // The practice service forgets its jobs, and its credits, when it exits.
  if (job.serviceId === PRACTICE_SERVICE) return job.reason?.code === 'lost_at_service'
  return context.settings().resendUnknownOnce && dispatchCount(context.db, job.paidKey) === 1
}

/** By burst, caps and credits, as far as they are known before the service is asked. */
const mayBeSent = (context: QueueContext, job: Job): boolean =>
  ['send', 'ask'].includes(guardSpend(context, job, isRepetition(context, job)).kind)

/** A picture that was taken in before any service was chosen is bound to the one chosen now. */
function bindToService(context: QueueContext, job: Job, serviceId: ServiceId | null): boolean {
  if (serviceId === null || job.image === null || job.operation === null) return false
  const content = { sha256: job.image.sha256, type: job.image.type, sizeBytes: job.source.sizeBytes }
  const paidKey = paidKeyOf(serviceId, content, job.operation, job.recipe)
  applyIfAllowed(context, job.id, { type: 'rebind', serviceId, paidKey })
  return true
}

async function mayRelease(
  context: QueueContext,
  job: Job,
  lane: Lane | undefined,
  nthOfReason: number,
  { isCovered, maySend }: Record<'isCovered' | 'maySend', (job: Job) => boolean>,
): Promise<boolean> {
  const reason = HoldReason.safeParse(job.reason?.code)
  const restedMs = context.clock.nowMs() - job.updatedAtMs
  const hasRested = (retry: Retry, failures = 1) => restedMs > retryMs(retry, failures, context.random) || restedMs < 0
  if (!reason.success) return true
  switch (reason.data) {
    case 'key_missing':
    case 'key_refused':
    case 'credits_short':
    case 'address_wrong':
      // A job that was not sent waits for a service it may be sent to; one that was sent waits for that service.
      if (job.resume === 'ready' && !maySend(job)) return false
      return lane !== undefined && lane.service !== null && lane.hold === null
    case 'credits_refused':
      if (!maySend(job) || lane?.sends !== true) return false
      return hasRested(RETRIES.creditsRefused, job.attempts)
    case 'other_account':
      return lane?.service != null && lane.accountId === job.accountId
    case 'other_service':
      return maySend(job)
    case 'spend_guard':
      return isCovered(job)
    case 'stalled':
      return hasRested(RETRIES.stalled)
    case 'not_replaceable':
      return hasRested(RETRIES.notReplaceable)
    case 'folder_missing':
      return context.files.isFolder(job.rootDir)
    case 'disk_full':
    case 'target_not_writable':
    case 'too_few_files':
      return nthOfReason <= DISK_TRIES && hasRested(RETRIES.blockedDisk)
  }
}

/** After one job could write to the disk: those held for it retry at once. */
export async function releaseDiskHolds(
  context: QueueContext,
  facts: Pick<SweepFacts, 'shouldContinue' | 'isBusy'>,
): Promise<void> {
  const all: SweepFacts = { lanes: [], activeService: null, scope: {}, ...facts }
  await inChunks(context, { states: ['held'], reasons: DISK_REASONS }, all, (job) => {
    applyIfAllowed(context, job.id, { type: 'release' })
  })
}
