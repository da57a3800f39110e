import { isPoint, nmOfSquaredChord, squaredChord, unitVector, type Point } from '../distance.ts'
import { openingStatus, type OpenState } from '../opening-hours.ts'
import type { PreparedCharger } from '../prepare.ts'
import { planTime } from './plan-time.ts'

/** An arrival: at a time (Unix milliseconds), or after a flight that begins now. */
export type Arrival = { by: 'time'; atMs: number } | { by: 'flight'; from: Point; speedKt: number }

/** Opening hours at the time of arrival. Live states are not used: they say nothing about that time. */
export interface ArrivalOpening {
  state: OpenState
  /** Minutes after the arrival; null unless it is open then and closes within a week. */
  closesInMinutes: number | null
  /** Minutes after the arrival; null unless it is closed then and opens within a week. */
  opensInMinutes: number | null
}

/** Closing within this time after the arrival is worth a warning. */
const CLOSES_SOON_MINUTES = 60

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

/** Unix milliseconds of the arrival at a charger; null when it is not known. */
export function arrivalTimes(
  arrival: Arrival,
  nowMs: number,
): (charger: Pick<PreparedCharger, 'vector'>) => number | null {
  if (arrival.by === 'time') return () => planTime(arrival.atMs)
  const { from, speedKt } = arrival
  if (!isPoint(from) || !(speedKt > 0)) return () => null
  const start = unitVector(from)
  return ({ vector }) =>
    vector === null ? null : planTime(nowMs + (nmOfSquaredChord(squaredChord(vector, start)) / speedKt) * HOUR_MS)
}

/** Whether it closes so soon after the arrival that a charge may not end before. */
export function closesSoon({ closesInMinutes }: Pick<ArrivalOpening, 'closesInMinutes'>): boolean {
  return closesInMinutes !== null && closesInMinutes < CLOSES_SOON_MINUTES
}

/** When it opens, where it is closed at this time; null when that is not known. */
export function nextOpeningMs({ week, zone }: Pick<PreparedCharger, 'week' | 'zone'>, atMs: number): number | null {
  const { state, change } = openingStatus(week, zone, atMs)
  return state === 'closed' && change?.to === 'open' ? change.atMs : null
}

export function openingAt({ week, zone }: Pick<PreparedCharger, 'week' | 'zone'>, atMs: number): ArrivalOpening {
  const { state, change } = openingStatus(week, zone, atMs)
  const minutes = change === null ? null : Math.round((change.atMs - atMs) / MINUTE_MS)
  return {
    state,
    closesInMinutes: state === 'open' && change?.to === 'closed' ? minutes : null,
    opensInMinutes: state === 'closed' && change?.to === 'open' ? minutes : null,
  }
}
