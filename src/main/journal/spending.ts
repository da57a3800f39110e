import type { Job } from '../../shared/jobs/job.ts'
import type { PaidKey, ServiceId } from '../../shared/recipes/recipe.ts'
import { type Db, prepared } from './journal.ts'

/* What was sent, is to be sent and waits for a yes, as caps, credits and prices ask for it. */

/** Bursts are counted up to this. */
const MAX_COUNTED = 10_000

/** How many of a batch are still to be sent, counted up to a limit. */
export function waitingIn(db: Db, batchId: string): number {
  const sql = `SELECT count(*) AS n FROM
    (SELECT 1 FROM jobs WHERE batch_id = ? AND state IN ('ready', 'held') AND paid_key IS NOT NULL LIMIT ?)`
  return prepared<[string, number], { n: number }>(db, sql).get(batchId, MAX_COUNTED)?.n ?? 0
}

/** A lost answer's job may still run, and be charged, for this long. */
const LOST_MS = 10 * 60_000

/** Pictures of the job's batch that its service may have charged; `ended`: they can cost nothing more. */
export function sentInBatch(db: Db, { batchId, serviceId }: Job, nowMs: number): { sent: number; ended: number } {
  const sql = `SELECT count(*) AS sent, coalesce(sum(outcome = 'open' OR (outcome = 'unknown' AND at_ms > ?)), 0)
      + (SELECT count(*) FROM jobs WHERE batch_id = ? AND state = 'waiting' AND service_id = ?) AS open
    FROM dispatches WHERE batch_id = ? AND service_id = ? AND outcome <> 'notSent'`
  const values = [nowMs - LOST_MS, batchId, serviceId, batchId, serviceId]
  const { sent, open } = prepared<unknown[], { sent: number; open: number }>(db, sql).get(...values)!
  return { sent, ended: Math.max(0, sent - open) }
}

/** Pictures that a service may have charged since a time (Unix ms), of one watched folder or of all. */
export function sentSince(db: Db, serviceId: ServiceId, sinceMs: number, folderId?: string): number {
  const where = folderId === undefined ? '' : ' AND folder_id = ?'
  const sql = `SELECT count(*) AS n FROM dispatches INDEXED BY dispatches_by_service
    WHERE service_id = ? AND at_ms >= ? AND outcome IN ('open', 'accepted', 'unknown', 'rejected')${where}`
  const values = [serviceId, sinceMs, ...(folderId === undefined ? [] : [folderId])]
  return prepared<unknown[], { n: number }>(db, sql).get(...values)?.n ?? 0
}

/** The paid keys of a service's pictures that are held for credits, ready, or being sent. */
export function paidKeysIn(db: Db, serviceId: ServiceId, which: 'short' | 'ready' | 'sending'): PaidKey[] {
  const where = which === 'short' ? `state = 'held' AND reason = 'credits_short'` : `state = '${which}'`
  const sql = `SELECT DISTINCT paid_key FROM jobs WHERE ${where} AND service_id = ? AND paid_key IS NOT NULL`
  return prepared<[string], string>(db, sql).pluck(true).all(serviceId)
}

const GUARDED = `INDEXED BY jobs_held_by_batch WHERE state = 'held' AND reason = 'spend_guard'`

/** The batches held by the spend guard, oldest first; `first`: the id of a job. */
export function guardedBatches(db: Db): { batchId: string; held: number; first: string }[] {
  const sql = `SELECT batch_id AS batchId, count(*) AS held, min(id) AS first FROM jobs ${GUARDED} GROUP BY batch_id ORDER BY batch_id`
  return prepared<[], { batchId: string; held: number; first: string }>(db, sql).all()
}

/** The services of a batch's pictures that the spend guard holds. */
export function guardedServices(db: Db, batchId: string): ServiceId[] {
  const sql = `SELECT DISTINCT service_id FROM jobs ${GUARDED} AND batch_id = ? AND paid_key IS NOT NULL ORDER BY service_id`
  return prepared<[string], string>(db, sql).pluck(true).all(batchId)
}

/** The paid keys of a batch's pictures for one service that the spend guard holds. */
export function guardedKeys(db: Db, batchId: string, serviceId: ServiceId): PaidKey[] {
  const sql = `SELECT DISTINCT paid_key FROM jobs ${GUARDED} AND batch_id = ? AND service_id = ? AND paid_key IS NOT NULL`
  return prepared<[string, string], string>(db, sql).pluck(true).all(batchId, serviceId)
}
