import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ChargerHistory } from '../../src/main/chargers/charger-history.ts'
import { logPage } from '../../src/main/chargers/log-page.ts'
import type { LogPosition } from '../../src/shared/chargers/charger-status.ts'
import type { LogPart } from '../../src/shared/chargers/history.ts'
import { charger } from '../shared/chargers/any-charger.ts'
import { quiet } from '../simulation/world.ts'

const MINUTE = 60_000
const START = Date.UTC(2026, 0, 1)

let dir: string
let history: ChargerHistory
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'hangar-log-'))
  history = ChargerHistory.open(join(dir, 'x.history.db'), quiet)
})
afterEach(async () => {
  history.close()
  await rm(dir, { recursive: true, force: true })
})

/** What one refresh found: live states by id. `old`: the state, synced too long ago. */
type Refresh = Readonly<Record<number, string | { old: string }>>

async function refreshes(found: readonly Refresh[]): Promise<void> {
  for (const [at, states] of found.entries()) {
    const atMs = START + at * 20 * MINUTE
    const chargers = Object.entries(states).map(([id, state]) => {
      const isOld = typeof state !== 'string'
      const liveStateSyncedAt = new Date(atMs - (isOld ? 90 : 1) * MINUTE).toISOString()
      return charger({ id: Number(id), liveState: isOld ? state.old : state, liveStateSyncedAt })
    })
    await history.record(chargers, { atMs, isComplete: true })
  }
}

function entries(part: LogPart, limit = 100): string[] {
  const lines: string[] = []
  let before: LogPosition | null = null
  do {
    const { entries, next } = logPage(history, { before, part, limit })
    expect(entries.length).toBeLessThanOrEqual(limit)
    lines.push(...entries.map(({ id, before: from, kind }) => `${id}: ${from} → ${kind}`))
    before = next
  } while (before !== null)
  return lines
}

describe('The log of changes', () => {
  it('leaves out that a state aged and came back the same, and compares what comes after with what was before', async () => {
    await refreshes([
      { 1: 'available', 2: 'available' },
      { 1: { old: 'available' }, 2: { old: 'available' } },
      { 1: 'available', 2: 'error' },
      { 1: 'busy', 2: 'error' },
    ])
    expect(entries('changes')).toEqual(['1: free → busy', '2: free → broken'])
    expect(entries('all')).toEqual([
      '1: free → busy',
      '2: stale → broken',
      '1: stale → free',
      '2: free → stale',
      '1: free → stale',
    ])
  })

  it('is told in parts, and keeps that a charger is new, goes and comes back, whatever its state', async () => {
    await refreshes([
      { 1: 'available' },
      { 1: 'busy-reserved', 3: { old: 'available' } },
      { 3: 'available' },
      { 1: { old: 'error' }, 3: 'error' },
    ])
    expect(entries('listed')).toEqual(['1: gone → stale', '1: reserved → gone', '3: null → stale'])
    expect(entries('taken')).toEqual(['1: free → reserved'])
    expect(entries('broken')).toEqual(['3: free → broken'])
    expect(entries('free')).toEqual(['3: stale → free'])
  })

  it('comes in pages, also where the wanted changes lie far apart', async () => {
    const rounds = Array.from({ length: 2100 }, (_, at): Refresh => ({ 1: at % 2 === 0 ? 'available' : 'busy' }))
    await refreshes([{ 1: 'available', 2: 'available' }, { 1: 'busy', 2: 'error' }, ...rounds])
    expect(entries('broken')).toEqual(['2: free → broken'])
    expect(logPage(history, { before: null, part: 'broken', limit: 10 })).toMatchObject({
      entries: [],
      next: { id: 1 },
    })
    expect(entries('changes', 7)).toEqual(entries('changes', 500))
  })
})
