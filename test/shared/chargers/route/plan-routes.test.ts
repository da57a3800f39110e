import zoneOf from '@photostructure/tz-lookup'
import { describe, expect, it } from 'vitest'
import type { ChargePoint } from '../../../../src/shared/chargers/charger.ts'
import { bearingDegrees } from '../../../../src/shared/chargers/distance.ts'
import { routeFile, ROUTE_NOTICE } from '../../../../src/shared/chargers/exports/route-files.ts'
import { groupChargers } from '../../../../src/shared/chargers/group.ts'
import { prepare } from '../../../../src/shared/chargers/prepare.ts'
import type { Aircraft } from '../../../../src/shared/chargers/route/aircraft.ts'
import { fitTest } from '../../../../src/shared/chargers/route/aircraft.ts'
import { planRoutes, type PlannedRoute } from '../../../../src/shared/chargers/route/plan-routes.ts'
import type { RouteRequest } from '../../../../src/shared/chargers/route/route-plan.ts'
import { routeNetwork } from '../../../../src/shared/chargers/route/route-network.ts'
import { STOP_WARNINGS } from '../../../../src/shared/chargers/route/route-stop.ts'
import { charger, CLOSED, hours, NOW_MS, weekOf } from '../any-charger.ts'
import { elementsNamed, parseStrictXml } from '../exports/strict-xml.ts'

const AIRCRAFT: Aircraft = {
  connectors: [],
  types: [],
  rangeNm: 75,
  reserve: { value: 15, unit: 'nm' },
  speedKt: 60,
  usableKwh: 37.5,
  maxKw: null,
}
const craft = (changes: Partial<Aircraft>): Aircraft => ({ ...AIRCRAFT, ...changes })
const prepared = (chargers: readonly ChargePoint[]) => chargers.map((one) => prepare(one, zoneOf))
const at = (id: number, lng: number, members: Partial<ChargePoint> = {}, lat = 50) =>
  charger({ id, icao: `ED0${id}`, airfield: `Field ${id}`, location: { lat, lng, source: 'charge_point' }, ...members })

async function plan(chargers: readonly ChargePoint[], more: Partial<RouteRequest> = {}) {
  const request: RouteRequest = {
    from: { name: 'A', place: { lat: 50, lng: 8 } },
    via: [],
    to: { name: 'B', place: { lat: 50, lng: 11 } },
    aircraft: AIRCRAFT,
    prefer: 'stops',
    takeFitNotKnown: false,
    wind: null,
    startPercent: 100,
    departMs: NOW_MS,
    groundMinutes: 0,
    nowMs: NOW_MS,
    ...more,
  }
  const network = routeNetwork(groupChargers(prepared(chargers)), request)
  return { answer: await planRoutes(network, request), network }
}

const answerTo = async (...given: Parameters<typeof plan>) => (await plan(...given)).answer

/** 50° N: a degree of longitude is 38.6 NM; A and B are 115.7 NM apart. */
const MIDDLE = at(1, 9.5)

async function routesOf(...given: Parameters<typeof plan>): Promise<readonly PlannedRoute[]> {
  const { answer } = await plan(...given)
  if (answer.kind !== 'routes') throw new Error(`there is none: ${answer.kind}`)
  return answer.routes
}
const first = async (...given: Parameters<typeof plan>) => (await routesOf(...given))[0]!

