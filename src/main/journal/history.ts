import type { CreditHistory } from '../../shared/contract/credits.ts'
import type { JobState, Reason, ReasonCode } from '../../shared/sentences/reasons.ts'
import { SentenceShape } from '../../shared/sentences/sentence-shape.ts'
import { raw } from '../../shared/sentences/sentence.ts'
import { parseStored } from './documents.ts'
import { type Db, prepared } from './journal.ts'

/** What happened to a job, oldest first. */
interface HistoryEntry {
  atMs: number
  event: string
  state: JobState
  reason: Reason | null
}

export function historyOf(db: Db, jobId: string): HistoryEntry[] {
  const sql =
    'SELECT at_ms AS atMs, event, state, reason AS code, detail FROM job_events WHERE job_id = ? ORDER BY rowid'
  const rows = prepared<[string], Omit<HistoryEntry, 'reason'> & { code: ReasonCode | null; detail: string | null }>(
    db,
    sql,
  ).all(jobId)
  return rows.map(({ code, detail, ...entry }) => ({
    ...entry,
    reason:
      code === null
        ? null
        : { code, detail: detail === null ? null : (parseStored(detail, SentenceShape).value ?? raw(detail)) },
  }))
}

/** What a job was before its last event, if that was this one. */
export function stateBefore(db: Db, jobId: string, event: string): Pick<HistoryEntry, 'state' | 'reason'> | null {
  const [before, last] = historyOf(db, jobId).slice(-2)
  return last?.event === event ? before! : null
}

/** When something last happened to any job (Unix ms). */
export function lastEventMs(db: Db): number | null {
  return prepared<[], number>(db, 'SELECT at_ms FROM job_events ORDER BY rowid DESC LIMIT 1').pluck(true).get() ?? null
}

/** Newest first. */
export function quarantined(db: Db): { atMs: number; source: string; key: string; why: string }[] {
  const sql = 'SELECT at_ms AS atMs, source, key, why FROM quarantine ORDER BY at_ms DESC LIMIT 1000'
  return prepared<[], { atMs: number; source: string; key: string; why: string }>(db, sql).all()
}

/** Of consecutive equal balances only the first and the last are kept. */
export function recordBalance(db: Db, serviceId: string, balance: number, atMs: number): void {
  const [last, before] = latestBalances(db, serviceId, 2)
  if (last?.credits === balance && before?.credits === balance) {
    prepared(db, 'UPDATE balances SET at_ms = ? WHERE service_id = ? AND at_ms = ?').run(atMs, serviceId, last.atMs)
    return
  }
  prepared(db, 'INSERT INTO balances (at_ms, service_id, balance) VALUES (?, ?, ?)').run(atMs, serviceId, balance)
}

type Balance = CreditHistory['balances'][number]

export function latestBalance(db: Db, serviceId: string): Balance | null {
  return latestBalances(db, serviceId, 1)[0] ?? null
}

/** Newest first. */
function latestBalances(db: Db, serviceId: string, count: number): Balance[] {
  const sql = `SELECT balance AS credits, at_ms AS atMs FROM balances
    WHERE service_id = ? ORDER BY at_ms DESC, rowid DESC LIMIT ?`
  return prepared<[string, number], Balance>(db, sql).all(serviceId, count)
}

/** The balances as `recordBalance` keeps them, oldest first, including the last one before `sinceMs`. */
export function balancesSince(db: Db, serviceId: string, sinceMs: number): Balance[] {
  const sql = `SELECT at_ms AS atMs, balance AS credits FROM balances WHERE service_id = ? AND at_ms >= coalesce(
    (SELECT max(at_ms) FROM balances WHERE service_id = ? AND at_ms < ?), 0) ORDER BY at_ms`
  return prepared<[string, string, number], Balance>(db, sql).all(serviceId, serviceId, sinceMs)
}

/** When pictures were sent to a service, or may have been; Unix ms. */
export function sentTimesSince(db: Db, serviceId: string, sinceMs: number): number[] {
  const sql = `SELECT at_ms FROM dispatches
    WHERE service_id = ? AND at_ms >= ? AND outcome IN ('open', 'accepted', 'unknown')`
  return prepared<[string, number], number>(db, sql).pluck(true).all(serviceId, sinceMs)
}
