import type { Confirmation } from '../../shared/contract/intake.ts'
import type { ServiceId } from '../../shared/recipes/recipe.ts'
import { findBatch } from '../journal/batches.ts'
import type { QueueContext } from './context.ts'
import type { Db } from '../journal/journal.ts'
import { guardedBatches, guardedServices } from '../journal/spending.ts'
import { guardSpend } from './spend.ts'

/** The batches held by the spend guard, oldest first. */
export function heldBatches(context: QueueContext): Confirmation[] {
  const { db, store } = context
  return guardedBatches(db).flatMap(({ batchId, held, first }) => {
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
 * The service whose prices apply to a batch that the spend guard holds. If the service in use was changed during its intake, it has
 * pictures for several, and only those for the one in use would be sent now.
 */
export function serviceToPrice(db: Db, batchId: string, inUse: ServiceId | null): ServiceId | null {
  const services = guardedServices(db, batchId)
  const target = findBatch(db, batchId)?.boundTo ?? inUse
  return services.find((serviceId) => serviceId === target) ?? services[0] ?? null
}
