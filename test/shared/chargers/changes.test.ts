import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ChargePoint } from '../../../src/shared/chargers/charger.ts'
import { chargerChanges, type ChargerSnapshot, type LastKnown } from '../../../src/shared/chargers/changes.ts'
import { anyCharger, charger, NOW_MS } from './any-charger.ts'

const whole = (...chargers: ChargePoint[]): ChargerSnapshot => ({ chargers, complete: true, atMs: NOW_MS })
const part = (...chargers: ChargePoint[]): ChargerSnapshot => ({ chargers, complete: false, atMs: NOW_MS })
const state = (liveState: string | null, members: Partial<ChargePoint> = {}) => charger({ liveState, ...members })
const kinds = (before: ChargerSnapshot, after: ChargerSnapshot) =>
  chargerChanges(before, after, new Set()).changes.map(({ kind, charger: { id } }) => `${kind} ${id}`)
const turn = (before: ChargePoint, after: ChargePoint) => kinds(whole(before), whole(after)).join() || null

describe('chargerChanges', () => {
  it('tells what became free, busy or broken', () => {
    expect(turn(state('busy'), state('available'))).toBe('became_free 1')
    expect(turn(state('available'), state('busy-charging'))).toBe('became_busy 1')
    expect(turn(state('available'), state('busy-reserved'))).toBe('became_busy 1')
    expect(turn(state('busy'), state('error'))).toBe('became_broken 1')
    expect(turn(state(null, { available: false }), state(null, { available: true }))).toBe('became_free 1')
  })

  it('ignores what makes no difference to a person', () => {
    expect(turn(state('busy'), state('busy-charging'))).toBeNull()
    expect(turn(state('busy'), state('busy-reserved'))).toBeNull()
    expect(turn(state('available'), state('disconnected'))).toBeNull()
    expect(turn(state('error'), state('maintenance'))).toBeNull()
    expect(turn(state(null, { available: true }), state('available'))).toBeNull()
    expect(turn(state('available'), state('available', { kw: '9', airfield: 'Elsewhere' }))).toBeNull()
  })

  it('tells nothing of a live state that is not of now, and what it turns to from what was last known', () => {
    const OLD = { liveStateSyncedAt: '2019-05-01T10:00:00Z' }
    expect(turn(state('busy'), state('available', OLD))).toBeNull()
    expect(turn(state('busy'), state('available', { liveStateSyncedAt: '2099-05-01T10:00:00Z' }))).toBeNull()
    expect(turn(state('available'), state('error', { liveStateSyncedAt: '2026-03-01T10:05:00' }))).toBeNull()
    expect(turn(state('available'), state('busy', { liveStateSyncedAt: null }))).toBeNull()
    expect(turn(state('busy', OLD), state('available'))).toBe('became_free 1')
    expect(turn(state('available', OLD), state('available'))).toBeNull()
    expect(turn(state('busy', OLD), state('busy-charging'))).toBeNull()
  })

  /** What each of a series of answers, a quarter of an hour apart, tells of one charger. */
  const changesOver = (...answers: ChargePoint[]) => {
    let known: ReadonlyMap<number, LastKnown> | undefined
    return answers.slice(1).map((is, at) => {
      const [before, after] = [answers[at]!, is].map((one, n) => ({ ...whole(one), atMs: NOW_MS + (at + n) * QUARTER }))
      const { changes, lastKnown } = chargerChanges(before!, after!, new Set(), 10, known)
      known = lastKnown
      return changes[0]?.kind ?? null
    })
  }
  const QUARTER = 15 * 60_000
  const at = (quarter: number, liveState: string | null, agoMs = 0) =>
    state(liveState, { liveStateSyncedAt: new Date(NOW_MS + quarter * QUARTER - agoMs).toISOString() })

  it('tells once of what is out of order, however often its connection comes and goes', () => {
    const coming = [at(0, 'available'), at(1, 'error'), at(2, 'disconnected'), at(3, 'error'), at(4, 'other')]
    expect(changesOver(...coming, at(5, 'maintenance'), at(6, 'available'), at(7, 'error'))).toEqual([
      'became_broken',
      null,
      null,
      null,
      null,
      'became_free',
      'became_broken',
    ])
    expect(changesOver(at(0, 'available'), at(1, 'disconnected'), at(2, 'available'))).toEqual([null, null])
    expect(changesOver(at(0, 'busy'), at(1, 'disconnected'), at(2, 'busy-charging'))).toEqual([null, null])
    expect(changesOver(at(0, 'busy'), at(1, 'disconnected'), at(2, 'available'))).toEqual([null, 'became_free'])
  })

  it('tells of an error although it is old when it is first seen, once', () => {
    const HOURS = 3 * 60 * 60_000
    const old = at(1, 'error', HOURS)
    expect(changesOver(at(0, 'available', 2 * HOURS), old, old, at(3, 'error'))).toEqual(['became_broken', null, null])
    expect(changesOver(at(0, 'available'), old, at(2, 'error'))).toEqual([null, 'became_broken'])
    expect(changesOver(old, at(1, 'error', HOURS), at(2, 'error'))).toEqual([null, 'became_broken'])
  })

  it('keeps what it knew of a charger that an incomplete answer lacks', () => {
    const broken = whole(state('error'))
    const { lastKnown } = chargerChanges(broken, part(), new Set())
    expect([...lastKnown]).toEqual([[1, 'broken']])
    expect(chargerChanges(whole(state('disconnected')), broken, new Set(), 10, lastKnown).changes).toEqual([])
    expect(chargerChanges(broken, whole(), new Set()).lastKnown.size).toBe(0)
  })

  it('tells what is new and what is gone, but not when an answer was incomplete', () => {
    const [one, two] = [charger({ id: 1 }), charger({ id: 2 })]
    expect(kinds(whole(one), whole(two))).toEqual(['gone 1', 'new 2'])
    expect(kinds(whole(one), part(two))).toEqual(['new 2'])
    expect(kinds(part(one), whole(two))).toEqual(['gone 1'])
  })

  it('puts favourites first, and tells of a favourite and the counts also beyond the limit', () => {
    const many = Array.from({ length: 500 }, (_, at) => charger({ id: at }))
    const all = chargerChanges(whole(), whole(...many), new Set([400]), 3)
    expect(all.changes.map(({ charger: { id } }) => id)).toEqual([400, 0, 1])
    expect([all.counts.new, all.favouriteChanged]).toEqual([500, true])
    expect(chargerChanges(whole(), whole(...many), new Set([400]), 0)).toMatchObject({
      changes: [],
      favouriteChanged: true,
    })
    expect(chargerChanges(whole(), whole(...many), new Set([999])).favouriteChanged).toBe(false)
  })

  it('counts the last of several records with one id', () => {
    expect(kinds(whole(state('busy'), state('available')), whole(state('busy'), state('available')))).toEqual([])
    expect(kinds(whole(state('available')), whole(state('available'), state('busy')))).toEqual(['became_busy 1'])
  })

  it('finds nothing between equal answers, and new and gone the other way round', () => {
    fc.assert(
      fc.property(fc.array(anyCharger), fc.array(anyCharger), (one, other) => {
        expect(kinds(whole(...one), whole(...one))).toEqual([])
        const there = chargerChanges(whole(...one), whole(...other), new Set()).counts
        const back = chargerChanges(whole(...other), whole(...one), new Set()).counts
        expect([there.new, there.gone]).toEqual([back.gone, back.new])
      }),
    )
  })
})
