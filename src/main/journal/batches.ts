import type { Job } from '../../shared/jobs/job.ts'
import type { ServiceId } from '../../shared/recipes/recipe.ts'
import { type Db, prepared } from './journal.ts'

/** The jobs of one drop, run or burst. */
export interface Batch {
  id: string
  kind: 'run' | 'folder'
  folderId: string | null
  /** Its files are still being searched for: the total is not known yet. */
  open: boolean
  /** A person has approved the spend. */
  confirmed: boolean
  maxCredits: number | null
  /** Max price of one picture; null when unknown. */
  creditsPerImage: number | null
  /** The service that its pictures go to; null for the one in use. */
  boundTo: ServiceId | null
}

export function insertBatch(db: Db, batch: Batch, nowMs: number): void {
  const sql = `INSERT INTO batches (id, kind, folder_id, open, confirmed, max_credits, credits_per_image, service_id, at_ms)
     VALUES (:id, :kind, :folderId, :open, :confirmed, :maxCredits, :creditsPerImage, :boundTo, :nowMs)`
  prepared(db, sql).run({ ...batch, open: Number(batch.open), confirmed: Number(batch.confirmed), nowMs })
}

export function findBatch(db: Db, id: string): Batch | null {
  const sql = `SELECT id, kind, folder_id AS folderId, open, confirmed, max_credits AS maxCredits,
    credits_per_image AS creditsPerImage, service_id AS boundTo FROM batches WHERE id = ?`
  const row = prepared<[string], Omit<Batch, 'open' | 'confirmed'> & { open: 0 | 1; confirmed: 0 | 1 }>(db, sql).get(id)
  return row === undefined ? null : { ...row, open: row.open === 1, confirmed: row.confirmed === 1 }
}

export function confirmBatch(db: Db, id: string): void {
  prepared(db, 'UPDATE batches SET confirmed = 1 WHERE id = ?').run(id)
}

export function setPrice(db: Db, id: string, creditsPerImage: number | null): void {
  prepared(db, 'UPDATE batches SET credits_per_image = ? WHERE id = ?').run(creditsPerImage, id)
}

export function setOpen(db: Db, id: string, isOpen: boolean): void {
  prepared(db, 'UPDATE batches SET open = ? WHERE id = ?').run(Number(isOpen), id)
}

/** The originals taken in for it so far. */
export function pathsOfBatch(db: Db, id: string): Set<string> {
  return new Set(prepared<[string], string>(db, 'SELECT path FROM jobs WHERE batch_id = ?').pluck(true).all(id))
}

/** After a restart no search for files of earlier batches is running. */
export function closeAllBatches(db: Db): void {
  prepared(db, 'UPDATE batches SET open = 0 WHERE open = 1').run()
}

/** The services that unfinished batches are bound to. */
export function servicesBoundTo(db: Db): ServiceId[] {
  const sql = `SELECT DISTINCT service_id FROM batches WHERE service_id IS NOT NULL AND (open = 1 OR EXISTS (
       SELECT 1 FROM jobs WHERE batch_id = batches.id AND paid_key IS NOT NULL AND (
         state IN ('ready', 'sending', 'waiting', 'fetching', 'held')
         OR (state = 'unknown' AND reason = 'lost_at_service'))))`
  return prepared<[], string>(db, sql).pluck(true).all()
}

/** Whether a job's picture may be sent: its service is the one in use, or the one that its batch is bound to. */
export function maySendTo(db: Db, job: Pick<Job, 'serviceId' | 'batchId'>, inUse: ServiceId | null): boolean {
  return job.serviceId === inUse || findBatch(db, job.batchId)?.boundTo === job.serviceId
}
