import type { JobState, Reason } from '../../shared/reasons.ts'
import { type ReasonCode } from '../../shared/reasons.ts'
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
    reason: row.reason === null ? null : { code: row.reason, detail: row.detail },
  }))
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

/** Dispatches that reached the service or may have, for a service: what the ledger there should show. */
export function dispatchTotals(db: Db, serviceId: string): { accepted: number; unknown: number } {
  const rows = prepared<[string], { outcome: string; n: number }>(
    db,
    'SELECT outcome, count(*) AS n FROM dispatches WHERE service_id = ? GROUP BY outcome',
  ).all(serviceId)
  const of = (outcome: string) => rows.find((row) => row.outcome === outcome)?.n ?? 0
  return { accepted: of('accepted'), unknown: of('unknown') + of('open') }
}

export function recordBalance(db: Db, serviceId: string, balance: number, atMs: number): void {
  const last = latestBalance(db, serviceId)
  if (last?.credits === balance) {
    prepared(db, 'UPDATE balances SET at_ms = ? WHERE service_id = ? AND at_ms = ?').run(atMs, serviceId, last.atMs)
    return
  }
  prepared(db, 'INSERT INTO balances (at_ms, service_id, balance) VALUES (?, ?, ?)').run(atMs, serviceId, balance)
}

export function latestBalance(db: Db, serviceId: string): { credits: number; atMs: number } | null {
  const row = prepared<[string], { balance: number; at_ms: number }>(
    db,
    'SELECT balance, at_ms FROM balances WHERE service_id = ? ORDER BY at_ms DESC LIMIT 1',
  ).get(serviceId)
  return row === undefined ? null : { credits: row.balance, atMs: row.at_ms }
}
