import { beforeEach, describe, expect, it } from 'vitest'
import { prepareCharger, ChargerIndex } from '../../../../src/renderer/places/chargers/data/charger-index.ts'
import { planInQuery, type RoutePlan } from '../../../../src/shared/chargers/route/route-plan.ts'
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

let set: ChargerIndex
let nowMs: number
beforeEach(async () => {
  nowMs = NOW
  set = new ChargerIndex(() => nowMs)
  await set.take(CHARGERS.map(prepareCharger))
})

const stopsOf = async (plan: RoutePlan) => {
  const { none, routes } = (await set.plan(plan))!
  return none === null ? routes.map(({ stops }) => stops.flatMap(({ chargers }) => chargers[0]!.id)) : none.kind
}

it('Routes among a set count a charger as broken for as long as its live state is of now', async () => {
  await set.take([CHARGERS[0]!, at(2, 'EDBB', 49, 10, { liveState: 'error' }), CHARGERS[3]!].map(prepareCharger))
  expect(await stopsOf(planOf())).toBe('no_route')
  nowMs += 61 * MINUTE
  expect(await stopsOf(planOf())).toEqual([[2]])
})

it('An end of a route is an airfield by its code, its name or both, or degrees', () => {
  const place = { name: 'EDBC Field EDBC', icao: 'EDBC', place: { lat: 49, lng: 10.2 } }
  for (const text of ['edbc', 'Field EDBC', ' EDBC Field EDBC '])
    expect(set.place(text)).toEqual({ kind: 'found', place })
  expect(set.place('N48.5, W10')).toEqual({
    kind: 'found',
    place: { name: 'N48.5, W10', place: { lat: 48.5, lng: -10 } },
  })
  expect(set.place('95,10')).toEqual({ kind: 'no_degrees' })
  expect(set.place('edb')).toEqual({ kind: 'several', names: ['EDBB Field EDBB', 'EDBC Field EDBC'] })
  expect(set.place('nowhere')).toEqual({ kind: 'unknown' })
})

describe('Two airfields of one name', () => {
  const alike = (id: number, lat: number, icao: string | null = null) =>
    at(id, icao ?? '', lat, 10, { icao, airfield: 'Neustadt' })

  it('are told apart by their positions, and each is read as it was told', async () => {
    await set.take([alike(1, 48), alike(2, 52), alike(3, 48.01)].map(prepareCharger))
    const names = ['Neustadt (48,10)', 'Neustadt (52,10)']
    expect(set.place('neustadt')).toEqual({ kind: 'several', names })
    expect(set.place(names[1]!)).toEqual({ kind: 'found', place: { name: 'Neustadt', place: { lat: 52, lng: 10 } } })
    expect(set.place('Neustadt (95,10)')).toEqual({ kind: 'no_degrees' })
  })

  it('are one where they are near each other', async () => {
    await set.take([alike(1, 48), alike(2, 48.01)].map(prepareCharger))
    expect(set.place('Neustadt')).toMatchObject({ kind: 'found', place: { place: { lat: 48 } } })
    await set.take([at(1, 'EDAZ', 48, 10), { ...at(2, 'EDAZ', 48.01, 10), airfield: 'Other' }].map(prepareCharger))
    expect(set.place('EDAZ')).toMatchObject({ kind: 'found', place: { name: 'EDAZ Field EDAZ' } })
  })
})

it('The lines of a route go on beyond the 180th meridian instead of turning back', () => {
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
