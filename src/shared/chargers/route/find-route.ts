import { distanceNm, type Point } from '../distance.ts'
import { CostHeap } from './cost-heap.ts'
import { NearIndex } from './near-index.ts'

/** A place to charge at, as the search sees it. */
export interface ChargeSite {
  place: Point
  /** Power of its strongest fitting charger, limited to what the aircraft takes; null when unknown. */
  kw: number | null
}

/** What to minimise: charge stops, then distance; distance, then stops; or time in the air, on the ground and charging. */
export type RoutePreference = 'stops' | 'distance' | 'time'

/** Converts distance into time; required for the preference `time`. */
export interface TimeModel {
  speedKt: number
  kwhPerNm: number
  /** Time on the ground at each charge stop, in addition to charging. */
  groundMinutes: number
}

export interface RouteQuestion {
  /** Starting point, with full range. */
  from: Point
  /** Via points in this order, the destination last. */
  through: readonly Point[]
  /** The longest distance between two charges. */
  usableNm: number
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
const MINUTES_PER_HOUR = 60

/**
 * Distances are compared in whole millionths of a mile, rounded up, so that the number of stops decides between routes of
 * equal length.
 */
const UNITS_PER_NM = 1e6
const units = (nm: number) => Math.ceil(nm * UNITS_PER_NM)

/** A two-part cost, compared by `first` and then `second`. Both add up along the route. */
interface Cost {
  first: number
  second: number
}

/** Spatial index of sites for searches up to this usable range; built once for many searches. */
export interface SiteIndex {
  sites: readonly ChargeSite[]
  near: NearIndex
  reachNm: number
  maxKw: number
  minKw: number
  /** Connected component of each site: sites that can reach each other within the range share a number. */
  parts: Int32Array
}

export function siteIndex(sites: readonly ChargeSite[], reachNm: number): SiteIndex {
  let [minKw, maxKw] = [Infinity, 0]
  for (const { kw } of sites) if (kw !== null) [minKw, maxKw] = [Math.min(minKw, kw), Math.max(maxKw, kw)]
  const near = new NearIndex(
    sites.map(({ place }) => place),
    reachNm + SLACK_NM,
  )
  return { sites, near, reachNm, maxKw, minKw, parts: partsOf(sites, reachNm + SLACK_NM) }
}

function partsOf(sites: readonly ChargeSite[], reachNm: number): Int32Array {
  const parts = new Int32Array(sites.length).fill(-1)
  const left = new NearIndex(
    sites.map(({ place }) => place),
    reachNm,
  )
  for (let first = 0; first < sites.length; first += 1) {
    if (parts[first] !== -1) continue
    const queue = [first]
    for (const here of queue)
      left.takeNear(sites[here]!.place, reachNm, (at) => {
        parts[at] = first
        if (at !== first) queue.push(at)
      })
  }
  return parts
}

/** A cheap check before the search: false when no chain of sites can lead there. */
function mayReach({ near, parts }: SiteIndex, from: Point, to: Point, usableNm: number): boolean {
  if (nmBetween(from, to) <= usableNm) return true
  const fromParts = new Set<number>()
  near.near(from, usableNm, (at) => fromParts.add(parts[at]!))
  let isShared = false
  near.near(to, usableNm, (at) => (isShared ||= fromParts.has(parts[at]!)))
  return isShared
}

/**
 * The best chain of charge stops, each a full charge, or null when there is none: A* over sites and via points passed, exact
 * for all three preferences. A stretch between two charges may include via points; its total length is within the usable
 * range. `isOpen` excludes sites.
 */
export function findRoute(
  index: SiteIndex,
  question: RouteQuestion,
  isOpen: (site: number) => boolean = () => true,
): FoundStop[] | null {
  const { from, through, prefer, time } = question
  const { sites, near } = index
  const usableNm = question.usableNm + SLACK_NM
  const [only] = through
  if (through.length === 1 && only !== undefined && !mayReach(index, from, only, usableNm)) return null
  const count = sites.length
  const [start, end] = [count * through.length, count * through.length + 1]
  const firsts = new Float64Array(end + 1).fill(Infinity)
  const seconds = new Float64Array(end + 1).fill(Infinity)
  const before = new Int32Array(end + 1).fill(-1)
  const isDone = new Uint8Array(end + 1)
  const restNm = restsOf(through)
  const heap = new CostHeap()
  const step = stepOf(prefer, time, index)
  const atLeast = boundOf(prefer, time, index, question.usableNm)
  const heuristics = new Map<number, Cost>()

  const reach = (node: number, from: number, legNm: number, site: number | null, remaining: () => number) => {
    if (isDone[node] === 1) return
    const cost = step(legNm, site)
    const [newFirst, newThen] = [firsts[from]! + cost.first, seconds[from]! + cost.second]
    if (newFirst > firsts[node]! || (newFirst === firsts[node]! && newThen >= seconds[node]!)) return
    firsts[node] = newFirst
    seconds[node] = newThen
    before[node] = from
    let bound = heuristics.get(node)
    if (bound === undefined) {
      bound = atLeast(remaining())
      heuristics.set(node, bound)
    }
    heap.push(node, newFirst + bound.first, newThen + bound.second)
  }

  firsts[start] = 0
  seconds[start] = 0
  heap.push(start, 0, 0)
  for (let node = heap.pop(); node !== null; node = heap.pop()) {
    if (node === end) return stopsOf(before, end, start, count)
    if (isDone[node] === 1) continue
    isDone[node] = 1
    const here = node === start ? from : sites[node % count]!.place
    const passed = node === start ? 0 : Math.floor(node / count)
    let [flownNm, place] = [0, here]
    for (let layer = passed; layer <= through.length; layer += 1) {
      if (layer === through.length) {
        reach(end, node, flownNm, null, () => 0)
        break
      }
      near.near(place, usableNm - flownNm, (at, nm) => {
        const next = layer * count + at
        if (next === node || !isOpen(at)) return
        reach(next, node, flownNm + nm, at, () => nmBetween(sites[at]!.place, through[layer]!) + restNm[layer]!)
      })
      flownNm += nmBetween(place, through[layer]!)
      if (flownNm > usableNm) break
      place = through[layer]!
    }
  }
  return null
}

/** The remaining distance from each point to the last. */
function restsOf(through: readonly Point[]): number[] {
  const rests = through.map(() => 0)
  for (let at = through.length - 2; at >= 0; at -= 1)
    rests[at] = rests[at + 1]! + nmBetween(through[at]!, through[at + 1]!)
  return rests
}

/** The cost of a stretch to a site (and charging there) or to the end (null). */
function stepOf(
  prefer: RoutePreference,
  time: TimeModel | null,
  { sites, minKw }: SiteIndex,
): (nm: number, site: number | null) => Cost {
  if (prefer === 'stops') return (nm, site) => ({ first: site === null ? 0 : 1, second: nm })
  if (prefer === 'distance' || time === null) return (nm, site) => ({ first: units(nm), second: site === null ? 0 : 1 })
  const { speedKt, kwhPerNm, groundMinutes } = time
  return (nm, site) => {
    const flying = (nm / speedKt) * MINUTES_PER_HOUR
    if (site === null) return { first: 0, second: flying }
    const known = sites[site]!.kw
    // As slow as the slowest known; where none is known, chains are compared by time in the air and on the ground alone.
    const kw = known ?? minKw
    const charging = ((nm * kwhPerNm) / kw) * MINUTES_PER_HOUR
    // Charging times of unknown power cannot be compared: such stops come last.
    return { first: known === null ? 1 : 0, second: flying + groundMinutes + charging }
  }
}

/** Lower bound of the remaining cost, the admissible and consistent heuristic of A*. */
function boundOf(
  prefer: RoutePreference,
  time: TimeModel | null,
  { maxKw }: SiteIndex,
  usableNm: number,
): (remainingNm: number) => Cost {
  const stops = (nm: number) => Math.max(0, Math.ceil((nm - 2 * SLACK_NM) / (usableNm + SLACK_NM)) - 1)
  if (prefer === 'stops') return (nm) => ({ first: stops(nm), second: nm })
  if (prefer === 'distance' || time === null) return (nm) => ({ first: units(nm), second: 0 })
  const { speedKt, kwhPerNm, groundMinutes } = time
  return (nm) => {
    const chargedNm = Math.max(0, nm - usableNm - SLACK_NM)
    const charging = maxKw === 0 ? 0 : ((chargedNm * kwhPerNm) / maxKw) * MINUTES_PER_HOUR
    return { first: 0, second: (nm / speedKt) * MINUTES_PER_HOUR + charging + stops(nm) * groundMinutes }
  }
}

function stopsOf(before: Int32Array, end: number, start: number, count: number): FoundStop[] {
  const stops: FoundStop[] = []
  for (let node = before[end]!; node !== start; node = before[node]!)
    stops.push({ site: node % count, passed: Math.floor(node / count) })
  return stops.reverse()
}

function nmBetween(one: Point, other: Point): number {
  return distanceNm(one, other) ?? Infinity
}
