import fc from 'fast-check'
import { beforeEach, describe, expect, it } from 'vitest'
import { NO_FILTER, type ChargerFilter } from '../../../../src/shared/chargers/filter.ts'
import type { Arrival } from '../../../../src/shared/chargers/route/arrival.ts'
import { ChargerDesk, asMember } from '../../../../src/renderer/places/chargers/data/charger-desk.ts'
import type { ChargePoint } from '../../../../src/shared/chargers/charger.ts'
import { WEEK } from '../../../../src/shared/chargers/opening-week.ts'
import { anyCharger } from '../../../shared/chargers/any-charger.ts'
import { aCharger, someChargers } from './charger-samples.ts'

const NOW = Date.UTC(2026, 10, 2, 12)
const SOME_CHARGERS = someChargers(NOW)
const MIDDLE = { lat: 47.6, lng: 9.5 }
const EVERYWHERE = { west: -180, east: 180, south: -85, north: 85 }

let desk: ChargerDesk
let nowMs: number
const ask = (filter: Partial<ChargerFilter> = {}, from = MIDDLE, arrival: Arrival | null = null) =>
  desk.query({ filter: { ...NO_FILTER, ...filter }, order: { by: 'distance', from }, from, arrival })
const ids = () => desk.rows(0, 100).rows.map(({ id }) => id)

beforeEach(() => {
  nowMs = NOW
  desk = new ChargerDesk(() => nowMs)
  desk.setFavourites([3])
  desk.load(SOME_CHARGERS.map(asMember), [4])
})

describe('The chosen aircraft', () => {
  it('fits, does not fit or is not known to, with the reason; filters go by that, until none is chosen', () => {
    desk.load([...SOME_CHARGERS, aCharger({ id: 6, connectors: [] })].map(asMember), [])
    ask()
    expect(desk.rows(0, 9).rows.map(({ fit }) => fit)).toEqual(Array.from({ length: 6 }, () => null))
    desk.setAircraft({ connectors: ['ccs 2'], types: [] })
    const fits = () => Object.fromEntries(desk.rows(0, 9).rows.map(({ id, fit }) => [id, fit]))
    expect(fits()).toMatchObject({
      1: { fit: 'fits', reason: null },
      2: { fit: 'does_not_fit', reason: 'connector' },
      6: { fit: 'not_known', reason: 'connector' },
    })
    ask({ fit: ['fits'] })
    expect(ids()).toEqual([1, 3, 4, 5])
    ask({ fit: ['fits', 'not_known'] })
    expect(ids()).toEqual([1, 6, 3, 4, 5])
    desk.setAircraft(null)
    expect(ids()).toHaveLength(6)
  })
})