describe('A planned route', () => {
  it('has each leg with distance, bearing, time and energy, and what a stop takes', async () => {
    const route = await first([MIDDLE])
    const ways = route.legs.map(({ from, to }) => `${from.name} - ${to.name}`)
    expect(ways).toEqual(['A - ED01 Field 1', 'ED01 Field 1 - B'])
    const [leg] = route.legs
    expect(leg!.nm).toBeCloseTo(57.9, 0)
    expect(leg!.bearing).toBeCloseTo(89.4, 0)
    expect(leg!.minutes).toBeCloseTo(leg!.nm, 6)
    expect(leg!.kwh).toBeCloseTo(leg!.nm / 2, 6)
    // 28.9 kWh at 50 kW.
    expect(route.stops[0]!.chargeMinutes).toBeCloseTo((leg!.kwh! / 50) * 60, 6)
    expect(route.totalMinutes).toBeCloseTo(route.flyingMinutes! + route.chargingMinutes!, 6)
    expect(route.stops[0]!.departMs).toBeCloseTo(NOW_MS + (leg!.minutes! + route.chargingMinutes!) * 60_000, -1)
  })

  it('is called the quickest only where none of those beside it takes less time, waiting included', async () => {
    const shut = { availability: weekOf(hours('17:00', '18:00')) }
    const named = async (members: Partial<ChargePoint>, prefer: RouteRequest['prefer']) => {
      const routes = await routesOf([at(1, 9.5, members), at(2, 9.5, {}, 50.1)], { prefer })
      return routes.map(({ kinds, waitingMinutes }) => `${waitingMinutes! > 0 ? 'waits ' : ''}${kinds.join(' ')}`)
    }
    expect(await named({}, 'stops')).toEqual(['stops time', 'apart'])
    for (const prefer of ['stops', 'time'] as const)
      expect(await named(shut, prefer)).toEqual(['waits stops', 'apart time'])
  })

  it('charges no faster than the aircraft takes, and says nothing of what is not known', async () => {
    const slow = await first([MIDDLE], { aircraft: craft({ maxKw: 25 }) })
    expect(slow.stops[0]!.chargeMinutes).toBeCloseTo((slow.legs[0]!.kwh! / 25) * 60, 6)
    const unread = await first([at(1, 9.5, { kw: 'strong' })])
    expect(unread).toMatchObject({ chargingMinutes: null, totalMinutes: null })
    expect(unread.stops[0]).toMatchObject({ chargeMinutes: null, departMs: null })
    expect(unread.stops[0]!.notes).toContain('power_not_known')
    const unhurried = await first([MIDDLE], { aircraft: craft({ speedKt: null, usableKwh: null }) })
    expect(unhurried.legs[0]).toMatchObject({ minutes: null, kwh: null, arriveMs: null })
    // The range says what is left, even where energy and speed are unknown; a charge fills it again.
    for (const { nm, left } of unhurried.legs) expect(left).toBeCloseTo(1 - nm / 75, 9)
    expect(unhurried.stops[0]).toMatchObject({ opening: null, arriveMs: null })
  })

  it('keeps the reserve: what lies within the range alone is too far', async () => {
    const { answer } = await plan([MIDDLE], { aircraft: craft({ reserve: { value: 20, unit: 'nm' } }) })
    expect(answer).toMatchObject({ kind: 'no_route', usableNm: 55 })
  })

  it('begins with the charge that is there, and charges what was missing at the first stop', async () => {
    // 57.9 NM to the middle, 15 in reserve, of 75.
    const full = await first([MIDDLE])
    const route = await first([MIDDLE], { startPercent: 98 })
    expect(route.legs.map(({ nm }) => nm)).toEqual(full.legs.map(({ nm }) => nm))
    expect(route.legs[0]!.left).toBeCloseTo(0.98 - route.legs[0]!.nm / 75, 9)
    expect(route.legs[1]!.left).toBeCloseTo(1 - route.legs[1]!.nm / 75, 9)
    expect(route.stops[0]!.chargeKwh).toBeCloseTo((route.legs[0]!.nm + 1.5) / 2, 6)
    expect(route.flyingMinutes).toBe(full.flyingMinutes)
    const expected = { kind: 'low_charge', startPercent: 50, neededPercent: 98 }
    expect(await answerTo([MIDDLE], { startPercent: 50 })).toEqual(expected)
    expect((await answerTo([MIDDLE], { startPercent: 97 })).kind).toBe('low_charge')
    // No charge at the start would help.
    expect((await answerTo([at(1, 9), at(2, 10.8)], { startPercent: 50 })).kind).toBe('no_route')
  })

  it('charges where it starts when nothing else can be reached', async () => {
    const route = await first([at(2, 8), MIDDLE], { startPercent: 30 })
    const legs = route.legs.map(({ nm, left }) => `${Math.round(nm)} ${Math.round(left * 100)}`)
    expect(legs).toEqual(['0 30', '58 23', '58 23'])
    // 70 % of 37.5 kWh.
    expect(route.stops[0]!.chargeKwh).toBeCloseTo(26.25, 6)
  })

  it('says where the gap is, and the least range that would be enough, reserve included', async () => {
    const chargers = [at(1, 9), at(2, 10.8)]
    const withRange = async (rangeNm: number) =>
      await answerTo(chargers, { aircraft: craft({ rangeNm, reserve: { value: 15.5, unit: 'nm' } }) })
    const answer = await withRange(75)
    if (answer.kind !== 'no_route') throw new Error('there is one')
    expect(answer).toMatchObject({ usableSites: 2, reserveNm: 15.5, neededRangeNm: 85 })
    expect(answer.places).toEqual([
      { lat: 50, lng: 9 },
      { lat: 50, lng: 10.8 },
    ])
    expect((await withRange(85)).kind).toBe('routes')
    expect((await withRange(84)).kind).toBe('no_route')
    // A share of a longer range is a longer reserve.
    const percent = async (rangeNm: number) =>
      await answerTo(chargers, { aircraft: craft({ rangeNm, reserve: { value: 20, unit: 'percent' } }) })
    const short = await percent(75)
    expect(short).toMatchObject({ kind: 'no_route', neededRangeNm: 87, reserveNm: 17.4 })
    expect([(await percent(87)).kind, (await percent(86)).kind]).toEqual(['routes', 'no_route'])
    const none = await answerTo([], { aircraft: craft({ rangeNm: 75 }) })
    expect(none).toMatchObject({ kind: 'no_route', usableSites: 0, from: 'A', to: 'B' })
    const aside = [{ name: 'V', place: { lat: 54, lng: 9.5 } }]
    const there = await answerTo([MIDDLE], { via: aside, aircraft: craft({ rangeNm: 75 }) })
    expect(there).toMatchObject({ kind: 'no_route', from: 'ED01 Field 1', via: ['V'], to: 'ED01 Field 1' })
  })

  it('uses only chargers that fit, are not out of order, and have a position', async () => {
    const many = [
      at(1, 9.5, { connectors: ['Type 2'] }),
      at(2, 9.5, { connectors: [] }),
      at(3, 9.5, { liveState: 'error' }),
      at(4, 9.5, { location: null }),
      at(7, 9.5, { liveState: 'error', liveStateSyncedAt: '2026-02-01T10:00:00+01:00' }),
    ]
    const aircraft = { ...AIRCRAFT, connectors: ['ccs 2'] }
    const { network } = await plan(many, { aircraft })
    expect(network.leftOut).toEqual({ doesNotFit: 1, fitNotKnown: 1, broken: 1, noPosition: 1 })
    const ids = network.sites.flatMap(({ chargers }) => chargers.map((one) => one.charger.id))
    // A state that is a month old is no state of now.
    expect(ids).toEqual([7])
  })

  it('has no time beyond those that a plan can have', async () => {
    const late = await first([at(1, 9.5, { kw: '0.001' })], { departMs: Date.UTC(2999, 11, 31, 23) })
    expect(late.legs[0]).toMatchObject({ arriveMs: Date.UTC(2999, 11, 31, 23) + late.legs[0]!.minutes! * 60_000 })
    expect(late.stops[0]!.departMs).toBeNull()
    const beyond = await first([MIDDLE], { departMs: 8.64e15 })
    expect([beyond.legs[0]!.arriveMs, beyond.stops[0]!.opening, beyond.stops[0]!.arriveMs]).toEqual([null, null, null])
  })

  it('offers the quickest, and a way that shares no stop, beside the one with the fewest stops', async () => {
    const around = [at(1, 9.5, { kw: '3' }), at(2, 9.5, { kw: '150' }, 50.1), at(3, 9.45, { kw: '11' }, 50.15)]
    const routes = await routesOf(around)
    expect(routes.map(({ kinds, stops }) => [kinds, stops.map(({ icao }) => icao)])).toEqual([
      [['stops'], ['ED01']],
      [['time', 'apart'], ['ED02']],
    ])
  })
})

