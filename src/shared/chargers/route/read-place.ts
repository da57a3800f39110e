import { distanceNm, isPoint, type Point } from '../distance.ts'
import { nameOf, type Site } from '../group.ts'
import { searchAirfields, type SearchIndex } from '../search.ts'
import { placeNamed, type OwnPlace } from './own-places.ts'
import type { NamedPlace } from './route-plan.ts'

export type PlaceAnswer =
  | { kind: 'found'; place: NamedPlace }
  /** It looks like coordinates, but there is no such place. */
  | { kind: 'no_degrees' }
  | { kind: 'unknown' }
  | { kind: 'several'; names: readonly string[] }

const MAX_SHOWN_NAMES = 5
/** Two of one name that are nearer to each other are one airfield. */
const APART_NM = 10

/**
 * An end of a route as a person writes it: coordinates, as in "52.2,13.16" or "N52.2,E13.16", also in parentheses after a name; an ICAO
 * code or a name. Names of a person's own places go first.
 */
export function readPlace(index: SearchIndex, text: string, own: readonly OwnPlace[] = []): PlaceAnswer {
  const known = placeNamed(own, text)
  if (known !== null) return { kind: 'found', place: { name: known.name, place: { lat: known.lat, lng: known.lng } } }
  const [, name, inside] = /^(.*\S)\s*\(([^()]*)\)\s*$/.exec(text) ?? []
  const degrees = degreesIn(inside ?? text)
  if (degrees !== null)
    return isPoint(degrees)
      ? { kind: 'found', place: { name: name ?? text.trim(), place: degrees } }
      : { kind: 'no_degrees' }
  const placed = index.filter(({ found }) => found.at !== null)
  const found = searchAirfields(placed, text, MAX_SHOWN_NAMES)
  const wanted = text.trim().toUpperCase()
  const isExact = (one: Site) => one.icao?.trim().toUpperCase() === wanted || nameOf(one).toUpperCase() === wanted
  const [exact, ...alike] = found.filter(isExact)
  const elsewhere = alike.filter(({ at }) => (distanceNm(at, exact?.at ?? null) ?? 0) > APART_NM)
  if (exact !== undefined && elsewhere.length > 0)
    return { kind: 'several', names: [exact, ...elsewhere].map(nameAndDegrees) }
  const airfield = exact ?? (found.length === 1 ? found[0] : undefined)
  if (airfield === undefined)
    return found.length > 1 ? { kind: 'several', names: found.map(nameOf) } : { kind: 'unknown' }
  const { icao, at } = airfield
  return { kind: 'found', place: { name: nameOf(airfield), place: at!, ...(icao === null ? {} : { icao }) } }
}

/** What tells two airfields of one name apart, and is read as one of them. */
function nameAndDegrees(one: Site): string {
  const { lat, lng } = one.at!
  return `${nameOf(one)} (${Number(lat.toFixed(3))},${Number(lng.toFixed(3))})`
}

/** "52.2,13.16" or "N52.2,E13.16"; null for anything else. */
function degreesIn(text: string): Point | null {
  const found = /^\s*([NS]?)\s*([+-]?\d+(?:\.\d+)?)\s*[,; ]\s*([EW]?)\s*([+-]?\d+(?:\.\d+)?)\s*$/i.exec(text)
  if (found === null) return null
  const [, ns = '', lat, ew = '', lng] = found
  return {
    lat: Number(lat) * (ns.toUpperCase() === 'S' ? -1 : 1),
    lng: Number(lng) * (ew.toUpperCase() === 'W' ? -1 : 1),
  }
}
