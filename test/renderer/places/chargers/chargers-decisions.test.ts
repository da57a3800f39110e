import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { openingWeek } from '../../../../src/shared/chargers/opening-week.ts'
import { shownWeek } from '../../../../src/renderer/places/chargers/detail/shown-week.ts'
import { isOld } from '../../../../src/renderer/places/chargers/head/is-old.ts'
import { listMove } from '../../../../src/renderer/places/chargers/list/list-move.ts'
import { baseShapes, type WorldAtlas } from '../../../../src/renderer/places/chargers/map/base-shapes.ts'
import {
  placeLabels,
  placeNames,
  placeNumbers,
  type Box,
} from '../../../../src/renderer/places/chargers/map/place-labels.ts'
import {
  FIRST_VIEW,
  isFiltering,
  NO_CHOICE,
  readFilter,
  readRemembered,
} from '../../../../src/renderer/places/chargers/store/remembered.ts'
import atlas from 'world-atlas/countries-50m.json' with { type: 'json' }

describe('How the view was left', () => {
  it('is what it was, when it can be read', () => {
    const left = {
      centre: { lat: 1, lng: 2 },
      zoom: 9,
      sort: 'power',
      isListShown: false,
      filter: { ...NO_CHOICE, current: ['DC'], minKw: 50 },
      from: { lat: 3, lng: 4, name: 'EDNY' },
      ring: { centre: { lat: 5, lng: 6 }, nm: 60, only: true },
      lastRoute: null,
    }
    expect(readRemembered(JSON.parse(JSON.stringify(left)))).toEqual(left)
  })

  it.each([null, 'x', [], { centre: { lat: 'north', lng: 0 }, zoom: 99, sort: 'colour', ring: { nm: -1 }, filter: 3 }])(
    'is the first view for %j',
    (value) => expect(readRemembered(value)).toEqual(FIRST_VIEW),
  )

  it('leaves out of a filter what means nothing any more', () => {
    const kept = readFilter({
      states: ['free', 'sleeping'],
      current: ['DC', 'XC'],
      countries: ['DE', 7],
      minKw: '50',
      freeNow: 1,
    })
    expect(kept).toEqual({ ...NO_CHOICE, states: ['free'], current: ['DC'], countries: ['DE'] })
    expect(isFiltering(kept)).toBe(true)
    expect(isFiltering(readFilter({}))).toBe(false)
  })
})

