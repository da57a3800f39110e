import { bearingDegrees, nmOfSquaredChord, type Point } from '../distance.ts'
import { isAhead, LIVE_FOR_MS, liveStatusOf, wasBroken, type LiveClass } from '../live-state.ts'
import { openingStatus, type OpenState } from '../opening-hours.ts'
import type { PreparedCharger } from '../prepare.ts'
import { fitTest, idealChargeMinutes, usableNm, type Fit } from './aircraft.ts'
import { isDoubtful, powerFor, type RouteNetwork, type RouteSite } from './route-network.ts'
import { planTime, type RouteRequest } from './route-plan.ts'
import { airNm, mostGroundShare, relativeWind } from './wind.ts'

/** Opening hours at the time of arrival. Live states are not used: they say nothing about that time. */
export interface ArrivalOpening {
  state: OpenState
  /** Minutes after the arrival; null unless it is open then and closes within a week. */
  closesInMinutes: number | null
  /** Minutes after the arrival; null unless it is closed then and opens within a week. */
  opensInMinutes: number | null
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

interface StopCharger {
  id: number
  kw: number | null
  connectors: readonly string[]
  fit: Fit
}

/** What a pilot should know about a charge stop, beside the warnings. */
type Remark =
  | 'fit_not_known'
  | 'hours_not_known'
  | 'power_not_known'
  | 'state_not_known'
  | 'busy_now'
  | 'limited_now'
  | 'offline_now'

export const STOP_WARNINGS = [
  'closed_at_arrival',
  'closes_before_charged',
  'was_broken',
  'not_listed',
  'single_charger',
  'no_alternate',
] as const

export type StopNote = Remark | (typeof STOP_WARNINGS)[number]

export const isWarning = (note: StopNote): boolean => STOP_WARNINGS.some((one) => one === note)

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
  const { aircraft, groundMinutes, nowMs } = request
  const { name, icao, place, chargers } = network.sites[at]!
  const best = bestCharger(network.sites[at]!, coming)
  const chargeMinutes = idealChargeMinutes(kwh, powerFor(aircraft, best))
  const opening = arriveMs === null ? null : openingAt(best, arriveMs)
  // Hours that are not known add nothing: the stop says so.
  const waitMinutes = opening?.state === 'closed' ? opening.opensInMinutes : opening && 0
  const chargeFromMs = later(arriveMs, waitMinutes)
  const live = liveStatusOf(best, nowMs)
  const liveNow = live.isLive ? live.liveClass : null
  const fitOf = fitTest(aircraft)
  const fit = fitOf(best)
  const closesInMinutes = chargeFromMs === null ? null : openingAt(best, chargeFromMs).closesInMinutes
  const areHoursUnknown = opening?.state === 'unknown' || best.week.every(({ kind }) => kind === 'unknown')
  const alternates = alternatesOf(network, at, coming)
  const notes: (StopNote | false)[] = [
    fit.fit === 'not_known' && fit.reason !== 'aircraft' && 'fit_not_known',
    opening?.state === 'closed' ? 'closed_at_arrival' : areHoursUnknown && 'hours_not_known',
    chargeMinutes !== null && (closesInMinutes ?? Infinity) < chargeMinutes + 1 && 'closes_before_charged',
    best.power === null && 'power_not_known',
    wasBroken(best, nowMs) ? 'was_broken' : stateNote(liveNow),
    best.unseen && 'not_listed',
    chargers.length === 1 && 'single_charger',
    alternates.length === 0 && 'no_alternate',
  ]
  return {
    name,
    icao,
    place,
    chargers: [best, ...chargers.filter((one) => one !== best)].map((one) => ({
      id: one.charger.id,
      kw: one.power?.kw ?? null,
      connectors: one.connectors.map(({ label }) => label),
      fit: fitOf(one).fit,
    })),
    liveNow,
    stateAtMs: best.syncedAtMs === null || isAhead(best.syncedAtMs, nowMs) ? null : best.syncedAtMs,
    opening: opening && rounded(opening),
    waitMinutes,
    chargeMinutes,
    chargeKwh: kwh,
    arriveMs,
    departMs: later(chargeFromMs, sumOf([chargeMinutes, groundMinutes])),
    alternates,
    notes: notes.filter((note) => note !== false),
  }
}

