import { bearingDegrees, distanceNm, type Point } from '../distance.ts'
import { liveStatusOf, type LiveClass } from '../live-state.ts'
import type { PreparedCharger } from '../prepare.ts'
import { fitTest, idealChargeMinutes, kwhPerNm, usableNm, type Aircraft, type Fit } from './aircraft.ts'
import { openingAt, type ArrivalOpening } from './arrival.ts'
import { findRoute, type FoundStop, type RoutePreference, type RouteQuestion, type TimeModel } from './find-route.ts'
import { longestGap } from './longest-gap.ts'
import type { NamedPlace, RouteNetwork, RouteSite } from './route-network.ts'

export interface RouteRequest {
  from: NamedPlace
  via: readonly NamedPlace[]
  to: NamedPlace
  aircraft: Aircraft
  prefer: RoutePreference
  /** Departure in Unix milliseconds. */
  departMs: number
  /** Time on the ground at each charge stop, in addition to charging. */
  groundMinutes: number
  /** Unix milliseconds: live states are given for this moment only. */
  nowMs: number
}

/** One flight, as a great circle. Minutes and energy are null when the aircraft's speed or energy is unknown. */
export interface RouteLeg {
  from: NamedPlace
  to: NamedPlace
  nm: number
  /** Initial bearing of the great circle, in degrees true. */
  bearing: number
  minutes: number | null
  kwh: number | null
  /** Unix milliseconds; null when an earlier duration is unknown. */
  arriveMs: number | null
}

/** What a pilot should know about a charge stop. */
export type StopNote =
  | 'fit_not_known'
  | 'hours_not_known'
  | 'closed_at_arrival'
  | 'closes_before_charged'
  | 'power_not_known'
  | 'state_not_known'
  | 'busy_now'
  | 'offline_now'
  | 'single_charger'
  | 'reference_point_only'
  | 'no_alternate'

/** Another place to charge, within the range that is left on arrival at a stop. */
export interface Alternate {
  name: string
  place: Point
  nm: number
  bearing: number
  /** It can only be reached on the reserve. */
  usesReserve: boolean
}

export interface RouteStop {
  name: string
  icao: string | null
  place: Point
  /** The chargers that fit, best one first. */
  chargers: readonly { id: number; kw: number | null; connectors: readonly string[] }[]
  /** Of the best charger, at this moment; null without a current live state. */
  liveNow: LiveClass | null
  /** Null when the time of arrival is unknown. */
  opening: ArrivalOpening | null
  /** To recharge what the stretch to this stop used: an idealised estimate. Null when power or energy is unknown. */
  chargeMinutes: number | null
  chargeKwh: number | null
  arriveMs: number | null
  departMs: number | null
  notes: readonly StopNote[]
  alternates: readonly Alternate[]
}

/** Why the route is offered. `apart`: it shares no charge stop with the first. */
export type RouteKind = RoutePreference | 'apart'

export interface PlannedRoute {
  kinds: readonly RouteKind[]
  legs: readonly RouteLeg[]
  stops: readonly RouteStop[]
  nm: number
  flyingMinutes: number | null
  chargingMinutes: number | null
  /** Including time on the ground. */
  totalMinutes: number | null
}

export type RouteAnswer =
  | { kind: 'routes'; routes: readonly PlannedRoute[] }
  /** Nothing is left of the range after the reserve. */
  | { kind: 'no_range' }
  /** With a usable range of `nm` there would be a route. */
  | { kind: 'no_route'; usableNm: number; nm: number; from: string; to: string }

const MAX_ALTERNATES = 3
const MINUTE_MS = 60_000

/** The route by the requested preference first, then alternatives, without duplicates. */
export function planRoutes(network: RouteNetwork, request: RouteRequest): RouteAnswer {
  const { aircraft, prefer, from, via, to } = request
  const usable = usableNm(aircraft)
  if (usable === null) return { kind: 'no_range' }
  const time = timeModelOf(request)
  const through = [...via, to].map(({ place }) => place)
  const ask = (preference: RoutePreference, isOpen?: (site: number) => boolean) => {
    const question: RouteQuestion = { from: from.place, through, usableNm: usable, prefer: preference, time }
    return findRoute(network.index, question, isOpen)
  }
  const first = ask(prefer === 'time' && time === null ? 'stops' : prefer)
  if (first === null) return whyNone(network, request, usable)
  const found: { kinds: RouteKind[]; stops: readonly FoundStop[] }[] = [{ kinds: [prefer], stops: first }]
  const offer = (kind: RouteKind, stops: readonly FoundStop[] | null) => {
    if (stops === null) return
    const same = found.find((one) => JSON.stringify(one.stops) === JSON.stringify(stops))
    if (same === undefined) found.push({ kinds: [kind], stops })
    else same.kinds.push(kind)
  }
  if (prefer !== 'stops') offer('stops', ask('stops'))
  if (prefer !== 'time' && time !== null) offer('time', ask('time'))
  const taken = new Set(first.map(({ site }) => site))
  if (taken.size > 0)
    offer(
      'apart',
      ask('stops', (site) => !taken.has(site)),
    )
  return { kind: 'routes', routes: found.map(({ kinds, stops }) => routeOf(network, request, kinds, stops)) }
}

