import { describe, expect, it } from 'vitest'
import { isOld } from '../../../../src/shared/chargers/live-state.ts'
import { FIRST_VIEW, readRemembered } from '../../../../src/renderer/places/chargers/store/chargers-store.ts'

describe('How the view was left', () => {
  it('is what it was, when it can be read', () => {
    const left = {
      centre: { lat: 1, lng: 2 },
      zoom: 9,
      sort: 'power',
      filters: 'current=DC&min=50',
      lastRoute: null,
    }
    expect(readRemembered(JSON.parse(JSON.stringify(left)))).toEqual(left)
  })

  it.each([null, 'x', [], { centre: { lat: 'north', lng: 0 }, zoom: 99, sort: 'colour', filters: 3 }])(
    'is the first view for %j',
    (value) => expect(readRemembered(value)).toEqual(FIRST_VIEW),
  )
})

describe('Chargers are old', () => {
  const MINUTE = 60_000
  it('when two refreshes were missed, or the last one failed', () => {
    expect(isOld({ atMs: 0, problem: null }, 15, 30 * MINUTE)).toBe(false)
    expect(isOld({ atMs: 0, problem: null }, 15, 32 * MINUTE)).toBe(true)
    const problem = { code: 'service_unreachable', sentence: { raw: '' }, atMs: MINUTE } as const
    expect(isOld({ atMs: 0, problem }, 15, 2 * MINUTE)).toBe(true)
    expect(isOld({ atMs: 2 * MINUTE, problem }, 15, 3 * MINUTE)).toBe(false)
  })

  it('after an hour where only a person refreshes them, and never before there are any', () => {
    expect(isOld({ atMs: 0, problem: null }, 0, 59 * MINUTE)).toBe(false)
    expect(isOld({ atMs: 0, problem: null }, 0, 62 * MINUTE)).toBe(true)
    expect(isOld({ atMs: null, problem: null }, 15, 99 * MINUTE)).toBe(false)
  })
})