describe('The hours at a time of arrival', () => {
  const HOUR = 3_600_000
  const day = (from: string, to: string) =>
    Object.fromEntries(WEEK.map((weekday) => [weekday, { open: true, from, to }])) as ChargePoint['availability']
  const at = (id: number, lng: number, from: string, to: string) =>
    aCharger({ id, icao: `EDA${id}`, location: { lat: 50, lng, source: null }, availability: day(from, to) })
  /** Monday 13:00 in Germany; a degree of longitude is 38.6 NM. */
  const START = { lat: 50, lng: 8 }
  const MORNING = at(1, 8, '08:00', '12:00')
  const EVENING = at(2, 8, '15:00', '18:00')
  const FAR = at(3, 11, '08:00', '14:30')
  const rows = () => Object.fromEntries(desk.rows(0, 9).rows.map(({ id, arrival }) => [id, arrival]))

  beforeEach(() => desk.load([MORNING, EVENING, FAR].map(asMember), []))

  it('are told for each charger beside those of now, and filter list and map', () => {
    const then: Arrival = { by: 'time', atMs: NOW + 3 * HOUR }
    ask({}, START, then)
    expect(rows()).toEqual({
      1: { state: 'closed', closesInMinutes: null, opensInMinutes: 960 },
      2: { state: 'open', closesInMinutes: 120, opensInMinutes: null },
      3: { state: 'closed', closesInMinutes: null, opensInMinutes: 960 },
    })
    expect(ask({ openAt: then }, START, then).matches).toBe(1)
    expect(ids()).toEqual([2])
    expect(desk.markers(EVERYWHERE, 3).markers.reduce((sum, { count }) => sum + count, 0)).toBe(1)
    ask({}, START)
    expect(rows()).toEqual({ 1: null, 2: null, 3: null })
  })

  it('are by a flight another time for each, which goes on with the clock', () => {
    const flight: Arrival = { by: 'flight', from: START, speedKt: 115.7 }
    // An hour's flight: at 14:00, and it closes half an hour later.
    expect(ask({ openAt: flight }, START, flight).matches).toBe(1)
    expect(rows()).toEqual({ 3: { state: 'open', closesInMinutes: 30, opensInMinutes: null } })
    nowMs += 40 * 60_000
    expect(ask({ openAt: flight }, START, flight).matches).toBe(0)
    nowMs += 90 * 60_000
    expect(ask({ openAt: flight }, START, flight).matches).toBe(1)
    expect(ids()).toEqual([2])
  })

  it('take no live state along: one that is out of order now is open then', () => {
    const then: Arrival = { by: 'time', atMs: NOW + 3 * HOUR }
    desk.load([{ ...EVENING, liveState: 'error', liveStateSyncedAt: new Date(NOW).toISOString() }].map(asMember), [])
    expect(ask({ openAt: then }, START, then).matches).toBe(1)
    expect(desk.rows(0, 1).rows[0]).toMatchObject({ liveState: 'error', arrival: { state: 'open' } })
  })
})

describe('What is found', () => {
  it('is counted out of all, and those without a position are counted apart', () => {
    expect(ask()).toMatchObject({ matches: 5, total: 5, unplaced: 1 })
    expect(ask({ search: 'friedrichs' })).toMatchObject({ matches: 2, total: 5, unplaced: 0 })
  })

  it('is in order of the distance from the point that was named, with what has no position last', () => {
    ask()
    expect(ids()).toEqual([1, 2, 3, 4, 5])
    ask({}, { lat: -36, lng: 174 })
    expect(ids()[0]).toBe(4)
    expect(desk.rows(0, 1).rows[0]?.distanceNm).toBeCloseTo(71.6, 0)
    expect(desk.rows(4, 5).rows[0]).toMatchObject({ id: 5, at: null, distanceNm: null })
  })

  it('comes with the part of the list that is asked for', () => {
    ask()
    expect(desk.rows(1, 3)).toMatchObject({ from: 1, rows: [{ id: 2 }, { id: 3 }] })
  })

  it('is the same whether its words were typed letter by letter, changed, or written at once', () => {
    const typed = fc.constantFrom(
      'e',
      'ed',
      'edn',
      'edny',
      'edny ',
      'edny d',
      'dc',
      'd',
      '',
      'ccs 2',
      'ccs',
      'ΟΣ',
      'ΟΣΑ',
    )
    fc.assert(
      fc.property(fc.array(anyCharger, { maxLength: 8 }), fc.array(typed, { minLength: 1 }), (some, searches) => {
        const all = [...SOME_CHARGERS, aCharger({ id: 0, airfield: 'ΔΟΣΑ' }), ...some].map((charger, at) => ({
          ...charger,
          id: at + 1,
        }))
        desk.load(all.map(asMember), [])
        for (const search of searches) {
          const found = ask({ search })
          const other = new ChargerDesk(() => NOW)
          other.load(all.map(asMember), [])
          const { matches, unplaced } = other.query({
            filter: { ...NO_FILTER, search },
            order: { by: 'distance', from: MIDDLE },
            from: MIDDLE,
            arrival: null,
          })
          expect(found).toMatchObject({ matches, unplaced })
          expect(ids()).toEqual(other.rows(0, 100).rows.map(({ id }) => id))
        }
      }),
    )
  })

  it('keeps the markers when only the order is another', () => {
    const first = ask()
    expect(ask({}, { lat: 0, lng: 0 })).toMatchObject({ round: first.round + 1, mapRound: first.mapRound })
    expect(ask({ search: 'altenrhein' }).mapRound).toBe(first.mapRound + 1)
  })

  it('follows what is marked as a favourite', () => {
    expect(ask({ favouritesOnly: true })).toMatchObject({ matches: 1 })
    desk.setFavourites([1, 2])
    ask({ favouritesOnly: true })
    expect(ids()).toEqual([1, 2])
  })

  it('says which favourites are not in the set', () => {
    desk.setFavourites([1, 99])
    expect(ask({ favouritesOnly: true })).toMatchObject({ matches: 1, goneFavourites: [99] })
    desk.setFavourites([1])
    expect(ask({}).goneFavourites).toEqual([])
  })

  it('says which the last refresh did not see', () => {
    ask()
    expect(
      desk
        .rows(0, 9)
        .rows.filter(({ unseen }) => unseen)
        .map(({ id }) => id),
    ).toEqual([4])
  })
})

