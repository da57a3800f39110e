import Supercluster from 'supercluster'
import type { Point } from '../../../../shared/chargers/distance.ts'
import type { Site } from '../../../../shared/chargers/group.ts'
import { KIND_OF, lookOf, LOOKS, type Kind, type Look } from './look.ts'

type Kinds = Readonly<Record<Kind, number>>

interface AnyMarker extends Point {
  /** Identifies the marker while the filter stays the same. */
  key: string
  /** Chargers that match the filter, in all and by their looks. */
  count: number
  kinds: Kinds
  favourite: boolean
}

export interface SiteMarker extends AnyMarker {
  kind: 'site'
  site: string
  /** The charger, if there is only one. */
  id: number | null
  look: Look
  icao: string | null
  airfield: string | null
  kw: number | null
}

interface ClusterMarker extends AnyMarker {
  kind: 'cluster'
  sites: number
  /** Where `Clusters` has it. */
  id: number
}

export type Marker = SiteMarker | ClusterMarker

/** The marker for what is found at the site; null without any, or without a position. */
export function siteMarker({ key, icao, airfield, at, members }: Site, nowMs: number): SiteMarker | null {
  const found = members.filter(({ isFound }) => isFound)
  const [first] = found
  if (first === undefined || at === null) return null
  const looks = found.map((one) => lookOf(one, nowMs))
  const strongest = Math.max(...found.map(({ power }) => power?.kw ?? 0))
  const kinds = { free: 0, busy: 0, broken: 0, unknown: 0 }
  for (const look of looks) kinds[KIND_OF[look]] += 1
  return {
    kind: 'site',
    key: `s${key}`,
    site: key,
    icao,
    airfield,
    ...at,
    count: found.length,
    kinds,
    id: found.length === 1 ? first.charger.id : null,
    look: LOOKS.find((look) => looks.includes(look)) ?? 'unknown',
    favourite: found.some(({ favourite }) => favourite),
    kw: strongest > 0 ? strongest : null,
  }
}

const sumOf = (one: Kinds, other: Kinds): Kinds => ({
  free: one.free + other.free,
  busy: one.busy + other.busy,
  broken: one.broken + other.broken,
  unknown: one.unknown + other.unknown,
})

/** Degrees; longitudes may go on beyond 180. */
export type Area = Record<'west' | 'south' | 'east' | 'north', number>

/** Markers closer than this are merged. */
const RADIUS_PX = 80
/** The closest zoom of the map. */
export const LAST_CLUSTER_ZOOM = 11

export class Clusters {
  readonly #index = new Supercluster<SiteMarker, Pick<AnyMarker, 'count' | 'kinds' | 'favourite'>>({
    radius: RADIUS_PX,
    extent: 256,
    maxZoom: LAST_CLUSTER_ZOOM,
    map: ({ count, kinds, favourite }) => ({ count, kinds, favourite }),
    reduce: (sum, more) => {
      sum.count += more.count
      sum.kinds = sumOf(sum.kinds, more.kinds)
      sum.favourite ||= more.favourite
    },
  })
  /** A cluster is always the same object, so that the page draws it only once. */
  readonly #made = new Map<number, ClusterMarker>()

  constructor(sites: readonly SiteMarker[]) {
    this.#index.load(
      sites.map((site) => ({
        type: 'Feature',
        geometry: { type: 'Point', coordinates: [site.lng, site.lat] },
        properties: site,
      })),
    )
  }

  /** The markers in an area; those of a smaller zoom where there would be more than `most`. */
  within(area: Area, zoom: number, most: number): Marker[] {
    const { west, south, east, north } = area
    const found = this.#index.getClusters([west, south, east, north], zoom)
    if (found.length > most && zoom > 0 && zoom <= LAST_CLUSTER_ZOOM) return this.within(area, zoom - 1, most)
    return found.map(({ properties, geometry: { coordinates } }) => {
      if (!('cluster' in properties)) return properties
      const { cluster_id: id, point_count: sites, count, kinds, favourite } = properties
      const [lng = 0, lat = 0] = coordinates
      const made = { kind: 'cluster', key: `c${id}`, id, lat, lng, count, kinds, favourite, sites } as const
      if (!this.#made.has(id)) this.#made.set(id, made)
      return this.#made.get(id)!
    })
  }

  sitesOf({ id }: ClusterMarker): SiteMarker[] {
    return this.#index.getLeaves(id, Infinity).map(({ properties }) => properties)
  }
}
