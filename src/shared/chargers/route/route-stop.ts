import type { Point } from '../distance.ts'
import { isAhead, liveStatusOf, wasBroken, type LiveClass } from '../live-state.ts'
import { openingStatus, type OpenState } from '../opening-hours.ts'
import type { PreparedCharger } from '../prepare.ts'
import { fitTest, idealChargeMinutes, namesNothing, type Fit } from './aircraft.ts'
import { powerFor, type RouteSite } from './route-network.ts'
import { planTime, type RouteRequest } from './route-plan.ts'

/** Opening hours at the time of arrival. Live states are not used: they say nothing about that time. */
export interface ArrivalOpening {
  state: OpenState
  /** Minutes after the arrival; null unless it is open then and closes within a week. */
  closesInMinutes: number | null
  /** Minutes after the arrival; null unless it is closed then and opens within a week. */
  opensInMinutes: number | null
}

interface StopCharger {
  id: number
  kw: number | null
  connectors: readonly string[]
  fit: Fit
}

/** What a pilot should know about a charge stop, beside the warnings. */
type Remark = 'fit_not_known' | 'hours_not_known' | 'power_not_known' | 'state_not_known'

export const STOP_WARNINGS = ['closed_at_arrival', 'closes_before_charged', 'was_broken', 'single_charger'] as const

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
}

const MINUTE_MS = 60_000

/** How the aircraft arrives at a stop. */
interface Coming {
  request: RouteRequest
  kwh: number | null
  arriveMs: number | null
}

/** Proposes the first charger that is not closed on arrival nor was out of order when last heard of. */
export function stopAt({ name, icao, place, chargers }: RouteSite, { request, kwh, arriveMs }: Coming): RouteStop {
  const { aircraft, groundMinutes, nowMs } = request
  const isClosed = (one: PreparedCharger) => arriveMs !== null && openingAt(one, arriveMs).state === 'closed'
  const best = chargers.find((one) => !isClosed(one) && !wasBroken(one, nowMs)) ?? chargers[0]!
  const chargeMinutes = idealChargeMinutes(kwh, powerFor(aircraft, best))
  const opening = arriveMs === null ? null : openingAt(best, arriveMs)
  // Hours that are not known add nothing: the stop says so.
  const waitMinutes = opening?.state === 'closed' ? opening.opensInMinutes : opening && 0
  const chargeFromMs = later(arriveMs, waitMinutes)
  const live = liveStatusOf(best, nowMs)
  const liveNow = live.isLive ? live.liveClass : null
  const fitOf = fitTest(aircraft)
  const closesInMinutes = chargeFromMs === null ? null : openingAt(best, chargeFromMs).closesInMinutes
  const areHoursUnknown = opening?.state === 'unknown' || best.week.every(({ kind }) => kind === 'unknown')
  const notes: (StopNote | false)[] = [
    fitOf(best) === 'not_known' && !namesNothing(aircraft) && 'fit_not_known',
    opening?.state === 'closed' ? 'closed_at_arrival' : areHoursUnknown && 'hours_not_known',
    chargeMinutes !== null && (closesInMinutes ?? Infinity) < chargeMinutes + 1 && 'closes_before_charged',
    best.power === null && 'power_not_known',
    wasBroken(best, nowMs) ? 'was_broken' : liveNow === null && 'state_not_known',
    chargers.length === 1 && 'single_charger',
  ]
  return {
    name,
    icao,
    place,
    chargers: [best, ...chargers.filter((one) => one !== best)].map((one) => ({
      id: one.charger.id,
      kw: one.power?.kw ?? null,
      connectors: one.connectors.map(({ label }) => label),
      fit: fitOf(one),
    })),
    liveNow,
    stateAtMs: best.syncedAtMs === null || isAhead(best.syncedAtMs, nowMs) ? null : best.syncedAtMs,
    opening: opening && rounded(opening),
    waitMinutes,
    chargeMinutes,
    chargeKwh: kwh,
    arriveMs,
    departMs: later(chargeFromMs, sumOf([chargeMinutes, groundMinutes])),
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

/** Null also beyond the times of a plan. */
export function later(atMs: number | null, minutes: number | null): number | null {
  return atMs === null || minutes === null ? null : planTime(atMs + minutes * MINUTE_MS)
}

/** Null when one of them is unknown. */
export function sumOf(values: readonly (number | null)[]): number | null {
  return values.reduce((sum, value) => (sum === null || value === null ? null : sum + value), 0)
}
