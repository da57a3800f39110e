import { END_STATES, type JobState } from '../../shared/reasons.ts'
import { type Db, prepared, transact } from './journal.ts'

/** So many rows are deleted in one go. */
const SLICE = 500

/** What a query adds so that jobs which were taken from the list are left out. */
export const NOT_REMOVED = 'id NOT IN (SELECT job_id FROM removed_jobs)'

export function anyRemoved(db: Db): boolean {
  return prepared(db, 'SELECT 1 FROM removed_jobs LIMIT 1').get() !== undefined
}

const ENDED = END_STATES.map((state) => `'${state}'`).join(', ')

/**
 * Takes ended jobs from the list, under an id by which `putBackRemoved` finds them. They stay in the journal until
 * `purgeRemoved`, so that a hundred thousand are gone, and back, in a moment. Says how many there were.
 */
export function removeEnded(
  db: Db,
  which: { ids: readonly string[]; states: readonly JobState[] },
  undoId: string,
  nowMs: number,
): number {
  const into = 'INSERT OR IGNORE INTO removed_jobs (job_id, undo_id, at_ms)'
  return transact(db, () => {
    let removed = 0
    const byId = prepared(db, `${into} SELECT id, ?, ? FROM jobs WHERE id = ? AND state IN (${ENDED})`)
    for (const id of which.ids) removed += byId.run(undoId, nowMs, id).changes
    const byState = prepared(db, `${into} SELECT id, ?, ? FROM jobs WHERE state = ? AND state IN (${ENDED})`)
    for (const state of which.states) removed += byState.run(undoId, nowMs, state).changes
    return removed
  })
}

/** Puts back what one removal took, as far as it is still there. */
export function putBackRemoved(db: Db, undoId: string): number {
  return prepared(db, 'DELETE FROM removed_jobs WHERE undo_id = ?').run(undoId).changes
}

/** Deletes some of the jobs that were removed before a time; false when none are left. What was paid and written stays known. */
export function purgeRemoved(db: Db, beforeMs: number): boolean {
  const sql = 'SELECT job_id FROM removed_jobs WHERE at_ms < ? LIMIT ?'
  const rows = prepared<[number, number], { job_id: string }>(db, sql).all(beforeMs, SLICE)
  if (rows.length === 0) return false
  transact(db, () => {
    for (const { job_id: id } of rows) {
      prepared(db, 'DELETE FROM job_events WHERE job_id = ?').run(id)
      prepared(db, 'DELETE FROM removed_jobs WHERE job_id = ?').run(id)
      prepared(db, 'DELETE FROM jobs WHERE id = ?').run(id)
    }
  })
  return true
}
