import { bearingDegrees, distanceNm, type Point } from '../distance.ts'
import { isAhead, LIVE_FOR_MS, liveStatusOf, wasBroken, type LiveClass } from '../live-state.ts'
import type { PreparedCharger } from '../prepare.ts'
import { fitTest, idealChargeMinutes, kwhPerNm, usableNm, type Aircraft, type Fit, type FitAnswer } from './aircraft.ts'
import { closesSoon, nextOpeningMs, openingAt, type ArrivalOpening } from './arrival.ts'
import { findRoute, type FoundStop, type RoutePreference, type RouteQuestion, type TimeModel } from './find-route.ts'
import { longestGap, type GapEnd } from './longest-gap.ts'
import { isPastDeparture, planTime } from './plan-time.ts'
import type { NamedPlace, RouteNetwork, RouteSite } from './route-network.ts'
import type { StopNote } from './stop-notes.ts'

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
  /** The charge at its end: an index into the route's stops. Null for none. */
  stop: number | null
}

/** Another place to charge, within the range that is left on arrival at a stop. */
export interface Alternate {
  name: string
  place: Point
  nm: number
  bearing: number
  /** It can only be reached on the reserve. */
  usesReserve: boolean
}

export interface StopCharger {
  id: number
  kw: number | null
  connectors: readonly string[]
  fit: Exclude<Fit, 'does_not_fit'>
}

export interface RouteStop {
  name: string
  icao: string | null
  place: Point
  /** The chargers that fit or are not known not to, best one first. */
  chargers: readonly StopCharger[]
  /** Of the best charger, at this moment; null without a current live state. */
  liveNow: LiveClass | null
  /** When its live state, current or not, was synced; null when that is not known. */
  stateAtMs: number | null
  /** Null when the time of arrival is unknown. */
  opening: ArrivalOpening | null
  /** From the arrival until it opens: 0 unless it is closed then; null when that is not known. */
  waitMinutes: number | null
  /** To recharge what the stretch to this stop used: an idealised estimate. Null when power or energy is unknown. */
  chargeMinutes: number | null
  chargeKwh: number | null
  arriveMs: number | null
  departMs: number | null
  notes: readonly StopNote[]
  alternates: readonly Alternate[]
}

/** Why the route is offered. `apart`: it shares no charge stop with the first. */
type RouteKind = RoutePreference | 'apart'

