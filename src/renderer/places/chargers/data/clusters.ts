import Supercluster from 'supercluster'
import type { Bounds } from '../../../../shared/chargers/filter.ts'
import { KINDS, type Kind } from './look.ts'
import { nextTask } from './next-task.ts'
import type { ClusterMarker, Marker, SiteMarker } from './sites.ts'

/** What a cluster sums up. */
type Sum = Record<Kind, number> & { favourites: number }

/** Markers closer than this are merged. */
const RADIUS_PX = 60
/** The closest zoom of the map without streets; beyond it every airfield has its own marker. */
export const LAST_CLUSTER_ZOOM = 11
/** More are clustered band by band, so that no task takes long. */
const MOST_IN_BAND = 12_500

/** The airfields that are found, indexed for the map. */
export class Clusters {
  readonly #bands: Supercluster<SiteMarker, Sum>[] = []

  /** Null when `isStopped` says so in between. */
  static async of(sites: readonly SiteMarker[], isStopped: () => boolean): Promise<Clusters | null> {
    const clusters = new Clusters()
    const bands = Math.ceil(sites.length / MOST_IN_BAND)
    const ordered = bands < 2 ? sites : sites.toSorted((one, other) => one.lng - other.lng)
    for (let band = 0; band < bands; band += 1) {
      if (band > 0) await nextTask()
      if (isStopped()) return null
      clusters.#add(ordered.slice(band * MOST_IN_BAND, (band + 1) * MOST_IN_BAND))
    }
    return clusters
  }

  #add(sites: readonly SiteMarker[]): void {
    const band = new Supercluster<SiteMarker, Sum>({
      radius: RADIUS_PX,
      extent: 256,
      maxZoom: LAST_CLUSTER_ZOOM,
      map: ({ kinds, favourite }) => ({ ...kinds, favourites: Number(favourite) }),
      reduce: (sum, more) => {
        for (const kind of KINDS) sum[kind] += more[kind]
        sum.favourites += more.favourites
      },
    })
    band.load(
      sites.map((site) => ({
        type: 'Feature',
        geometry: { type: 'Point', coordinates: [site.lng, site.lat] },
        properties: site,
      })),
    )
    this.#bands.push(band)
  }

  /** The markers in an area; those of a smaller zoom where there would be more than `most`. */
  within(bounds: Bounds, zoom: number, most: number): Marker[] {
    const found = this.#bands.flatMap((band, at) => markersIn(band, at, bounds, zoom))
    return found.length > most && zoom > 0 && zoom <= LAST_CLUSTER_ZOOM ? this.within(bounds, zoom - 1, most) : found
  }

  sitesOf({ band, id }: ClusterMarker): SiteMarker[] {
    return this.#bands[band]!.getLeaves(id, Infinity).map(({ properties }) => properties)
  }
}

function markersIn(
  band: Supercluster<SiteMarker, Sum>,
  at: number,
  { south, west, north, east }: Bounds,
  zoom: number,
): Marker[] {
  return band.getClusters([west, south, east, north], zoom).map((found): Marker => {
    const { properties } = found
    if (!('cluster' in properties)) return properties
    const [lng = 0, lat = 0] = found.geometry.coordinates
    const { cluster_id: id, point_count: sites, favourites, free, busy, broken, unknown } = properties
    const count = free + busy + broken + unknown
    const kinds = { free, busy, broken, unknown }
    return {
      kind: 'cluster',
      key: `c${at} ${id}`,
      band: at,
      id,
      lat,
      lng,
      count,
      kinds,
      sites,
      favourite: favourites > 0,
    }
  })
}