describe('A stop on arrival', () => {
  const opening = async (availability: ChargePoint['availability'], departMs = NOW_MS) =>
    (await first([at(1, 9.5, { availability })], { departMs })).stops[0]!

  it('is open, closed or not known by the hours then, at the airfield', async () => {
    // Sunday 10:10 in Berlin, and the flight takes 58 minutes.
    const expected = { state: 'open', closesInMinutes: 412, opensInMinutes: null }
    expect((await opening(weekOf(hours('08:00', '18:00')))).opening).toEqual(expected)
    const later = await opening(weekOf(hours('11:30', '18:00')))
    expect(later.opening).toMatchObject({ state: 'closed', opensInMinutes: 22 })
    expect(later.notes).toContain('closed_at_arrival')
    expect((await opening(weekOf(null))).notes).toContain('hours_not_known')
    const never = { state: 'closed', closesInMinutes: null, opensInMinutes: null }
    expect((await opening(weekOf(CLOSED))).opening).toEqual(never)
  })

  it('has a live state of now only, and never one of then', async () => {
    expect((await first([MIDDLE])).stops[0]!.liveNow).toBe('free')
    expect((await first([at(1, 9.5, { liveState: 'busy-charging' })])).stops[0]!.liveNow).toBe('busy')
    const stale = (await first([at(1, 9.5, { liveStateSyncedAt: null })])).stops[0]!
    expect(stale.liveNow).toBeNull()
    expect(stale.notes).toContain('state_not_known')
  })
})

