import type { JobState } from '../../shared/sentences/reasons.ts'
import { SETTLED_STATES, UNSETTLED_STATES } from '../../shared/jobs/job-list.ts'
import { type Db, prepared, transact } from './journal.ts'

const SLICE = 500

/* SQL conditions. */
export const NOT_REMOVED = 'id NOT IN (SELECT job_id FROM removed_jobs)'
export const REMOVED = 'id IN (SELECT job_id FROM removed_jobs)'

export function anyRemoved(db: Db): boolean {
  return prepared(db, 'SELECT 1 FROM removed_jobs LIMIT 1').get() !== undefined
}

export function removedAt(db: Db, jobId: string): number | null {
  const sql = 'SELECT at_ms FROM removed_jobs WHERE job_id = ?'
  return prepared<[string], number>(db, sql).pluck(true).get(jobId) ?? null
}

export function countRemoved(db: Db): number {
  return prepared<[], number>(db, 'SELECT count(*) FROM removed_jobs').pluck(true).get() ?? 0
}

export interface Removal {
  ids: readonly string[]
  states: readonly JobState[]
  /** `settled`: only what needs no decision; `unsettled`: only what needs one. Never both at once. */
  kind: 'settled' | 'unsettled'
}

const STATES = { settled: SETTLED_STATES, unsettled: UNSETTLED_STATES } as const

/**
 * Removes ended jobs from the list, under an id by which `putBackRemoved` finds them until `purgeRemoved`. Returns how many were
 * removed, and how many of the requested ones were not.
 */
export function removeEnded(
  db: Db,
  which: Removal,
  undoId: string,
  nowMs: number,
): { removed: number; left: Partial<Record<JobState, number>> } {
  const taken = STATES[which.kind].map((state) => `'${state}'`).join(', ')
  const into = 'INSERT OR IGNORE INTO removed_jobs (job_id, undo_id, at_ms)'
  return transact(db, () => {
    let removed = 0
    const left: Partial<Record<JobState, number>> = {}
    const leave = (state: JobState, n: number) => {
      if (n > 0) left[state] = (left[state] ?? 0) + n
    }
    const byId = prepared(db, `${into} SELECT id, ?, ? FROM jobs WHERE id = ? AND state IN (${taken})`)
    const sql = `SELECT state FROM jobs WHERE id = ? AND state NOT IN (${taken}) AND ${NOT_REMOVED}`
    const stateOf = prepared<[string], JobState>(db, sql).pluck(true)
    for (const id of which.ids) {
      const state = stateOf.get(id)
      if (state === undefined) removed += byId.run(undoId, nowMs, id).changes
      else leave(state, 1)
    }
    const byState = prepared(db, `${into} SELECT id, ?, ? FROM jobs WHERE state = ? AND state IN (${taken})`)
    const countSql = `SELECT count(*) FROM jobs WHERE state = ? AND state NOT IN (${taken}) AND ${NOT_REMOVED}`
    const inState = prepared<[string], number>(db, countSql).pluck(true)
    for (const state of which.states) {
      removed += byState.run(undoId, nowMs, state).changes
      leave(state, inState.get(state) ?? 0)
    }
    return { removed, left }
  })
}

/** Puts back the jobs of one removal, or the given ones, if they still exist; with neither, those of the last removal. */
export function putBackRemoved(db: Db, which: { undoId: string | null; ids: readonly string[] }): number {
  return transact(db, () => {
    if (which.ids.length > 0) {
      const byId = prepared(db, 'DELETE FROM removed_jobs WHERE job_id = ?')
      return which.ids.reduce((sum, id) => sum + byId.run(id).changes, 0)
    }
    const last = 'SELECT undo_id FROM removed_jobs ORDER BY at_ms DESC LIMIT 1'
    const undoId = which.undoId ?? prepared<[], string>(db, last).pluck(true).get()
    return prepared(db, 'DELETE FROM removed_jobs WHERE undo_id = ?').run(undoId ?? '').changes
  })
}

/** Deletes some of the jobs removed before a time; false when none are left. Payments and outputs stay known. */
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
