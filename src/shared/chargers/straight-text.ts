import type { ChargePoint } from '../charger.ts'

/** Embeddings, overrides and isolates: they turn what comes after them, and nothing says that they end. */
const TURNS = /[\u202a-\u202e\u2066-\u2069]/g

/** Without characters that turn text round, so that a text of the service cannot turn round what is said beside it. */
export function straightText(text: string): string {
  return text.replace(TURNS, '')
}

/**
 * The charger with straight texts, to be shown. What decides something stays as the service gave it: a live state that only
 * looks like one of the document is none.
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