function timeModelOf({ aircraft, groundMinutes }: RouteRequest): TimeModel | null {
  const kwh = kwhPerNm(aircraft)
  const { speedKt } = aircraft
  return speedKt === null || !(speedKt > 0) || kwh === null ? null : { speedKt, kwhPerNm: kwh, groundMinutes }
}

/** The longest gap among all stretches between via points. */
function whyNone({ sites }: RouteNetwork, { from, via, to }: RouteRequest, usable: number): RouteAnswer {
  const ends = [from, ...via, to]
  // A via point may be reachable and yet impossible to leave.
  const isOneWay = via.length === 0
  let worst: Extract<RouteAnswer, { kind: 'no_route' }> = {
    kind: 'no_route',
    usableNm: usable,
    nm: 0,
    from: from.name,
    to: to.name,
  }
  for (let at = 1; at < ends.length; at += 1) {
    const [start, end] = [ends[at - 1]!, ends[at]!]
    const places = [start, ...sites.map((site) => ({ name: siteName(site), place: site.place })), end]
    const gap = longestGap(
      places.map(({ place }) => place),
      isOneWay ? usable : 0,
    )
    if (gap !== null && gap.nm > worst.nm)
      worst = { ...worst, nm: gap.nm, from: places[gap.from]!.name, to: places[gap.to]!.name }
  }
  return worst
}

function siteName({ icao, airfield, chargers }: RouteSite): string {
  const name = [icao, airfield].filter((text) => text !== null && text.trim() !== '').join(' ')
  return name || `#${chargers[0]?.charger.id ?? ''}`
}

function routeOf(
  network: RouteNetwork,
  request: RouteRequest,
  kinds: readonly RouteKind[],
  found: readonly FoundStop[],
): PlannedRoute {
  const { from, via, to, aircraft } = request
  const through = [...via, to]
  const perNm = kwhPerNm(aircraft)
  const legs: RouteLeg[] = []
  const stops: RouteStop[] = []
  let [here, passed, flownNm]: [NamedPlace, number, number] = [from, 0, 0]
  let nowMs: number | null = request.departMs
  const fly = (next: NamedPlace) => {
    const nm = distanceNm(here.place, next.place) ?? 0
    const minutes = aircraft.speedKt === null ? null : (nm / aircraft.speedKt) * 60
    nowMs = later(nowMs, minutes)
    const bearing = bearingDegrees(here.place, next.place) ?? 0
    legs.push({ from: here, to: next, nm, bearing, minutes, kwh: perNm === null ? null : nm * perNm, arriveMs: nowMs })
    here = next
    flownNm += nm
  }
  for (const { site: at, passed: until } of found) {
    for (; passed < until; passed += 1) fly(through[passed]!)
    const site = network.sites[at]!
    fly({ name: siteName(site), place: site.place })
    const stop = stopAt(network, at, {
      request,
      flownNm,
      kwh: perNm === null ? null : flownNm * perNm,
      arriveMs: nowMs,
    })
    stops.push(stop)
    nowMs = stop.departMs
    flownNm = 0
  }
  for (; passed < through.length; passed += 1) fly(through[passed]!)
  const flyingMinutes = sumOf(legs.map(({ minutes }) => minutes))
  const chargingMinutes = sumOf(stops.map(({ chargeMinutes }) => chargeMinutes))
  const totalMinutes =
    flyingMinutes === null || chargingMinutes === null
      ? null
      : flyingMinutes + chargingMinutes + stops.length * request.groundMinutes
  const nm = legs.reduce((sum, leg) => sum + leg.nm, 0)
  return { kinds, legs, stops, nm, flyingMinutes, chargingMinutes, totalMinutes }
}

interface Coming {
  request: RouteRequest
  /** Distance since the last charge. */
  flownNm: number
  kwh: number | null
  arriveMs: number | null
}

