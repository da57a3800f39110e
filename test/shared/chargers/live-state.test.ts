import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { LIVE_STATE_LABELS } from '../../../src/shared/charger.ts'
import { LIVE_CLASSES, liveClassOf, liveStatusOf, syncedAtMs } from '../../../src/shared/chargers/live-state.ts'

describe('liveClassOf', () => {
  it('has a class for each of the 14 documented states', () => {
    const classes = Object.fromEntries(Object.keys(LIVE_STATE_LABELS).map((state) => [state, liveClassOf(state)]))
    expect(classes).toEqual({
      available: 'free',
      ...{ busy: 'busy', 'busy-blocked': 'busy', 'busy-charging': 'busy' },
      ...{ 'busy-non-charging': 'busy', 'busy-non-released': 'busy' },
      ...{ 'busy-reserved': 'reserved', 'busy-scheduled': 'reserved' },
      ...{ error: 'broken', maintenance: 'broken', disconnected: 'offline' },
      ...{ passive: 'limited', exempt: 'limited', other: 'unknown' },
    })
  })

  it('takes a state that the document lacks as unknown, and none as not linked', () => {
    expect(['Available', '', 'toString', '__proto__'].map(liveClassOf)).toEqual(Array(4).fill('unknown'))
    expect([null, undefined].map(liveClassOf)).toEqual(['unlinked', 'unlinked'])
  })

  it('gives one of the listed classes for any text', () => {
    fc.assert(fc.property(fc.string(), (state) => LIVE_CLASSES.includes(liveClassOf(state))))
  })
})

describe('liveStatusOf', () => {
  it('calls free what the live state calls available, whatever the yes/no says', () => {
    expect(liveStatusOf({ liveState: 'available', available: true })).toEqual({
      ...{ liveClass: 'free', freeNow: true, isLive: true, disagreement: null },
    })
    expect(liveStatusOf({ liveState: 'available', available: false })).toMatchObject({
      ...{ freeNow: true, disagreement: 'live_free_said_not' },
    })
    expect(liveStatusOf({ liveState: 'busy-charging', available: true })).toMatchObject({
      ...{ freeNow: false, disagreement: 'live_taken_said_free' },
    })
  })

  it('takes the yes/no of a charger that is not linked, and says that it is not live', () => {
    expect(liveStatusOf({ liveState: null, available: true })).toMatchObject({ freeNow: true, isLive: false })
    expect(liveStatusOf({ liveState: null, available: false })).toMatchObject({ freeNow: false, isLive: false })
    expect(liveStatusOf({ liveState: null, available: null })).toMatchObject({ freeNow: false, disagreement: null })
  })

  it('sees no contradiction where the state says neither yes nor no', () => {
    for (const liveState of ['passive', 'exempt', 'other', 'never-heard-of', null])
      for (const available of [true, false, null])
        expect(liveStatusOf({ liveState, available }).disagreement).toBeNull()
  })
})

describe('syncedAtMs', () => {
  it('reads times with an offset', () => {
    expect(syncedAtMs('2026-03-01T10:00:00+01:00')).toBe(Date.UTC(2026, 2, 1, 9))
    expect(syncedAtMs('2026-03-01T10:00:00.500Z')).toBe(Date.UTC(2026, 2, 1, 10, 0, 0, 500))
  })

  it('knows no time that means another instant on every computer, or none', () => {
    const texts = [null, undefined, '', '2026-03-01T10:00:00', '2026-03-01', '2026-13-01T10:00:00Z', 'now', '1']
    expect(texts.map(syncedAtMs)).toEqual(texts.map(() => null))
  })
})
