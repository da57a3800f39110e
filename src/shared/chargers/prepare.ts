import type { ChargePoint } from './charger.ts'
import { isPoint, unitVector, type Point, type UnitVector } from './distance.ts'
import { codeWords, facetKey, fold, foldBothWays } from './fold.ts'
import { syncedAtMs } from './live-state.ts'
import { isOpenAllWeek, openingWeek, type OpeningWeek } from './opening-week.ts'
import { currentsOf, powerOf, type Current, type Power } from './power.ts'
import { memoise } from './memoise.ts'
import type { Fit } from './route/aircraft.ts'

/** The time zone (IANA name) at coordinates; may throw where there is none. The library's table is rough near borders. */
type ZoneOf = (lat: number, lng: number) => string

/** A value in its normalised form for comparison, and as it was written. */
export interface FacetText {
  key: string
  label: string
}

/** A charger with everything that filters, sorting and markers need. */
export interface PreparedCharger {
  charger: ChargePoint
  /** Folded code, and folded name in every spelling; empty without one. */
  code: string
  names: string
  /** Folded: both, manufacturer, type, connectors, aircraft and payment. */
  searched: string
  /** Sort key: the folded airfield name, or else the code. */
  sortName: string
  connectors: readonly FacetText[]
  aircraft: readonly FacetText[]
  payment: readonly FacetText[]
  currents: readonly Current[]
  power: Power | null
  /** When the live state was synced; see `liveStatusOf` for what it means now. Null when unknown. */
  syncedAtMs: number | null
  week: OpeningWeek
  openAllWeek: boolean
  /** IANA name, estimated from the position, as the service names none; null without coordinates. */
  zone: string | null
  /** Null without usable coordinates, like `vector`. */
  place: Point | null
  vector: UnitVector | null
  favourite: boolean
  /** Whether the aircraft that a person chose can charge there; null while none is chosen. */
  fit: Fit | null
  /** The key of its site on the page, and whether it is among what is found there. */
  site: string
  isFound: boolean
}

export function prepare(charger: ChargePoint, zoneOf: ZoneOf): PreparedCharger {
  const { icao, airfield, manufacturer, type, connectors, aircraftTypes, paymentTypes, location, kw } = charger
  const week = openingWeek(charger.availability)
  const place = isPoint(location) ? { lat: location.lat, lng: location.lng } : null
  const kinds = [manufacturer ?? '', type ?? '', ...connectors, ...aircraftTypes, ...paymentTypes]
  const [names, code] = [foldBothWays(airfield), fold(icao)]
  return {
    charger,
    code,
    names,
    searched: [codeWords(code), names, foldedKinds(kinds.join('\n'))].join('\n'),
    sortName: names || code,
    connectors: facetTexts(connectors),
    aircraft: facetTexts(aircraftTypes),
    payment: facetTexts(paymentTypes),
    currents: currentsOf(type),
    power: powerOf(kw),
    syncedAtMs: syncedAtMs(charger.liveStateSyncedAt),
    week,
    openAllWeek: isOpenAllWeek(week),
    zone: place === null ? null : zoneAt(place, zoneOf),
    place,
    vector: place === null ? null : unitVector(place),
    favourite: false,
    fit: null,
    site: '',
    isFound: false,
  }
}

function zoneAt({ lat, lng }: Point, zoneOf: ZoneOf): string | null {
  try {
    return zoneOf(lat, lng)
  } catch {
    // A place without a zone.
    return null
  }
}

const foldedKinds = memoise((lines) => lines.split('\n').map(fold).join('\n'))

const facetText = memoise((text): FacetText | null => {
  const key = facetKey(text)
  return key === null ? null : { key, label: text.replace(/\s+/g, ' ').trim() }
})

/** Without duplicates. */
function facetTexts(values: readonly string[]): FacetText[] {
  const found = values.map(facetText).filter((text) => text !== null)
  return [...Map.groupBy(found, ({ key }) => key).values()].map(([first]) => first!)
}
