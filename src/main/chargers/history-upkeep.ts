import type Database from 'better-sqlite3'
import { agedMs, type KnownTime } from '../../shared/chargers/history.ts'

/** Older changes are deleted, except the one that says in which state this time begins. */
const KEPT_DAYS = 365
/** Of older changes, only those remain that begin or end an outage or the charger's presence in the list. */
const WHOLE_DAYS = 31
/** Beyond this, about 200 MB, the oldest are deleted first. */
const MAX_CHANGES = 3_000_000

/** SQL: a later change of the same charger exists, so this one is not needed for the state in which a period begins. */
const IS_FOLLOWED =
  'EXISTS (SELECT 1 FROM changes AS later WHERE later.id = changes.id AND later.at_ms > changes.at_ms AND later.at_ms <= ?)'

/**
 * Keeps the file of a `ChargerHistory` bounded: one year, of which all but the last month is in less detail. The last change of a
 * charger before the year, and before the month, stays: it says in which state that period begins.
 */
export function thinHistory(db: Database.Database, nowMs: number, mostChanges = MAX_CHANGES): void {
  const known = db.prepare<[], KnownTime>('SELECT from_ms AS fromMs, to_ms AS toMs FROM known ORDER BY from_ms').all()
  const [yearMs, monthMs] = [agedMs(known, nowMs, KEPT_DAYS), agedMs(known, nowMs, WHOLE_DAYS)]
  db.transaction(() => {
    db.prepare(`DELETE FROM changes WHERE at_ms < ? AND (kind = 'gone' OR ${IS_FOLLOWED})`).run(yearMs, yearMs)
    db.prepare('DELETE FROM known WHERE to_ms < ?').run(yearMs)
    db.prepare('DELETE FROM missed WHERE to_ms < ?').run(yearMs)
    db.prepare(
      `DELETE FROM changes WHERE at_ms < ? AND before IS NOT NULL AND kind NOT IN ('broken', 'gone')
         AND before NOT IN ('broken', 'gone') AND ${IS_FOLLOWED}`,
    ).run(monthMs, monthMs)
    const { count } = db.prepare<[], { count: number }>('SELECT count(*) AS count FROM changes').get()!
    if (count > mostChanges)
      db.prepare(
        `DELETE FROM changes WHERE (id, at_ms) IN (SELECT id, at_ms FROM changes WHERE ${IS_FOLLOWED} ORDER BY at_ms LIMIT ?)`,
      ).run(Number.MAX_VALUE, count - mostChanges)
    db.prepare(`DELETE FROM chargers WHERE kind = 'gone' AND id NOT IN (SELECT id FROM changes)`).run()
  })()
}

/** Undoes everything that was recorded at later times, because the clock was wrong then. */
export function forgetAfter(db: Database.Database, ms: number): void {
  db.transaction(() => {
    db.prepare('DELETE FROM changes WHERE at_ms > ?').run(ms)
    db.prepare('DELETE FROM known WHERE from_ms > ?').run(ms)
    db.prepare('UPDATE known SET to_ms = ? WHERE to_ms > ?').run(ms, ms)
    db.prepare('DELETE FROM missed WHERE from_ms > ?').run(ms)
    db.prepare('UPDATE missed SET to_ms = NULL WHERE to_ms > ?').run(ms)
    db.prepare('DELETE FROM chargers WHERE id NOT IN (SELECT id FROM changes)').run()
    db.prepare(
      `UPDATE chargers SET kind = last.kind, state = last.state
         FROM (SELECT id, kind, state, max(at_ms) FROM changes GROUP BY id) AS last WHERE last.id = chargers.id`,
    ).run()
    db.prepare(
      `UPDATE chargers SET charging_ms =
         (SELECT max(at_ms) FROM changes WHERE changes.id = chargers.id AND state = 'busy-charging') WHERE charging_ms > ?`,
    ).run(ms)
    db.prepare(
      `UPDATE refreshes SET complete_ms = iif(complete_ms > ?, NULL, complete_ms), behind_ms = NULL,
         last_ms = (SELECT max(to_ms) FROM known)`,
    ).run(ms)
  })()
}
