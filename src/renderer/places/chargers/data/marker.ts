import { liveStatusOf, type LiveFacts } from '../../../../shared/chargers/live-state.ts'
import type { PowerTier } from '../../../../shared/chargers/power.ts'

/**
 * How a charger looks, on the map and in the list. `saidFree`, `saidTaken` and `silent` have no live state: the service's
 * yes, its no, and neither. `stale` has one that is not of now.
 */
export type MarkerStyle =
  | ('free' | 'saidFree' | 'busy' | 'reserved' | 'limited' | 'broken' | 'offline' | 'stale' | 'unknown')
  | ('saidTaken' | 'silent')

/** From what serves a pilot best to what serves worst: a marker for several chargers looks like the best of them. */
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

/** What a cluster says of its chargers: how many are free, taken, out of order, and anything else. */
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

export function shareOf(look: MarkerStyle): Share {
  return SHARE_OF[look]
}

interface AnyMarker {
  /** The same for the same marker as long as the filter is the same. */
  key: string
  lat: number
  lng: number
  /** Of chargers that pass the filter. */
  count: number
  free: number
  taken: number
  favourite: boolean
  broken: number
}

/** The chargers of one airfield. */
export interface SiteMarker extends AnyMarker {
  kind: 'site'
  /** Of the site: for `ChargerQuestions['site']`. */
  site: string
  /** The one charger, when it is only one. */
  id: number | null
  look: MarkerStyle
  tier: PowerTier
  icao: string | null
  airfield: string | null
  kw: number | null
}

/** Several airfields near each other. */
export interface ClusterMarker extends AnyMarker {
  kind: 'cluster'
  cluster: number
  sites: number
  shares: Record<Share, number>
}

export type Marker = SiteMarker | ClusterMarker
