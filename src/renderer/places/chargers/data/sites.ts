import type { Site } from '../../../../shared/chargers/group.ts'
import { powerTier, type PowerTier } from '../../../../shared/chargers/power.ts'
import type { PreparedCharger } from '../../../../shared/chargers/prepare.ts'
import { KIND_OF, lookOf, LOOKS, type Kind, type Look } from './look.ts'

interface AnyMarker {
  /** Identifies the marker while the filter stays the same. */
  key: string
  lat: number
  lng: number
  /** Chargers that match the filter, in all and by their looks. */
  count: number
  kinds: Readonly<Record<Kind, number>>
  favourite: boolean
}

/** The chargers at one airfield. */
export interface SiteMarker extends AnyMarker {
  kind: 'site'
  site: string
  /** The charger, if there is only one. */
  id: number | null
  look: Look
  tier: PowerTier
  icao: string | null
  airfield: string | null
  kw: number | null
}

/** Several airfields that are close together. */
export interface ClusterMarker extends AnyMarker {
  kind: 'cluster'
  sites: number
  /** Where `Clusters` has it. */
  id: number
}

export type Marker = SiteMarker | ClusterMarker

/** The marker for these chargers of the site; null without any, or without a position. */
export function siteMarker(
  { key, icao, airfield, at }: Omit<Site, 'members'>,
  found: readonly PreparedCharger[],
  nowMs: number,
): SiteMarker | null {
  const [first] = found
  if (first === undefined || at === null) return null
  const kinds = { free: 0, busy: 0, broken: 0, unknown: 0 }
  let best = Infinity
  let strongest = first.power
  for (const one of found) {
    const look = lookOf(one, nowMs)
    kinds[KIND_OF[look]] += 1
    best = Math.min(best, LOOKS.indexOf(look))
    if (one.power !== null && one.power.kw > (strongest?.kw ?? 0)) strongest = one.power
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
    kinds,
    id: found.length === 1 ? first.charger.id : null,
    look: LOOKS[best] ?? 'unknown',
    tier: powerTier(strongest),
    favourite: found.some(({ favourite }) => favourite),
    kw: strongest?.kw ?? null,
  }
}