function stopAt(network: RouteNetwork, at: number, { request, flownNm, kwh, arriveMs }: Coming): RouteStop {
  const site = network.sites[at]!
  const { aircraft, groundMinutes, nowMs } = request
  const best = bestCharger(site, arriveMs)
  const strength = best.power?.kw ?? null
  const kw = strength === null ? null : Math.min(strength, aircraft.maxKw ?? Infinity)
  const chargeMinutes = idealChargeMinutes(kwh, kw)
  const departMs = chargeMinutes === null ? null : later(arriveMs, chargeMinutes + groundMinutes)
  const live = liveStatusOf(best, nowMs)
  const opening = arriveMs === null ? null : openingAt(best, arriveMs)
  const alternates = alternatesOf(network, at, aircraft, flownNm)
  const others = site.chargers.filter((one) => one !== best)
  const { fit } = fitTest(aircraft)(best)
  const notes = notesOf({
    site,
    best,
    fit,
    opening,
    live: live.isLive ? live.liveClass : null,
    chargeMinutes,
    alternates,
  })
  return {
    name: siteName(site),
    icao: site.icao,
    place: site.place,
    chargers: [best, ...others].map(({ charger, power, connectors }) => ({
      id: charger.id,
      kw: power?.kw ?? null,
      connectors: connectors.map(({ label }) => label),
    })),
    liveNow: live.isLive ? live.liveClass : null,
    opening,
    chargeMinutes,
    chargeKwh: kwh,
    arriveMs,
    departMs,
    notes,
    alternates,
  }
}

/** The strongest charger that is open on arrival; else the strongest of those with unknown hours; else of all. */
function bestCharger({ chargers }: RouteSite, arriveMs: number | null): PreparedCharger {
  if (arriveMs === null) return chargers[0]!
  const states = chargers.map((one) => openingAt(one, arriveMs).state)
  for (const wanted of ['open', 'unknown']) {
    const found = chargers[states.findIndex((state) => state === wanted)]
    if (found !== undefined) return found
  }
  return chargers[0]!
}

interface NoteFacts {
  site: RouteSite
  best: PreparedCharger
  fit: Fit
  opening: ArrivalOpening | null
  live: LiveClass | null
  chargeMinutes: number | null
  alternates: readonly Alternate[]
}

function notesOf({ site, best, fit, opening, live, chargeMinutes, alternates }: NoteFacts): StopNote[] {
  const notes: StopNote[] = []
  if (fit === 'not_known') notes.push('fit_not_known')
  if (opening?.state === 'closed') notes.push('closed_at_arrival')
  else if (opening?.state === 'unknown' || best.week.every(({ kind }) => kind === 'unknown'))
    notes.push('hours_not_known')
  else if (opening?.closesInMinutes != null && opening.closesInMinutes < (chargeMinutes ?? 0) + 1)
    notes.push('closes_before_charged')
  if (best.power === null) notes.push('power_not_known')
  if (live === null || live === 'unknown') notes.push('state_not_known')
  else if (live === 'busy' || live === 'reserved') notes.push('busy_now')
  else if (live === 'offline') notes.push('offline_now')
  if (site.chargers.length === 1) notes.push('single_charger')
  if (site.chargers.every(({ charger }) => charger.location?.source !== 'charge_point'))
    notes.push('reference_point_only')
  if (alternates.length === 0) notes.push('no_alternate')
  return notes
}

/** The nearest other sites within the remaining range, those first that need no reserve. */
function alternatesOf({ sites, index }: RouteNetwork, at: number, aircraft: Aircraft, flownNm: number): Alternate[] {
  const { place } = sites[at]!
  const [leftNm, withReserveNm] = [aircraft.rangeNm - aircraft.reserveNm - flownNm, aircraft.rangeNm - flownNm]
  const found: { site: number; nm: number }[] = []
  index.near.near(place, withReserveNm, (site, nm) => {
    if (site !== at) found.push({ site, nm })
  })
  return found
    .sort((one, other) => one.nm - other.nm)
    .slice(0, MAX_ALTERNATES)
    .map(({ site, nm }) => ({
      name: siteName(sites[site]!),
      place: sites[site]!.place,
      nm,
      bearing: bearingDegrees(place, sites[site]!.place) ?? 0,
      usesReserve: nm > leftNm,
    }))
}

function later(atMs: number | null, minutes: number | null): number | null {
  return atMs === null || minutes === null ? null : atMs + minutes * MINUTE_MS
}

/** Null when one of them is unknown. */
function sumOf(values: readonly (number | null)[]): number | null {
  let sum = 0
  for (const value of values) {
    if (value === null) return null
    sum += value
  }
  return sum
}
