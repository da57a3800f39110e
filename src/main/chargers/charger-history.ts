import { mkdirSync, renameSync } from 'node:fs'
import { dirname } from 'node:path'
import Database from 'better-sqlite3'
import type { ChargePoint } from '../../shared/chargers/charger.ts'
import type { ChargerLogEntry, ChargerPast, LogPosition } from '../../shared/chargers/charger-status.ts'
import { liveStatusOf, syncedAtMs } from '../../shared/chargers/live-state.ts'
import {
  errorShare,
  CHARGING,
  KNOWN_FOR_MS,
  stateSpans,
  withoutMissed,
  type KnownTime,
  type StateChange,
} from '../../shared/chargers/history.ts'
import type { Logger } from '../../shared/runtime/ports.ts'
import { prepared } from '../journal/journal.ts'
import { yieldToEventLoop } from './charger-set.ts'
import { forgetAfter, thinHistory } from './history-upkeep.ts'

const DAY_MS = 86_400_000
const THIN_EVERY_MS = DAY_MS
/** A clock that stays behind the last refresh for this long is right, and the one before it was wrong. */
const BEHIND_FOR_MS = DAY_MS
/** How many days of spans the history of a charger shows. */
const SHOWN_DAYS = 30
const MAX_SHOWN_SPANS = 1000
/** Rows written in one transaction, which takes about five milliseconds. */
const SLICE = 500
/** Chargers compared before other work gets a turn; that takes about as long. */
const COMPARED_SLICE = 2000
const VERSION = 1

/**
 * - `chargers.charging_ms`: when a refresh last found the charger charging, or its sync if that was earlier.
 * - `known`: periods in which refreshes came often enough to be sure of the states.
 * - `missed`: periods in which no refresh listed the charger, though none proved it gone; `to_ms` is null in the current one.
 * - `refreshes`, one row: the first refresh with a complete list, the last one recorded, and, while the clock is behind that one, the
 *   first refresh since.
 */
const SCHEMA = `
  CREATE TABLE IF NOT EXISTS chargers (
    id INTEGER PRIMARY KEY, icao TEXT, airfield TEXT, first_ms REAL NOT NULL, charging_ms REAL, kind TEXT NOT NULL, state TEXT
  ) STRICT;
  CREATE TABLE IF NOT EXISTS changes (
    id INTEGER NOT NULL, at_ms REAL NOT NULL, before TEXT, kind TEXT NOT NULL, state TEXT, PRIMARY KEY (id, at_ms)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS changes_by_time ON changes (at_ms, id);
  CREATE TABLE IF NOT EXISTS known (from_ms REAL PRIMARY KEY, to_ms REAL NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS missed (
    id INTEGER NOT NULL, from_ms REAL NOT NULL, to_ms REAL, PRIMARY KEY (id, from_ms)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS refreshes (
    one INTEGER PRIMARY KEY CHECK (one = 1), complete_ms REAL, last_ms REAL, behind_ms REAL
  ) STRICT;
  INSERT OR IGNORE INTO refreshes SELECT 1, min(from_ms), max(to_ms), NULL FROM known;
  PRAGMA user_version = ${VERSION};
`

interface Known {
  kind: string
  state: string | null
}

type Named = Pick<ChargePoint, 'id' | 'icao' | 'airfield'>

interface Refreshes {
  complete_ms: number | null
  last_ms: number | null
  behind_ms: number | null
}

/**
 * The states of one service's chargers over a year, in a SQLite file of its own: a row for each change, and the times in which
 * refreshes came often enough to know. A file that cannot be used is put aside.
 */
export class ChargerHistory {
  readonly #db: Database.Database
  /** What was recorded last, by charger. */
  readonly #last = new Map<number, Known>()
  /** When chargers were last listed that the latest refreshes did not list, without proof that they are gone. */
  readonly #missed = new Map<number, number>()
  #thinnedMs = -Infinity

  private constructor(db: Database.Database) {
    this.#db = db
  }

