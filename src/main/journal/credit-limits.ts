import { z } from 'zod'
import { SentenceShape } from '../../shared/sentences/sentence-shape.ts'
import { CreditMeter } from '../core/credit-limit.ts'
import { Documents } from './documents.ts'
import { type Db, prepared } from './journal.ts'

const METER = 'credit_meter'
const STOP = 'refusal_stop'

/** Null until the balance was asked for. */
export const meterOf = (db: Db, batchId: string): CreditMeter | null =>
  new Documents(db).get(METER, batchId, CreditMeter)

export const keepMeter = (db: Db, batchId: string, meter: CreditMeter): void =>
  new Documents(db).put(METER, batchId, meter)

/** Refusals after which a person decides whether more is sent. */
export const RefusalStop = z.object({
  refused: z.number(),
  /** By how many credits the balance fell meanwhile; null if that is not why. */
  fell: z.number().nullable(),
  words: SentenceShape,
})
export type RefusalStop = z.infer<typeof RefusalStop>

/** `of`: a batch, or a service with all its batches. */
export const stopOf = (db: Db, of: string): RefusalStop | null => new Documents(db).get(STOP, of, RefusalStop)

export const keepStop = (db: Db, of: string, stop: RefusalStop): void => new Documents(db).put(STOP, of, stop)

/** A person wants more to be sent. */
export function endStops(db: Db, ...of: readonly string[]): void {
  for (const key of of) new Documents(db).remove(STOP, key)
}

/** A service's pictures that were accepted, or may have been, and how many of them can cost nothing more. */
export function acceptedAt(db: Db, serviceId: string): { accepted: number; ended: number } {
  const sql = `SELECT count(*) AS accepted, coalesce(sum(outcome = 'open'), 0) AS open FROM dispatches
    WHERE service_id = ? AND outcome IN ('open', 'accepted', 'unknown')`
  const { accepted, open } = prepared<[string], { accepted: number; open: number }>(db, sql).get(serviceId)!
  const waitingSql = `SELECT count(*) FROM jobs WHERE service_id = ? AND state = 'waiting'`
  const waiting = prepared<[string], number>(db, waitingSql).pluck(true)
  return { accepted, ended: accepted - open - (waiting.get(serviceId) ?? 0) }
}

/** The last dispatch of each of these jobs was refused and, as the balance shows, charged: it counts as sent. */
export function countRefusals(db: Db, jobIds: Iterable<string>): void {
  const sql = `UPDATE dispatches SET outcome = 'rejected'
    WHERE outcome = 'notSent' AND id = (SELECT max(id) FROM dispatches WHERE job_id = ?)`
  for (const id of jobIds) prepared(db, sql).run(id)
}
