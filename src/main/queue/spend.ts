import type { Job } from '../../shared/job.ts'
import { BURST_LIMIT, decideSpend, describeHold } from '../core/spend-guard.ts'
import { findBatch } from './batches.ts'
import type { QueueContext } from './context.ts'
import { type Db, prepared } from './journal.ts'

export type SpendVerdict =
  | { kind: 'send' }
  /** The batch is still growing: nothing of it is sent before it is known whether a person must be asked. */
  | { kind: 'wait' }
  | { kind: 'hold'; detail: string }

/** Whether this job's dispatch is covered: burst, caps and `--max-credits`, from what the journal says was sent. */
export function guardSpend(context: QueueContext, job: Job): SpendVerdict {
  const { db, clock } = context
  const batch = findBatch(db, job.batchId)
  // An order of a person for this one job is its own confirmation; the caps still hold.
  const ordered = job.resendOrdered || (job.force && batch?.confirmed === true)
  const confirmed = ordered || batch?.confirmed === true
  const inBatch = confirmed ? 1 : paidJobsIn(db, job.batchId)
  if (batch?.open === true && !confirmed && inBatch <= BURST_LIMIT) return { kind: 'wait' }
  const nowMs = clock.nowMs()
  const decision = decideSpend({
    dispatchesWaiting: inBatch,
    confirmed,
    caps: context.settings().caps,
    spent: {
      today: sentSince(db, startOfDay(nowMs)),
      thisMonth: sentSince(db, startOfMonth(nowMs)),
      inFolderToday: job.folderId === null ? 0 : sentSince(db, startOfDay(nowMs), job.folderId),
    },
    maxCredits: batch?.maxCredits ?? null,
    creditsSpent: (batch?.creditsPerImage ?? 0) * sentInBatch(db, job.batchId),
    creditsPerImage: batch?.creditsPerImage ?? null,
  })
  return decision.kind === 'allow' ? { kind: 'send' } : { kind: 'hold', detail: describeHold(decision.hold) }
}

function paidJobsIn(db: Db, batchId: string): number {
  const sql = `SELECT count(*) AS n FROM jobs WHERE batch_id = ? AND paid_key IS NOT NULL`
  return prepared<[string], { n: number }>(db, sql).get(batchId)?.n ?? 0
}

const COUNTS = `outcome IN ('open', 'accepted', 'unknown')`

function sentInBatch(db: Db, batchId: string): number {
  const sql = `SELECT count(*) AS n FROM dispatches WHERE batch_id = ? AND ${COUNTS}`
  return prepared<[string], { n: number }>(db, sql).get(batchId)?.n ?? 0
}

function sentSince(db: Db, sinceMs: number, folderId?: string): number {
  const where = folderId === undefined ? '' : ' AND folder_id = ?'
  const sql = `SELECT count(*) AS n FROM dispatches WHERE at_ms >= ? AND ${COUNTS}${where}`
  const values: unknown[] = folderId === undefined ? [sinceMs] : [sinceMs, folderId]
  return prepared<unknown[], { n: number }>(db, sql).get(...values)?.n ?? 0
}

/** Days and months are those of the clock on the wall here. */
function startOfDay(nowMs: number): number {
  const day = new Date(nowMs)
  return day.setHours(0, 0, 0, 0)
}

function startOfMonth(nowMs: number): number {
  const day = new Date(startOfDay(nowMs))
  return day.setDate(1)
}
