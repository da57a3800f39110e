import { bearingDegrees, distanceNm, type Point } from '../distance.ts'
import { kwhPerNm, MAX_RANGE_NM, reserveInNm, usableNm } from './aircraft.ts'
import { daylightAt, type Daylight } from './daylight.ts'
import { findRoute, longestLeg, someChain, type FoundStop, type RouteEnds, type RoutePreference } from './find-route.ts'
import type { RouteNetwork } from './route-network.ts'
import { planTime, type RouteRequest, type NamedPlace } from './route-plan.ts'
import { later, stopAt, sumOf, type RouteStop } from './route-stop.ts'
import { airNm, groundShare, relativeWind } from './wind.ts'

/** One flight, as a great circle. Minutes and energy are null when the aircraft's speed or energy is unknown. */
export interface RouteLeg {
  from: NamedPlace
  to: NamedPlace
  nm: number
  /** Initial bearing of the great circle, in degrees true. */
  bearing: number
  /** Null in still air, where it is the aircraft's. */
  groundSpeedKt: number | null
  minutes: number | null
  kwh: number | null
  /** What is left of the range on arrival, reserve included, from 0 to 1. */
  left: number
  /** Unix milliseconds; null when an earlier duration is unknown. */
  arriveMs: number | null
  /** At its end; null when the time of arrival is unknown. */
  daylight: Daylight | null
  /** The charge at its end: an index into the route's stops. Null for none. */
  stop: number | null
}

/** Why the route is offered. `apart`: without a charge stop of the first, or no longer the fastest with its waits. */
type RouteKind = RoutePreference | 'apart'

export interface PlannedRoute {
  kinds: readonly RouteKind[]
  /** Unix milliseconds; null beyond the times of a plan. */
  departMs: number | null
  legs: readonly RouteLeg[]
  stops: readonly RouteStop[]
  nm: number
  flyingMinutes: number | null
  /** At stops that are closed on arrival. */
  waitingMinutes: number | null
  chargingMinutes: number | null
  /** Including time on the ground. */
  totalMinutes: number | null
}

export type RouteAnswer = { kind: 'routes'; routes: readonly PlannedRoute[] } | NoRoute
export type NoRoute = LowChargeAnswer | NoRouteAnswer

/** There is a route with a full charge at the start, and with this one at least. In whole percent of a full charge. */
interface LowChargeAnswer {
  kind: 'low_charge'
  startPercent: number
  neededPercent: number
}

/** With a usable range of `nm` (in wind, through the air) there would be a route. `via`: passed between the two, without charging. */
interface NoRouteAnswer {
  kind: 'no_route'
  usableNm: number
  nm: number
  from: string
  via: readonly string[]
  to: string
  /** The positions of `from`, `via` and `to`. */
  places: readonly Point[]
  /** At how many airfields the aircraft can charge. */
  usableSites: number
  reserveNm: number
  /** The least whole range, reserve included, with which there would be a route; null beyond the ranges that can be given. */
  neededRangeNm: number | null
}

/** The route by the requested preference first, then at most two others. The aircraft's range is more than its reserve. `pause` lets other work go on between searches. */
export async function planRoutes(
  network: RouteNetwork,
  request: RouteRequest,
  pause: () => Promise<void> = async () => undefined,
): Promise<RouteAnswer> {
  const { aircraft, from, via, to } = request
  const usable = usableNm(aircraft)!
  const { speedKt } = aircraft
  const perNm = kwhPerNm(aircraft)
  const time =
    speedKt === null || perNm === null ? null : { speedKt, kwhPerNm: perNm, groundMinutes: request.groundMinutes }
  const prefer = request.prefer === 'time' && time === null ? 'stops' : request.prefer
  const through = [...via, to].map(({ place }) => place)
  const wind = relativeWind(request.wind, aircraft.speedKt)
  const ends = { from: from.place, through, usableNm: usable, wind, spentNm: spentNmOf(request) }
  const ask = (preference: RoutePreference, isOpen?: (site: number) => boolean) =>
    findRoute(network.sites, network.near, { ...ends, prefer: preference, time }, isOpen)
  const first = ask(prefer)
  await pause()
  if (first === null) return lowCharge(network, ends, request) ?? whyNone(network, ends, request)
  const routes: { kinds: RouteKind[]; stops: readonly FoundStop[] }[] = [{ kinds: [prefer], stops: first }]
  const offer = (kind: RouteKind, stops: readonly FoundStop[] | null) => {
    const same = routes.find((one) => JSON.stringify(one.stops) === JSON.stringify(stops))
    if (same !== undefined) same.kinds.push(kind)
    else if (stops !== null) routes.push({ kinds: [kind], stops })
  }
  const other = prefer === 'time' || time === null ? 'stops' : 'time'
  if (other !== prefer) offer(other, ask(other))
  await pause()
  const taken = new Set(first.map(({ site }) => site))
  const apart = taken.size === 0 ? null : ask('stops', (site) => !taken.has(site))
  offer('apart', apart)
  const planned = routes.map(({ kinds, stops }) => routeOf(network, request, kinds, stops))
  // The search knows nothing of opening hours: with the waits for them, `time` goes to the route that is fastest in all.
  const least = Math.min(...planned.map(({ totalMinutes }) => totalMinutes ?? Infinity))
  const kindsOf = ({ kinds, totalMinutes }: PlannedRoute): readonly RouteKind[] => {
    if (totalMinutes === null || (totalMinutes <= least && kinds.includes('time'))) return kinds
    const others = kinds.filter((kind) => kind !== 'time')
    if (time !== null && totalMinutes <= least) return [...others, 'time']
    return others.length === 0 ? ['apart'] : others
  }
  return { kind: 'routes', routes: planned.map((route) => ({ ...route, kinds: kindsOf(route) })) }
}

