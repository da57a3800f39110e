import type { ChargePoint } from './charger.ts'
import { isPoint, unitVector } from './distance.ts'
import { chargerOf } from './exports/charger-texts.ts'
import { NearSites } from './route/near-sites.ts'

/** A named waypoint of a file of another program; `note` is its description, empty without one. Degrees. */
export interface Waypoint {
  name: string
  lat: number
  lng: number
  note: string
}

/** How far a charger may be from the waypoint that means it: a waypoint of an airfield is in its middle. */
export const NEAR_NM = 1

/**
 * The chargers that waypoints mean: one that Hangar wrote means the charger of its description, if that is near it; any other means
 * all chargers within a mile. In the order of the waypoints, each once; and the names of the waypoints without any.
 */
export function chargersAt<Charger extends Pick<ChargePoint, 'id' | 'location'>>(
  waypoints: readonly Waypoint[],
  chargers: readonly Charger[],
): { chargers: Charger[]; unknown: string[] } {
  const placed = chargers.filter(({ location }) => isPoint(location))
  const sites = new NearSites(
    placed.map(({ location }) => unitVector(location!)),
    NEAR_NM,
  )
  const found = new Set<Charger>()
  const unknown: string[] = []
  for (const waypoint of waypoints) {
    const near: number[] = []
    sites.visit(unitVector(waypoint), NEAR_NM, (at) => {
      near.push(at)
    })
    const here = near.sort((one, other) => one - other).map((at) => placed[at]!)
    const meant = here.filter(({ id }) => id === chargerOf(waypoint.note))
    for (const charger of meant.length > 0 ? meant : here) found.add(charger)
    if (here.length === 0) unknown.push(waypoint.name)
  }
  return { chargers: [...found], unknown }
}
