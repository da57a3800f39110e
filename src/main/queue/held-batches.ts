import type { Confirmation } from '../../shared/contract/intake.ts'
import type { ServiceId } from '../../shared/recipes/recipe.ts'
import { findBatch } from '../journal/batches.ts'
import type { QueueContext } from './context.ts'
import { type Db, prepared } from '../journal/journal.ts'
import { guardSpend } from './spend.ts'

const HELD = `INDEXED BY jobs_held_by_batch WHERE state = 'held' AND reason = 'spend_guard'`

/** The batches held by the spend guard, oldest first. */
export function heldBatches(context: QueueContext): Confirmation[] {
  const { db, store } = context
  const sql = `SELECT batch_id, count(*) AS held, min(id) AS first FROM jobs ${HELD} GROUP BY batch_id ORDER BY batch_id`
  const rows = prepared<[], { batch_id: string; held: number; first: string }>(db, sql).all()
  return rows.flatMap(({ batch_id: batchId, held, first }) => {
    const job = store.get(first)
    if (job === null) return []
    // As if a person approved it now.
    const agreed = guardSpend(context, job, true)
    const confirmable = agreed.kind !== 'hold'
    const detail = confirmable ? (job.reason?.detail ?? null) : agreed.detail
    const kind = findBatch(db, batchId)?.kind ?? 'run'
    return [{ batchId, kind, folderId: job.folderId, held, detail, confirmable }]
  })
}

/**
 * The service whose prices and credits apply to the pictures of a batch that the spend guard holds. They can be for several
 * services when the service in use was changed during intake; then only those for the one in use would be sent now. Null when
 * nothing is held.
 */
export function serviceToPrice(db: Db, batchId: string, inUse: ServiceId | null): ServiceId | null {
  const sql = `SELECT DISTINCT service_id FROM jobs ${HELD} AND batch_id = ? AND paid_key IS NOT NULL ORDER BY service_id`
  const services = prepared<[string], string>(db, sql).pluck(true).all(batchId)
  const target = findBatch(db, batchId)?.boundTo ?? inUse
  return services.find((serviceId) => serviceId === target) ?? services[0] ?? null
}

/** The paid keys of a batch's pictures for one service that the spend guard holds. */
export function heldKeys(db: Db, batchId: string, serviceId: ServiceId): string[] {
  const sql = `SELECT DISTINCT paid_key FROM jobs ${HELD} AND batch_id = ? AND service_id = ? AND paid_key IS NOT NULL`
  return prepared<[string, string], string>(db, sql).pluck(true).all(batchId, serviceId)
}
