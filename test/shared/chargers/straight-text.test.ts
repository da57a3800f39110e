import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { liveClassOf } from '../../../src/shared/chargers/live-state.ts'
import { prepare } from '../../../src/shared/chargers/prepare.ts'
import { straightened } from '../../../src/shared/chargers/straight-text.ts'
import { straightText } from '../../../src/shared/text/safe-characters.ts'
import { anyCharger, charger } from './any-charger.ts'

const TURN = /[\u202a-\u202e\u2066-\u2069]/

describe('straight texts', () => {
  it('turn nothing round, and are otherwise as they were', () => {
    expect(straightText('abc\u202e\u2066def\u2069\u202c')).toBe('abcdef')
    expect(straightText('תל אביב\u200f (LLSD)')).toBe('תל אביב\u200f (LLSD)')
  })

  it('are all that a charger shows', () => {
    fc.assert(
      fc.property(anyCharger, (given) => {
        const { liveState: _state, liveStateSyncedAt: _at, availability: _hours, ...shown } = straightened(given)
        expect(JSON.stringify(shown)).not.toMatch(TURN)
      }),
    )
  })

  it('do not make a state or a power of what only looks like one', () => {
    const given = charger({ liveState: 'avail\u202eable', kw: '2\u202e2', available: false })
    expect(liveClassOf(straightened(given).liveState)).toBe('unknown')
    expect(prepare(given, () => 'UTC', new Set()).power).toBeNull()
  })
})
