import type { Point } from '../../../../shared/chargers/distance.ts'

/** What is to stand out on the map: a marker by its key, and where it would be while a cluster covers it. */
export interface Mark {
  key: string
  at: Point | null
}

/** The key of the marker that stands for a site. */
export function siteMark(site: string, at: Point | null): Mark {
  return { key: `s${site}`, at }
}
