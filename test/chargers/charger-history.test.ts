import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ChargerHistory } from '../../src/main/chargers/charger-history.ts'
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
      lastChargingMs: START + 3 * HOUR,
      lastRefreshMs: endMs,
      shares: [
        { days: 7, knownMs: 5 * HOUR, brokenMs: HOUR },
        { days: 30, knownMs: 5 * HOUR, brokenMs: HOUR },
      ],
    })
    expect(history.past(7, endMs)?.spans.map(({ kind }) => kind)).toEqual(['free', 'busy', 'broken', 'free'])
    expect(history.past(8, endMs)).toBeNull()
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
    const log = (part: object = {}) => history.log({ beforeMs: null, id: null, limit: 10, ...part })
    expect(log().map(({ id, before, kind }) => [id, before, kind])).toEqual([
      [9, null, 'broken'],
      [7, 'broken', 'free'],
      [7, 'free', 'broken'],
    ])
    expect(log()[1]).toMatchObject({ icao: 'EDAZ', airfield: 'Schönhagen', atMs: START + 2 * HOUR, state: 'available' })
    expect(log({ limit: 1, beforeMs: START + 3 * HOUR })).toMatchObject([{ atMs: START + 2 * HOUR }])
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

  it('is kept for a year, of which all but the last month is outages alone', async () => {
    await refresh(START, ['available', 'busy', 'error', 'available', 'busy', 'available'])
    await refresh(START + 100 * DAY, ['busy'])
    const kinds = () =>
      history
        .log({ beforeMs: null, id: 7, limit: 100 })
        .map(({ kind }) => kind)
        .reverse()
    expect(kinds()).toEqual(['broken', 'free', 'busy'])
    await refresh(START + 500 * DAY, ['available'])
    await refresh(START + 502 * DAY, ['available'])
    expect(kinds()).toEqual(['free'])
    expect(history.past(7, START + 502 * DAY)?.firstSeenMs).toBe(START)
  })

  it('is put aside when its file cannot be read, and begins anew', async () => {
    history.close()
    await writeFile(path(), 'no database')
    for (const suffix of ['-wal', '-shm']) await rm(path() + suffix, { force: true })
    history = ChargerHistory.open(path(), quiet)
    await refresh(START, ['available'])
    expect(history.past(7, START)?.firstSeenMs).toBe(START)
    expect(await readdir(join(dir, 'chargers'))).toContain('x.history.db.broken')
  })
})
