import { nmOfSquaredChord, unitVector, type Point, type UnitVector } from '../distance.ts'
import { SLACK_NM, type ChargeSite, type FoundStop, type RouteEnds } from './find-route.ts'
import { NearSites } from './near-sites.ts'
import { airNm, mostGroundShare } from './wind.ts'

/** A stretch between two charges, past the points of `through` between them; null stands for the start or the end. */
export interface LongestLeg {
  from: FoundStop | null
  to: FoundStop | null
  /** Through the air. */
  nm: number
}

/** Precision of the search. */
const EXACT_NM = 1e-4

/**
 * Where there is no route: the longest stretch of the chain whose longest stretch is shortest. With that usable range there would be
 * a route. The range is bisected, between one that is too short and the longest stretch of the last chain found, which is tried first:
 * often no other range will do.
 */
export function longestLeg(sites: readonly ChargeSite[], vectors: readonly UnitVector[], ends: RouteEnds): LongestLeg {
  let low = ends.usableNm
  let longest = longestOf(sites, ends, [])
  const isShorter = (usableNm: number) => {
    const stops = someChain(sites, vectors, { ...ends, usableNm })
    if (stops !== null) longest = longestOf(sites, ends, stops)
    return stops !== null
  }
  while (longest.nm - low > EXACT_NM && isShorter(longest.nm - EXACT_NM)) {
    const middle = (low + longest.nm) / 2
    if (!isShorter(middle)) low = middle
  }
  return longest
}

/** In place of a site: the start, or the place passed last. */
const START = -1

/** Any chain of stops there is, breadth first; null when there is none. */
export function someChain(
  sites: readonly ChargeSite[],
  vectors: readonly UnitVector[],
  { from, through, usableNm, wind = null, spentNm = 0 }: RouteEnds,
): FoundStop[] | null {
  const most = mostGroundShare(wind)
  const fullNm = usableNm + SLACK_NM
  const chain: FoundStop[] = []
  // The least that one can have flown since the last charge when a place is passed leaves the most for the way on.
  let [start, flownNm] = [from, spentNm]
  for (const [passed, goal] of through.entries()) {
    const before = new Int32Array(sites.length)
    const reached: number[] = []
    const left = new NearSites(vectors, fullNm * most)
    const reach = (place: Point, vector: UnitVector, leftNm: number, by: number) =>
      left.visit(vector, leftNm * most, (site, square) => {
        if (wind !== null && airNm(wind, place, sites[site]!.place, nmOfSquaredChord(square)) > leftNm) return false
        before[site] = by
        reached.push(site)
        return true
      })
    reach(start, unitVector(start), Math.max(SLACK_NM, fullNm - flownNm), START)
    for (const site of reached) reach(sites[site]!.place, vectors[site]!, fullNm, site)
    let [least, last] = [flownNm + airNm(wind, start, goal), START]
    for (const site of reached) {
      const nm = airNm(wind, sites[site]!.place, goal)
      if (nm < least) [least, last] = [nm, site]
    }
    if (least > fullNm) return null
    const stops: FoundStop[] = []
    for (let site = last; site !== START; site = before[site]!) stops.push({ site, passed })
    chain.push(...stops.reverse())
    ;[start, flownNm] = [goal, least]
  }
  return chain
}

function longestOf(
  sites: readonly ChargeSite[],
  { from: start, through, wind = null }: RouteEnds,
  stops: readonly FoundStop[],
): LongestLeg {
  let longest: LongestLeg = { from: null, to: null, nm: 0 }
  let [from, place]: [FoundStop | null, Point] = [null, start]
  for (const to of [...stops, null]) {
    const along = through.slice(from?.passed ?? 0, to?.passed ?? through.length)
    let nm = 0
    for (const next of [...along, ...(to === null ? [] : [sites[to.site]!.place])]) {
      nm += airNm(wind, place, next)
      place = next
    }
    if (nm > longest.nm) longest = { from, to, nm }
    from = to
  }
  return longest
}
