import type { Aircraft } from './aircraft.ts'
import type { RoutePreference } from './find-route.ts'
import type { NamedPlace } from './route-network.ts'
import type { Wind } from './wind.ts'

/** What a route is asked for with. */
export interface RouteRequest {
  from: NamedPlace
  via: readonly NamedPlace[]
  to: NamedPlace
  aircraft: Aircraft
  prefer: RoutePreference
  /** Still air without it. It counts only with a speed that is above its own. */
  wind?: Wind | null
  /** Charge at the start, of a full one. 100 without it. */
  startPercent?: number
  /** Departure in Unix milliseconds. */
  departMs: number
  /** Time on the ground at each charge stop, in addition to charging. */
  groundMinutes: number
  /** Unix milliseconds: live states are given for this moment only. */
  nowMs: number
}
