import type { Point } from '../../../../shared/chargers/distance.ts'

/** What to highlight on the map: a marker's key, and the position to show while a cluster hides it. */
export interface Mark {
  key: string
  at: Point | null
}

/** The key of a site's marker. */
export function siteMark(site: string, at: Point | null): Mark {
  return { key: `s${site}`, at }
}
