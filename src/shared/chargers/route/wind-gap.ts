import { distanceNm, nmOfSquaredChord, squaredChord, squaredChordOfNm, unitVector, type Point } from '../distance.ts'
import type { ChargeSite, FoundStop, RouteEnds } from './find-route.ts'
import type { Gap, GapEnd } from './longest-gap.ts'
import { airNm, mostGroundShare, type RelativeWind } from './wind.ts'

type WindyEnds = Pick<RouteEnds, 'from' | 'through' | 'usableNm'> & { wind: RelativeWind }

/** Precision of the search. */
const EXACT_NM = 0.01
/** In place of a site: the start, or the place passed last. */
const START = -1

/**
 * As `longestGap`, where a way may be longer than back: the longest stretch, through the air, of a route with the least usable
 * range with which there is one. That range is searched for, from `usableNm`, with which there is none.
 */
export function longestGapInWind(sites: readonly ChargeSite[], ends: WindyEnds): Gap {
  let low = ends.usableNm
  let longest = longestStretch(sites, ends, [])
  while (longest.nm - low > EXACT_NM) {
    const usableNm = (low + longest.nm) / 2
    const stops = someChain(sites, { ...ends, usableNm })
    if (stops === null) low = usableNm
    else longest = longestStretch(sites, ends, stops)
  }
  return longest
}

/** Any chain of stops there is, breadth first; null when there is none. */
function someChain(sites: readonly ChargeSite[], { from, through, usableNm, wind }: WindyEnds): FoundStop[] | null {
  const most = mostGroundShare(wind)
  const places = sites.map(({ place }) => place)
  const vectors = places.map(unitVector)
  const chain: FoundStop[] = []
  // The least that one can have flown since the last charge when a place is passed leaves the most for the way on.
  let [start, flownNm] = [from, 0]
  for (const [passed, goal] of through.entries()) {
    const before = new Int32Array(sites.length)
    const reached: number[] = []
    let left = places.map((_, site) => site)
    const reach = (place: Point, leftNm: number, by: number) => {
      const vector = unitVector(place)
      const limit = squaredChordOfNm(leftNm * most)
      left = left.filter((site) => {
        const square = squaredChord(vector, vectors[site]!)
        if (square > limit || airNm(wind, place, places[site]!, nmOfSquaredChord(square)) > leftNm) return true
        before[site] = by
        reached.push(site)
        return false
      })
    }
    reach(start, usableNm - flownNm, START)
    for (const site of reached) reach(places[site]!, usableNm, site)
    let [least, last] = [flownNm + airBetween(wind, start, goal), START]
    for (const site of reached) {
      const nm = airBetween(wind, places[site]!, goal)
      if (nm < least) [least, last] = [nm, site]
    }
    if (least > usableNm) return null
    const stops: FoundStop[] = []
    for (let site = last; site !== START; site = before[site]!) stops.push({ site, passed })
    chain.push(...stops.reverse())
    ;[start, flownNm] = [goal, least]
  }
  return chain
}

const airBetween = (wind: RelativeWind, one: Point, other: Point) =>
  airNm(wind, one, other, distanceNm(one, other) ?? Infinity)

function longestStretch(
  sites: readonly ChargeSite[],
  { from, through, wind }: WindyEnds,
  stops: readonly FoundStop[],
): Gap {
  let longest: Gap | null = null
  let [start, place, passed]: [GapEnd, Point, number] = [{ end: 0 }, from, 0]
  for (const stop of [...stops, null]) {
    const until = stop?.passed ?? through.length - 1
    const to = stop === null ? through.at(-1)! : sites[stop.site]!.place
    let nm = 0
    for (const next of [...through.slice(passed, until), to]) {
      nm += airBetween(wind, place, next)
      place = next
    }
    const end: GapEnd = stop === null ? { end: through.length } : { site: stop.site }
    if (longest === null || nm > longest.nm) longest = { from: start, passed, vias: until - passed, to: end, nm }
    ;[start, passed] = [end, until]
  }
  return longest!
}