export interface PlannedRoute {
  kinds: readonly RouteKind[]
  /** Unix milliseconds; null beyond the times of a plan. */
  departMs: number | null
  isDepartPast: boolean
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

export type RouteAnswer =
  | { kind: 'routes'; routes: readonly PlannedRoute[] }
  /** Nothing is left of the range after the reserve. */
  | { kind: 'no_range' }
  /** With a usable range of `nm` there would be a route. `via`: passed between the two, without charging. */
  | { kind: 'no_route'; usableNm: number; nm: number; from: string; via: readonly string[]; to: string }

/** What the search found; it does not depend on the time. */
export type FoundRoutes =
  { kind: 'routes'; routes: readonly { kinds: readonly RouteKind[]; stops: readonly FoundStop[] }[] } | NoRoute
type NoRoute = Exclude<RouteAnswer, { kind: 'routes' }>

const MAX_ALTERNATES = 3
const MINUTE_MS = 60_000

/** The route by the requested preference first, then alternatives, without duplicates. `found`: of an earlier search. */
export function planRoutes(
  network: RouteNetwork,
  request: RouteRequest,
  found: FoundRoutes = findRoutes(network, request),
): RouteAnswer {
  if (found.kind !== 'routes') return found
  return { kind: 'routes', routes: found.routes.map(({ kinds, stops }) => routeOf(network, request, kinds, stops)) }
}

export function findRoutes(network: RouteNetwork, request: RouteRequest): FoundRoutes {
  const { aircraft, from, via, to } = request
  const usable = usableNm(aircraft)
  if (usable === null) return { kind: 'no_range' }
  const time = timeModelOf(request)
  const prefer = request.prefer === 'time' && time === null ? 'stops' : request.prefer
  const through = [...via, to].map(({ place }) => place)
  const ask = (preference: RoutePreference, isOpen?: (site: number) => boolean) => {
    const question: RouteQuestion = { from: from.place, through, usableNm: usable, prefer: preference, time }
    return findRoute(network.index, question, isOpen)
  }
  const first = ask(prefer)
  if (first === null) return whyNone(network, request, usable)
  const routes: { kinds: RouteKind[]; stops: readonly FoundStop[] }[] = [{ kinds: [prefer], stops: first }]
  const offer = (kind: RouteKind, stops: readonly FoundStop[] | null) => {
    if (stops === null) return
    const same = routes.find((one) => JSON.stringify(one.stops) === JSON.stringify(stops))
    if (same === undefined) routes.push({ kinds: [kind], stops })
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
  return { kind: 'routes', routes }
}

function timeModelOf({ aircraft, groundMinutes }: RouteRequest): TimeModel | null {
  const kwh = kwhPerNm(aircraft)
  const { speedKt } = aircraft
  return speedKt === null || !(speedKt > 0) || kwh === null ? null : { speedKt, kwhPerNm: kwh, groundMinutes }
}

function whyNone({ sites, index }: RouteNetwork, { from, via, to }: RouteRequest, usable: number): NoRoute {
  const ends = [from, ...via, to]
  const gap = longestGap(
    index,
    from.place,
    ends.slice(1).map(({ place }) => place),
  )
  const nameOf = (end: GapEnd) => ('site' in end ? siteName(sites[end.site]!) : ends[end.end]!.name)
  if (gap === null) return { kind: 'no_route', usableNm: usable, nm: 0, from: from.name, via: [], to: to.name }
  const { nm, passed, vias } = gap
  const passing = via.slice(passed, passed + vias).map(({ name }) => name)
  return { kind: 'no_route', usableNm: usable, nm, from: nameOf(gap.from), via: passing, to: nameOf(gap.to) }
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
  const legs: (RouteLeg & { stop: number | null })[] = []
  const stops: RouteStop[] = []
  let [here, passed, flownNm]: [NamedPlace, number, number] = [from, 0, 0]
  const departMs = planTime(request.departMs)
  let nowMs = departMs
  const fly = (next: NamedPlace) => {
    const nm = distanceNm(here.place, next.place) ?? 0
    const minutes = aircraft.speedKt === null ? null : (nm / aircraft.speedKt) * 60
    nowMs = later(nowMs, minutes)
    const bearing = bearingDegrees(here.place, next.place) ?? 0
    const kwh = perNm === null ? null : nm * perNm
    legs.push({ from: here, to: next, nm, bearing, minutes, kwh, arriveMs: nowMs, stop: null })
    here = next
    flownNm += nm
  }
  // A place that is passed may be the very site that the aircraft charges at.
  const isHere = (place: Point) => distanceNm(here.place, place) === 0
  const pass = (place: NamedPlace) => {
    if (!isHere(place.place)) fly(place)
  }
  for (const { site: at, passed: until } of found) {
    for (; passed < until; passed += 1) pass(through[passed]!)
    const site = network.sites[at]!
    if (legs.length === 0 || !isHere(site.place)) fly({ name: siteName(site), place: site.place })
    const stop = stopAt(network, at, {
      request,
      flownNm,
      kwh: perNm === null ? null : flownNm * perNm,
      arriveMs: nowMs,
    })
    legs.at(-1)!.stop = stops.push(stop) - 1
    nowMs = stop.departMs
    flownNm = 0
  }
  for (; passed < via.length; passed += 1) pass(through[passed]!)
  fly(to)
  const flyingMinutes = sumOf(legs.map(({ minutes }) => minutes))
  const chargingMinutes = sumOf(stops.map(({ chargeMinutes }) => chargeMinutes))
  const waitingMinutes = sumOf(stops.map(({ waitMinutes }) => waitMinutes))
  const onGroundMinutes = stops.length * request.groundMinutes
  const totalMinutes = sumOf([flyingMinutes, waitingMinutes, chargingMinutes, onGroundMinutes])
  const nm = legs.reduce((sum, leg) => sum + leg.nm, 0)
  const isDepartPast = isPastDeparture(request.departMs, request.nowMs)
  return {
    kinds,
    departMs,
    isDepartPast,
    legs,
    stops,
    nm,
    flyingMinutes,
    waitingMinutes,
    chargingMinutes,
    totalMinutes,
  }
}

interface Coming {
  request: RouteRequest
  /** Distance since the last charge. */
  flownNm: number
  kwh: number | null
  arriveMs: number | null
}

function stopAt(network: RouteNetwork, at: number, coming: Coming): RouteStop {
  const { request, flownNm, kwh, arriveMs } = coming
  const site = network.sites[at]!
  const { aircraft, groundMinutes, nowMs } = request
  const best = bestCharger(site, coming)
  const strength = best.power?.kw ?? null
  const kw = strength === null ? null : Math.min(strength, aircraft.maxKw ?? Infinity)
  const chargeMinutes = idealChargeMinutes(kwh, kw)
  const waitMinutes = waitOf(best, arriveMs)
  const chargeFromMs = later(arriveMs, waitMinutes)
  const departMs = later(chargeFromMs, sumOf([chargeMinutes, groundMinutes]))
  const live = liveStatusOf(best, nowMs)
  const opening = arriveMs === null ? null : openingAt(best, arriveMs)
  const alternates = alternatesOf(network, at, aircraft, flownNm)
  const others = site.chargers.filter((one) => one !== best)
  const fitOf = fitTest(aircraft)
  const notes = notesOf({
    site,
    best,
    fit: fitOf(best),
    opening,
    whileCharging: chargeFromMs === null ? null : openingAt(best, chargeFromMs),
    live: live.isLive ? live.liveClass : null,
    wasOut: wasBroken(best, nowMs),
    chargeMinutes,
    alternates,
  })
  return {
    name: siteName(site),
    icao: site.icao,
    place: site.place,
    chargers: [best, ...others].map((one) => ({
      id: one.charger.id,
      kw: one.power?.kw ?? null,
      connectors: one.connectors.map(({ label }) => label),
      fit: fitOf(one).fit === 'fits' ? 'fits' : 'not_known',
    })),
    liveNow: live.isLive ? live.liveClass : null,
    stateAtMs: best.syncedAtMs === null || isAhead(best.syncedAtMs, nowMs) ? null : best.syncedAtMs,
    opening,
    waitMinutes,
    chargeMinutes,
    chargeKwh: kwh,
    arriveMs,
    departMs,
    notes,
    alternates,
  }
}

/**
 * The charger to propose: not one that was out of order when last heard of, nor one that is closed on arrival, if there is
 * another; then one that is known to fit, one that is known to be open, and the strongest. For an arrival so soon that the state
 * of now still counts then, a free one goes before power.
 */
function bestCharger({ chargers }: RouteSite, { request, arriveMs }: Coming): PreparedCharger {
  const { aircraft, departMs, nowMs } = request
  const fitOf = fitTest(aircraft)
  const aheadMs = (arriveMs ?? departMs) - nowMs
  const isSoon = aheadMs >= 0 && aheadMs <= LIVE_FOR_MS
  const ranked = chargers.map((charger) => {
    const state = arriveMs === null ? 'unknown' : openingAt(charger, arriveMs).state
    const live = liveStatusOf(charger, nowMs)
    const rank = [
      wasBroken(charger, nowMs) ? 1 : 0,
      state === 'closed' ? 1 : 0,
      fitOf(charger).fit === 'fits' ? 0 : 1,
      state === 'open' ? 0 : 1,
      isSoon && live.isLive ? STATE_RANK[live.liveClass] : isSoon ? STATE_RANK.unknown : 0,
    ]
    return { charger, rank }
  })
  // A stable sort: chargers that are alike stay in the order of the site, the strongest first.
  return ranked.toSorted((one, other) => compareRanks(one.rank, other.rank))[0]!.charger
}

const STATE_RANK: Readonly<Record<LiveClass, number>> = {
  free: 0,
  limited: 1,
  unknown: 1,
  stale: 1,
  unlinked: 1,
  busy: 2,
  reserved: 2,
  offline: 3,
  broken: 3,
}

function compareRanks(one: readonly number[], other: readonly number[]): number {
  for (const [at, rank] of one.entries()) if (rank !== other[at]) return rank - other[at]!
  return 0
}

interface NoteFacts {
  site: RouteSite
  best: PreparedCharger
  fit: FitAnswer
  opening: ArrivalOpening | null
  /** When charging begins. */
  whileCharging: ArrivalOpening | null
  live: LiveClass | null
  wasOut: boolean
  chargeMinutes: number | null
  alternates: readonly Alternate[]
}

function notesOf({
  site,
  best,
  fit,
  opening,
  whileCharging,
  live,
  wasOut,
  chargeMinutes,
  alternates,
}: NoteFacts): StopNote[] {
  const notes: StopNote[] = []
  if (fit.fit === 'not_known' && fit.reason !== 'aircraft') notes.push('fit_not_known')
  if (opening?.state === 'closed') notes.push('closed_at_arrival')
  else if (opening?.state === 'unknown' || best.week.every(({ kind }) => kind === 'unknown'))
    notes.push('hours_not_known')
  const closesInMinutes = whileCharging?.closesInMinutes ?? Infinity
  if (chargeMinutes !== null && closesInMinutes < chargeMinutes + 1) notes.push('closes_before_charged')
  else if (chargeMinutes === null && whileCharging !== null && closesSoon(whileCharging)) notes.push('closes_soon')
  if (best.power === null) notes.push('power_not_known')
  if (wasOut) notes.push('was_broken')
  else if (live === null || live === 'unknown') notes.push('state_not_known')
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

/** Hours that are not known add nothing: the stop says so. */
function waitOf(charger: PreparedCharger, arriveMs: number | null): number | null {
  if (arriveMs === null) return null
  if (openingAt(charger, arriveMs).state !== 'closed') return 0
  const opensMs = nextOpeningMs(charger, arriveMs)
  return opensMs === null ? null : (opensMs - arriveMs) / MINUTE_MS
}

/** Null also beyond the times of a plan. */
function later(atMs: number | null, minutes: number | null): number | null {
  return atMs === null || minutes === null ? null : planTime(atMs + minutes * MINUTE_MS)
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
