import { countryOfZone, zonesOfCountry, type NamedZone } from './country-zones.ts'
import { distanceKm, wrappedLng, type Point } from './distance.ts'

/** Returns the IANA zone of a place; may throw for a place without one. */
export type ZoneOf = (lat: number, lng: number) => string

/** `from`: what the zone was derived from. */
export interface FieldZone {
  name: string
  from: 'place' | 'country'
}

/** Other countries whose airfields have codes of this one: the same letters, different time zones. */
const ALSO_USED_IN: Readonly<Record<string, readonly string[]>> = {
  AR: ['AQ'],
  AU: ['AQ'],
  CL: ['AQ'],
  GB: ['AQ'],
  DK: ['FO'],
  FI: ['AX'],
  MA: ['EH'],
  SD: ['SS'],
}

/**
 * No place is farther than this from the nearest place that its country's zones are named after; beyond it, code and position
 * do not match.
 */
const MAX_KM_TO_ZONE = 3000
/** Borders in a lookup table of a few kilobytes are off by some tens of kilometres at most. */
const RINGS_KM = [15, 45, 135]
const BEARINGS = [0, 45, 90, 135, 180, 225, 270, 315]
const KM_PER_DEGREE = 111.2

/**
 * The most likely time zone of an airfield. The document gives none, so it is the one at the coordinates, unless that belongs
 * to another country than the code: the zone lookup has rough borders, it may lack islands, and airfields lie near borders.
 * Then it is the country's zone nearest to the coordinates. `country` is ISO 3166-1 alpha-2, or null when unknown. Returns
 * null when the zone cannot be derived.
 */
export function fieldZone(place: Point, country: string | null, zoneOf: ZoneOf): FieldZone | null {
  const here = zoneAt(place, zoneOf)
  const byPlace = here === null ? null : ({ name: here, from: 'place' } as const)
  const countryHere = here === null ? null : countryOfZone(here)
  if (country === null || countryHere === country) return byPlace
  if (countryHere !== null && ALSO_USED_IN[country]?.includes(countryHere) === true) return byPlace
  const zones = zonesOfCountry(country)
  const nearest = nearestOf(zones, place)
  if (nearest === null) return byPlace
  const name = zones.length === 1 ? nearest : (zoneAround(place, country, zoneOf) ?? nearest)
  return { name, from: 'country' }
}

/** The zone whose namesake is nearest; null when all are too far away. */
function nearestOf(zones: readonly NamedZone[], place: Point): string | null {
  let [name, leastKm]: [string | null, number] = [null, MAX_KM_TO_ZONE]
  for (const zone of zones) {
    const km = distanceKm(place, zone.place) ?? Infinity
    if (km < leastKm) [name, leastKm] = [zone.name, km]
  }
  return name
}

/**
 * What is wrong with a position, judged by the country of the code. `zero`: 0, 0, which often stands for a missing position;
 * `swapped`: with latitude and longitude exchanged it would lie in the country; `far`: it is nowhere near the country.
 */
export type PlaceDoubt = 'zero' | 'swapped' | 'far'

/** Null for a plausible position. `country` is ISO 3166-1 alpha-2, or null when unknown. */
export function placeDoubt(place: Point, country: string | null): PlaceDoubt | null {
  if (Math.abs(place.lat) < 0.001 && Math.abs(place.lng) < 0.001) return 'zero'
  const zones = country === null ? [] : zonesOfCountry(country)
  // Antarctic stations use codes of the countries that run them.
  if (zones.length === 0 || place.lat < -60 || nearestOf(zones, place) !== null) return null
  const swapped = { lat: place.lng, lng: place.lat }
  return Math.abs(swapped.lat) <= 90 && nearestOf(zones, swapped) !== null ? 'swapped' : 'far'
}

/** The country's zone that most of the nearest places have; null when the country is not near. */
function zoneAround({ lat, lng }: Point, country: string, zoneOf: ZoneOf): string | null {
  for (const km of RINGS_KM) {
    const found: string[] = []
    for (const bearing of BEARINGS) {
      const angle = (bearing * Math.PI) / 180
      const north = lat + (km / KM_PER_DEGREE) * Math.cos(angle)
      const east = lng + ((km / KM_PER_DEGREE) * Math.sin(angle)) / Math.cos((lat * Math.PI) / 180)
      if (Math.abs(north) > 90 || !Number.isFinite(east)) continue
      const zone = zoneAt({ lat: north, lng: wrappedLng(east) }, zoneOf)
      if (zone !== null && countryOfZone(zone) === country) found.push(zone)
    }
    const commonest = commonestOf(found)
    if (commonest !== null) return commonest
  }
  return null
}

/** Ties go to the first. */
function commonestOf(values: readonly string[]): string | null {
  let [best, most]: [string | null, number] = [null, 0]
  for (const value of values) {
    const count = values.filter((other) => other === value).length
    if (count > most) [best, most] = [value, count]
  }
  return best
}

function zoneAt({ lat, lng }: Point, zoneOf: ZoneOf): string | null {
  try {
    return zoneOf(lat, lng)
  } catch {
    // A place without a zone is not a failure: its opening hours are then unknown.
    return null
  }
}
