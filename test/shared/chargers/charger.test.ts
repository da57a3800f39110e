import { describe, expect, it } from 'vitest'
import { ChargePoint } from '../../../src/shared/chargers/charger.ts'
import { liveClassOf } from '../../../src/shared/chargers/live-state.ts'
import { straightText } from '../../../src/shared/text/safe-characters.ts'
import { charger } from './any-charger.ts'

const TURN = /[\u202a-\u202e\u2066-\u2069]/

describe('straight texts', () => {
  it('turn nothing round, and are otherwise as they were', () => {
    expect(straightText('abc\u202e\u2066def\u2069\u202c')).toBe('abcdef')
    expect(straightText('תל אביב\u200f (LLSD)')).toBe('תל אביב\u200f (LLSD)')
  })

  /** Each text in a value, with an override that turns what follows. */
  const turned = (value: unknown): unknown =>
    typeof value === 'string'
      ? `${value}\u202e!`
      : Array.isArray(value)
        ? value.map(turned)
        : typeof value === 'object' && value !== null
          ? Object.fromEntries(Object.entries(value).map(([name, member]) => [name, turned(member)]))
          : value

  it('are all that a charger shows, in whichever member', () => {
    const all = charger()
    for (const [name, value] of Object.entries(all)) {
      if (['liveState', 'liveStateSyncedAt', 'availability'].includes(name)) continue
      expect([name, value]).not.toEqual([name, null])
      const shown = ChargePoint.parse({ ...all, [name]: turned(value) })
      expect([name, JSON.stringify(shown)]).toEqual([name, expect.not.stringMatching(TURN)])
    }
  })

  it('do not make a state of what only looks like one', () => {
    const given = charger({ liveState: 'avail\u202eable', available: false })
    expect(liveClassOf(ChargePoint.parse(given).liveState)).toBe('unknown')
  })
})
