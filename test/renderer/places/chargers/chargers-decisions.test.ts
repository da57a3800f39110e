import { describe, expect, it } from 'vitest'
import { isOld } from '../../../../src/shared/chargers/live-state.ts'
import { FIRST_VIEW, readRemembered } from '../../../../src/renderer/places/chargers/store/chargers-store.ts'
import { makeBaseMap } from '../../../../scripts/base-map.mjs'

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
    const problem = { code: 'service_unreachable', sentence: { raw: '' }, retryable: true, atMs: MINUTE } as const
    expect(isOld({ atMs: 0, problem }, 15, 2 * MINUTE)).toBe(true)
    expect(isOld({ atMs: 2 * MINUTE, problem }, 15, 3 * MINUTE)).toBe(false)
  })

  it('after an hour where only a person refreshes them, and never before there are any', () => {
    expect(isOld({ atMs: 0, problem: null }, 0, 59 * MINUTE)).toBe(false)
    expect(isOld({ atMs: 0, problem: null }, 0, 62 * MINUTE)).toBe(true)
    expect(isOld({ atMs: null, problem: null }, 15, 99 * MINUTE)).toBe(false)
  })
})

describe('The base map', () => {
  const GRID = 2 ** 20
  const { land, lakes, borders, rivers, towns, countries } = makeBaseMap()

  it('has no line from one end of the world to the other', () => {
    const jumps = [...land, ...lakes, ...borders, ...rivers].flatMap((steps) => {
      let y = 0
      return steps.flatMap((by, at) => {
        if (at % 2 === 1) y += by
        return at % 2 === 1 && at > 1 && Math.abs(steps[at - 1]!) > GRID / 5 ? y : []
      })
    })
    // But that of Antarctica, along the edge of the map.
    expect(new Set(jumps)).toEqual(new Set([GRID]))
  })

  it('says where towns are, the largest first, and countries by their codes', () => {
    const place = (name: string) => towns.find(([town]) => town === name)!
    const degrees = (x: number) => (x / GRID) * 360 - 180
    expect(degrees(place('Bern')[1])).toBeCloseTo(7.47, 1)
    expect(towns[0]![3]).toBeGreaterThan(20_000)
    expect(towns.findIndex(([town]) => town === 'Berlin')).toBeLessThan(towns.findIndex(([town]) => town === 'Bern'))
    const germany = countries.find(([code]) => code === 'DE')!
    expect(degrees(germany[1])).toBeGreaterThan(6)
    expect(degrees(germany[1])).toBeLessThan(15)
    expect(countries.length).toBeGreaterThan(200)
  })
})
