import { beforeEach, describe, expect, it } from 'vitest'
import { NO_FILTER, type ChargerFilter } from '../../../../src/shared/chargers/filter.ts'
import { ChargerIndex, prepareCharger } from '../../../../src/renderer/places/chargers/data/charger-index.ts'
import { lookOf } from '../../../../src/renderer/places/chargers/data/look.ts'
import type { ChargePoint } from '../../../../src/shared/chargers/charger.ts'
import { aCharger, someChargers } from './charger-samples.ts'

const NOW = Date.UTC(2026, 10, 2, 12)
const SOME_CHARGERS = someChargers(NOW)
const MIDDLE = { lat: 47.6, lng: 9.5 }
const EVERYWHERE = { west: -180, east: 180, south: -85, north: 85 }

let set: ChargerIndex
let nowMs: number
const ask = (filter: Partial<ChargerFilter> = {}, from = MIDDLE) =>
  set.find({ ...NO_FILTER, ...filter }, { by: 'distance', from })
const rows = () => Array.from({ length: 100 }, (_, at) => set.row(at)).filter((row) => row !== null)
const ids = () => rows().map(({ charger }) => charger.id)
const markers = async (bounds = EVERYWHERE, zoom = 12) => (await set.clusters())!.within(bounds, zoom, 150)
const take = (chargers: readonly ChargePoint[]) => set.take(chargers.map(prepareCharger))

beforeEach(async () => {
  nowMs = NOW
  set = new ChargerIndex(() => nowMs)
  set.setFavourites([3])
  await take(SOME_CHARGERS)
})

it('The chosen aircraft fits, does not fit or is not known to; a filter hides what does not fit, until none is chosen', async () => {
  await take([...SOME_CHARGERS, aCharger({ id: 6, connectors: [] })])
  ask()
  expect(rows().map(({ fit }) => fit)).toEqual(Array.from({ length: 6 }, () => null))
  set.setAircraft({ connectors: ['ccs 2'], types: [] })
  ask()
  const fits = () => Object.fromEntries(rows().map(({ charger, fit }) => [charger.id, fit]))
  expect(fits()).toMatchObject({ 1: 'fits', 2: 'does_not_fit', 6: 'not_known' })
  ask({ fitting: true })
  expect(ids()).toEqual([1, 6, 3, 4, 5])
  set.setAircraft(null)
  ask({ fitting: true })
  expect(ids()).toHaveLength(6)
})

describe('What is found', () => {
  it('is in order of the distance from the point that was named, with what has no position last', () => {
    ask()
    expect(ids()).toEqual([1, 2, 3, 4, 5])
    ask({}, { lat: -36, lng: 174 })
    expect(ids()[0]).toBe(4)
    expect(set.row(4)).toMatchObject({ charger: { id: 5 }, place: null })
  })

  it('follows what is marked as a favourite', () => {
    expect(ask({ favouritesOnly: true })).toMatchObject({ matches: 1 })
    set.setFavourites([1, 2])
    ask({ favouritesOnly: true })
    expect(ids()).toEqual([1, 2])
  })

  it('is still found when a refresh takes the place of the set, at the same places or at others', async () => {
    ask({ search: 'altenrhein' })
    const moved = SOME_CHARGERS.map((one) =>
      one.id === 3 ? { ...one, location: { lat: 1, lng: 2, source: null } } : one,
    )
    for (const [chargers, lat] of [
      [SOME_CHARGERS.map((one) => ({ ...one, kw: '11' })), 47.485],
      [moved, 1],
    ] as const) {
      await take(chargers)
      ask({ search: 'altenrhein' })
      expect(set.row(0)).toMatchObject({ charger: { id: 3, kw: chargers[2]!.kw }, favourite: true, place: { lat } })
      expect(await markers()).toMatchObject([{ id: 3, lat }])
      expect(set.suggest('lszr')).toMatchObject([{ at: { lat } }])
    }
  })
})

