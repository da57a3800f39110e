import type { JobState, ReasonCode } from '../../shared/sentences/reasons.ts'
import type { Sentence } from '../../shared/sentences/sentence.ts'
import type { JobStore } from './job-store.ts'
import { type Db, prepared } from './journal.ts'
import { NOT_REMOVED } from './removed-jobs.ts'

/** Jobs of one state with the same reason; `detail` is null where it is not the same for all of them. */
interface WaitingGroup {
  state: JobState
  code: ReasonCode
  count: number
  detail: Sentence | null
}

/** Jobs in these states by their reason, the largest groups of a state first. */
export function waitingIn(db: Db, store: Pick<JobStore, 'get'>, states: readonly JobState[]): WaitingGroup[] {
  const sql = `SELECT state, reason, count(*) AS n, max(id) AS id,
       count(DISTINCT CASE WHEN json_valid(doc) THEN coalesce(json_extract(doc, '$.reason.detail'), '') END) AS details
     FROM jobs WHERE state IN (${states.map(() => '?').join(', ')}) AND reason IS NOT NULL AND ${NOT_REMOVED}
     GROUP BY state, reason ORDER BY state, n DESC`
  const rows = prepared<unknown[], { state: JobState; reason: ReasonCode; n: number; details: number; id: string }>(
    db,
    sql,
  ).all(...states)
  return rows.map(({ state, reason: code, n: count, details, id }) => {
    // A detail of one picture does not apply to the others.
    const detail = details > 1 ? null : (store.get(id)?.reason?.detail ?? null)
    return { state, code, count, detail }
  })
}
