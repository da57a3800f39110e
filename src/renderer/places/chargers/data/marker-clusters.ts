import Supercluster from 'supercluster'
import { groupChargers } from '../../../../shared/chargers/group.ts'
import type { Bounds } from '../../../../shared/chargers/filter.ts'
import { powerTier } from '../../../../shared/chargers/power.ts'
import type { PreparedCharger } from '../../../../shared/chargers/prepare.ts'
import {
  MARKER_STYLES,
  markerStyleOf,
  shareOf,
  type ClusterMarker,
  type MarkerStyle,
  type Marker,
  type Share,
  type SiteMarker,
} from './marker.ts'

/** The chargers at one airfield, as indexes into the set. */
export interface Site {
  key: string
  icao: string | null
  airfield: string | null
  at: { lat: number; lng: number } | null
  members: readonly number[]
}

export function sitesOf(prepared: readonly PreparedCharger[]): Site[] {
  const chargers = prepared.map(({ charger }, member) => ({ ...charger, member }))
  return groupChargers(chargers).map(({ key, icao, airfield, location, chargers: group }) => ({
    key,
    icao,
    airfield,
    at: location === null ? null : { lat: location.lat, lng: location.lng },
    members: group.map(({ member }) => member),
  }))
}

/** The properties that a cluster sums up. */
interface Sum {
  count: number
  sites: number
  taken: number
  free: number
  broken: number
  favourites: number
}

/** Markers closer than this are merged into a cluster. */
const RADIUS_PX = 52
/** Beyond this zoom every airfield has its own marker. */
const CLUSTERS_TO_ZOOM = 11
/** Supercluster never clusters across its 180th meridian: it is laid where no airfield is, between Recife and the Azores. */
const SEAM_LNG = -33
const TURN = SEAM_LNG + 180

/** The markers at `nowMs` of the chargers for which `isFound` holds, indexed for queries by area. */
export class MarkerClusters {
  readonly #clusters: Supercluster<SiteMarker, Sum>

  constructor(
    sites: readonly Site[],
    prepared: readonly PreparedCharger[],
    isFound: (member: number) => boolean,
    nowMs: number,
  ) {
    this.#clusters = new Supercluster<SiteMarker, Sum>({
      radius: RADIUS_PX,
      extent: 256,
      maxZoom: CLUSTERS_TO_ZOOM,
      map: ({ count, free, broken, favourite, taken }) => ({
        count,
        free,
        broken,
        taken,
        sites: 1,
        favourites: favourite ? 1 : 0,
      }),
      reduce: (sum, more) => {
        for (const name of ['count', 'sites', 'taken', 'free', 'broken', 'favourites'] as const) sum[name] += more[name]
      },
    })
    const markers = sites.map((site) => siteMarker(site, prepared, isFound, nowMs)).filter((marker) => marker !== null)
    this.#clusters.load(
      markers.map((marker) => ({
        type: 'Feature',
        geometry: { type: 'Point', coordinates: [wrapped(marker.lng - TURN), marker.lat] },
        properties: marker,
      })),
    )
  }

  within({ south, west, north, east }: Bounds, zoom: number): Marker[] {
    const area: [number, number, number, number] = [west - TURN, south, east - TURN, north]
    return this.#clusters.getClusters(area, Math.max(0, Math.floor(zoom))).map((found) => {
      const { properties } = found
      if (!('cluster' in properties)) return properties
      const [lng = 0, lat = 0] = found.geometry.coordinates
      return clusterMarker(properties.cluster_id, properties, lat, wrapped(lng + TURN))
    })
  }

  expansionZoom(cluster: number): number {
    return this.#clusters.getClusterExpansionZoom(cluster)
  }
}

/** A longitude within ±180. */
function wrapped(lng: number): number {
  return lng - 360 * Math.round(lng / 360)
}

function clusterMarker(cluster: number, sum: Sum, lat: number, lng: number): ClusterMarker {
  const { count, sites, free, taken, broken, favourites } = sum
  const shares: Record<Share, number> = { free, taken, broken, other: count - free - taken - broken }
  return {
    kind: 'cluster',
    key: `c${cluster}`,
    cluster,
    lat,
    lng,
    count,
    sites,
    free,
    taken,
    broken,
    shares,
    favourite: favourites > 0,
  }
}

function siteMarker(
  { key, icao, airfield, at, members }: Site,
  prepared: readonly PreparedCharger[],
  isFound: (member: number) => boolean,
  nowMs: number,
): SiteMarker | null {
  const found = members.filter(isFound).map((member) => prepared[member]!)
  const first = found[0]
  if (first === undefined || at === null) return null
  const shares: Record<Share, number> = { free: 0, taken: 0, broken: 0, other: 0 }
  let best: MarkerStyle = markerStyleOf(first, nowMs)
  let strongest = first.power
  let favourite = false
  for (const one of found) {
    const { power, favourite: isFavourite } = one
    const markerStyle = markerStyleOf(one, nowMs)
    shares[shareOf(markerStyle)] += 1
    if (MARKER_STYLES.indexOf(markerStyle) < MARKER_STYLES.indexOf(best)) best = markerStyle
    if (power !== null && power.kw > (strongest?.kw ?? 0)) strongest = power
    if (isFavourite) favourite = true
  }
  return {
    kind: 'site',
    key: `s${key}`,
    site: key,
    icao,
    airfield,
    lat: at.lat,
    lng: at.lng,
    count: found.length,
    id: found.length === 1 ? first.charger.id : null,
    markerStyle: best,
    tier: powerTier(strongest),
    favourite,
    kw: strongest?.kw ?? null,
    free: shares.free,
    taken: shares.taken,
    broken: shares.broken,
  }
}