/** In exact minutes. */
function openingAt({ week, zone }: PreparedCharger, atMs: number): ArrivalOpening {
  const { state, change } = openingStatus(week, zone, atMs)
  const minutes = change === null ? null : (change.atMs - atMs) / MINUTE_MS
  return {
    state,
    closesInMinutes: state === 'open' && change?.to === 'closed' ? minutes : null,
    opensInMinutes: state === 'closed' && change?.to === 'open' ? minutes : null,
  }
}

const rounded = ({ state, closesInMinutes, opensInMinutes }: ArrivalOpening): ArrivalOpening => ({
  state,
  closesInMinutes: closesInMinutes && Math.round(closesInMinutes),
  opensInMinutes: opensInMinutes && Math.round(opensInMinutes),
})

/**
 * The charger to propose: not a doubtful one (`isDoubtful`), nor one that is closed on arrival, if there is another; then one that is
 * known to fit, one that is known to be open, and the strongest. For an arrival so soon that the state of now still counts then, a free
 * one goes before power.
 */
function bestCharger({ chargers }: RouteSite, { request, arriveMs }: Coming): PreparedCharger {
  const { aircraft, departMs, nowMs } = request
  const fitOf = fitTest(aircraft)
  const aheadMs = (arriveMs ?? departMs) - nowMs
  const isSoon = aheadMs >= 0 && aheadMs <= LIVE_FOR_MS
  /** The digits of a number, the weightiest first; the lowest number is the best. */
  const rankOf = (charger: PreparedCharger) => {
    const state = arriveMs === null ? 'unknown' : openingAt(charger, arriveMs).state
    const { isLive, liveClass } = liveStatusOf(charger, nowMs)
    const digits = [
      isDoubtful(charger, nowMs) ? 1 : 0,
      state === 'closed' ? 1 : 0,
      fitOf(charger).fit === 'fits' ? 0 : 1,
      state === 'open' ? 0 : 1,
      isSoon && isLive ? (STATE_RANK[liveClass] ?? 1) : 1,
    ]
    return Number(digits.join(''))
  }
  const ranks = new Map(chargers.map((charger) => [charger, rankOf(charger)]))
  // A stable sort: chargers that are alike stay in the order of the site, the strongest first.
  return chargers.toSorted((one, other) => ranks.get(one)! - ranks.get(other)!)[0]!
}

/** 1 for all others, and for those without a current live state. */
const STATE_RANK: Readonly<Partial<Record<LiveClass, number>>> = {
  free: 0,
  busy: 2,
  reserved: 2,
  offline: 3,
  broken: 3,
}

function stateNote(live: LiveClass | null): StopNote | false {
  if (live === null || live === 'unknown') return 'state_not_known'
  if (live === 'busy' || live === 'reserved') return 'busy_now'
  if (live === 'limited') return 'limited_now'
  return live === 'offline' && 'offline_now'
}

/** The nearest other sites within the remaining range, those first that need no reserve. */
function alternatesOf({ sites, near }: RouteNetwork, at: number, { request, flownNm }: Coming): Alternate[] {
  const { aircraft } = request
  const { place } = sites[at]!
  const [leftNm, withReserveNm] = [(usableNm(aircraft) ?? 0) - flownNm, aircraft.rangeNm - flownNm]
  const wind = relativeWind(request.wind, aircraft.speedKt)
  const found: { site: RouteSite; nm: number; inAirNm: number }[] = []
  near.visit(near.vectors[at]!, withReserveNm * mostGroundShare(wind), (other, square) => {
    const [site, nm] = [sites[other]!, nmOfSquaredChord(square)]
    const inAirNm = airNm(wind, place, site.place, nm)
    if (other !== at && inAirNm <= withReserveNm) found.push({ site, nm, inAirNm })
  })
  return found
    .sort((one, other) => one.inAirNm - other.inAirNm)
    .slice(0, MAX_ALTERNATES)
    .map(({ site, nm, inAirNm }) => ({
      name: site.name,
      place: site.place,
      nm,
      bearing: bearingDegrees(place, site.place) ?? 0,
      usesReserve: inAirNm > leftNm,
    }))
}

/** Null also beyond the times of a plan. */
export function later(atMs: number | null, minutes: number | null): number | null {
  return atMs === null || minutes === null ? null : planTime(atMs + minutes * MINUTE_MS)
}

/** Null when one of them is unknown. */
export function sumOf(values: readonly (number | null)[]): number | null {
  return values.reduce((sum, value) => (sum === null || value === null ? null : sum + value), 0)
}