describe('Markers', () => {
  it('stand for the chargers of an airfield, look like the best of them, and tell of a fault', () => {
    ask()
    const { markers } = desk.markers(EVERYWHERE, 12)
    const site = markers.find(({ lat }) => lat === 47.67)
    expect(site).toMatchObject({
      kind: 'site',
      count: 2,
      free: 1,
      broken: 1,
      markerStyle: 'free',
      id: null,
      tier: 'under50',
    })
    expect(markers.find(({ lng }) => lng === 9.56)).toMatchObject({ id: 3, markerStyle: 'saidTaken', favourite: true })
    expect(markers).toHaveLength(3)
  })

  it('are one cluster across the 180th meridian too, and found on both sides of it', () => {
    const at = (id: number, icao: string, lng: number) =>
      aCharger({ id, icao, location: { lat: -17, lng, source: null } })
    desk.load([at(1, 'NFFN', 177.4), at(2, 'NFNM', -179.9), at(3, 'NFTF', -175.1)].map(asMember), [])
    ask()
    const around = { south: -40, north: 0 }
    for (const [west, east] of [
      [170, 190],
      [-190, -170],
      [-180, 180],
    ] as const) {
      const { markers } = desk.markers({ ...around, west, east }, 1)
      expect(markers).toMatchObject([{ kind: 'cluster', count: 3 }])
      expect(Math.abs(markers[0]!.lng)).toBeGreaterThan(175)
      expect(Math.abs(markers[0]!.lng)).toBeLessThanOrEqual(180)
    }
    expect(desk.markers({ ...around, west: 170, east: 178 }, 12).markers).toMatchObject([{ icao: 'NFFN', lng: 177.4 }])
    expect(desk.markers({ ...around, west: 0, east: 20 }, 12).markers).toEqual([])
  })

  it('become clusters that add up, and come apart at the zoom they name', () => {
    ask()
    const cluster = desk.markers({ west: 0, east: 20, south: 40, north: 50 }, 3).markers[0]
    expect(cluster).toMatchObject({ kind: 'cluster', count: 3, sites: 2, free: 1, broken: 1, favourite: true })
    if (cluster?.kind !== 'cluster') throw new Error('not a cluster')
    expect(cluster.shares).toEqual({ free: 1, taken: 1, broken: 1, other: 0 })
    const zoom = desk.expand(cluster.cluster)
    expect(desk.markers(EVERYWHERE, zoom).markers.filter(({ lng }) => lng < 20)).toHaveLength(2)
  })

  it('show only what the filter lets through', () => {
    ask({ current: ['AC'] })
    expect(desk.markers(EVERYWHERE, 12).markers).toMatchObject([{ count: 1, markerStyle: 'broken', id: 2 }])
  })

  it('are found across the 180th meridian', () => {
    ask()
    expect(desk.markers({ west: 170, east: 200, south: -50, north: 0 }, 8).markers).toMatchObject([{ id: 4 }])
    expect(desk.markers({ west: -190, east: -170, south: -50, north: 0 }, 8).markers).toMatchObject([{ id: 4 }])
  })
})

