import Supercluster from 'supercluster'
import { KINDS, type Kind } from './look.ts'
import type { ClusterMarker, Marker, SiteMarker } from './sites.ts'

/** Degrees; longitudes may go on beyond 180. */
type Bounds = Record<'west' | 'south' | 'east' | 'north', number>

/** What a cluster sums up. */
type Sum = Record<Kind, number> & { favourites: number }

/** Markers closer than this are merged. */
const RADIUS_PX = 60
/** The closest zoom of the map without streets; beyond it every airfield has its own marker. */
export const LAST_CLUSTER_ZOOM = 11
/** The airfields that are found, indexed for the map. */
export class Clusters {
  readonly #index = new Supercluster<SiteMarker, Sum>({
    radius: RADIUS_PX,
    extent: 256,
    maxZoom: LAST_CLUSTER_ZOOM,
    map: ({ kinds, favourite }) => ({ ...kinds, favourites: Number(favourite) }),
    reduce: (sum, more) => {
      for (const kind of KINDS) sum[kind] += more[kind]
      sum.favourites += more.favourites
    },
  })

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
  within(bounds: Bounds, zoom: number, most: number): Marker[] {
    const { west, south, east, north } = bounds
    const found = this.#index.getClusters([west, south, east, north], zoom)
    if (found.length > most && zoom > 0 && zoom <= LAST_CLUSTER_ZOOM) return this.within(bounds, zoom - 1, most)
    return found.map(markerOf)
  }

  sitesOf({ id }: ClusterMarker): SiteMarker[] {
    return this.#index.getLeaves(id, Infinity).map(({ properties }) => properties)
  }
}

function markerOf({ properties, geometry }: ReturnType<Supercluster<SiteMarker, Sum>['getClusters']>[number]): Marker {
  if (!('cluster' in properties)) return properties
  const [lng = 0, lat = 0] = geometry.coordinates
  const { cluster_id: id, point_count: sites, favourites, free, busy, broken, unknown } = properties
  const count = free + busy + broken + unknown
  const kinds = { free, busy, broken, unknown }
  return { kind: 'cluster', key: `c${id}`, id, lat, lng, count, kinds, sites, favourite: favourites > 0 }
}