describe('A charger whose last known state is out of order', () => {
  const HOUR = 3_600_000
  const wasOut = (id: number, hoursAgo: number | null, members: Partial<ChargePoint> = {}) =>
    at(id, 9.5, {
      icao: 'ED01',
      liveState: 'error',
      liveStateSyncedAt: hoursAgo === null ? null : new Date(NOW_MS - hoursAgo * HOUR).toISOString(),
      ...members,
    })

  it('is used with a warning that says when that was, once the state is no longer of now', async () => {
    const [stop] = (await first([wasOut(1, 3)])).stops
    expect(stop!.notes).toContain('was_broken')
    expect(stop!.notes).not.toContain('state_not_known')
    expect(STOP_WARNINGS).toContain('was_broken')
    expect(stop!.stateAtMs).toBe(NOW_MS - 3 * HOUR)
    expect((await first([wasOut(1, null)])).stops[0]).toMatchObject({ stateAtMs: null })
    expect((await first([wasOut(1, -24)])).stops[0]).toMatchObject({ stateAtMs: null })
    expect((await first([at(1, 9.5, { liveStateSyncedAt: null })])).stops[0]!.notes).not.toContain('was_broken')
  })

  it('comes last at its airfield, also after a weaker one and one that is closed on arrival', async () => {
    const strong = wasOut(1, 3, { kw: '150' })
    const weak = at(2, 9.5, { icao: 'ED01', kw: '3', liveState: null, liveStateSyncedAt: null })
    const closed = { ...weak, id: 3, availability: weekOf(CLOSED) }
    expect((await first([strong, weak])).stops[0]!.chargers.map(({ id }) => id)).toEqual([2, 1])
    expect((await first([strong, closed])).stops[0]!.chargers.map(({ id }) => id)).toEqual([3, 1])
    expect((await plan([strong, weak])).network.sites[0]!.kw).toBe(3)
  })
})

