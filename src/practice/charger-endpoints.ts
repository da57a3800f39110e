import type { Clock } from '../shared/runtime/ports.ts'
import { invalidAnswer, jsonAnswer } from './answer.ts'
import type { Answer } from './answer.ts'
import { NO_COORDINATES } from './not-shown.ts'
import { shortText, wholeNumber } from './query-rules.ts'
import type { Errors, Query } from './query-rules.ts'
import type { StoredCharger } from './sample-chargers.ts'

/** ISO 8601 with an offset, to the second. */
function isoWithOffset(atMs: number): string {
  return new Date(atMs).toISOString().replace(/\.\d{3}Z$/, '+00:00')
}

/** As the list has it (charger document, "Charge point"). */
function chargePointView(charger: StoredCharger, nowMs: number): object {
  return {
    id: charger.id,
    icao: charger.icao ?? charger.locator ?? '',
    airfield: charger.airfield,
    location: { ...(charger.position ?? NO_COORDINATES), source: charger.source },
    manufacturer: charger.manufacturer,
    connectors: charger.connectors,
    aircraft_types: charger.aircraftTypes,
    software_version: charger.softwareVersion,
    payment_types: charger.paymentTypes,
    available: charger.available,
    live_state: charger.liveState,
    live_state_synced_at: charger.liveState === null ? null : isoWithOffset(nowMs - charger.syncedAgoMs),
    availability: charger.availability,
    type: charger.type,
    kw: charger.kw,
  }
}

/** Approved chargers that match `icao` (either field) and `country` (the start of the code), in ascending id order. */
function select(chargers: StoredCharger[], query: Query, errors: Errors): StoredCharger[] {
  const icao = shortText(query, 'icao', 8, errors)?.toUpperCase() ?? null
  const country = shortText(query, 'country', 4, errors)?.toUpperCase() ?? null
  return chargers.filter(
    (charger) =>
      charger.approved &&
      (icao === null || charger.icao === icao || charger.locator === icao) &&
      (country === null || (charger.icao ?? charger.country).startsWith(country)),
  )
}

/** `GET /api/v1/charge-points`. */
export function listChargePoints(chargers: StoredCharger[], query: Query, clock: Clock): Answer {
  const errors: Errors = {}
  const matching = select(chargers, query, errors)
  const page = wholeNumber(query, 'page', { min: 1, max: Number.MAX_SAFE_INTEGER, otherwise: 1 }, errors)
  const perPage = wholeNumber(query, 'per_page', { min: 1, max: 200, otherwise: 100 }, errors)
  if (Object.keys(errors).length > 0) return invalidAnswer(errors)
  const total = matching.length
  return jsonAnswer(200, {
    data: matching
      .slice((page - 1) * perPage, page * perPage)
      .map((charger) => chargePointView(charger, clock.nowMs())),
    meta: { current_page: page, per_page: perPage, total, last_page: Math.max(1, Math.ceil(total / perPage)) },
  })
}
