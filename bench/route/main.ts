/**
 * What planning a route costs among 50,000 chargers: making the network once, and each route after it. The networks are made
 * up, and denser than any there is: all in a field as large as Europe, four at an airfield.
 */
import process from 'node:process'
import zoneOf from '@photostructure/tz-lookup'
import { ChargePoint } from '../../src/shared/chargers/charger.ts'
import type { Point } from '../../src/shared/chargers/distance.ts'
import { groupChargers } from '../../src/shared/chargers/group.ts'
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
    const location = { ...place, source: 'charge_point' }
    const plug = { connectors: ['CCS2'], type: 'DC', kw: String([11, 22, 50, 150][id % 4]) }
    all.push(
      ChargePoint.parse({
        id,
        icao: `X${airfield}`,
        airfield: `Field ${airfield}`,
        location,
        ...plug,
        available: true,
      }),
    )
  }
  return all
}

const spentMs = (before = process.threadCpuUsage()) => {
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1000
}
const timed = <Value>(run: () => Value): [Value, number] => {
  const before = process.threadCpuUsage()
  return [run(), spentMs(before)]
}
const text = (ms: number) => `${ms.toFixed(0)} ms`
const percentile = (values: number[], share: number) =>
  values.toSorted((one, other) => one - other)[Math.floor((values.length - 1) * share)] ?? 0

const rows: string[] = []
for (const [rangeNm, reserveNm] of [
  [75, 15],
  [150, 30],
] as const) {
  const prepared = chargers().map((charger) => prepare(charger, zoneOf))
  const aircraft = {
    connectors: ['CCS2'],
    types: [],
    rangeNm,
    reserve: { value: reserveNm, unit: 'nm' as const },
    speedKt: 90,
    usableKwh: 22,
    maxKw: null,
  }
  const sites = groupChargers(prepared)
  const options = { aircraft, takeFitNotKnown: false, nowMs: NOW_MS }
  const [network, networkMs] = timed(() => routeNetwork(sites, options))
  const request = {
    ...options,
    prefer: 'stops' as const,
    wind: null,
    startPercent: 100,
    departMs: NOW_MS,
    groundMinutes: 10,
  }
  /** The longest of the tasks. */
  const plan = async (from: Point, to: Point, via: readonly Point[] = []) => {
    let longest = 0
    let before = process.threadCpuUsage()
    const take = async () => {
      longest = Math.max(longest, spentMs(before))
      before = process.threadCpuUsage()
    }
    const named = (place: Point) => ({ name: 'A', place })
    await planRoutes(network, { ...request, from: named(from), via: via.map(named), to: named(to) }, take)
    await take()
    return longest
  }
  await plan(somewhere(), somewhere())
  const each: number[] = []
  const byWay: number[] = []
  for (let at = 0; at < ROUTES; at += 1) {
    each.push(await plan(somewhere(), somewhere()))
    byWay.push(await plan(somewhere(), somewhere(), Array.from({ length: VIAS }, somewhere)))
  }
  // An island too far off: the way there is searched for everywhere, and then the longest leg.
  const noneMs = await plan({ lat: 48, lng: 11 }, { lat: 64, lng: -35 })
  rows.push(
    `| ${COUNT} at ${Math.ceil(COUNT / PER_AIRFIELD)} airfields, ${rangeNm} less ${reserveNm} NM | ${text(networkMs)} | ${text(percentile(each, 0.5))} | ${text(percentile(each, 0.95))} | ${text(Math.max(...each))} | ${text(percentile(byWay, 0.5))} | ${text(Math.max(...byWay))} | ${text(noneMs)} |`,
  )
}

process.stdout
  .write(`${ROUTES} routes across Europe in each network, each with all its alternatives (fewest stops, quickest, one that shares no stop); the longest task of each, in processor time, so that other work on the machine does not count. "The network" is made for each; "none" is a place that no chain reaches, with the longest leg.

| chargers | the network | median | 95 of 100 | slowest | by ${VIAS} via points | slowest of these | none |
| --- | --- | --- | --- | --- | --- | --- | --- |
${rows.join('\n')}
`)
