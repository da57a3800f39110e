import { distanceNm, nmOfSquaredChord, squaredChord, unitVector, type Point } from '../distance.ts'
import { CostHeap } from './cost-heap.ts'
import { NearIndex, type NearPlaces } from './near-index.ts'

/** A place to charge at, as the search sees it. */
export interface ChargeSite {
  place: Point
  /** Power of the charger to be used there, limited to what the aircraft takes; null when unknown. */
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

/**
 * A cheap check before the search: false when no chain of sites leads there. The less was flown since the last charge when a
 * place is passed, the more can be reached from it.
 */
function mayReach({ near, parts }: SiteIndex, from: Point, through: readonly Point[], usableNm: number): boolean {
  const partsAround = (place: Point, nm: number) => {
    const around = new Set<number>()
    near.near(place, nm, (at) => around.add(parts[at]!))
    return around
  }
  let [place, flownNm] = [from, 0]
  for (const next of through) {
    const reached = partsAround(place, usableNm - flownNm)
    let leastNm = flownNm + nmBetween(place, next)
    near.near(next, usableNm, (at, nm) => {
      if (nm < leastNm && reached.has(parts[at]!)) leastNm = nm
    })
    if (leastNm > usableNm) return false
    ;[place, flownNm] = [next, leastNm]
  }
  return true
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
  const { from, through } = question
  const { near, sites } = index
  const usableNm = question.usableNm + SLACK_NM
  if (!mayReach(index, from, through, usableNm)) return null
  const costs = costsOf(question, index)
  const count = sites.length
  const [start, end] = [count * through.length, count * through.length + 1]
  const firsts = new Float64Array(end + 1).fill(Infinity)
  const seconds = new Float64Array(end + 1).fill(Infinity)
  const boundFirsts = new Float64Array(end + 1).fill(-1)
  const boundSeconds = new Float64Array(end + 1)
  const before = new Int32Array(end + 1).fill(-1)
  const isDone = new Uint8Array(end + 1)
  const restNm = restsOf(through)
  const vectors = through.map(unitVector)
  const heap = new CostHeap()
  const found: NearPlaces = { places: new Int32Array(count), squares: new Float64Array(count), count: 0 }

  // No closures here, and no calls that pass figures: they would cost time at each of a route's many edges.
  firsts[start] = 0
  seconds[start] = 0
  heap.push(start, 0, 0)
  for (let node = heap.pop(); node !== null; node = heap.pop()) {
    if (node === end) return stopsOf(before, end, start, count)
    if (isDone[node] === 1) continue
    isDone[node] = 1
    let vector = node === start ? unitVector(from) : near.vectorOf(node % count)
    let flownNm = 0
    const first = firsts[node]!
    const second = seconds[node]!
    for (let layer = node === start ? 0 : Math.floor(node / count); layer < through.length; layer += 1) {
      const goal = vectors[layer]!
      near.nearVector(vector[0], vector[1], vector[2], usableNm - flownNm, found)
      for (let at = 0; at < found.count; at += 1) {
        const site = found.places[at]!
        const next = layer * count + site
        const nextFirst = firsts[next]!
        const atLeast = first + costs.siteFirst[site]!
        // Most are known by a better way.
        if (isDone[next] === 1 || next === node || atLeast > nextFirst || !isOpen(site)) continue
        const nm = flownNm + nmOfSquaredChord(found.squares[at]!)
        const newFirst = atLeast + Math.ceil(nm * costs.firstPerNm)
        const newSecond = second + nm * costs.sitePerNm[site]! + costs.perStop
        if (newFirst > nextFirst || (newFirst === nextFirst && newSecond >= seconds[next]!)) continue
        firsts[next] = newFirst
        seconds[next] = newSecond
        before[next] = node
        if (boundFirsts[next] === -1) {
          const vectorAt = 3 * site
          const x = near.vectors[vectorAt]! - goal[0]
          const y = near.vectors[vectorAt + 1]! - goal[1]
          const z = near.vectors[vectorAt + 2]! - goal[2]
          const remaining = restNm[layer]! + nmOfSquaredChord(x * x + y * y + z * z)
          const stops = Math.max(0, Math.ceil((remaining - 2 * SLACK_NM) / usableNm) - 1)
          boundFirsts[next] = Math.ceil(remaining * costs.firstPerNm) + stops * costs.stopFirst
          boundSeconds[next] =
            remaining * costs.perNm + Math.max(0, remaining - usableNm) * costs.chargePerNm + stops * costs.stopSecond
        }
        heap.push(next, newFirst + boundFirsts[next]!, newSecond + boundSeconds[next]!)
      }
      flownNm += nmOfSquaredChord(squaredChord(vector, goal))
      if (flownNm > usableNm) break
      vector = goal
      if (layer < through.length - 1) continue
      const newFirst = first + Math.ceil(flownNm * costs.firstPerNm)
      const newSecond = second + flownNm * costs.perNm
      if (newFirst > firsts[end]! || (newFirst === firsts[end]! && newSecond >= seconds[end]!)) continue
      firsts[end] = newFirst
      seconds[end] = newSecond
      before[end] = node
      heap.push(end, newFirst, newSecond)
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

/**
 * Both parts of a cost are linear in the distance. A stretch of `nm` costs ceil(nm × firstPerNm) and nm × perNm; to a site it
 * costs siteFirst and ceil(nm × firstPerNm), and nm × sitePerNm and perStop. The rest costs at least as much as a stretch of its
 * length, plus stopFirst and stopSecond for each stop that it needs at least, plus chargePerNm for what has to be charged: the
 * admissible and consistent heuristic of A*.
 */
interface Costs {
  firstPerNm: number
  perNm: number
  siteFirst: Float64Array
  sitePerNm: Float64Array
  perStop: number
  stopFirst: number
  stopSecond: number
  chargePerNm: number
}

function costsOf({ prefer, time }: RouteQuestion, { sites, minKw, maxKw }: SiteIndex): Costs {
  const none = new Float64Array(sites.length)
  const one = new Float64Array(sites.length).fill(1)
  const bounds = { stopFirst: 0, stopSecond: 0, chargePerNm: 0 }
  if (prefer === 'stops')
    return { ...bounds, firstPerNm: 0, perNm: 1, siteFirst: one, sitePerNm: one, perStop: 0, stopFirst: 1 }
  if (prefer === 'distance' || time === null)
    return { ...bounds, firstPerNm: UNITS_PER_NM, perNm: 0, siteFirst: none, sitePerNm: none, perStop: 1 }
  const { speedKt, kwhPerNm, groundMinutes } = time
  const perNm = MINUTES_PER_HOUR / speedKt
  const chargeAt = (kw: number) => (kwhPerNm / kw) * MINUTES_PER_HOUR
  return {
    firstPerNm: 0,
    perNm,
    // Charging times of unknown power cannot be compared: such stops come last.
    siteFirst: Float64Array.from(sites, ({ kw }) => (kw === null ? 1 : 0)),
    // As slow as the slowest known; where none is known, chains are compared by time in the air and on the ground alone.
    sitePerNm: Float64Array.from(sites, ({ kw }) => perNm + chargeAt(kw ?? minKw)),
    perStop: groundMinutes,
    stopFirst: 0,
    stopSecond: groundMinutes,
    chargePerNm: maxKw === 0 ? 0 : chargeAt(maxKw),
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
