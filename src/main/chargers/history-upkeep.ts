import type Database from 'better-sqlite3'
import { yieldToEventLoop } from './charger-set.ts'
import { agedMs, type KnownTime } from '../../shared/chargers/history.ts'

/** Older changes are deleted, except the one that says in which state this time begins. */
const KEPT_DAYS = 365
/** Of older changes, only those remain that begin or end an outage or the charger's presence in the list. */
const WHOLE_DAYS = 31
/** Beyond this, about 200 MB, the oldest are deleted first. */
const MAX_CHANGES = 3_000_000

/** Chargers per transaction: with some sixty changes each, about ten milliseconds. */
const CHARGERS_SLICE = 100
/** Changes per transaction, where the oldest have to go. */
const CHANGES_SLICE = 250

/** SQL: a later change of the same charger exists, so this one is not needed for the state in which a period begins. */
const IS_FOLLOWED =
  'EXISTS (SELECT 1 FROM changes AS later WHERE later.id = changes.id AND later.at_ms > changes.at_ms AND later.at_ms <= ?)'

/**
 * Keeps the file of a `ChargerHistory` bounded: one year, of which all but the last month is in less detail. The last change of a
 * charger before the year, and before the month, stays: it says in which state that period begins. Works
 * in slices that let other work go on, and ends early when the file is closed; the rest is done the next time.
 */
export async function thinHistory(db: Database.Database, nowMs: number, mostChanges = MAX_CHANGES): Promise<void> {
  const known = db.prepare<[], KnownTime>('SELECT from_ms AS fromMs, to_ms AS toMs FROM known ORDER BY from_ms').all()
  const [yearMs, monthMs] = [agedMs(known, nowMs, KEPT_DAYS), agedMs(known, nowMs, WHOLE_DAYS)]
  db.transaction(() => {
    db.prepare('DELETE FROM known WHERE to_ms < ?').run(yearMs)
    db.prepare('DELETE FROM missed WHERE to_ms < ?').run(yearMs)
  })()
  const ids = db.prepare('SELECT id FROM chargers ORDER BY id').pluck().all() as number[]
  let count = 0
  for (let at = 0; at < ids.length; at += CHARGERS_SLICE) {
    await yieldToEventLoop()
    if (!db.open) return
    const slice = ids.slice(at, at + CHARGERS_SLICE)
    count += db.transaction(() => thinChargers(db, [slice[0]!, slice.at(-1)!], yearMs, monthMs))()
  }
  if (count > mostChanges) await dropOldest(db, count - mostChanges)
}

/** How many changes are left of the chargers with ids from the first to the last. */
function thinChargers(db: Database.Database, ids: readonly [number, number], yearMs: number, monthMs: number): number {
  const ofThem = 'id BETWEEN ? AND ?'
  db.prepare(`DELETE FROM changes WHERE ${ofThem} AND at_ms < ? AND (kind = 'gone' OR ${IS_FOLLOWED})`).run(
    ...ids,
    yearMs,
    yearMs,
  )
  db.prepare(
    `DELETE FROM changes WHERE ${ofThem} AND at_ms < ? AND before IS NOT NULL AND kind NOT IN ('broken', 'gone')
       AND before NOT IN ('broken', 'gone') AND ${IS_FOLLOWED}`,
  ).run(...ids, monthMs, monthMs)
  db.prepare(
    `DELETE FROM chargers WHERE ${ofThem} AND kind = 'gone' AND NOT EXISTS (SELECT 1 FROM changes WHERE changes.id = chargers.id)`,
  ).run(...ids)
  return db
    .prepare(`SELECT count(*) FROM changes WHERE ${ofThem}`)
    .pluck()
    .get(...ids) as number
}

/** All but the last one of each charger may go. */
async function dropOldest(db: Database.Database, excess: number): Promise<void> {
  const oldest = db.prepare<[number, number], { at_ms: number; id: number }>(
    `SELECT at_ms, id FROM changes WHERE (at_ms, id) > (?, ?) ORDER BY at_ms, id LIMIT ${CHANGES_SLICE}`,
  )
  const drop = db.prepare<[number, number, number]>(`DELETE FROM changes WHERE id = ? AND at_ms = ? AND ${IS_FOLLOWED}`)
  let [left, last] = [excess, { at_ms: -Infinity, id: 0 }]
  while (left > 0) {
    await yieldToEventLoop()
    if (!db.open) return
    const slice = oldest.all(last.at_ms, last.id)
    if (slice.length === 0) return
    db.transaction(() => {
      for (const { at_ms, id } of slice) if (left > 0) left -= drop.run(id, at_ms, Number.MAX_VALUE).changes
    })()
    last = slice.at(-1)!
  }
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