/** How far the aircraft could fly, through the air, on what is missing of a full charge at the start. */
function spentNmOf({ aircraft: { rangeNm }, startPercent }: RouteRequest): number {
  return rangeNm * (1 - startPercent / 100)
}

/** Null if it is not the charge at the start that is too low. */
function lowCharge({ sites, near }: RouteNetwork, ends: RouteEnds, request: RouteRequest): LowChargeAnswer | null {
  const { startPercent } = request
  const isEnough = (percent: number) =>
    someChain(sites, near.vectors, { ...ends, spentNm: spentNmOf({ ...request, startPercent: percent }) }) !== null
  if (startPercent >= 100 || !isEnough(100)) return null
  let [tooLow, neededPercent] = [Math.floor(startPercent), 100]
  while (neededPercent - tooLow > 1) {
    const middle = Math.floor((tooLow + neededPercent) / 2)
    if (isEnough(middle)) neededPercent = middle
    else tooLow = middle
  }
  return { kind: 'low_charge', startPercent, neededPercent }
}

function whyNone({ sites, near }: RouteNetwork, ends: RouteEnds, request: RouteRequest): NoRouteAnswer {
  const { from, via, to, aircraft } = request
  const leg = longestLeg(sites, near.vectors, { ...ends, spentNm: 0 })
  const along: { name: string; place: Point }[] = [
    leg.from === null ? from : sites[leg.from.site]!,
    ...via.slice(leg.from?.passed ?? 0, leg.to?.passed ?? via.length),
    leg.to === null ? to : sites[leg.to.site]!,
  ]
  // A longer range keeps more of it, where the reserve is a share.
  let neededNm = Math.ceil(leg.nm)
  while (neededNm <= MAX_RANGE_NM && (usableNm({ ...aircraft, rangeNm: neededNm }) ?? 0) < leg.nm) neededNm += 1
  return {
    kind: 'no_route',
    usableNm: ends.usableNm,
    nm: leg.nm,
    from: along[0]!.name,
    via: along.slice(1, -1).map(({ name }) => name),
    to: along.at(-1)!.name,
    places: along.map(({ place }) => place),
    usableSites: sites.length,
    reserveNm: reserveInNm(aircraft.reserve, { ...aircraft, rangeNm: neededNm }) ?? 0,
    neededRangeNm: neededNm > MAX_RANGE_NM ? null : neededNm,
  }
}

/** Goes from place to place in order, and charges at the stops that were found. */
function routeOf(
  network: RouteNetwork,
  request: RouteRequest,
  kinds: readonly RouteKind[],
  found: readonly FoundStop[],
): PlannedRoute {
  const { from, via, to, aircraft } = request
  const { rangeNm, speedKt } = aircraft
  const through = [...via, to]
  const wind = relativeWind(request.wind, speedKt)
  const perNm = kwhPerNm(aircraft)
  const departMs = planTime(request.departMs)
  const legs: RouteLeg[] = []
  const stops: RouteStop[] = []
  let [here, passed, atMs]: [NamedPlace, number, number | null] = [from, 0, departMs]
  /** Through the air, on the charge it has now. */
  let flownNm = spentNmOf(request)
  const flyTo = (next: NamedPlace) => {
    const nm = distanceNm(here.place, next.place) ?? 0
    const inAirNm = airNm(wind, here.place, next.place, nm)
    const bearing = bearingDegrees(here.place, next.place) ?? 0
    const minutes = speedKt === null ? null : (inAirNm / speedKt) * 60
    atMs = later(atMs, minutes)
    flownNm += inAirNm
    legs.push({
      from: here,
      to: next,
      nm,
      bearing,
      groundSpeedKt: speedKt === null || wind === null ? null : speedKt * groundShare(wind, bearing),
      minutes,
      kwh: perNm === null ? null : inAirNm * perNm,
      left: Math.max(0, 1 - flownNm / rangeNm),
      arriveMs: atMs,
      daylight: atMs === null ? null : daylightAt(next.place, atMs),
      stop: null,
    })
    here = next
  }
  // A place that is passed may be the very site that the aircraft charges at.
  const isHere = ({ place }: { place: Point }) => distanceNm(here.place, place) === 0
  const passUntil = (end: number) => {
    for (; passed < end; passed += 1) if (!isHere(through[passed]!)) flyTo(through[passed]!)
  }
  for (const { site: at, passed: until } of found) {
    passUntil(until)
    const site = network.sites[at]!
    const { name, place } = site
    if (legs.length === 0 || !isHere({ place })) flyTo({ name, place })
    const kwh = perNm === null ? null : flownNm * perNm
    const stop = stopAt(site, { request, kwh, arriveMs: atMs })
    legs.push({ ...legs.pop()!, stop: stops.push(stop) - 1 })
    ;[atMs, flownNm] = [stop.departMs, 0]
  }
  passUntil(via.length)
  flyTo(to)
  return { kinds, departMs, legs, stops, ...sumsOf(legs, stops, request) }
}

function sumsOf(legs: readonly RouteLeg[], stops: readonly RouteStop[], { groundMinutes }: RouteRequest) {
  const flyingMinutes = sumOf(legs.map(({ minutes }) => minutes))
  const waitingMinutes = sumOf(stops.map(({ waitMinutes }) => waitMinutes))
  const chargingMinutes = sumOf(stops.map(({ chargeMinutes }) => chargeMinutes))
  const totalMinutes = sumOf([flyingMinutes, waitingMinutes, chargingMinutes, stops.length * groundMinutes])
  return { nm: legs.reduce((sum, { nm }) => sum + nm, 0), flyingMinutes, waitingMinutes, chargingMinutes, totalMinutes }
}
