import { straightText } from '../text/safe-characters.ts'
import type { ChargePoint } from './charger.ts'

/**
 * The charger with straightened texts, for display only. Values that decisions depend on stay as the service gave them: a
 * live state that only looks like a documented one does not count as one.
 */
export function straightened(charger: ChargePoint): ChargePoint {
  const { location } = charger
  return {
    ...charger,
    icao: straightOrNull(charger.icao),
    airfield: straightOrNull(charger.airfield),
    manufacturer: straightOrNull(charger.manufacturer),
    connectors: charger.connectors.map(straightText),
    aircraftTypes: charger.aircraftTypes.map(straightText),
    softwareVersion: straightOrNull(charger.softwareVersion),
    paymentTypes: charger.paymentTypes.map(straightText),
    type: straightOrNull(charger.type),
    kw: straightOrNull(charger.kw),
    location: location && { ...location, source: straightOrNull(location.source) },
  }
}

const straightOrNull = (text: string | null) => (text === null ? null : straightText(text))
