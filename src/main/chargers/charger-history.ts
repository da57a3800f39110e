import { mkdirSync, renameSync } from 'node:fs'
import { dirname } from 'node:path'
import Database from 'better-sqlite3'
import type { ChargePoint } from '../../shared/charger.ts'
import type { ChargerLogEntry, ChargerPast } from '../../shared/charger-status.ts'
import { liveStatusOf, syncedAtMs } from '../../shared/chargers/live-state.ts'
import {
  errorShare,
  KNOWN_FOR_MS,
  lastChargingMs,
  stateSpans,
  type KnownTime,
  type StateChange,
} from '../../shared/chargers/history.ts'
import type { Logger } from '../../shared/ports.ts'
import { prepared } from '../journal/journal.ts'
import { yieldToEventLoop } from './charger-set.ts'

const DAY_MS = 86_400_000
/** Nothing older is kept. */
const KEPT_DAYS = 365
/** Of older changes only those are kept that begin or end an outage, or the charger's being listed. */
const WHOLE_DAYS = 31
/** The oldest go first beyond this: some 200 MB. */
const MAX_CHANGES = 3_000_000
const THIN_EVERY_MS = DAY_MS
/** Spans of this many days are told. */
const SHOWN_DAYS = 30
const MAX_SHOWN_SPANS = 1000
/** Written at once: some five milliseconds. */
const SLICE = 500
/** Compared at once, with the same in mind. */
const COMPARED_SLICE = 2000

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS chargers (
    id INTEGER PRIMARY KEY, icao TEXT, airfield TEXT, first_ms REAL NOT NULL, charging_ms REAL, kind TEXT NOT NULL, state TEXT
  ) STRICT;
  CREATE TABLE IF NOT EXISTS changes (
    id INTEGER NOT NULL, at_ms REAL NOT NULL, before TEXT, kind TEXT NOT NULL, state TEXT, PRIMARY KEY (id, at_ms)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS changes_by_time ON changes (at_ms, id);
  CREATE TABLE IF NOT EXISTS known (from_ms REAL PRIMARY KEY, to_ms REAL NOT NULL) STRICT, WITHOUT ROWID;
  PRAGMA user_version = 1;
`

interface Known {
  kind: string
  state: string | null
}

/**
 * The states of one service's chargers over a year, in a SQLite file of its own: a row for each change, and the times in which
 * refreshes came often enough to know. A file that cannot be used is put aside.
 */
export class ChargerHistory {
  readonly #db: Database.Database
  /** What was recorded last, by charger. */
  readonly #last = new Map<number, Known>()
  #thinnedMs = -Infinity

  private constructor(db: Database.Database) {
    this.#db = db
    const rows = db.prepare<[], Known & { id: number }>('SELECT id, kind, state FROM chargers').all()
    for (const { id, kind, state } of rows) this.#last.set(id, { kind, state })
  }

  /** For a path of null nothing outlives the process. */
  static open(path: string | null, log: Logger): ChargerHistory {
    if (path === null) return new ChargerHistory(openDatabase(':memory:'))
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    try {
      return new ChargerHistory(openDatabase(path))
    } catch (error) {
      log.warn('the history of the chargers cannot be used and is put aside', { code: codeOf(error) })
      for (const suffix of ['', '-wal', '-shm'])
        try {
          renameSync(path + suffix, `${path}.broken${suffix}`)
        } catch {
          // It is not there.
        }
      return new ChargerHistory(openDatabase(path))
    }
  }

  /** Null when there is none. For another process: nothing is recorded through it. */
  static openForReading(path: string): ChargerHistory | null {
    try {
      return new ChargerHistory(new Database(path, { readonly: true, fileMustExist: true }))
    } catch {
      return null
    }
  }

  /** Notes what one refresh found; `isComplete`: chargers that are not in it are gone. */
  async record(
    chargers: readonly ChargePoint[],
    { atMs, isComplete }: { atMs: number; isComplete: boolean },
  ): Promise<void> {
    const changed: { charger: Pick<ChargePoint, 'id' | 'icao' | 'airfield'>; now: Known }[] = []
    const listed = new Set<number>()
    for (const [at, charger] of chargers.entries()) {
      if (at % COMPARED_SLICE === 0) await yieldToEventLoop()
      listed.add(charger.id)
      const now = knownOf(charger, atMs)
      const before = this.#last.get(charger.id)
      if (before?.kind !== now.kind || before.state !== now.state) changed.push({ charger, now })
    }
    if (isComplete)
      for (const [id, { kind }] of this.#last)
        if (!listed.has(id) && kind !== 'gone')
          changed.push({ charger: { id, icao: null, airfield: null }, now: { kind: 'gone', state: null } })
    if (!this.#db.open) return
    this.#extendKnown(atMs)
    for (let at = 0; at < changed.length; at += SLICE) {
      this.#db.transaction(() => {
        for (const { charger, now } of changed.slice(at, at + SLICE)) this.#change(charger, now, atMs)
      })()
      await yieldToEventLoop()
      if (!this.#db.open) return
    }
    if (atMs - this.#thinnedMs >= THIN_EVERY_MS) this.#thin(atMs)
  }

  #extendKnown(atMs: number): void {
    const last = this.#db
      .prepare<[], { from_ms: number; to_ms: number }>('SELECT from_ms, to_ms FROM known ORDER BY from_ms DESC LIMIT 1')
      .get()
    if (last !== undefined && atMs >= last.to_ms && atMs - last.to_ms <= KNOWN_FOR_MS)
      this.#db.prepare('UPDATE known SET to_ms = ? WHERE from_ms = ?').run(atMs, last.from_ms)
    else this.#db.prepare('INSERT OR IGNORE INTO known (from_ms, to_ms) VALUES (?, ?)').run(atMs, atMs)
  }

  #change({ id, icao, airfield }: Pick<ChargePoint, 'id' | 'icao' | 'airfield'>, now: Known, atMs: number): void {
    const before = this.#last.get(id)
    const chargingMs = isCharging(now) || isCharging(before) ? atMs : null
    prepared(
      this.#db,
      `INSERT INTO chargers (id, icao, airfield, first_ms, charging_ms, kind, state) VALUES (?, ?, ?, ?, ?, ?, ?)
         ON CONFLICT (id) DO UPDATE SET icao = coalesce(excluded.icao, icao), airfield = coalesce(excluded.airfield, airfield),
         charging_ms = coalesce(excluded.charging_ms, charging_ms), kind = excluded.kind, state = excluded.state`,
    ).run(id, icao, airfield, atMs, chargingMs, now.kind, now.state)
    prepared(this.#db, 'INSERT OR REPLACE INTO changes (id, at_ms, before, kind, state) VALUES (?, ?, ?, ?, ?)').run(
      id,
      atMs,
      before?.kind ?? null,
      now.kind,
      now.state,
    )
    this.#last.set(id, now)
  }

  /** Keeps the file bounded: a year, of which all but the last month in less detail. */
  #thin(nowMs: number): void {
    this.#thinnedMs = nowMs
    const yearMs = nowMs - KEPT_DAYS * DAY_MS
    this.#db.transaction(() => {
      // The last change before the year is the state with which it begins.
      this.#db
        .prepare(
          'DELETE FROM changes WHERE at_ms < ? AND EXISTS (SELECT 1 FROM changes AS later WHERE later.id = changes.id AND later.at_ms > changes.at_ms AND later.at_ms <= ?)',
        )
        .run(yearMs, yearMs)
      this.#db.prepare('DELETE FROM known WHERE to_ms < ?').run(yearMs)
      this.#db
        .prepare(
          `DELETE FROM changes WHERE at_ms < ? AND before IS NOT NULL AND kind NOT IN ('broken', 'gone') AND before NOT IN ('broken', 'gone')`,
        )
        .run(nowMs - WHOLE_DAYS * DAY_MS)
      const { count } = this.#db.prepare<[], { count: number }>('SELECT count(*) AS count FROM changes').get()!
      if (count > MAX_CHANGES)
        this.#db
          .prepare('DELETE FROM changes WHERE (id, at_ms) IN (SELECT id, at_ms FROM changes ORDER BY at_ms LIMIT ?)')
          .run(count - MAX_CHANGES)
      this.#db.prepare(`DELETE FROM chargers WHERE kind = 'gone' AND id NOT IN (SELECT id FROM changes)`).run()
    })()
  }

  /** Null for a charger that no refresh has found. */
  past(id: number, nowMs: number): ChargerPast | null {
    const one = this.#db
      .prepare<[number], { first_ms: number; charging_ms: number | null; kind: string }>(
        'SELECT first_ms, charging_ms, kind FROM chargers WHERE id = ?',
      )
      .get(id)
    if (one === undefined) return null
    const changes = this.#db
      .prepare<[number], StateChange>('SELECT at_ms AS atMs, kind, state FROM changes WHERE id = ? ORDER BY at_ms')
      .all(id)
    const known = this.#db
      .prepare<[], KnownTime>('SELECT from_ms AS fromMs, to_ms AS toMs FROM known ORDER BY from_ms')
      .all()
    const spans = stateSpans(changes, known, nowMs - SHOWN_DAYS * DAY_MS)
    return {
      firstSeenMs: one.first_ms,
      goneMs: one.kind === 'gone' ? (changes.at(-1)?.atMs ?? null) : null,
      lastChargingMs: lastChargingMs(spans) ?? one.charging_ms,
      lastRefreshMs: known.at(-1)?.toMs ?? null,
      shares: [errorShare(spans, 7, nowMs), errorShare(spans, SHOWN_DAYS, nowMs)],
      spans: spans.slice(-MAX_SHOWN_SPANS),
    }
  }

  /** The newest first; a charger's first appearance is told too, except in the first refresh of all. */
  log({ beforeMs, id, limit }: { beforeMs: number | null; id: number | null; limit: number }): ChargerLogEntry[] {
    return this.#db
      .prepare<[number, number | null, number | null, number], ChargerLogEntry>(
        `SELECT changes.at_ms AS atMs, changes.id AS id, icao, airfield, before, changes.kind AS kind, changes.state AS state
         FROM changes JOIN chargers ON chargers.id = changes.id
         WHERE changes.at_ms < ? AND (? IS NULL OR changes.id = ?)
         AND (before IS NOT NULL OR changes.at_ms > (SELECT min(from_ms) FROM known))
         ORDER BY changes.at_ms DESC, changes.id LIMIT ?`,
      )
      .all(beforeMs ?? Number.MAX_VALUE, id, id, limit)
  }

  close(): void {
    this.#db.close()
  }
}

function openDatabase(path: string): Database.Database {
  const db = new Database(path)
  try {
    db.pragma('journal_mode = WAL')
    db.pragma('synchronous = NORMAL')
    db.exec(SCHEMA)
    return db
  } catch (error) {
    db.close()
    throw error
  }
}

function knownOf(charger: ChargePoint, atMs: number): Known {
  const { liveClass } = liveStatusOf({ charger, syncedAtMs: syncedAtMs(charger.liveStateSyncedAt) }, atMs)
  return { kind: liveClass, state: liveClass === 'stale' ? null : charger.liveState }
}

const isCharging = (known: Known | undefined) => known?.state === 'busy-charging'

const codeOf = (error: unknown) => (error as { code?: string }).code ?? 'unknown'