  /** With a null path the history is in memory and ends with the process. */
  static open(path: string | null, log: Logger): ChargerHistory {
    const opened = (at: string) => {
      const history = new ChargerHistory(openDatabase(at))
      history.#load()
      return history
    }
    if (path === null) return opened(':memory:')
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    try {
      return opened(path)
    } catch (error) {
      log.warn('the history of the chargers cannot be used and is put aside', { code: codeOf(error) })
      for (const suffix of ['', '-wal', '-shm'])
        try {
          renameSync(path + suffix, `${path}.broken${suffix}`)
        } catch {
          // There is no such file.
        }
      return opened(path)
    }
  }

  /** Null when there is none. For another process: nothing is recorded through it. */
  static openForReading(path: string): ChargerHistory | null {
    try {
      const db = new Database(path, { readonly: true, fileMustExist: true })
      if (versionOf(db) === VERSION) return new ChargerHistory(db)
      db.close()
      return null
    } catch {
      return null
    }
  }

  #load(): void {
    this.#last.clear()
    this.#missed.clear()
    const rows = this.#db.prepare<[], Known & { id: number }>('SELECT id, kind, state FROM chargers').all()
    for (const { id, kind, state } of rows) this.#last.set(id, { kind, state })
    const open = this.#db
      .prepare<[], { id: number; from_ms: number }>('SELECT id, from_ms FROM missed WHERE to_ms IS NULL')
      .all()
    for (const { id, from_ms } of open) this.#missed.set(id, from_ms)
  }

  #refreshes(): Refreshes {
    return prepared<[], Refreshes>(this.#db, 'SELECT complete_ms, last_ms, behind_ms FROM refreshes').get()!
  }

  /** Records what one refresh found. With `isComplete`, chargers that are not among them are gone. */
  async record(
    chargers: readonly ChargePoint[],
    { atMs, isComplete }: { atMs: number; isComplete: boolean },
  ): Promise<void> {
    if (!this.#db.open || !this.#isInOrder(atMs)) return
    const beforeMs = this.#refreshes().last_ms ?? atMs
    const writes: (() => void)[] = []
    const listed = new Set<number>()
    for (const [at, charger] of chargers.entries()) {
      if (at % COMPARED_SLICE === 0) await yieldToEventLoop()
      listed.add(charger.id)
      const now = knownOf(charger, atMs)
      const before = this.#last.get(charger.id)
      if (before?.kind !== now.kind || before.state !== now.state) writes.push(() => this.#change(charger, now, atMs))
      if (now.state === CHARGING) writes.push(() => this.#charging(charger, atMs))
      if (this.#missed.has(charger.id)) writes.push(() => this.#foundAgain(charger.id, atMs))
    }
    for (const [id, { kind }] of this.#last) {
      if (listed.has(id) || kind === 'gone') continue
      if (isComplete) {
        writes.push(() => this.#change({ id, icao: null, airfield: null }, { kind: 'gone', state: null }, atMs))
        if (this.#missed.has(id)) writes.push(() => this.#foundAgain(id, atMs))
      } else if (!this.#missed.has(id)) writes.push(() => this.#miss(id, beforeMs))
    }
    for (let at = 0; at < writes.length; at += SLICE) {
      if (!this.#db.open) return
      this.#db.transaction(() => {
        for (const write of writes.slice(at, at + SLICE)) write()
      })()
      await yieldToEventLoop()
    }
    if (!this.#db.open) return
    this.#noteRefresh(atMs, isComplete)
    if (atMs - this.#thinnedMs < THIN_EVERY_MS) return
    this.#thinnedMs = atMs
    await thinHistory(this.#db, atMs)
  }

  /**
   * Whether this refresh is later than the last one recorded. If not, the clock was wrong then or is wrong now, and nothing is
   * recorded, so that no period counts twice. When the clock stays behind for a day, it was wrong then: what was recorded for times
   * still to come is deleted.
   */
  #isInOrder(atMs: number): boolean {
    const { last_ms: lastMs, behind_ms: behindMs } = this.#refreshes()
    const note = (ms: number | null) => prepared(this.#db, 'UPDATE refreshes SET behind_ms = ?').run(ms)
    if (lastMs === null || atMs >= lastMs) {
      if (behindMs !== null) note(null)
      return true
    }
    if (behindMs === null || atMs < behindMs) note(atMs)
    else if (atMs - behindMs >= BEHIND_FOR_MS) {
      forgetAfter(this.#db, behindMs)
      this.#load()
      this.#thinnedMs = -Infinity
      return true
    }
    return false
  }

  /** To be called last: it declares the time up to this refresh known. */
  #noteRefresh(atMs: number, isComplete: boolean): void {
    const last = prepared<[], KnownTime>(this.#db, `${KNOWN_TIMES} DESC LIMIT 1`).get()
    this.#db.transaction(() => {
      if (last !== undefined && atMs - last.toMs <= KNOWN_FOR_MS)
        prepared(this.#db, 'UPDATE known SET to_ms = ? WHERE from_ms = ?').run(atMs, last.fromMs)
      else prepared(this.#db, 'INSERT INTO known (from_ms, to_ms) VALUES (?, ?)').run(atMs, atMs)
      prepared(this.#db, 'UPDATE refreshes SET last_ms = ?, complete_ms = coalesce(complete_ms, ?)').run(
        atMs,
        isComplete ? atMs : null,
      )
    })()
  }

  #change({ id, icao, airfield }: Named, now: Known, atMs: number): void {
    const before = this.#last.get(id)
    prepared(
      this.#db,
      `INSERT INTO chargers (id, icao, airfield, first_ms, kind, state) VALUES (?, ?, ?, ?, ?, ?)
         ON CONFLICT (id) DO UPDATE SET icao = coalesce(excluded.icao, icao), airfield = coalesce(excluded.airfield, airfield),
         kind = excluded.kind, state = excluded.state`,
    ).run(id, icao, airfield, atMs, now.kind, now.state)
    prepared(this.#db, 'INSERT OR REPLACE INTO changes (id, at_ms, before, kind, state) VALUES (?, ?, ?, ?, ?)').run(
      id,
      atMs,
      before?.kind ?? null,
      now.kind,
      now.state,
    )
    this.#last.set(id, now)
  }

  /** A state may be older than the refresh that found it, but not later. */
  #charging({ id, liveStateSyncedAt }: ChargePoint, atMs: number): void {
    prepared(this.#db, 'UPDATE chargers SET charging_ms = max(coalesce(charging_ms, 0), ?) WHERE id = ?').run(
      Math.min(atMs, syncedAtMs(liveStateSyncedAt) ?? atMs),
      id,
    )
  }

  #miss(id: number, sinceMs: number): void {
    prepared(this.#db, 'INSERT OR REPLACE INTO missed (id, from_ms, to_ms) VALUES (?, ?, NULL)').run(id, sinceMs)
    this.#missed.set(id, sinceMs)
  }

  /** An absence this short counts as the gap between two refreshes. */
  #foundAgain(id: number, atMs: number): void {
    const sinceMs = this.#missed.get(id)
    if (sinceMs === undefined) return
    if (atMs - sinceMs <= KNOWN_FOR_MS)
      prepared(this.#db, 'DELETE FROM missed WHERE id = ? AND from_ms = ?').run(id, sinceMs)
    else prepared(this.#db, 'UPDATE missed SET to_ms = ? WHERE id = ? AND from_ms = ?').run(atMs, id, sinceMs)
    this.#missed.delete(id)
  }

  /** Null for a charger that no refresh has found. */
  past(id: number, nowMs: number): ChargerPast | null {
    const one = prepared<
      [number],
      { icao: string | null; airfield: string | null; first_ms: number; charging_ms: number | null; kind: string }
    >(this.#db, 'SELECT icao, airfield, first_ms, charging_ms, kind FROM chargers WHERE id = ?').get(id)
    if (one === undefined) return null
    const changes = prepared<[number], StateChange>(
      this.#db,
      'SELECT at_ms AS atMs, kind, state FROM changes WHERE id = ? ORDER BY at_ms',
    ).all(id)
    const missed = prepared<[number], KnownTime>(
      this.#db,
      'SELECT from_ms AS fromMs, coalesce(to_ms, 1e300) AS toMs FROM missed WHERE id = ? ORDER BY from_ms',
    ).all(id)
    const known = prepared<[], KnownTime>(this.#db, KNOWN_TIMES).all()
    const spans = stateSpans(changes, withoutMissed(known, missed), {
      fromMs: nowMs - SHOWN_DAYS * DAY_MS,
      untilMs: nowMs,
    })
    return {
      icao: one.icao,
      airfield: one.airfield,
      firstSeenMs: one.first_ms,
      goneMs: one.kind === 'gone' ? (changes.at(-1)?.atMs ?? null) : null,
      lastChargingMs: one.charging_ms,
      lastRefreshMs: this.#refreshes().last_ms,
      shares: [errorShare(spans, 7, nowMs), errorShare(spans, SHOWN_DAYS, nowMs)],
      spans: spans.slice(-MAX_SHOWN_SPANS),
    }
  }

  /**
   * Newest first, changes of one refresh by descending id; `before` is the last entry returned so far, or null. A charger's first
   * appearance is an entry too, but only after a refresh was complete: before that it may only have been missing from a list.
   */
  log({ before, id, limit }: { before: LogPosition | null; id: number | null; limit: number }): ChargerLogEntry[] {
    const from = before ?? { atMs: Number.MAX_VALUE, id: Number.MAX_SAFE_INTEGER }
    const ofOne = id === null ? [] : [id]
    return prepared<number[], ChargerLogEntry>(
      this.#db,
      `SELECT changes.at_ms AS atMs, changes.id AS id, icao, airfield, before, changes.kind AS kind, changes.state AS state
         FROM changes JOIN chargers ON chargers.id = changes.id
         WHERE (changes.at_ms, changes.id) < (?, ?) ${id === null ? '' : 'AND changes.id = ?'}
         AND (before IS NOT NULL OR changes.at_ms > (SELECT coalesce(complete_ms, 1e300) FROM refreshes))
         ORDER BY changes.at_ms DESC, changes.id DESC LIMIT ?`,
    ).all(from.atMs, from.id, ...ofOne, limit)
  }

  /** The last kind of this charger before `atMs` other than `stale`; null when nothing else is recorded. */
  kindBefore(id: number, atMs: number): string | null {
    const found = prepared<[number, number], { kind: string }>(
      this.#db,
      `SELECT kind FROM changes WHERE id = ? AND at_ms < ? AND kind <> 'stale' ORDER BY at_ms DESC LIMIT 1`,
    ).get(id, atMs)
    return found?.kind ?? null
  }

  close(): void {
    this.#db.close()
  }
}

const KNOWN_TIMES = 'SELECT from_ms AS fromMs, to_ms AS toMs FROM known ORDER BY from_ms'

function openDatabase(path: string): Database.Database {
  const db = new Database(path)
  try {
    db.pragma('journal_mode = WAL')
    db.pragma('synchronous = NORMAL')
    if (![0, VERSION].includes(versionOf(db))) throw new Error('another version of it')
    db.transaction(() => db.exec(SCHEMA))()
    return db
  } catch (error) {
    db.close()
    throw error
  }
}

const versionOf = (db: Database.Database) => Number(db.pragma('user_version', { simple: true }))

function knownOf(charger: ChargePoint, atMs: number): Known {
  const { liveClass } = liveStatusOf({ charger, syncedAtMs: syncedAtMs(charger.liveStateSyncedAt) }, atMs)
  return { kind: liveClass, state: liveClass === 'stale' ? null : charger.liveState }
}

const codeOf = (error: unknown) => (error as { code?: string }).code ?? 'unknown'
