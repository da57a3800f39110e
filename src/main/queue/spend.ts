import type { Job } from '../../shared/job.ts'
import type { ServiceId } from '../../shared/recipe.ts'
import { decideSpend, describeHold, type SpendCaps } from '../core/spend-guard.ts'
import { findBatch } from './batches.ts'
import type { QueueContext } from './context.ts'
import { type Db, prepared } from './journal.ts'

/** A burst is counted so far: enough to say how large it is in words that mean something. */
const COUNTED_AT_MOST = 10_000

const NO_CAPS: SpendCaps = { perDay: null, perMonth: null, perFolderPerDay: null }

export type SpendVerdict =
  | { kind: 'send' }
  /** The batch is still growing: nothing of it is sent before it is known whether a person must be asked. */
  | { kind: 'wait' }
  | { kind: 'hold'; detail: string }

/**
 * Whether this job's dispatch is covered: burst, caps and `--max-credits`, from what the journal says was sent to
 * the same service. A repetition that a person ordered is its own confirmation; the caps hold for it too. Counts
 * only what a person set.
 */
export function guardSpend(context: QueueContext, job: Job, isRepetition: boolean): SpendVerdict {
  const { db, clock } = context
  const batch = findBatch(db, job.batchId)
  const confirmed = isRepetition || batch?.confirmed === true
  const { serviceId, folderId } = job
  const waiting = confirmed ? 1 : waitingIn(db, job.batchId)
  const askAbove = context.askAbove(folderId)
  if (batch?.open === true && !confirmed && waiting <= askAbove) return { kind: 'wait' }
  // A cap protects the credits of the service in use; pictures bound to another one spend none of them.
  const caps = batch?.boundTo == null ? context.settings().caps : NO_CAPS
  const nowMs = clock.nowMs()
  const decision = decideSpend({
    dispatchesWaiting: waiting,
    askAbove,
    confirmed,
    caps,
    spent: {
      today: caps.perDay === null ? 0 : sentSince(db, serviceId, startOfDay(nowMs)),
      thisMonth: caps.perMonth === null ? 0 : sentSince(db, serviceId, startOfMonth(nowMs)),
      inFolderToday:
        caps.perFolderPerDay === null || folderId === null ? 0 : sentSince(db, serviceId, startOfDay(nowMs), folderId),
    },
    maxCredits: batch?.maxCredits ?? null,
    creditsSpent: batch?.maxCredits == null ? 0 : (batch.creditsPerImage ?? 0) * sentInBatch(db, job),
    creditsPerImage: batch?.creditsPerImage ?? null,
  })
  return decision.kind === 'allow' ? { kind: 'send' } : { kind: 'hold', detail: describeHold(decision.hold) }
}

/** How many of a batch are still to be sent; more than one past the limit need not be counted. */
export function waitingIn(db: Db, batchId: string): number {
  const sql = `SELECT count(*) AS n FROM
    (SELECT 1 FROM jobs WHERE batch_id = ? AND state IN ('ready', 'held') AND paid_key IS NOT NULL LIMIT ?)`
  return prepared<[string, number], { n: number }>(db, sql).get(batchId, COUNTED_AT_MOST)?.n ?? 0
}

const COUNTS = `outcome IN ('open', 'accepted', 'unknown')`

/** Of the batch of a job, to the job's service. */
function sentInBatch(db: Db, { batchId, serviceId }: Job): number {
  const sql = `SELECT count(*) AS n FROM dispatches WHERE batch_id = ? AND service_id = ? AND ${COUNTS}`
  return prepared<[string, string], { n: number }>(db, sql).get(batchId, serviceId)?.n ?? 0
}

/** Pictures that were sent to a service, or may have been, since a time (Unix ms); of one watched folder, or of all and none. */
export function sentSince(db: Db, serviceId: ServiceId, sinceMs: number, folderId?: string): number {
  const where = folderId === undefined ? '' : ' AND folder_id = ?'
  const sql = `SELECT count(*) AS n FROM dispatches INDEXED BY dispatches_by_service
    WHERE service_id = ? AND at_ms >= ? AND ${COUNTS}${where}`
  const values = [serviceId, sinceMs, ...(folderId === undefined ? [] : [folderId])]
  return prepared<unknown[], { n: number }>(db, sql).get(...values)?.n ?? 0
}

/** Days and months are those of the clock on the wall here. */
export function startOfDay(nowMs: number): number {
  const day = new Date(nowMs)
  return day.setHours(0, 0, 0, 0)
}

export function startOfMonth(nowMs: number): number {
  const day = new Date(startOfDay(nowMs))
  return day.setDate(1)
}
