import type { JobState, Reason, ReasonCode } from '../../shared/sentences/reasons.ts'
import { SentenceShape } from '../../shared/sentences/sentence-shape.ts'
import { raw, type Sentence } from '../../shared/sentences/sentence.ts'
import { type Db, prepared } from './journal.ts'

/** What happened to a job, oldest first. */
export interface HistoryEntry {
  atMs: number
  event: string
  state: JobState
  reason: Reason | null
}

export function historyOf(db: Db, jobId: string): HistoryEntry[] {
  const rows = prepared<
    [string],
    { at_ms: number; event: string; state: JobState; reason: ReasonCode | null; detail: string | null }
  >(db, 'SELECT at_ms, event, state, reason, detail FROM job_events WHERE job_id = ? ORDER BY rowid').all(jobId)
  return rows.map((row) => ({
    atMs: row.at_ms,
    event: row.event,
    state: row.state,
    reason:
      row.reason === null ? null : { code: row.reason, detail: row.detail === null ? null : sentenceIn(row.detail) },
  }))
}

/** What a job was before its last event, if that was this one. */
export function stateBefore(db: Db, jobId: string, event: string): Pick<HistoryEntry, 'state' | 'reason'> | null {
  const [before, last] = historyOf(db, jobId).slice(-2)
  return last?.event === event ? before! : null
}

function sentenceIn(detail: string): Sentence {
  try {
    return SentenceShape.parse(JSON.parse(detail))
  } catch {
    return raw(detail)
  }
}

/** When something last happened to any job, in Unix milliseconds; null for never. */
export function lastEventMs(db: Db): number | null {
  return prepared<[], number>(db, 'SELECT at_ms FROM job_events ORDER BY rowid DESC LIMIT 1').pluck(true).get() ?? null
}

/** Rows that no longer parsed and were put aside, newest first. */
export function quarantined(db: Db): { atMs: number; source: string; key: string; why: string }[] {
  return prepared<[], { at_ms: number; source: string; key: string; why: string }>(
    db,
    'SELECT at_ms, source, key, why FROM quarantine ORDER BY at_ms DESC LIMIT 1000',
  )
    .all()
    .map((row) => ({ atMs: row.at_ms, source: row.source, key: row.key, why: row.why }))
}

/** Of consecutive equal balances the first and the last are kept: from when and until when it was so. */
export function recordBalance(db: Db, serviceId: string, balance: number, atMs: number): void {
  const [last, before] = latestBalances(db, serviceId, 2)
  if (last?.credits === balance && before?.credits === balance) {
    prepared(db, 'UPDATE balances SET at_ms = ? WHERE service_id = ? AND at_ms = ?').run(atMs, serviceId, last.atMs)
    return
  }
  prepared(db, 'INSERT INTO balances (at_ms, service_id, balance) VALUES (?, ?, ?)').run(atMs, serviceId, balance)
}

export function latestBalance(db: Db, serviceId: string): { credits: number; atMs: number } | null {
  return latestBalances(db, serviceId, 1)[0] ?? null
}

/** Newest first. */
function latestBalances(db: Db, serviceId: string, count: number): { credits: number; atMs: number }[] {
  return prepared<[string, number], { balance: number; at_ms: number }>(
    db,
    'SELECT balance, at_ms FROM balances WHERE service_id = ? ORDER BY at_ms DESC, rowid DESC LIMIT ?',
  )
    .all(serviceId, count)
    .map((row) => ({ credits: row.balance, atMs: row.at_ms }))
}

/** The balances as `recordBalance` keeps them, oldest first, including the last one before `sinceMs`. */
export function balancesSince(db: Db, serviceId: string, sinceMs: number): { atMs: number; credits: number }[] {
  const sql = `SELECT at_ms, balance FROM balances WHERE service_id = ? AND at_ms >= coalesce(
    (SELECT max(at_ms) FROM balances WHERE service_id = ? AND at_ms < ?), 0) ORDER BY at_ms`
  return prepared<[string, string, number], { at_ms: number; balance: number }>(db, sql)
    .all(serviceId, serviceId, sinceMs)
    .map((row) => ({ atMs: row.at_ms, credits: row.balance }))
}

/** When pictures were sent to a service, or may have been; Unix ms. */
export function sentTimesSince(db: Db, serviceId: string, sinceMs: number): number[] {
  const sql = `SELECT at_ms FROM dispatches
    WHERE service_id = ? AND at_ms >= ? AND outcome IN ('open', 'accepted', 'unknown')`
  return prepared<[string, number], number>(db, sql).pluck(true).all(serviceId, sinceMs)
}
