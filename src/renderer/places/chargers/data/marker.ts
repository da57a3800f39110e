import { liveStatusOf, type LiveFacts } from '../../../../shared/chargers/live-state.ts'
import type { PowerTier } from '../../../../shared/chargers/power.ts'

/**
 * A charger's style on the map and in the list. `saidFree`, `saidTaken` and `silent`: no live state, and the service says yes, no
 * or nothing. `stale`: the live state is out of date.
 */
export type MarkerStyle =
  | ('free' | 'saidFree' | 'busy' | 'reserved' | 'limited' | 'broken' | 'offline' | 'stale' | 'unknown')
  | ('saidTaken' | 'silent')

/** From most to least useful to a pilot; a marker for several chargers takes the best style among them. */
export const MARKER_STYLES: readonly MarkerStyle[] = [
  'free',
  'saidFree',
  'busy',
  'reserved',
  'limited',
  'stale',
  'unknown',
  'silent',
  'saidTaken',
  'offline',
  'broken',
]

export function markerStyleOf(facts: LiveFacts, nowMs: number): MarkerStyle {
  const { liveClass } = liveStatusOf(facts, nowMs)
  if (liveClass !== 'unlinked') return liveClass
  const { charger } = facts
  return charger.available === null ? 'silent' : charger.available ? 'saidFree' : 'saidTaken'
}

/** The groups whose shares a cluster shows: free, taken, out of order, and everything else. */
export type Share = 'free' | 'taken' | 'broken' | 'other'
export const SHARES: readonly Share[] = ['free', 'taken', 'broken', 'other']

const SHARE_OF: Readonly<Record<MarkerStyle, Share>> = {
  free: 'free',
  saidFree: 'free',
  busy: 'taken',
  reserved: 'taken',
  saidTaken: 'taken',
  broken: 'broken',
  offline: 'other',
  limited: 'other',
  stale: 'other',
  unknown: 'other',
  silent: 'other',
}

export function shareOf(markerStyle: MarkerStyle): Share {
  return SHARE_OF[markerStyle]
}

interface AnyMarker {
  /** Identifies the marker while the filter stays the same. */
  key: string
  lat: number
  lng: number
  /** Chargers that match the filter. */
  count: number
  free: number
  taken: number
  favourite: boolean
  broken: number
}

/** The chargers at one airfield. */
export interface SiteMarker extends AnyMarker {
  kind: 'site'
  /** The site's key, for `ChargerQuestions['site']`. */
  site: string
  /** The charger, if there is only one. */
  id: number | null
  markerStyle: MarkerStyle
  tier: PowerTier
  icao: string | null
  airfield: string | null
  kw: number | null
}

/** Several airfields that are close together. */
export interface ClusterMarker extends AnyMarker {
  kind: 'cluster'
  cluster: number
  sites: number
  shares: Record<Share, number>
}

export type Marker = SiteMarker | ClusterMarker
