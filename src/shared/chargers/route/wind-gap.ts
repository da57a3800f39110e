import { distanceNm } from '../distance.ts'
import { RouteSearch, siteIndex, type ChargeSite, type FoundStop, type RouteEnds } from './find-route.ts'
import type { Gap, GapEnd } from './longest-gap.ts'
import { airNm, mostGroundShare, type RelativeWind } from './wind.ts'

type WindyEnds = Pick<RouteEnds, 'from' | 'through' | 'usableNm'> & { wind: RelativeWind }

/** Precision of the search. */
const EXACT_NM = 0.01

/**
 * As `longestGap`, where a way may be longer than back: the longest stretch, through the air, of a route with the least usable
 * range with which there is one. That range is searched for, from `usableNm`, with which there is none.
 */
export function longestGapInWind(sites: readonly ChargeSite[], ends: WindyEnds): Gap {
  let low = ends.usableNm
  let longest = longestStretch(sites, ends, [])
  while (longest.nm - low > EXACT_NM) {
    const usableNm = (low + longest.nm) / 2
    const index = siteIndex(sites, usableNm * mostGroundShare(ends.wind))
    const stops = new RouteSearch(index, { ...ends, usableNm }).find({ prefer: 'stops', time: null })
    if (stops === null) low = usableNm
    else longest = longestStretch(sites, ends, stops)
  }
  return longest
}

function longestStretch(
  sites: readonly ChargeSite[],
  { from, through, wind }: WindyEnds,
  stops: readonly FoundStop[],
): Gap {
  let longest: Gap | null = null
  let [start, place, passed]: [GapEnd, typeof from, number] = [{ end: 0 }, from, 0]
  for (const stop of [...stops, null]) {
    const until = stop?.passed ?? through.length - 1
    const to = stop === null ? through.at(-1)! : sites[stop.site]!.place
    let nm = 0
    for (const next of [...through.slice(passed, until), to]) {
      nm += airNm(wind, place, next, distanceNm(place, next) ?? Infinity)
      place = next
    }
    const end: GapEnd = stop === null ? { end: through.length } : { site: stop.site }
    if (longest === null || nm > longest.nm) longest = { from: start, passed, vias: until - passed, to: end, nm }
    ;[start, passed] = [end, until]
  }
  return longest!
}
