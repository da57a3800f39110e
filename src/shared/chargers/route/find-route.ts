import TinyQueue from 'tinyqueue'
import { distanceNm, nmOfSquaredChord, squaredChord, unitVector, type Point, type UnitVector } from '../distance.ts'
import { PointIndex } from './point-index.ts'
import { airNm, mostGroundShare, type RelativeWind } from './wind.ts'

/** A place to charge at, as the search sees it. */
export interface ChargeSite {
  place: Point
  /** Power of the charger to be used there, limited to what the aircraft takes; null when unknown. */
  kw: number | null
}

/** What to minimise: charge stops, then distance; distance, then stops; or time in the air, on the ground and charging. */
export type RoutePreference = 'stops' | 'distance' | 'time'

/** Converts distance into time; required for the preference `time`. */
interface TimeModel {
  speedKt: number
  kwhPerNm: number
  /** Time on the ground at each charge stop, in addition to charging. */
  groundMinutes: number
}

export interface RouteEnds {
  from: Point
  /** Via points in this order, the destination last. */
  through: readonly Point[]
  /** The longest distance between two charges; in wind, through the air. */
  usableNm: number
  /** Still air without it. */
  wind?: RelativeWind | null
  /** How far the aircraft could have flown, through the air, on what is missing of a full charge at the start. None without it. */
  spentNm?: number
}

export interface RouteQuestion extends RouteEnds {
  prefer: RoutePreference
  /** Null unless the preference is `time`. */
  time: TimeModel | null
}

/** A charge stop, and how many points of `through` lie before it. */
export interface FoundStop {
  site: number
  passed: number
}

/** Tolerance on the usable range, because distances are computed in more than one way. */
const SLACK_NM = 1e-6
/** In the cost, more than a whole route: fewer stops, or fewer stops of unknown power, go before everything else. */
const ABOVE_ALL = 1e6
/** Of two routes of equal length, the one with fewer stops. */
const TIE_NM = 1e-4

/**
 * The best chain of charge stops, each a full charge, or null: A* over sites, once for each number of via points passed before. A stretch
 * between two charges may include via points. `isOpen` excludes sites.
 */
export function findRoute(
  sites: readonly ChargeSite[],
  near: PointIndex,
  question: RouteQuestion,
  isOpen: (site: number) => boolean = () => true,
): FoundStop[] | null {
  const { from, through, spentNm = 0 } = question
  const [count, usableNm] = [sites.length, question.usableNm + SLACK_NM]
  const costs = costsOf(question, sites)
  const goals = through.map(unitVector)
  const rests = restsOf(through)
  const [start, end] = [count * through.length, count * through.length + 1]
  const best = new Float64Array(end + 1).fill(Infinity)
  const before = new Int32Array(end + 1).fill(-1)
  const isDone = new Uint8Array(end + 1)
  const queue = new TinyQueue<{ node: number; atLeast: number }>([], (one, other) => one.atLeast - other.atLeast)
  const offer = (node: number, cost: number, by: number, restNm: () => number) => {
    if (isDone[node] === 1 || cost >= best[node]!) return
    const atLeast = cost + costs.rest(restNm())
    if (atLeast >= best[end]!) return
    best[node] = cost
    before[node] = by
    queue.push({ node, atLeast })
  }
  best[start] = 0
  for (let node: number | undefined = start; node !== undefined; node = queue.pop()?.node) {
    if (node === end) return stopsOf(before, start, count)
    if (isDone[node] === 1) continue
    isDone[node] = 1
    const [by, cost, missingNm] = [node, best[node]!, node === start ? spentNm : 0]
    const charge: Charge =
      node === start
        ? { place: from, vector: unitVector(from), layer: 0, leftNm: Math.max(SLACK_NM, usableNm - spentNm) }
        : {
            place: sites[node % count]!.place,
            vector: near.vectors[node % count]!,
            layer: Math.floor(node / count),
            leftNm: usableNm,
          }
    const toEnd = stretchesFrom(charge, sites, near, question, (site, layer, nm, airNm) => {
      if (!isOpen(site)) return
      const restNm = () => rests[layer]! + nmOfSquaredChord(squaredChord(near.vectors[site]!, goals[layer]!))
      offer(layer * count + site, cost + costs.stretch(nm, airNm, sites[site]!, airNm + missingNm), by, restNm)
    })
    if (toEnd !== null) offer(end, cost + costs.stretch(toEnd.nm, toEnd.airNm, null, 0), by, () => 0)
  }
  return null
}