it('A planned route in wind has times and energy of the way through the air', async () => {
  // From the west with a third of the airspeed: 80 kt eastwards.
  const { legs, stops } = await first([MIDDLE], { wind: { fromDegrees: 270, knots: 20 } })
  const [leg] = legs
  expect(leg!.nm).toBeCloseTo(57.9, 0)
  expect(leg!.groundSpeedKt).toBeCloseTo(80, 0)
  expect(leg!.minutes).toBeCloseTo((leg!.nm / leg!.groundSpeedKt!) * 60, 6)
  expect(leg!.kwh).toBeCloseTo(leg!.minutes! / 2, 6)
  expect(stops[0]!.chargeKwh).toBeCloseTo(leg!.kwh!, 6)
  expect((await first([MIDDLE])).legs[0]!.groundSpeedKt).toBeNull()
})

describe('Whether a charger fits', () => {
  const fit = (members: Partial<ChargePoint>, aircraft: Partial<Aircraft>) =>
    fitTest({ ...AIRCRAFT, ...aircraft })(prepared([charger(members)])[0]!)

  it.each([
    [{ connectors: ['CCS2'] }, { connectors: ['ccs-2'] }, 'fits'],
    [{ connectors: ['Type 2'] }, { connectors: ['CCS2'] }, 'does_not_fit'],
    [{ connectors: [] }, { connectors: ['CCS2'] }, 'not_known'],
    [{ aircraftTypes: ['Velis'] }, { types: ['VELIS'] }, 'fits'],
    [{ aircraftTypes: ['Velis'] }, { types: ['Other'] }, 'does_not_fit'],
    [{ aircraftTypes: [], connectors: ['Type 2'] }, { types: ['Other'], connectors: ['CCS2'] }, 'does_not_fit'],
    [{ aircraftTypes: [] }, {}, 'not_known'],
    [{}, { connectors: [' '] }, 'not_known'],
    [{ connectors: [] }, { types: ['Velis Electro'] }, 'fits'],
  ])('%j for %j: %s', (members, aircraft, expected) => {
    expect(fit(members, aircraft)).toBe(expected)
  })
})

it('A route of an aircraft that names no connector uses any charger, which nobody knows to fit, and does not say so at each stop', async () => {
  const two = [MIDDLE, at(2, 9.5, { icao: 'ED01', connectors: [] })]
  const [stop] = (await first(two)).stops
  expect(stop!.chargers.map(({ id, fit }) => `${id} ${fit}`)).toEqual(['1 not_known', '2 not_known'])
  expect(stop!.notes).not.toContain('fit_not_known')
  const aircraft = { ...AIRCRAFT, connectors: ['CCS2'] }
  const [known] = (await first(two, { aircraft, takeFitNotKnown: true })).stops
  expect(known!.chargers.map(({ id, fit }) => `${id} ${fit}`)).toEqual(['1 fits', '2 not_known'])
})

/** Words for notes that a file can be searched for. */
const FILE = { sample: false, words: { note: (note: string) => `In words: ${note}.`, datedDaylight: () => null } }

