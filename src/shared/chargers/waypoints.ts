import type { ChargePoint } from './charger.ts'
import { distanceNm, isPoint } from './distance.ts'
import { chargerOf } from './exports/charger-texts.ts'

/** A named waypoint of a file of another program; `note` is its description, empty without one. Degrees. */
export interface Waypoint {
  name: string
  lat: number
  lng: number
  note: string
}

/** How far a charger may be from the waypoint that means it: a waypoint of an airfield is in its middle. */
export const NEAR_NM = 1
/** Chargers are looked up by the mile of latitude that they are in. */
const milesOf = (lat: number) => Math.floor(lat * 60)

/**
 * The chargers that waypoints mean: one that Hangar wrote means the charger of its description, if that is near it; any other means
 * all chargers within a mile. In the order of the waypoints, each once; and the names of the waypoints without any.
 */
export function chargersAt<Charger extends Pick<ChargePoint, 'id' | 'location'>>(
  waypoints: readonly Waypoint[],
  chargers: readonly Charger[],
): { chargers: Charger[]; unknown: string[] } {
  const byMile = new Map<number, Charger[]>()
  for (const charger of chargers) {
    if (!isPoint(charger.location)) continue
    const mile = milesOf(charger.location.lat)
    const known = byMile.get(mile)
    if (known === undefined) byMile.set(mile, [charger])
    else known.push(charger)
  }
  const found = new Set<Charger>()
  const unknown: string[] = []
  for (const waypoint of waypoints) {
    const mile = milesOf(waypoint.lat)
    const near = [mile - 1, mile, mile + 1]
      .flatMap((one) => byMile.get(one) ?? [])
      .filter(({ location }) => (distanceNm(waypoint, location) ?? Infinity) <= NEAR_NM)
    const id = chargerOf(waypoint.note)
    const meant = near.filter((charger) => charger.id === id)
    for (const charger of meant.length > 0 ? meant : near) found.add(charger)
    if (near.length === 0) unknown.push(waypoint.name)
  }
  return { chargers: [...found], unknown }
}
