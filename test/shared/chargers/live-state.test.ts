import { describe, expect, it } from 'vitest'
import { isLiveStateCurrent, liveClassOf, liveStatusOf, syncedAtMs } from '../../../src/shared/chargers/live-state.ts'
import type { LiveFacts } from '../../../src/shared/chargers/live-state.ts'

describe('liveClassOf', () => {
  it('has a class for each of the 14 documented states', () => {
    const documented = {
      available: 'free',
      busy: 'busy',
      'busy-blocked': 'busy',
      'busy-charging': 'busy',
      'busy-non-charging': 'busy',
      'busy-non-released': 'busy',
      'busy-reserved': 'reserved',
      'busy-scheduled': 'reserved',
      error: 'broken',
      maintenance: 'broken',
      disconnected: 'offline',
      passive: 'limited',
      exempt: 'limited',
      other: 'unknown',
    }
    for (const [state, liveClass] of Object.entries(documented))
      expect([state, liveClassOf(state)]).toEqual([state, liveClass])
  })

  it('takes a state that the document lacks as unknown, and none as not linked', () => {
    expect(['Available', '', 'toString', '__proto__'].map(liveClassOf)).toEqual(Array(4).fill('unknown'))
    expect(liveClassOf(null)).toBe('unlinked')
  })
})

const NOW_MS = Date.parse('2026-03-01T10:00:00Z')
const status = (charger: LiveFacts['charger'], syncedAt: string | null = '2026-03-01T09:50:00+00:00') =>
  liveStatusOf({ charger, syncedAtMs: syncedAtMs(syncedAt) }, NOW_MS)

describe('liveStatusOf', () => {
  it('calls free what the live state calls available, whatever the yes/no says', () => {
    const free = { liveClass: 'free', freeNow: true, isLive: true }
    expect(status({ liveState: 'available', available: true })).toEqual(free)
    expect(status({ liveState: 'available', available: false })).toMatchObject({ freeNow: true })
    expect(status({ liveState: 'busy-charging', available: true })).toMatchObject({ freeNow: false })
  })

  it('takes the yes/no of a charger that is not linked, whatever time is given, and says that it is not live', () => {
    for (const syncedAt of ['2026-03-01T09:50:00Z', '2019-05-01T10:00:00Z', null])
      for (const available of [true, false, null]) {
        const unlinked = { liveClass: 'unlinked', freeNow: available === true, isLive: false }
        expect(status({ liveState: null, available }, syncedAt)).toEqual(unlinked)
      }
  })
})

describe('a live state that is not of now', () => {
  it.each([
    ['an hour and a second old', '2026-03-01T08:59:59Z'],
    ['years old', '2019-05-01T10:00:00+02:00'],
    ['of a time to come', '2099-05-01T10:00:00Z'],
    ['of a time to come, by ten minutes', '2026-03-01T10:10:00Z'],
    ['of a time without an offset', '2026-03-01T09:50:00'],
    ['of no time', null],
    ['of a time that is none', 'just now'],
  ])('being %s, makes nothing free or taken, and neither does the yes/no that follows it', (_, syncedAt) => {
    const stale = { liveClass: 'stale', freeNow: false, isLive: false }
    for (const liveState of ['available', 'busy', 'error', 'never-heard-of'])
      for (const available of [true, false, null]) expect(status({ liveState, available }, syncedAt)).toEqual(stale)
  })

  it('is not one that was synced within the hour, or a little ahead as clocks are', () => {
    for (const syncedAt of ['2026-03-01T09:00:00Z', '2026-03-01T10:00:00Z', '2026-03-01T12:04:00+02:00'])
      expect(status({ liveState: 'available', available: true }, syncedAt)).toMatchObject({
        freeNow: true,
        isLive: true,
      })
  })

  it('is said to be none in files, and is not spoken of without one', () => {
    const current = (liveState: string | null, liveStateSyncedAt: string | null) =>
      isLiveStateCurrent({ liveState, liveStateSyncedAt }, NOW_MS)
    expect(current('busy', '2026-03-01T09:50:00Z')).toBe(true)
    expect(current('busy', '2026-03-01T09:50:00')).toBe(false)
    expect(current(null, null)).toBeNull()
  })
})

it('A time that means another instant on every computer is none, as is what is no time', () => {
  const texts = [null, '', '2026-03-01T10:00:00', '2026-03-01', '2026-13-01T10:00:00Z', 'now', '1']
  expect(texts.map(syncedAtMs)).toEqual(texts.map(() => null))
  expect(syncedAtMs('2026-03-01T10:00:00.500+01:00')).toBe(Date.UTC(2026, 2, 1, 9, 0, 0, 500))
})
