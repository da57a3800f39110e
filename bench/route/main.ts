/**
 * What planning a route costs among 50,000 chargers: making the network once, and each route after it. The networks are made
 * up, and denser than any there is: all in a field as large as Europe, four at an airfield.
 */
import process from 'node:process'
import zoneOf from '@photostructure/tz-lookup'
import type { ChargePoint } from '../../src/shared/chargers/charger.ts'
import { prepare } from '../../src/shared/chargers/prepare.ts'
import { planRoutes } from '../../src/shared/chargers/route/plan-routes.ts'
import { routeNetwork } from '../../src/shared/chargers/route/route-network.ts'

const COUNT = 50_000
const PER_AIRFIELD = 4
const ROUTES = 40
/** Points that a route passes on its way. */
const VIAS = 2
const NOW_MS = Date.UTC(2026, 4, 1, 9)
const EUROPE = { south: 37, north: 60, west: -8, east: 28 }

/** mulberry32: the same networks each time. */
function randomOf(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let value = Math.imul(state ^ (state >>> 15), 1 | state)
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value
    return ((value ^ (value >>> 14)) >>> 0) / 2 ** 32
  }
}

const random = randomOf(1)
const somewhere = () => ({
  lat: EUROPE.south + random() * (EUROPE.north - EUROPE.south),
  lng: EUROPE.west + random() * (EUROPE.east - EUROPE.west),
})

function chargers(): ChargePoint[] {
  const all: ChargePoint[] = []
  for (let id = 1, place = somewhere(); id <= COUNT; id += 1) {
    const airfield = Math.floor(id / PER_AIRFIELD)
    if (id % PER_AIRFIELD === 0) place = somewhere()
    all.push({
      id,
      icao: `X${airfield}`,
      airfield: `Field ${airfield}`,
      location: { ...place, source: 'charge_point' },
      manufacturer: null,
      connectors: ['CCS2'],
      aircraftTypes: [],
      softwareVersion: null,
      paymentTypes: [],
      available: true,
      liveState: null,
      liveStateSyncedAt: null,
      availability: {
        monday: null,
        tuesday: null,
        wednesday: null,
        thursday: null,
        friday: null,
        saturday: null,
        sunday: null,
      },
      type: 'DC',
      kw: String([11, 22, 50, 150][id % 4]),
    })
  }
  return all
}

const timed = <Value>(run: () => Value): [Value, number] => {
  const before = process.threadCpuUsage()
  const value = run()
  const { user, system } = process.threadCpuUsage(before)
  return [value, (user + system) / 1000]
}
const text = (ms: number) => `${ms.toFixed(0)} ms`
const percentile = (values: number[], share: number) =>
  values.toSorted((one, other) => one - other)[Math.floor((values.length - 1) * share)] ?? 0

const rows: string[] = []
for (const [rangeNm, reserveNm] of [
  [75, 15],
  [150, 30],
] as const) {
  const prepared = chargers().map((charger) => prepare(charger, zoneOf, new Set()))
  const aircraft = {
    connectors: ['CCS2'],
    types: [],
    rangeNm,
    reserve: { value: reserveNm, unit: 'nm' as const },
    speedKt: 90,
    usableKwh: 22,
    maxKw: null,
  }
  const [network, networkMs] = timed(() =>
    routeNetwork(prepared, { aircraft, takeFitNotKnown: false, avoid: new Set(), unseen: new Set(), nowMs: NOW_MS }),
  )
  const plan = (vias: number) => {
    const [from, to] = [somewhere(), somewhere()]
    const via = Array.from({ length: vias }, () => ({ name: 'V', place: somewhere() }))
    const request = {
      from: { name: 'A', place: from },
      via,
      to: { name: 'B', place: to },
      aircraft,
      prefer: 'stops' as const,
      departMs: NOW_MS,
      groundMinutes: 10,
      nowMs: NOW_MS,
    }
    return timed(() => planRoutes(network, request))[1]
  }
  plan(0)
  const each = Array.from({ length: ROUTES }, () => plan(0))
  const byWay = Array.from({ length: ROUTES }, () => plan(VIAS))
  // An island too far off: the way there is searched for everywhere, and then the longest leg.
  const far = { name: 'B', place: { lat: 64, lng: -35 } }
  const [, noneMs] = timed(() =>
    planRoutes(network, {
      from: { name: 'A', place: { lat: 48, lng: 11 } },
      via: [],
      to: far,
      aircraft,
      prefer: 'stops',
      departMs: NOW_MS,
      groundMinutes: 10,
      nowMs: NOW_MS,
    }),
  )
  rows.push(
    `| ${COUNT} at ${Math.ceil(COUNT / PER_AIRFIELD)} airfields, ${rangeNm} less ${reserveNm} NM | ${text(networkMs)} | ${text(percentile(each, 0.5))} | ${text(percentile(each, 0.95))} | ${text(Math.max(...each))} | ${text(percentile(byWay, 0.5))} | ${text(Math.max(...byWay))} | ${text(noneMs)} |`,
  )
}

process.stdout
  .write(`${ROUTES} routes across Europe in each network, each with all its alternatives (fewest stops, quickest, one that shares no stop) and the alternates of
each stop; processor time, so that other work on the machine does not count. "The first" makes the network, which is kept for the next; "none" is a place that no chain reaches, with the longest leg.

| network | the first | median | 95 of 100 | slowest | by ${VIAS} via points | slowest of these | none |
| --- | --- | --- | --- | --- | --- | --- | --- |
${rows.join('\n')}
`)
