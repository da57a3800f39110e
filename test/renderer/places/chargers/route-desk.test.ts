import { beforeEach, describe, expect, it } from 'vitest'
import { asMember } from '../../../../src/renderer/places/chargers/data/charger-set.ts'
import { RouteDesk } from '../../../../src/renderer/places/chargers/data/route-desk.ts'
import { planInQuery, type RoutePlan } from '../../../../src/shared/chargers/route/route-plan.ts'
import { findRoutes } from '../../../../src/shared/chargers/route/plan-routes.ts'
import { legLines } from '../../../../src/shared/chargers/route/great-circle.ts'
import { aCharger } from './charger-samples.ts'

const NOW = Date.UTC(2026, 10, 2, 12)
const MINUTE = 60_000
const synced = new Date(NOW).toISOString()
const at = (id: number, icao: string, lat: number, lng: number, part: object = {}) =>
  aCharger({
    id,
    icao,
    airfield: `Field ${icao}`,
    location: { lat, lng, source: 'charge_point' },
    liveStateSyncedAt: synced,
    ...part,
  })
/** In a row along a meridian, 60 NM from one to the next; the second of the middle ones is off the straight way. */
const CHARGERS = [at(1, 'EDAA', 48, 10), at(2, 'EDBB', 49, 10), at(3, 'EDBC', 49, 10.2), at(4, 'EDDD', 50, 10)]
const planOf = (change: Partial<RoutePlan> = {}): RoutePlan => ({
  ...planInQuery(new URLSearchParams('range=80&reserve=10&from=48,10,A&to=50,10,B'))!,
  takeFitNotKnown: true,
  ...change,
})

let desk: RouteDesk
let nowMs: number
beforeEach(() => {
  nowMs = NOW
  desk = new RouteDesk(() => nowMs)
  desk.load(CHARGERS.map(asMember))
})

const stopsOf = (plan: RoutePlan) => {
  const answer = desk.plan(plan)?.answer
  return answer?.kind === 'routes'
    ? answer.routes.map(({ stops }) => stops.flatMap(({ chargers }) => chargers[0]!.id))
    : answer?.kind
}

describe('Routes that the worker plans', () => {
  it('come with alternatives, and change when a charger is avoided', () => {
    expect(stopsOf(planOf())).toEqual([[2], [3]])
    expect(stopsOf(planOf({ avoid: [2] }))).toEqual([[3]])
    expect(desk.plan(planOf({ avoid: [2] }))?.leftOut.avoided).toBe(1)
    expect(stopsOf(planOf({ avoid: [2, 3] }))).toBe('no_route')
    expect(stopsOf(planOf())).toEqual([[2], [3]])
  })

  it('are another for another aircraft, and none for a plan without an end', () => {
    const { aircraft } = planOf()
    expect(stopsOf(planOf({ aircraft: { ...aircraft, connectors: ['Type 2'] } }))).toBe('no_route')
    expect(stopsOf(planOf({ aircraft: { ...aircraft, rangeNm: 140 } }))).toEqual([[]])
    expect(desk.plan(planOf({ to: null }))).toBeNull()
  })

  it('count a charger as broken for as long as its live state is of now', () => {
    desk.load([CHARGERS[0]!, at(2, 'EDBB', 49, 10, { liveState: 'error' }), CHARGERS[3]!].map(asMember))
    expect(stopsOf(planOf())).toBe('no_route')
    nowMs += 61 * MINUTE
    expect(stopsOf(planOf())).toEqual([[2]])
  })
})

describe('A charger that the last refresh did not list', () => {
  it('is on a route with a note', () => {
    const notes = () => {
      const answer = desk.plan(planOf())?.answer
      return answer?.kind === 'routes' ? answer.routes[0]!.stops[0]!.notes : []
    }
    expect(notes()).not.toContain('not_listed')
    desk.load(CHARGERS.map(asMember), [2])
    expect(notes()).toContain('not_listed')
  })
})

