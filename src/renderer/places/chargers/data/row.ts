import type { ChargePoint } from '../../../../shared/chargers/charger.ts'
import { distanceNm, type Point } from '../../../../shared/chargers/distance.ts'
import { isAhead, type Disagreement } from '../../../../shared/chargers/live-state.ts'
import { openingStatus, type OpeningStatus } from '../../../../shared/chargers/opening-hours.ts'
import type { Power } from '../../../../shared/chargers/power.ts'
import type { PreparedCharger } from '../../../../shared/chargers/prepare.ts'
import type { FitAnswer } from '../../../../shared/chargers/route/aircraft.ts'
import {
  arrivalTimes,
  openingAt,
  type Arrival,
  type ArrivalOpening,
} from '../../../../shared/chargers/route/arrival.ts'
import { lookOf, type Look } from './look.ts'

/** A charger with its index in the set. */
export interface Member extends PreparedCharger {
  member: number
}

/** A row of the list. Texts come from the service and are untrusted. */
export interface ChargerRow {
  id: number
  /** The key of the site it belongs to, which it may share with other chargers at the airfield. */
  site: string
  icao: string | null
  airfield: string | null
  look: Look
  liveState: string | null
  /** Null if unknown, or not received yet. */
  syncedAtMs: number | null
  type: string | null
  power: Power | null
  kw: string | null
  connectors: readonly string[]
  opening: OpeningStatus
  /** At the query's arrival; null without one, or if its time is unknown. */
  arrival: ArrivalOpening | null
  favourite: boolean
  fit: FitAnswer | null
  /** Null without usable coordinates. */
  at: Point | null
  /** From the query's reference point. */
  distanceNm: number | null
  /** The last refresh did not return it, but could not prove it gone. */
  unseen: boolean
}

export interface ChargerDetail {
  row: ChargerRow
  charger: ChargePoint
  prepared: PreparedCharger
  /** The current UTC offset at the airfield. */
  offsetMs: number | null
  disagreement: Disagreement | null
  /** All chargers at the airfield, including those filtered out. */
  atSite: number
}

export interface SiteDetail {
  icao: string | null
  airfield: string | null
  at: Point | null
  rows: ChargerRow[]
  /** How many of them the filter hides. */
  hidden: number
}

export function rowOf(
  one: Member,
  { from, arrival }: { from: Point | null; arrival: Arrival | null },
  { site, unseen, nowMs }: { site: string; unseen: boolean; nowMs: number },
): ChargerRow {
  const { charger, power, week, zone, favourite, fit, place, syncedAtMs } = one
  const { id, icao, airfield, liveState, type, kw, connectors } = charger
  const arrivesMs = arrival === null ? null : arrivalTimes(arrival, nowMs)(one)
  return {
    id,
    site,
    icao,
    airfield,
    look: lookOf(one, nowMs),
    liveState,
    syncedAtMs: syncedAtMs === null || isAhead(syncedAtMs, nowMs) ? null : syncedAtMs,
    type,
    power,
    kw,
    connectors,
    opening: openingStatus(week, zone, nowMs),
    arrival: arrivesMs === null ? null : openingAt(one, arrivesMs),
    favourite,
    fit,
    at: place,
    distanceNm: distanceNm(place, from),
    unseen,
  }
}