describe('Markers', () => {
  it('stand for the chargers of an airfield, look like the best of them, and tell of a fault', async () => {
    ask()
    const all = await markers()
    expect(all.find(({ lat }) => lat === 47.67)).toMatchObject({
      kind: 'site',
      count: 2,
      kinds: { free: 1, broken: 1 },
      look: 'free',
      id: null,
      kw: 40,
    })
    expect(all.find(({ lng }) => lng === 9.56)).toMatchObject({ id: 3, look: 'maybeBusy', favourite: true })
    expect(all).toHaveLength(3)
  })

  it('become clusters that add up, and know what is in them', async () => {
    ask()
    const clusters = (await set.clusters())!
    const [cluster] = clusters.within({ west: 0, east: 20, south: 40, north: 50 }, 3, 150)
    expect(cluster).toMatchObject({
      kind: 'cluster',
      count: 3,
      sites: 2,
      kinds: { free: 1, busy: 1, broken: 1, unknown: 0 },
      favourite: true,
    })
    if (cluster?.kind !== 'cluster') throw new Error('not a cluster')
    expect(clusters.sitesOf(cluster).map(({ icao }) => icao)).toEqual(['EDNY', 'LSZR'])
  })

  it('are merged further where there would be more than fit', async () => {
    const field = (at: number) =>
      aCharger({ id: at, icao: `ED${at}`, location: { lat: 47 + (at % 20) * 0.1, lng: 8 + at * 0.01, source: null } })
    await take(Array.from({ length: 400 }, (_, at) => field(at + 1)))
    ask()
    const clusters = (await set.clusters())!
    expect(clusters.within(EVERYWHERE, 11, 1000).length).toBeGreaterThan(150)
    const few = clusters.within(EVERYWHERE, 11, 150)
    expect(few.length).toBeLessThanOrEqual(150)
    expect(few.reduce((sum, { count }) => sum + count, 0)).toBe(400)
  })

  it('show only what the filter lets through', async () => {
    ask({ current: ['AC'] })
    expect(await markers()).toMatchObject([{ count: 1, look: 'broken', id: 2 }])
  })

  it('are found across the 180th meridian', async () => {
    ask()
    for (const [west, east] of [
      [170, 200],
      [-190, -170],
    ] as const)
      expect(await markers({ west, east, south: -50, north: 0 }, 8)).toMatchObject([{ id: 4 }])
  })
})

it('A live state that is no longer one of now leaves the marker, the list and the filters by itself, an hour after it was synced', async () => {
  const site = async () => (await markers()).find(({ lat }) => lat === 47.67)
  const first = ask({ freeNow: true })
  expect(first.matches).toBe(1)
  expect(await site()).toMatchObject({ look: 'free', kinds: { free: 1 } })
  nowMs = NOW + 30_000
  expect(ask({ freeNow: true }).mapRound).toBe(first.mapRound)
  nowMs = NOW + 51 * 60_000
  expect(ask({ freeNow: true })).toMatchObject({ matches: 0, mapRound: first.mapRound + 1 })
  ask()
  expect(await site()).toMatchObject({ look: 'notLive', kinds: { free: 0, broken: 0 } })
  expect(rows().map((one) => lookOf(one, nowMs))).toEqual(['notLive', 'notLive', 'maybeBusy', 'notLive', 'notLive'])
  expect(set.export('csv', false).text).toContain(',available,2026-11-02T11:50:00.000Z,false,')
})

it('Counts beside filters tell what choosing a value would give, whatever is chosen of the same kind', () => {
  ask({ connectors: ['Type 2'] })
  expect(set.facet('connectors')).toMatchObject([
    { label: 'CCS2', count: 4 },
    { label: 'Type 2', count: 1 },
  ])
})

describe('One charger', () => {
  it('comes with its zone by its coordinates', () => {
    ask()
    expect(set.detail(1)).toMatchObject({ zone: 'Europe/Berlin' })
    expect([4, 5].map((id) => lookOf(set.detail(id)!, nowMs))).toEqual(['busy', 'unknown'])
    expect(set.detail(5)).toMatchObject({ zone: null })
    expect(set.detail(99)).toBeNull()
  })

  it('leads to the others at its airfield, with how many of them the filter leaves out', () => {
    ask({ freeNow: true })
    const site = set.detail(2)?.site ?? ''
    expect(set.site(site)).toMatchObject({ icao: 'EDNY', hidden: 1, found: [{ charger: { id: 1 } }] })
    expect(set.site('none')).toBeNull()
  })
})

it('A search offers airfields by code and by name', () => {
  expect(set.suggest('lsz')).toMatchObject([{ icao: 'LSZR', members: { length: 1 } }])
  expect(set.suggest('friedrichs')).toMatchObject([{ icao: 'EDNY', members: { length: 2 } }])
})

it.each(['csv', 'geojson', 'gpx', 'cup'] as const)(
  'A file of what is shown as %s holds what the filter lets through, and nothing else',
  (format) => {
    ask({ search: 'altenrhein' })
    const { text } = set.export(format, true)
    expect(text).toContain('Altenrhein')
    expect(text).toContain('Sample data, not for navigation')
    expect(text).not.toContain('Friedrichshafen')
  },
)