describe('A live state that is no longer one of now', () => {
  it('leaves the marker, the list, the counts and the filters by itself, an hour after it was synced', () => {
    const site = () => desk.markers(EVERYWHERE, 12).markers.find(({ lat }) => lat === 47.67)
    const first = ask({ freeNow: true })
    expect([first.matches, desk.quick().freeNow]).toEqual([1, 1])
    expect(site()).toMatchObject({ markerStyle: 'free', free: 1 })
    nowMs = NOW + 49 * 60_000
    expect(ask({ freeNow: true }).mapRound).toBe(first.mapRound)
    nowMs = NOW + 51 * 60_000
    expect(ask({ freeNow: true })).toMatchObject({ matches: 0, mapRound: first.mapRound + 1 })
    expect(desk.quick().freeNow).toBe(0)
    ask()
    expect(site()).toMatchObject({ markerStyle: 'stale', free: 0, broken: 0 })
    expect(desk.rows(0, 9).rows.map(({ markerStyle }) => markerStyle)).toEqual([
      'stale',
      'stale',
      'saidTaken',
      'stale',
      'stale',
    ])
    expect(desk.facet('states')).toMatchObject([
      { key: 'stale', count: 4 },
      { key: 'unlinked', count: 1 },
    ])
    expect(desk.detail(4)).toMatchObject({ disagreement: null })
    expect(desk.export({ of: 'matches', format: 'csv', sample: false }).text).toContain(
      ',available,2026-11-02T11:50:00.000Z,false,',
    )
  })
})

describe('Counts beside filters', () => {
  it('tell what choosing a value would give, whatever is chosen of the same kind', () => {
    ask({ connectors: ['Type 2'] })
    expect(desk.facet('connectors')).toMatchObject([
      { label: 'CCS2', count: 4 },
      { label: 'Type 2', count: 1 },
    ])
    expect(desk.facet('states')).toMatchObject([{ key: 'broken', count: 1 }])
    expect(desk.quick()).toMatchObject({ freeNow: 0, openNow: 1, AC: 1, DC: 0 })
  })
})

describe('One charger', () => {
  it('comes with its zone by its coordinates, what disagrees, and how many stand beside it', () => {
    ask()
    expect(desk.detail(1)).toMatchObject({ zone: 'Europe/Berlin', offsetMs: 3_600_000, country: 'DE', atSite: 2 })
    expect(desk.detail(4)).toMatchObject({ disagreement: 'live_taken_said_free', row: { markerStyle: 'busy' } })
    expect(desk.detail(5)).toMatchObject({ zone: null, offsetMs: null, row: { markerStyle: 'unknown' } })
    expect(desk.detail(99)).toBeNull()
  })

  it('leads to the others at its airfield, with how many of them the filter leaves out', () => {
    ask({ freeNow: true })
    const site = desk.detail(2)?.row.site ?? ''
    expect(desk.site(site)).toMatchObject({ icao: 'EDNY', hidden: 1, rows: [{ id: 1 }] })
    expect(desk.site('none')).toBeNull()
  })
})

describe('A search', () => {
  it('offers airfields by code and by name', () => {
    expect(desk.suggest('lsz')).toMatchObject([{ icao: 'LSZR', ids: [3] }])
    expect(desk.suggest('friedrichs')).toMatchObject([{ icao: 'EDNY', ids: [1, 2] }])
  })
})

describe('A file of what is shown', () => {
  it.each(['csv', 'geojson', 'gpx', 'cup'] as const)(
    'as %s holds what the filter lets through, and nothing else',
    (format) => {
      ask({ search: 'altenrhein' })
      const { text } = desk.export({ of: 'matches', format, sample: true })
      expect(text).toContain('Altenrhein')
      expect(text).toContain('Sample data, not for navigation')
      expect(text).not.toContain('Friedrichshafen')
    },
  )
})