describe('A route as a file', () => {
  const fiji = async () =>
    await first([at(1, 179.8, { icao: 'NFNA' }, -17)], {
      from: { name: 'Nadi & more', place: { lat: -17, lng: 179 } },
      to: { name: 'East', place: { lat: -17, lng: -179.5 } },
    })

  it('is a GPX route with every point in order', async () => {
    const root = parseStrictXml(routeFile(await fiji(), 'gpx', { ...FILE, sample: true }))
    const points = elementsNamed(root, 'rtept')
    expect(points.map(({ attributes }) => attributes.lon)).toEqual(['179', '179.8', '-179.5'])
    for (const text of elementsNamed(root, 'desc').map(({ text }) => text))
      expect(text).toContain(`${ROUTE_NOTICE}. Sample data`)
  })

  it('is GeoJSON with legs cut at the 180th meridian', async () => {
    const { features } = JSON.parse(routeFile(await fiji(), 'geojson', FILE)) as {
      features: { geometry: { type: string; coordinates: [number, number][][] } }[]
    }
    expect(features.map(({ geometry }) => geometry.type)).toEqual(['LineString', 'MultiLineString', 'Point'])
    const [west, east] = features[1]!.geometry.coordinates
    expect([west!.at(-1)![0], east![0]![0]]).toEqual([180, -180])
    expect(west!.at(-1)![1]).toBeCloseTo(east![0]![1], 9)
  })

  it('has the charger, its power and all notes in words at each stop', async () => {
    const route = await fiji()
    const words = route.stops[0]!.notes.map((note) => `In words: ${note}`)
    expect(words.length).toBeGreaterThan(1)
    const [, stop] = elementsNamed(parseStrictXml(routeFile(route, 'gpx', FILE)), 'rtept')
    const desc = elementsNamed(stop!, 'desc')[0]!.text
    expect(desc).toContain('Charge stop: charger 1, 50 kW, CCS2')
    for (const note of words) expect(desc).toContain(note)
    const { features } = JSON.parse(routeFile(route, 'geojson', FILE)) as { features: { properties: object }[] }
    expect(features.at(-1)!.properties).toMatchObject({ charger_id: 1, charger_kw: 50, notes_text: words })
    const [head, row] = routeFile(route, 'csv', FILE).split('\r\n')
    expect(head).toMatch(/,notes,charger_id,charger_kw,notes_text,notice$/)
    expect(row).toContain(`,1,50,"${words.join('; ')}","`)
  })

  it('is CSV with a row for each leg', async () => {
    const rows = routeFile(await fiji(), 'csv', FILE).split('\r\n')
    expect(rows).toHaveLength(4)
    expect(rows[1]).toMatch(/^1,Nadi & more,NFNA Field 1,-17,179\.8,45\.9,90,/)
  })
})

it('A route that comes to a place twice has the charge of each visit in its files', async () => {
  // A dead end: to V and back over the only charger, which is needed each time.
  const route = await first([MIDDLE], {
    via: [{ name: 'V', place: { lat: 50.4, lng: 9.5 } }],
    aircraft: craft({ rangeNm: 65, reserve: { value: 5, unit: 'nm' } }),
  })
  const [one, other] = route.stops
  expect(route.stops.map(({ icao }) => icao)).toEqual(['ED01', 'ED01'])
  expect(one!.chargeKwh).not.toBeCloseTo(other!.chargeKwh!, 0)
  const rows = routeFile(route, 'csv', FILE).split('\r\n').slice(1, -1)
  const minutes = rows.map((row) => row.split(',')[9])
  const text = (value: number | null) => String(Math.round(value! * 10) / 10)
  expect(minutes).toEqual([text(one!.chargeMinutes), '', text(other!.chargeMinutes), ''])
  const points = elementsNamed(parseStrictXml(routeFile(route, 'gpx', FILE)), 'rtept')
  expect(points.map((point) => elementsNamed(point, 'type').length)).toEqual([0, 1, 0, 1, 0])
})

it.each([
  [{ lat: 0, lng: 0 }, { lat: 1, lng: 0 }, 0],
  [{ lat: 0, lng: 0 }, { lat: 0, lng: 1 }, 90],
  [{ lat: 0, lng: 179.5 }, { lat: 0, lng: -179.5 }, 90],
  [{ lat: 10, lng: 5 }, { lat: 9, lng: 5 }, 180],
  [{ lat: 89, lng: 0 }, { lat: 89, lng: 180 }, 0],
])('bearingDegrees from %j to %j is %d', (from, to, degrees) => {
  expect(bearingDegrees(from, to)).toBeCloseTo(degrees, 6)
})