/** Where a stretch begins; `layer` points of `through` lie behind it. With nothing left one can still charge there. */
interface Charge {
  place: Point
  vector: UnitVector
  layer: number
  leftNm: number
}

/** To all sites within the range, past as many via points as it lasts for; returns the way to the end, or null if it is too far. */
function stretchesFrom(
  { place, vector, layer: first, leftNm }: Charge,
  sites: readonly ChargeSite[],
  near: PointIndex,
  { through, wind = null }: RouteEnds,
  toSite: (site: number, layer: number, nm: number, airNm: number) => void,
): { nm: number; airNm: number } | null {
  const most = mostGroundShare(wind)
  let [flownNm, inAirNm] = [0, 0]
  for (let layer = first; layer < through.length; layer += 1) {
    const goal = through[layer]!
    near.visit(vector, (leftNm - inAirNm) * most, (site, square) => {
      const nm = nmOfSquaredChord(square)
      const air = inAirNm + (wind === null ? nm : airNm(wind, place, sites[site]!.place, nm))
      if (air <= leftNm) toSite(site, layer, flownNm + nm, air)
    })
    const hopNm = distanceNm(place, goal) ?? Infinity
    flownNm += hopNm
    inAirNm += airNm(wind, place, goal, hopNm)
    if (inAirNm > leftNm) return null
    ;[place, vector] = [goal, unitVector(goal)]
  }
  return { nm: flownNm, airNm: inAirNm }
}

interface Costs {
  /** Of a stretch between two charges; `site` is null at the end, `chargeNm` how far one can fly on what is charged at the site. */
  stretch: (groundNm: number, inAirNm: number, site: ChargeSite | null, chargeNm: number) => number
  /** What these miles over ground cost from a full charge on, at least, the wind blowing from behind. */
  rest: (groundNm: number) => number
}

function costsOf({ prefer, time, usableNm, wind = null }: RouteQuestion, sites: readonly ChargeSite[]): Costs {
  const most = mostGroundShare(wind)
  const stopsIn = (groundNm: number) => Math.max(0, Math.ceil((groundNm / most - 3 * SLACK_NM) / usableNm) - 1)
  if (prefer !== 'time' || time === null) {
    const perStop = prefer === 'stops' ? ABOVE_ALL : TIE_NM
    return {
      stretch: (groundNm, _, site) => groundNm + (site === null ? 0 : perStop),
      rest: (groundNm) => groundNm + stopsIn(groundNm) * perStop,
    }
  }
  const { speedKt, kwhPerNm, groundMinutes } = time
  const powers = sites.map(({ kw }) => kw).filter((kw) => kw !== null)
  const slowest = powers.reduce((least, kw) => Math.min(least, kw), Infinity)
  const strongest = powers.reduce((greatest, kw) => Math.max(greatest, kw), 0)
  const [perNm, atMost] = [60 / speedKt, strongest === 0 ? 0 : (60 * kwhPerNm) / strongest]
  return {
    stretch: (_, inAirNm, site, chargeNm) => {
      if (site === null) return inAirNm * perNm
      const charging = (60 * chargeNm * kwhPerNm) / (site.kw ?? slowest)
      return inAirNm * perNm + groundMinutes + charging + (site.kw === null ? ABOVE_ALL : 0)
    },
    rest: (groundNm) =>
      (groundNm / most) * perNm + Math.max(0, groundNm / most - usableNm) * atMost + stopsIn(groundNm) * groundMinutes,
  }
}

/** The remaining distance from each point to the last. */
function restsOf(through: readonly Point[]): number[] {
  const rests = through.map(() => 0)
  for (let at = through.length - 2; at >= 0; at -= 1)
    rests[at] = rests[at + 1]! + (distanceNm(through[at]!, through[at + 1]!) ?? Infinity)
  return rests
}

function stopsOf(before: Int32Array, start: number, count: number): FoundStop[] {
  const stops: FoundStop[] = []
  for (let node = before[start + 1]!; node !== start; node = before[node]!)
    stops.push({ site: node % count, passed: Math.floor(node / count) })
  return stops.reverse()
}

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
 * Where there is no route: the longest stretch of the chain whose longest stretch is shortest. With that usable range there would be a
 * route. Found by bisection; the longest stretch of the last chain is tried first, because often no other range will do.
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
    const left = new PointIndex(vectors, fullNm * most)
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
