import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ChargerHistory } from '../../src/main/chargers/charger-history.ts'
import { thinHistory } from '../../src/main/chargers/history-upkeep.ts'
import { quiet } from '../simulation/world.ts'
import { charger } from '../shared/chargers/any-charger.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const START = Date.UTC(2026, 0, 1)
const one = (atMs: number, liveState: string | null, id = 7) =>
  charger({ id, icao: 'EDAZ', airfield: 'Schönhagen', liveState, liveStateSyncedAt: new Date(atMs).toISOString() })

let dir: string
let history: ChargerHistory
const path = () => join(dir, 'chargers', 'x.history.db')
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'hangar-history-'))
  history = ChargerHistory.open(path(), quiet)
})
afterEach(async () => {
  history.close()
  await rm(dir, { recursive: true, force: true })
})

/** A refresh each hour; `states` in order. */
async function refresh(fromMs: number, states: readonly (string | null)[], isComplete = true): Promise<number> {
  for (const [at, state] of states.entries())
    await history.record([one(fromMs + at * HOUR, state)], { atMs: fromMs + at * HOUR, isComplete })
  return fromMs + (states.length - 1) * HOUR
}

describe('The history of a charger', () => {
  it('tells when it was first seen, last charging, and its share of time out of order', async () => {
    const endMs = await refresh(START, [
      'available',
      'busy-charging',
      'busy-charging',
      'error',
      'available',
      'available',
    ])
    expect(history.past(7, endMs)).toMatchObject({
      firstSeenMs: START,
      goneMs: null,
      lastChargingMs: START + 2 * HOUR,
      lastRefreshMs: endMs,
      shares: [
        { days: 7, knownMs: 5 * HOUR, brokenMs: HOUR },
        { days: 30, knownMs: 5 * HOUR, brokenMs: HOUR },
      ],
    })
    expect(history.past(7, endMs)?.spans.map(({ kind }) => kind)).toEqual(['free', 'busy', 'broken', 'free'])
    expect(history.past(8, endMs)).toBeNull()
  })

  const lastCharging = (nowMs: number) => history.past(7, nowMs)!.lastChargingMs

  it('was last seen charging when a refresh saw it, however long after that the next one found it free or gone', async () => {
    await refresh(START, ['busy-charging'])
    await refresh(START + 4 * DAY, ['available'])
    expect(lastCharging(START + 4 * DAY)).toBe(START)
    await refresh(START + 5 * DAY, ['busy-charging', 'busy-charging'])
    await history.record([], { atMs: START + 9 * DAY, isComplete: true })
    expect(lastCharging(START + 9 * DAY)).toBe(START + 5 * DAY + HOUR)
  })

  it('is put aside when it is of another version, and read by no other process', async () => {
    await refresh(START, ['busy-charging'])
    history.close()
    const db = new Database(path())
    db.pragma('user_version = 3')
    db.close()
    expect(ChargerHistory.openForReading(path())).toBeNull()
    history = ChargerHistory.open(path(), quiet)
    expect(history.past(7, START)).toBeNull()
  })

  it('was last seen charging at the sync of that state, and no longer while the sync has stopped', async () => {
    const stopped = one(START, 'busy-charging')
    for (const minutes of [0, 20, 40, 80]) {
      await history.record([stopped], { atMs: START + minutes * 60_000, isComplete: true })
      expect(lastCharging(START + minutes * 60_000)).toBe(START)
    }
    const ahead = one(START + 2 * HOUR + 60_000, 'busy-charging')
    await history.record([ahead], { atMs: START + 2 * HOUR, isComplete: true })
    expect(lastCharging(START + 2 * HOUR)).toBe(START + 2 * HOUR)
  })

  it('was last seen charging at the newest sight of it, though an older one lasted longer', async () => {
    await refresh(START, ['busy-charging', 'busy-charging', 'available'])
    await refresh(START + 3 * DAY, ['busy-charging'])
    await refresh(START + 6 * DAY, ['available'])
    expect(lastCharging(START + 6 * DAY)).toBe(START + 3 * DAY)
  })

  it('knows nothing of the time without refreshes, nor of states that were out of date', async () => {
    await refresh(START, ['error', 'error'])
    const later = START + 5 * DAY
    const endMs = await refresh(later, ['available', 'available'])
    expect(history.past(7, endMs)).toMatchObject({
      spans: [
        { fromMs: START, toMs: START + HOUR, kind: 'broken' },
        { fromMs: later, toMs: endMs, kind: 'free' },
      ],
      shares: [{ knownMs: 2 * HOUR, brokenMs: HOUR }, { knownMs: 2 * HOUR }],
    })
    await history.record([one(endMs - 3 * HOUR, 'error')], { atMs: endMs + HOUR, isComplete: true })
    await history.record([one(endMs - 3 * HOUR, 'error')], { atMs: endMs + 2 * HOUR, isComplete: true })
    expect(history.past(7, endMs + 2 * HOUR)?.shares[0]).toMatchObject({ knownMs: 3 * HOUR, brokenMs: HOUR })
  })

  it('says since when it is gone, which only a complete list can tell, and that it is back', async () => {
    await refresh(START, ['available'])
    await history.record([], { atMs: START + HOUR, isComplete: false })
    expect(history.past(7, START + HOUR)?.goneMs).toBeNull()
    await history.record([], { atMs: START + 2 * HOUR, isComplete: true })
    expect(history.past(7, START + 2 * HOUR)?.goneMs).toBe(START + 2 * HOUR)
    await refresh(START + 3 * HOUR, ['available'])
    expect(history.past(7, START + 3 * HOUR)).toMatchObject({ firstSeenMs: START, goneMs: null })
  })

  it('is a log of changes, newest first and page by page, without the first list of all', async () => {
    await refresh(START, ['available', 'error', 'available'])
    await history.record([one(START + 3 * HOUR, 'available'), one(START + 3 * HOUR, 'error', 9)], {
      atMs: START + 3 * HOUR,
      isComplete: true,
    })
    const log = (part: object = {}) => history.log({ before: null, id: null, limit: 10, ...part })
    expect(log().map(({ id, before, kind }) => [id, before, kind])).toEqual([
      [9, null, 'broken'],
      [7, 'broken', 'free'],
      [7, 'free', 'broken'],
    ])
    expect(log()[1]).toMatchObject({ icao: 'EDAZ', airfield: 'Schönhagen', atMs: START + 2 * HOUR, state: 'available' })
    expect(log({ limit: 1, before: { atMs: START + 3 * HOUR, id: 9 } })).toMatchObject([{ atMs: START + 2 * HOUR }])
    expect(log({ id: 9 })).toHaveLength(1)
  })

  it('goes on after a restart, and can be read by another process meanwhile', async () => {
    await refresh(START, ['available', 'error'])
    const reader = ChargerHistory.openForReading(path())!
    expect(reader.past(7, START + HOUR)?.spans).toHaveLength(1)
    history.close()
    history = ChargerHistory.open(path(), quiet)
    await refresh(START + 2 * HOUR, ['error', 'available'])
    expect(reader.past(7, START + 3 * HOUR)?.spans.map(({ kind }) => kind)).toEqual(['free', 'broken'])
    reader.close()
    expect(ChargerHistory.openForReading(join(dir, 'none.db'))).toBeNull()
  })

  it('goes through all changes of one refresh page by page, without a jump or a repetition', async () => {
    const all = (liveState: string) => Array.from({ length: 1550 }, (_, id) => one(START, liveState, id))
    await history.record(all('available'), { atMs: START, isComplete: true })
    await history.record(all('error'), { atMs: START + 60_000, isComplete: true })
    const listed: number[] = []
    let before: { atMs: number; id: number } | null = null
    for (let page = 0; page < 17; page += 1) {
      const entries = history.log({ before, id: null, limit: 100 })
      listed.push(...entries.map(({ id }) => id))
      before = entries.at(-1) ?? before
    }
    expect(listed).toHaveLength(1550)
    expect(new Set(listed).size).toBe(1550)
    expect(history.log({ before: { atMs: START + 60_000, id: 7 }, id: 7, limit: 10 })).toEqual([])
  })

  /** A refresh each day; the charger is in a state from that day on. */
  async function days(from: number, to: number, stateAt: (day: number) => string | null, isOld = (_: number) => false) {
    for (let day = from; day <= to; day += 1) {
      const atMs = START + day * DAY
      const syncedMs = isOld(day) ? atMs - 5 * HOUR : atMs
      const found = { ...one(atMs, stateAt(day)), liveStateSyncedAt: new Date(syncedMs).toISOString() }
      await history.record([found], { atMs, isComplete: true })
    }
  }
  const kinds = () =>
    history
      .log({ before: null, id: 7, limit: 1000 })
      .map(({ kind }) => kind)
      .reverse()

  it('is kept for a year, of which all but the last month is outages alone', async () => {
    const first = ['available', 'busy', 'error', 'available', 'busy', 'available']
    await days(0, 100, (day) => first[day] ?? 'busy')
    expect(kinds()).toEqual(['broken', 'free', 'busy'])
    await days(101, 500, () => 'available')
    expect(kinds()).toEqual(['free'])
    expect(history.past(7, START + 500 * DAY)?.firstSeenMs).toBe(START)
  })

  it('does not take a state for known again when the change that ended it is a month old', async () => {
    await days(
      0,
      60,
      () => 'available',
      (day) => day >= 10,
    )
    const nowMs = START + 60 * DAY + HOUR
    const found = { ...one(nowMs, 'available'), liveStateSyncedAt: new Date(START + 9 * DAY).toISOString() }
    await history.record([found], { atMs: nowMs, isComplete: true })
    expect(history.past(7, nowMs)?.spans.map(({ kind }) => kind)).toEqual(['stale'])
    expect(history.past(7, nowMs)?.shares).toMatchObject([{ knownMs: 0 }, { knownMs: 0 }])
  })

  it('keeps the state that each charger is in when there are too many changes', async () => {
    await history.record([one(START, 'error', 1), one(START, 'error', 2)], { atMs: START, isComplete: true })
    for (let at = 1; at <= 10; at += 1)
      await history.record([one(START + at * HOUR, 'error', 1), one(START + at * HOUR, at % 2 ? 'busy' : 'error', 2)], {
        atMs: START + at * HOUR,
        isComplete: true,
      })
    const db = new Database(path())
    await thinHistory(db, START + 10 * HOUR, 4)
    db.close()
    const spans = (id: number) => history.past(id, START + 10 * HOUR)!.spans
    expect(spans(1)).toEqual([{ fromMs: START, toMs: START + 10 * HOUR, kind: 'broken', state: 'error' }])
    expect(spans(2).map(({ fromMs }) => fromMs)).toEqual([START + 8 * HOUR, START + 9 * HOUR])
  })

  it('lets other work go on while it is thinned, and may be closed meanwhile', async () => {
    const all = (atMs: number, liveState: string) => Array.from({ length: 500 }, (_, id) => one(atMs, liveState, id))
    for (const [day, state] of ['available', 'busy', 'available'].entries())
      await history.record(all(START + day * DAY, state), { atMs: START + day * DAY, isComplete: true })
    const count = (db: Database.Database) => db.prepare('SELECT count(*) FROM changes').pluck().get()
    const thin = async (isClosed: boolean) => {
      const db = new Database(path())
      let turns = 0
      const turn = () => {
        turns += 1
        if (isClosed) db.close()
        else pending = setImmediate(turn)
      }
      let pending = setImmediate(turn)
      await thinHistory(db, START + 3 * DAY, 1000)
      clearImmediate(pending)
      db.close()
      return turns
    }
    expect(await thin(true)).toBe(1)
    expect(await thin(false)).toBeGreaterThan(1)
    const db = new Database(path())
    expect(count(db)).toBe(1000)
    db.close()
  })

  it('is not emptied by a clock that is a year ahead for a day', async () => {
    await days(0, 300, (day) => (day % 20 < 2 ? 'error' : 'available'))
    const before = kinds().length
    await days(300 + 365, 300 + 366, () => 'error')
    expect(kinds().length).toBeGreaterThanOrEqual(before - 1)
    await days(301, 303, () => 'available')
    await refresh(START + 303 * DAY + HOUR, ['error', 'error'])
    expect(kinds().slice(-2)).toEqual(['free', 'broken'])
    const nowMs = START + 303 * DAY + 2 * HOUR
    const past = history.past(7, nowMs)!
    expect(past).toMatchObject({ firstSeenMs: START, lastRefreshMs: nowMs })
    expect(past.spans.at(-1)).toEqual({ fromMs: nowMs - HOUR, toMs: nowMs, kind: 'broken', state: 'error' })
  })

  it('counts no time twice when the clock is set back, and goes on when it has caught up', async () => {
    await refresh(START, ['available', 'available', 'error', 'error'])
    await refresh(START + HOUR, ['available', 'busy'])
    const endMs = await refresh(START + 4 * HOUR, ['error', 'available'])
    const past = history.past(7, endMs)!
    expect(past.shares[0]).toEqual({ days: 7, knownMs: 5 * HOUR, brokenMs: 3 * HOUR })
    expect(past.spans.map(({ kind }) => kind)).toEqual(['free', 'broken'])
    expect(history.log({ before: null, id: 7, limit: 10 })).toHaveLength(2)
    expect(history.past(7, START + HOUR)?.shares[0]).toMatchObject({ knownMs: HOUR, brokenMs: 0 })
  })

  it('does not know the state of a charger while refreshes lack it, though they go on', async () => {
    const seen = (atMs: number, ...ids: number[]) =>
      history.record(
        ids.map((id) => one(atMs, 'available', id)),
        { atMs, isComplete: ids.length === 2 },
      )
    await seen(START, 7, 8)
    await seen(START + HOUR, 7, 8)
    for (let at = 2; at <= 8; at += 1) await seen(START + at * HOUR, 7)
    expect(history.past(8, START + 8 * HOUR)).toMatchObject({
      goneMs: null,
      shares: [{ knownMs: HOUR }, { knownMs: HOUR }],
      spans: [{ fromMs: START, toMs: START + HOUR }],
    })
    history.close()
    history = ChargerHistory.open(path(), quiet)
    await seen(START + 9 * HOUR, 7, 8)
    await seen(START + 10 * HOUR, 7)
    await seen(START + 11 * HOUR, 7, 8)
    expect(history.past(8, START + 11 * HOUR)?.spans).toEqual([
      { fromMs: START, toMs: START + HOUR, kind: 'free', state: 'available' },
      { fromMs: START + 9 * HOUR, toMs: START + 11 * HOUR, kind: 'free', state: 'available' },
    ])
    expect(history.past(7, START + 11 * HOUR)?.spans).toHaveLength(1)
  })

  it('tells no charger as new before a list was complete', async () => {
    await history.record([one(START, 'available', 1)], { atMs: START, isComplete: false })
    const second = START + HOUR
    await history.record([one(second, 'available', 1), one(second, 'available', 2)], { atMs: second, isComplete: true })
    const third = [1, 2, 3].map((id) => one(second + HOUR, 'available', id))
    await history.record(third, { atMs: second + HOUR, isComplete: true })
    expect(history.log({ before: null, id: null, limit: 10 }).map(({ id }) => id)).toEqual([3])
  })

  it('forgets a charger that has been gone for a year', async () => {
    await days(0, 1, () => 'available')
    for (let day = 2; day <= 400; day += 5)
      await history.record([one(START + day * DAY, 'available', 8)], { atMs: START + day * DAY, isComplete: true })
    expect(history.past(7, START + 400 * DAY)).toBeNull()
    expect(history.past(8, START + 400 * DAY)).not.toBeNull()
  })

  it('is put aside when its file cannot be read, and starts over', async () => {
    history.close()
    await writeFile(path(), 'no database')
    for (const suffix of ['-wal', '-shm']) await rm(path() + suffix, { force: true })
    history = ChargerHistory.open(path(), quiet)
    await refresh(START, ['available'])
    expect(history.past(7, START)?.firstSeenMs).toBe(START)
    expect(await readdir(join(dir, 'chargers'))).toContain('x.history.db.broken')
  })
})
