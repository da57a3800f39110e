import { openingStatus, type OpenState } from '../opening-hours.ts'
import type { PreparedCharger } from '../prepare.ts'

/** Opening hours at the time of arrival. Live states are not used: they say nothing about that time. */
export interface ArrivalOpening {
  state: OpenState
  /** Minutes after the arrival; null unless it is open then and closes within a week. */
  closesInMinutes: number | null
  /** Minutes after the arrival; null unless it is closed then and opens within a week. */
  opensInMinutes: number | null
}

const MINUTE_MS = 60_000

export function openingAt({ week, zone }: Pick<PreparedCharger, 'week' | 'zone'>, atMs: number): ArrivalOpening {
  const { state, change } = openingStatus(week, zone, atMs)
  const minutes = change === null ? null : Math.round((change.atMs - atMs) / MINUTE_MS)
  return {
    state,
    closesInMinutes: state === 'open' && change?.to === 'closed' ? minutes : null,
    opensInMinutes: state === 'closed' && change?.to === 'open' ? minutes : null,
  }
}
