import type { ChargePoint, ChargerLocation } from '../../charger.ts'
import { isPoint } from '../distance.ts'
import { isLiveStateCurrent } from '../live-state.ts'

/** What an exported charger is called where there is room for one name: "EDAZ Schönhagen". */
export function chargerName({ id, icao, airfield }: ChargePoint): string {
  return [icao, airfield].filter((text) => text !== null && text.trim() !== '').join(' ') || `Charger ${id}`
}

/**
 * The members of the charger document by their names there, without the place and the opening hours; and
 * `live_state_current`, whether the live state is of now.
 */
export function chargerMembers(
  charger: ChargePoint,
  nowMs: number,
): [string, string | number | boolean | readonly string[] | null][] {
  return [
    ['id', charger.id],
    ['icao', charger.icao],
    ['airfield', charger.airfield],
    ['manufacturer', charger.manufacturer],
    ['type', charger.type],
    ['kw', charger.kw],
    ['connectors', charger.connectors],
    ['aircraft_types', charger.aircraftTypes],
    ['payment_types', charger.paymentTypes],
    ['available', charger.available],
    ['live_state', charger.liveState],
    ['live_state_synced_at', charger.liveStateSyncedAt],
    ['live_state_current', isLiveStateCurrent(charger, nowMs)],
    ['software_version', charger.softwareVersion],
  ]
}

export type LocatedCharger = ChargePoint & { location: ChargerLocation }

/** Those that a map can show, as in the service's own file for maps: chargers without coordinates are left out. */
export function withPlace(chargers: readonly ChargePoint[]): LocatedCharger[] {
  return chargers.filter((charger): charger is LocatedCharger => isPoint(charger.location))
}
