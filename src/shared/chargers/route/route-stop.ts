import { bearingDegrees, nmOfSquaredChord, type Point } from '../distance.ts'
import { isAhead, LIVE_FOR_MS, liveStatusOf, wasBroken, type LiveClass } from '../live-state.ts'
import { openingStatus } from '../opening-hours.ts'
import type { PreparedCharger } from '../prepare.ts'
import { fitTest, idealChargeMinutes, usableNm, type Fit } from './aircraft.ts'
import { openingAt, type ArrivalOpening } from './arrival.ts'
import { later, sumOf } from './plan-time.ts'
import { isDoubtful, siteName, type RouteNetwork, type RouteSite } from './route-network.ts'
import type { RouteRequest } from './route-plan.ts'
import type { StopNote } from './stop-notes.ts'
import { airNm, mostGroundShare, relativeWind } from './wind.ts'

/** Another place to charge, within the range that is left on arrival at a stop. */
export interface Alternate {
  name: string
  place: Point
  nm: number
  bearing: number
  /** It can only be reached on the reserve. */
  usesReserve: boolean
}

interface StopCharger {
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

const MAX_ALTERNATES = 3
const MINUTE_MS = 60_000

/** How the aircraft arrives at a stop. */
interface Coming {
  request: RouteRequest
  /** Distance through the air since the last charge. */
  flownNm: number
  kwh: number | null
  arriveMs: number | null
}

export function stopAt(network: RouteNetwork, at: number, coming: Coming): RouteStop {
  const { request, kwh, arriveMs } = coming
  const site = network.sites[at]!
  const { aircraft, groundMinutes, nowMs } = request
  const best = bestCharger(network, site, coming)
  const strength = best.power?.kw ?? null
  const kw = strength === null ? null : Math.min(strength, aircraft.maxKw ?? Infinity)
  const chargeMinutes = idealChargeMinutes(kwh, kw)
  const waitMinutes = waitOf(best, arriveMs)
  const chargeFromMs = later(arriveMs, waitMinutes)
  const live = liveStatusOf(best, nowMs)
  const fitOf = fitTest(aircraft)
  const stop = {
    name: siteName(site),
    icao: site.icao,
    place: site.place,
    chargers: [best, ...site.chargers.filter((one) => one !== best)].map((one) => ({
      id: one.charger.id,
      kw: one.power?.kw ?? null,
      connectors: one.connectors.map(({ label }) => label),
      fit: fitOf(one).fit === 'fits' ? ('fits' as const) : ('not_known' as const),
    })),
    liveNow: live.isLive ? live.liveClass : null,
    stateAtMs: best.syncedAtMs === null || isAhead(best.syncedAtMs, nowMs) ? null : best.syncedAtMs,
    opening: arriveMs === null ? null : openingAt(best, arriveMs),
    waitMinutes,
    chargeMinutes,
    chargeKwh: kwh,
    arriveMs,
    departMs: later(chargeFromMs, sumOf([chargeMinutes, groundMinutes])),
    alternates: alternatesOf(network, at, coming),
  }
  const fit = fitOf(best)
  const opening = openingNotes(best, stop.opening, chargeFromMs, chargeMinutes)
  const notes: (StopNote | false)[] = [
    fit.fit === 'not_known' && fit.reason !== 'aircraft' && 'fit_not_known',
    ...opening,
    best.power === null && 'power_not_known',
    stateNote(best, stop.liveNow, nowMs),
    network.unseen.has(best.charger.id) && 'not_listed',
    site.chargers.length === 1 && 'single_charger',
    stop.alternates.length === 0 && 'no_alternate',
  ]
  return { ...stop, notes: notes.filter((note) => note !== false) }
}

/**
 * The charger to propose: not a doubtful one (`isDoubtful`), nor one that is closed on arrival, if there is another; then one that is
 * known to fit, one that is known to be open, and the strongest. For an arrival so soon that the state of now still counts then, a free
 * one goes before power.
 */
function bestCharger(
  { unseen }: RouteNetwork,
  { chargers }: RouteSite,
  { request, arriveMs }: Coming,
): PreparedCharger {
  const { aircraft, departMs, nowMs } = request
  const fitOf = fitTest(aircraft)
  const aheadMs = (arriveMs ?? departMs) - nowMs
  const isSoon = aheadMs >= 0 && aheadMs <= LIVE_FOR_MS
  /** The digits of a number, the weightiest first; the lowest number is the best. */
  const rankOf = (charger: PreparedCharger) => {
    const state = arriveMs === null ? 'unknown' : openingAt(charger, arriveMs).state
    const { isLive, liveClass } = liveStatusOf(charger, nowMs)
    const digits = [
      isDoubtful(charger, { unseen, nowMs }) ? 1 : 0,
      state === 'closed' ? 1 : 0,
      fitOf(charger).fit === 'fits' ? 0 : 1,
      state === 'open' ? 0 : 1,
      isSoon ? STATE_RANK[isLive ? liveClass : 'unknown'] : 0,
    ]
    return Number(digits.join(''))
  }
  const ranks = new Map(chargers.map((charger) => [charger, rankOf(charger)]))
  // A stable sort: chargers that are alike stay in the order of the site, the strongest first.
  return chargers.toSorted((one, other) => ranks.get(one)! - ranks.get(other)!)[0]!
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

function openingNotes(
  best: PreparedCharger,
  opening: ArrivalOpening | null,
  chargeFromMs: number | null,
  chargeMinutes: number | null,
): (StopNote | false)[] {
  const closesInMinutes = chargeFromMs === null ? null : openingAt(best, chargeFromMs).closesInMinutes
  const isUnknown = opening?.state === 'unknown' || best.week.every(({ kind }) => kind === 'unknown')
  return [
    opening?.state === 'closed' ? 'closed_at_arrival' : isUnknown && 'hours_not_known',
    chargeMinutes !== null && (closesInMinutes ?? Infinity) < chargeMinutes + 1 && 'closes_before_charged',
  ]
}

function stateNote(best: PreparedCharger, live: LiveClass | null, nowMs: number): StopNote | false {
  if (wasBroken(best, nowMs)) return 'was_broken'
  if (live === null || live === 'unknown') return 'state_not_known'
  if (live === 'busy' || live === 'reserved') return 'busy_now'
  if (live === 'limited') return 'limited_now'
  return live === 'offline' && 'offline_now'
}

/** The nearest other sites within the remaining range, those first that need no reserve. */
function alternatesOf(network: RouteNetwork, at: number, { request, flownNm }: Coming): Alternate[] {
  const { sites, near } = network
  const { aircraft } = request
  const { place } = sites[at]!
  const [leftNm, withReserveNm] = [(usableNm(aircraft) ?? 0) - flownNm, aircraft.rangeNm - flownNm]
  const wind = relativeWind(request.wind, aircraft.speedKt)
  const found: { site: number; nm: number; inAirNm: number }[] = []
  near.visit(near.vectors[at]!, withReserveNm * mostGroundShare(wind), (site, square) => {
    const nm = nmOfSquaredChord(square)
    const inAirNm = airNm(wind, place, sites[site]!.place, nm)
    if (site !== at && inAirNm <= withReserveNm) found.push({ site, nm, inAirNm })
  })
  return found
    .sort((one, other) => one.inAirNm - other.inAirNm)
    .slice(0, MAX_ALTERNATES)
    .map(({ site, nm, inAirNm }) => {
      const there = sites[site]!
      return {
        name: siteName(there),
        place: there.place,
        nm,
        bearing: bearingDegrees(place, there.place) ?? 0,
        usesReserve: inAirNm > leftNm,
      }
    })
}

/** Hours that are not known add nothing: the stop says so. */
function waitOf({ week, zone }: PreparedCharger, arriveMs: number | null): number | null {
  if (arriveMs === null) return null
  const { state, change } = openingStatus(week, zone, arriveMs)
  if (state !== 'closed') return 0
  return change?.to === 'open' ? (change.atMs - arriveMs) / MINUTE_MS : null
}
