import type { ChargePoint } from '../charger.ts'
import { countryOf } from './countries.ts'
import { currentsOf, type Current } from './current.ts'
import { isPoint, unitVector, type Point, type UnitVector } from './distance.ts'
import { fieldZone, type FieldZone, type ZoneOf } from './field-zone.ts'
import { facetKey, fold, foldBothWays } from './fold.ts'
import { syncedAtMs } from './live-state.ts'
import { isOpenAllWeek, openingWeek, type OpeningWeek } from './opening-week.ts'
import { powerOf, type Power } from './power.ts'
import { remembering } from './remembering.ts'
import { straightText } from './straight-text.ts'

/** A value as it is compared and as it was written. */
export interface FacetText {
  key: string
  label: string
}

/** A charger with all that filters, sorting and markers ask about, worked out once. Plain data: it can go to a worker. */
export interface PreparedCharger {
  charger: ChargePoint
  /** What a search looks into. Folded code, and folded name in every spelling; empty without one. */
  code: string
  names: string
  /** Folded, with a line for each: maker, type, connectors, aircraft and payment. Many chargers have the very same. */
  kind: string
  /** Folded airfield name or else code, to sort by. */
  sortName: string
  /** ISO 3166-1 alpha-2. */
  country: string | null
  connectors: readonly FacetText[]
  aircraft: readonly FacetText[]
  payment: readonly FacetText[]
  currents: readonly Current[]
  power: Power | null
  /** When the live state was synced; `liveStatusOf` tells what it means now. Null when not known. */
  syncedAtMs: number | null
  week: OpeningWeek
  openAllWeek: boolean
  /** IANA name, assumed (`fieldZone`); null without coordinates. */
  zone: string | null
  zoneFrom: FieldZone['from'] | null
  /** Null without usable coordinates, as `vector`. */
  place: Point | null
  vector: UnitVector | null
  favourite: boolean
}

export function prepare(charger: ChargePoint, zoneOf: ZoneOf, favourites: ReadonlySet<number>): PreparedCharger {
  const { icao, airfield, manufacturer, type, connectors, aircraftTypes, paymentTypes, location, kw } = charger
  const week = openingWeek(charger.availability)
  const place = isPoint(location) ? { lat: location.lat, lng: location.lng } : null
  const country = countryOf(icao)
  const zone = place === null ? null : fieldZone(place, country, zoneOf)
  const shared = [manufacturer, type, ...connectors, ...aircraftTypes, ...paymentTypes]
  const searched = shared.map((text) => (text === null ? '' : knownText(text).folded))
  const [name, code] = [fold(airfield), fold(icao)]
  const names = foldBothWays(airfield, name)
  return {
    charger,
    ...{ code, names, kind: knownKind(searched.join('\n')) },
    sortName: name || code,
    country,
    connectors: facetTexts(connectors),
    aircraft: facetTexts(aircraftTypes),
    payment: facetTexts(paymentTypes),
    currents: type === null ? [] : knownCurrents(type),
    power: kw === null ? null : knownPower(kw),
    syncedAtMs: syncedAtMs(charger.liveStateSyncedAt),
    week,
    openAllWeek: isOpenAllWeek(week),
    zone: zone?.name ?? null,
    zoneFrom: zone?.from ?? null,
    place,
    vector: place === null ? null : unitVector(place),
    favourite: favourites.has(charger.id),
  }
}

/** What is worked out about a text that many chargers have in common. */
interface KnownText {
  folded: string
  /** Null when there is nothing to ask for. */
  facet: FacetText | null
}

const knownText = remembering((text): KnownText => {
  const key = facetKey(text)
  const label = straightText(text).replace(/\s+/g, ' ').trim()
  return { folded: fold(text), facet: key === null ? null : { key, label } }
})
const knownCurrents = remembering(currentsOf)
const knownPower = remembering(powerOf)
/** The same string, not only an equal one: it takes its room once. */
const knownKind = remembering((kind) => kind)

/** Each value once. */
function facetTexts(values: readonly string[]): FacetText[] {
  const found: FacetText[] = []
  for (const value of values) {
    const { facet } = knownText(value)
    if (facet !== null && found.every(({ key }) => key !== facet.key)) found.push(facet)
  }
  return found
}
