import type { Point } from '../../../../shared/chargers/distance.ts'
import type { Marker } from '../data/marker.ts'

/** Offsets in degrees of the copies of the world that the map may show. */
export const TURNS = [-360, 0, 360]

/** What to highlight on the map: a marker's key, and the position to show while a cluster hides it. */
export interface Mark {
  key: string
  at: Point | null
}

/** The key of a site's marker. */
export function siteMark(site: string, at: Point | null): Mark {
  return { key: `s${site}`, at }
}

/** A marker and where it was drawn: a Leaflet layer point, which does not change while the map is dragged. */
export interface Drawn {
  marker: Marker
  /** Which copy of the world; 0 is the first. */
  turn: number
  x: number
  y: number
  radius: number
}
