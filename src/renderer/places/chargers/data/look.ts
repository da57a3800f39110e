import { liveStatusOf, type LiveFacts } from '../../../../shared/chargers/live-state.ts'

/**
 * How a charger looks on the map and in the list, from most to least useful to a pilot: a marker for several takes the first that one of
 * them has. `maybeFree`, `maybeBusy`: what the service says of a charger without a live state. `notLive`: it says nothing, or the
 * live state is out of date.
 */
export const LOOKS = ['free', 'maybeFree', 'busy', 'unknown', 'notLive', 'maybeBusy', 'broken'] as const
export type Look = (typeof LOOKS)[number]

export const KINDS = ['free', 'busy', 'broken', 'unknown'] as const
/** The shape of its marker. */
export type Kind = (typeof KINDS)[number]

export const KIND_OF: Readonly<Record<Look, Kind>> = {
  free: 'free',
  maybeFree: 'free',
  busy: 'busy',
  maybeBusy: 'busy',
  broken: 'broken',
  unknown: 'unknown',
  notLive: 'unknown',
}

/** The marker is hollow: no live state says so. */
export const isHollow = (look: Look): boolean => look === 'maybeFree' || look === 'maybeBusy' || look === 'notLive'

export function lookOf(facts: LiveFacts, nowMs: number): Look {
  const { liveClass } = liveStatusOf(facts, nowMs)
  const { available } = facts.charger
  switch (liveClass) {
    case 'free':
    case 'broken':
      return liveClass
    case 'busy':
    case 'reserved':
      return 'busy'
    case 'unlinked':
      return available === null ? 'notLive' : available ? 'maybeFree' : 'maybeBusy'
    case 'stale':
      return 'notLive'
    default:
      return 'unknown'
  }
}