describe('The week by another clock', () => {
  const hours = (open: boolean, from: string, to: string) => ({ open, from, to })
  const day = hours(true, '08:00', '18:00')
  const closed = hours(false, '00:00', '00:00')

  it('is told as it is written by the clock at the airfield', () => {
    const week = shownWeek(openingWeek({ monday: day, tuesday: closed } as never), 0)
    expect(week[0]).toEqual({ weekday: 0, kind: 'hours', spans: [{ from: '08:00', to: '18:00' }] })
    expect(week[1]).toMatchObject({ kind: 'closed' })
    expect(week[2]).toMatchObject({ kind: 'unknown' })
  })

  it('moves hours over midnight into the day before, also from Monday to Sunday', () => {
    const week = shownWeek(openingWeek({ monday: day, sunday: closed } as never), -10 * 60)
    expect(week[0]).toMatchObject({ spans: [{ from: '00:00', to: '08:00' }] })
    expect(week[6]).toMatchObject({ kind: 'hours', spans: [{ from: '22:00', to: '24:00' }] })
  })

  it('stays open all day where every day is, whatever the clock', () => {
    const all = hours(true, '00:00', '23:59')
    const names = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday']
    const week = shownWeek(openingWeek(Object.fromEntries(names.map((name) => [name, all])) as never), -330)
    expect(week.map(({ kind }) => kind)).toEqual(names.map(() => 'allDay'))
  })
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

describe('Keys in the list', () => {
  it('lead within it and not beyond its ends', () => {
    expect(listMove('ArrowDown', 2, 4, 10)).toBe(3)
    expect(listMove('ArrowDown', 3, 4, 10)).toBe(3)
    expect(listMove('PageUp', 3, 40, 10)).toBe(0)
    expect(listMove('End', 0, 40, 10)).toBe(39)
    expect(listMove('x', 0, 40, 10)).toBeNull()
    expect(listMove('ArrowDown', 0, 0, 10)).toBeNull()
  })
})

describe('Names beside markers', () => {
  it('give way to markers and to names that came first', () => {
    const width = (text: string) => text.length * 6
    const marks = [
      { text: 'EDNY', x: 100, bottom: 108 },
      { text: 'LSZR', x: 104, bottom: 108 },
      { text: 'NZAA', x: 300, bottom: 108 },
    ]
    const under = { left: 290, right: 310, top: 110, bottom: 130 }
    expect(placeLabels(marks, [under], width).map(({ text }) => text)).toEqual(['EDNY'])
  })
})

describe('The numbers of stops', () => {
  it('stand beside their airfields and never over a marker that leaves room, nor over one another', () => {
    const stops = [
      { text: '1', x: 100, y: 100 },
      { text: '2', x: 112, y: 104 },
      { text: '3', x: 400, y: 400 },
    ]
    const markers = [
      { x: 106, y: 102, radius: 20 },
      { x: 400, y: 400, radius: 13.5 },
      { x: 422, y: 380, radius: 15 },
    ]
    const discs = [...markers]
    for (const [at, { x, y, box }] of placeNumbers(stops, markers).entries()) {
      expect(Math.hypot(x - stops[at]!.x, y - stops[at]!.y)).toBeLessThan(50)
      for (const disc of discs) expect(Math.hypot(x - disc.x, y - disc.y)).toBeGreaterThanOrEqual(disc.radius + 9)
      discs.push({ x, y, radius: (box.right - box.left) / 2 })
    }
    const everywhere = { x: 100, y: 100, radius: 500 }
    expect(placeNumbers(stops.slice(0, 1), [everywhere])).toHaveLength(1)
  })
})

describe('The names of countries', () => {
  const { names } = baseShapes(atlas as unknown as WorldAtlas)
  const words = { nameOf: (country: string) => country.repeat(4), widthOf: (text: string) => text.length * 6 }
  const world = { left: -40_000, top: -20_000, size: 256 * 2 ** 8 }
  const all = { left: -1e6, right: 1e6, top: -1e6, bottom: 1e6 }
  const boxesMeet = (one: Box, other: Box) =>
    one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom

  it('move aside for markers, and are left out where a country has no room', () => {
    const [free] = placeNames(
      names.filter(({ country }) => country === 'CH'),
      [],
      world,
      all,
      words,
    )
    const marker = { left: free!.x - 8, right: free!.x + 8, top: free!.y - 8, bottom: free!.y + 8 }
    const [moved] = placeNames(
      names.filter(({ country }) => country === 'CH'),
      [marker],
      world,
      all,
      words,
    )
    expect(boxesMeet(moved!.box, marker)).toBe(false)
    expect(Math.hypot(moved!.x - free!.x, moved!.y - free!.y)).toBeLessThan(120)
    expect(placeNames(names, [all], world, all, words)).toEqual([])
    const elsewhere = { left: -100, right: 100, top: 1e5, bottom: 2e5 }
    expect(placeNames(names, [], world, elsewhere, words)).toEqual([])
  })

  it('never lie over a marker or over one another, and stay within their country', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 3, max: 9 }),
        fc.array(
          fc.tuple(fc.double({ min: 0.3, max: 0.7, noNaN: true }), fc.double({ min: 0.25, max: 0.5, noNaN: true })),
          {
            maxLength: 60,
          },
        ),
        (zoom, places) => {
          const size = 256 * 2 ** zoom
          const square = { left: 0, top: 0, size }
          const taken = places.map(([x, y]) => ({
            left: x * size - 12,
            right: x * size + 20,
            top: y * size - 12,
            bottom: y * size + 12,
          }))
          const labels = placeNames(names, taken, square, all, words)
          const boxes = [...taken, ...labels.map(({ box }) => box)]
          const meeting = labels.filter(({ box }) => boxes.some((other) => other !== box && boxesMeet(box, other)))
          const outside = labels.filter(({ text, x, y }) => {
            const { rooms } = names.find(({ country }) => text.startsWith(country))!
            const room = rooms.find((one) => Math.abs(one.y * size - y) < 1e-6)!
            return Math.abs(x - room.x * size) + (text.length * 6) / 2 > (room.width * size) / 2 + 1e-6
          })
          expect({ meeting, outside }).toEqual({ meeting: [], outside: [] })
        },
      ),
      { numRuns: 30 },
    )
  })
})

describe('The base map', () => {
  const shapes = baseShapes(atlas as unknown as WorldAtlas)

  it('has no line from one end of the world to the other', () => {
    for (const { xy } of [...shapes.coasts, ...shapes.borders])
      for (let at = 2; at < xy.length; at += 2) expect(Math.abs(xy[at]! - xy[at - 2]!)).toBeLessThan(0.2)
  })

  it('shows what lies across the 180th meridian on both sides of the world', () => {
    const beyond = shapes.land.filter(([outline]) => outline!.minX < 1 && outline!.maxX > 1)
    const before = shapes.land.filter(([outline]) => outline!.minX < 0 && outline!.maxX > 0)
    expect(beyond.length).toBeGreaterThan(0)
    expect(before.length).toBe(beyond.length)
  })

  it('names countries by their codes, inside themselves, and leaves unnamed what has none', () => {
    const germany = shapes.names.find(({ country }) => country === 'DE')!
    expect(germany.rooms[0]!.x * 360 - 180).toBeGreaterThan(6)
    expect(germany.rooms[0]!.x * 360 - 180).toBeLessThan(15)
    expect(new Set(shapes.names.map(({ country }) => country)).size).toBe(shapes.names.length)
    expect(shapes.names.length).toBeGreaterThan(220)
  })
})