describe('What the worker keeps of a route', () => {
  let searched: number
  let counting: RouteDesk
  beforeEach(() => {
    searched = 0
    counting = new RouteDesk(
      () => nowMs,
      (...given) => {
        searched += 1
        return findRoutes(...given)
      },
    )
  })

  it('is the search, while the question and the network are the same; times are those of now', () => {
    const before = desk.plan(planOf())!
    nowMs += MINUTE
    const after = desk.plan(planOf())!
    const first = ({ answer }: typeof before) => (answer.kind === 'routes' ? answer.routes[0]! : null)
    const withSpeed = planOf({ aircraft: { ...planOf().aircraft, speedKt: 60 } })
    const early = first(desk.plan(withSpeed)!)!.legs[0]!.arriveMs!
    nowMs += MINUTE
    expect(first(desk.plan(withSpeed)!)!.legs[0]!.arriveMs).toBe(early + MINUTE)
    expect(first(after)!.stops).toHaveLength(first(before)!.stops.length)
  })

  it('is not searched for again each minute, where it was not found either', () => {
    const free = new Date(NOW - 59 * MINUTE).toISOString()
    // A live state that runs out in a minute, of a charger that is not out of order.
    counting.load([...CHARGERS, at(9, 'EDZZ', 60, 20, { liveStateSyncedAt: free })].map(asMember))
    for (const plan of [planOf({ avoid: [2, 3] }), planOf()]) {
      searched = 0
      for (let minute = 0; minute < 5; minute += 1) {
        counting.plan(plan)
        nowMs += MINUTE
      }
      expect(searched).toBe(1)
    }
    counting.load(CHARGERS.map(asMember))
    counting.plan(planOf())
    expect(searched).toBe(2)
  })

  it('stays the same for a minute, although every second a charger stops being out of order', () => {
    const SECOND = 1000
    const syncedAt = (second: number) => new Date(NOW - 60 * MINUTE + second * SECOND).toISOString()
    const broken = Array.from({ length: 180 }, (_, nth) =>
      at(100 + nth, 'EDZZ', 60, 20, { liveState: 'error', liveStateSyncedAt: syncedAt(nth) }),
    )
    counting.load([...CHARGERS, ...broken].map(asMember))
    for (let second = 0; second < 120; second += 1) {
      counting.plan(planOf())
      nowMs += SECOND
    }
    expect(searched).toBe(2)
  })
})

describe('An end of a route', () => {
  it('is an airfield by its code, its name or both, or degrees', () => {
    const place = { name: 'EDBC Field EDBC', icao: 'EDBC', place: { lat: 49, lng: 10.2 } }
    for (const text of ['edbc', 'Field EDBC', ' EDBC Field EDBC '])
      expect(desk.place(text)).toEqual({ kind: 'found', place })
    expect(desk.place('N48.5, W10')).toEqual({
      kind: 'found',
      place: { name: 'N48.5, W10', place: { lat: 48.5, lng: -10 } },
    })
    expect(desk.place('95,10')).toEqual({ kind: 'no_degrees' })
    expect(desk.place('edb')).toEqual({ kind: 'several', names: ['EDBB Field EDBB', 'EDBC Field EDBC'] })
    expect(desk.place('nowhere')).toEqual({ kind: 'unknown' })
  })
})

describe('Two airfields of one name', () => {
  const alike = (id: number, lat: number, icao: string | null = null) =>
    at(id, icao ?? '', lat, 10, { icao, airfield: 'Neustadt' })

  it('are told apart by their positions, and each is read as it was told', () => {
    desk.load([alike(1, 48), alike(2, 52), alike(3, 48.01)].map(asMember))
    const names = ['Neustadt (48,10)', 'Neustadt (52,10)']
    expect(desk.place('neustadt')).toEqual({ kind: 'several', names })
    expect(desk.place(names[1]!)).toEqual({ kind: 'found', place: { name: 'Neustadt', place: { lat: 52, lng: 10 } } })
    expect(desk.place('Neustadt (95,10)')).toEqual({ kind: 'no_degrees' })
  })

  it('are one where they are near each other', () => {
    desk.load([alike(1, 48), alike(2, 48.01)].map(asMember))
    expect(desk.place('Neustadt')).toMatchObject({ kind: 'found', place: { place: { lat: 48 } } })
    desk.load([at(1, 'EDAZ', 48, 10), { ...at(2, 'EDAZ', 48.01, 10), airfield: 'Other' }].map(asMember))
    expect(desk.place('EDAZ')).toMatchObject({ kind: 'found', place: { name: 'EDAZ Field EDAZ' } })
  })
})

describe('The lines of a route', () => {
  it('go on beyond the 180th meridian instead of turning back', () => {
    const lines = legLines([
      [
        { lat: -18, lng: 178 },
        { lat: -17, lng: -178 },
      ],
      [
        { lat: -17, lng: -178 },
        { lat: -14, lng: -171 },
      ],
    ])
    const lngs = lines.flat().map(({ lng }) => lng)
    expect(lngs[0]).toBe(178)
    expect(lngs.at(-1)).toBeCloseTo(189, 6)
    expect(lngs).toEqual([...lngs].sort((one, other) => one - other))
  })
})
