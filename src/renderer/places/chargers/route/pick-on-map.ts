import { degreesMinutes } from '../../../../shared/chargers/coordinates.ts'
import type { Point } from '../../../../shared/chargers/distance.ts'
import { nameOf } from '../../../../shared/chargers/route/read-place.ts'
import type { Marker } from '../data/sites.ts'
import { shownMap } from '../map/charger-map.ts'
import { setPlace, useRoute, type PlaceInPlan } from './route-store.ts'

/** Where the focus was. */
let opener: Element | null = null

/** The next click on the map, or Enter on it, gives this place of the route. */
export function startPicking(place: PlaceInPlan): void {
  opener = document.activeElement
  useRoute.setState({ picking: place })
  shownMap()?.focus()
}

export function stopPicking(): void {
  useRoute.setState({ picking: null })
  if (opener instanceof HTMLElement && opener.isConnected) opener.focus()
}

/**
 * Takes an airfield or a point of the map for the place that a person is choosing; false if there is none. A marker for several
 * airfields gives the point that was clicked on it.
 */
export function takeFromMap(marker: Marker | null, clicked: Point | null): boolean {
  const { picking } = useRoute.getState()
  const site = marker?.kind === 'site' ? marker : null
  const at = site ?? clicked
  if (picking === null || at === null) return false
  const place = { lat: toMetre(at.lat), lng: toMetre(at.lng) }
  const name = site === null ? '' : nameOf(site)
  setPlace(picking, { name: name || (degreesMinutes(place) ?? ''), place })
  stopPicking()
  return true
}

const toMetre = (degrees: number) => Math.round(degrees * 1e5) / 1e5
