import type { Clock } from '../../shared/runtime/ports.ts'
import { CreditMeter } from '../core/credit-meter.ts'
import { Documents } from './documents.ts'
import { type Db, prepared } from './journal.ts'

const KIND = 'credit_meter'

const documents = (db: Db, clock: Clock): Documents => new Documents(db, () => clock.nowMs())

/** Null until the balance was asked for. */
export const meterOf = (db: Db, clock: Clock, batchId: string): CreditMeter | null =>
  documents(db, clock).get(KIND, batchId, CreditMeter)

export const keepMeter = (db: Db, clock: Clock, batchId: string, meter: CreditMeter): void =>
  documents(db, clock).put(KIND, batchId, meter)

/** Pictures that were sent to a service after a dispatch, or may have been. */
export function sentAfter(db: Db, serviceId: string, afterDispatch: number): number {
  const sql = `SELECT count(*) FROM dispatches WHERE id > ? AND service_id = ? AND outcome IN ('open', 'accepted', 'unknown')`
  return prepared<[number, string], number>(db, sql).pluck(true).get(afterDispatch, serviceId) ?? 0
}

/** The id of the last dispatch ever begun; 0 without one. */
export const newestDispatch = (db: Db): number =>
  prepared<[], number | null>(db, 'SELECT max(id) FROM dispatches').pluck(true).get() ?? 0
