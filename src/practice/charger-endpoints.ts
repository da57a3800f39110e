import { z } from 'zod'
import type { Clock } from '../shared/runtime/ports.ts'
import { jsonAnswer, type Answer } from './gate.ts'
import { NO_COORDINATES } from './not-shown.ts'
import { byQuery, whole } from './query.ts'
import type { StoredCharger } from './sample-chargers.ts'

/** As the list has it (charger document, "Charge point"). */
function chargePointView(
  { icao, locator, position, source, syncedAgoMs, shown }: StoredCharger,
  nowMs: number,
): object {
  return {
    ...shown,
    icao: icao ?? locator ?? '',
    location: { ...(position ?? NO_COORDINATES), source },
    live_state_synced_at:
      shown.live_state === null ? null : new Date(nowMs - syncedAgoMs).toISOString().replace(/\.\d+Z$/, '+00:00'),
  }
}

const Asked = z.object({
  icao: z.string().max(8).toUpperCase().optional(),
  country: z.string().max(4).toUpperCase().optional(),
  page: whole(1).default(1),
  per_page: whole(1, 200).default(100),
})

/** `GET /api/v1/charge-points`: approved chargers that match `icao` (either field) and `country` (the start of the code), by id. */
export function listChargePoints(chargers: StoredCharger[], query: unknown, clock: Clock): Answer {
  return byQuery(query, Asked, ({ icao, country = '', page, per_page: perPage }) => {
    const matching = chargers.filter(
      (charger) =>
        charger.approved &&
        (icao === undefined || charger.icao === icao || charger.locator === icao) &&
        (charger.icao ?? charger.country).startsWith(country),
    )
    const total = matching.length
    return jsonAnswer(200, {
      data: matching
        .slice((page - 1) * perPage, page * perPage)
        .map((charger) => chargePointView(charger, clock.nowMs())),
      meta: { current_page: page, per_page: perPage, total, last_page: Math.max(1, Math.ceil(total / perPage)) },
    })
  })
}
