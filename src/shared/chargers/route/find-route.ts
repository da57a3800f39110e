import { distanceNm, nmOfSquaredChord, squaredChord, unitVector, type Point, type UnitVector } from '../distance.ts'
import { CostHeap } from './cost-heap.ts'
import { NearIndex, type NearPlaces } from './near-index.ts'
import { StopsToGo, UNREACHABLE } from './stops-to-go.ts'
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
export interface TimeModel {
  speedKt: number
  kwhPerNm: number
  /** Time on the ground at each charge stop, in addition to charging. */
  groundMinutes: number
}

export interface RouteEnds {
  /** Starting point, with full range unless a question says otherwise. */
  from: Point
  /** Via points in this order, the destination last. */
  through: readonly Point[]
  /** The longest distance between two charges; in wind, through the air. */
  usableNm: number
  /** Still air without it. */
  wind?: RelativeWind | null
}

export interface RouteQuestion {
  prefer: RoutePreference
  /** Null unless the preference is `time`. */
  time: TimeModel | null
  /** How far the aircraft could have flown, through the air, on what is missing of a full charge at the start. None without it. */
  spentNm?: number
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

/** Spatial index of sites for searches up to this distance over ground, which a tailwind lengthens; built once for many searches. */
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
    reachNm + 4 * SLACK_NM,
  )
  return { sites, near, reachNm, maxKw, minKw, parts: partsOf(near, sites.length, reachNm + SLACK_NM) }
}

function partsOf(near: NearIndex, count: number, reachNm: number): Int32Array {
  const parts = new Int32Array(count).fill(-1)
  const left = near.allLeft()
  for (let first = 0; first < count; first += 1) {
    if (parts[first] !== -1) continue
    const part: number[] = []
    near.takeNear(left, first, reachNm, part)
    for (const at of part) {
      parts[at] = first
      near.takeNear(left, at, reachNm, part)
    }
  }
  return parts
}

/** Searches between the same places, which share the stops to go. */
export class RouteSearch {
  readonly #index: SiteIndex
  readonly #ends: RouteEnds
  readonly #toGo: StopsToGo

  constructor(index: SiteIndex, ends: RouteEnds) {
    this.#index = index
    this.#ends = ends
    // In wind as if it blew from behind on every leg: at least this many stops.
    const reachNm = ends.usableNm * mostGroundShare(ends.wind ?? null)
    this.#toGo = new StopsToGo(index.near, ends.from, ends.through, reachNm + 3 * SLACK_NM)
  }

  /**
   * The best chain of charge stops, each a full charge, or null when there is none: A* over sites and via points passed, exact
   * for all three preferences. A stretch between two charges may include via points; its total length is within the usable
   * range. In wind that length is through the air, and so are times and charges: a way there may be none back. `isOpen` excludes
   * sites.
   */
  find(question: RouteQuestion, isOpen: (site: number) => boolean = () => true): FoundStop[] | null {
    const toGo = this.#toGo
    if (!toGo.isReachable) return null
    return new RouteRun(this.#index, this.#ends, toGo, question, isOpen).find()
  }
}

/**
 * One search. A node is a site in a layer, which is how many via points were passed before it; and the start and the end. The loop over
 * edges passes no figures to other functions and has no closures: they would cost time at each of many edges.
 */
class RouteRun {
  readonly #index: SiteIndex
  readonly #ends: RouteEnds
  readonly #toGo: StopsToGo
  readonly #costs: Costs
  readonly #isOpen: (site: number) => boolean
  readonly #usableNm: number
  /** What is missing of a full charge at the start, and what is left there of the usable range. */
  readonly #spentNm: number
  readonly #startNm: number
  /** How much longer a distance over ground can be than through the air, at most. */
  readonly #most: number
  readonly #restNm: readonly number[]
  readonly #vectors: readonly UnitVector[]
  readonly #start: number
  readonly #end: number
  /** For each node, the best known cost of a way to it, a lower bound of the rest, and the node before it. */
  readonly #firsts: Float64Array
  readonly #seconds: Float64Array
  readonly #boundFirsts: Float64Array
  readonly #boundSeconds: Float64Array
  readonly #before: Int32Array
  readonly #isDone: Uint8Array
  readonly #heap = new CostHeap()
  readonly #found: NearPlaces
  /**
   * A dive first: from each place straight on to the one that promises most. The route that it ends with is seldom the best, but leaves
   * little to search for.
   */
  #isDiving = true
  /** Where the dive goes on from the present node; -1 for nowhere. */
  #next = -1
  #nextFirst = Infinity
  #nextToGo = Infinity
  #nextSecond = Infinity

  constructor(
    index: SiteIndex,
    ends: RouteEnds,
    toGo: StopsToGo,
    question: RouteQuestion,
    isOpen: (site: number) => boolean,
  ) {
    this.#index = index
    this.#ends = ends
    this.#toGo = toGo
    this.#costs = costsOf(question, index)
    this.#isOpen = isOpen
    this.#usableNm = ends.usableNm + SLACK_NM
    this.#spentNm = question.spentNm ?? 0
    // With less than the reserve one can still charge where one is.
    this.#startNm = Math.max(SLACK_NM, this.#usableNm - this.#spentNm)
    this.#most = mostGroundShare(ends.wind ?? null)
    this.#restNm = restsOf(ends.through)
    this.#vectors = ends.through.map(unitVector)
    const count = index.sites.length
    this.#start = count * ends.through.length
    this.#end = this.#start + 1
    const nodes = this.#end + 1
    this.#firsts = new Float64Array(nodes).fill(Infinity)
    this.#seconds = new Float64Array(nodes).fill(Infinity)
    this.#boundFirsts = new Float64Array(nodes).fill(-1)
    this.#boundSeconds = new Float64Array(nodes)
    this.#before = new Int32Array(nodes).fill(-1)
    this.#isDone = new Uint8Array(nodes)
    this.#found = { places: new Int32Array(count), squares: new Float64Array(count), count: 0 }
  }

  find(): FoundStop[] | null {
    this.#firsts[this.#start] = 0
    this.#seconds[this.#start] = 0
    for (let node: number | null = this.#start; node !== null; node = this.#nextNode()) {
      if (node === this.#end) return stopsOf(this.#before, node, this.#start, this.#index.sites.length)
      if (!this.#isDiving) this.#isDone[node] = 1
      this.#expand(node)
    }
    return null
  }

  #nextNode(): number | null {
    if (this.#isDiving && this.#next !== -1 && this.#firsts[this.#end] === Infinity) return this.#next
    if (this.#isDiving) this.#isDone[this.#start] = 1
    this.#isDiving = false
    let node: number | null
    do node = this.#heap.pop()
    while (node !== null && this.#isDone[node] === 1)
    return node
  }

  /** Goes from a node to all sites within the range, then on past the next via point while the range lasts. */
  #expand(node: number): void {
    const { near, sites } = this.#index
    const { from, through, wind = null } = this.#ends
    const [most, found] = [this.#most, this.#found]
    const count = sites.length
    const isStart = node === this.#start
    const usableNm = isStart ? this.#startNm : this.#usableNm
    let vector = isStart ? unitVector(from) : near.vectorOf(node % count)
    let place = wind === null || isStart ? from : sites[node % count]!.place
    let [flownNm, flownAirNm] = [0, 0]
    this.#next = -1
    this.#nextFirst = this.#nextToGo = this.#nextSecond = Infinity
    const ownLayer = isStart ? 0 : Math.floor(node / count)
    for (let layer = ownLayer; layer < through.length; layer += 1) {
      if (layer === ownLayer && !isStart) near.nearPlace(node % count, usableNm * most, found)
      else near.nearVector(vector, (usableNm - flownAirNm) * most, found)
      this.#toSites(node, layer, place, flownNm, flownAirNm)
      const goal = this.#vectors[layer]!
      const hopNm = nmOfSquaredChord(squaredChord(vector, goal))
      flownNm += hopNm
      flownAirNm += airNm(wind, place, through[layer]!, hopNm)
      if (flownAirNm > usableNm) return
      vector = goal
      place = through[layer]!
    }
    this.#toEnd(node, this.#costs.isInAir ? flownAirNm : flownNm)
  }

  /** To each site that was found near: over `flownNm` before, from the last place passed. */
  #toSites(node: number, layer: number, place: Point, flownNm: number, flownAirNm: number): void {
    const { sites } = this.#index
    const wind = this.#ends.wind ?? null
    const [costs, found, isOpen, end] = [this.#costs, this.#found, this.#isOpen, this.#end]
    const isStart = node === this.#start
    const usableNm = isStart ? this.#startNm : this.#usableNm
    const spentNm = isStart ? this.#spentNm : 0
    const [firsts, seconds, boundFirsts, boundSeconds] = [
      this.#firsts,
      this.#seconds,
      this.#boundFirsts,
      this.#boundSeconds,
    ]
    const isDone = this.#isDone
    const first = firsts[node]!
    const second = seconds[node]!
    const layerStart = layer * sites.length
    for (let at = 0; at < found.count; at += 1) {
      const site = found.places[at]!
      const there = layerStart + site
      const thereFirst = firsts[there]!
      const atLeast = first + costs.siteFirst[site]!
      // Most are known by a better way.
      if (isDone[there] === 1 || there === node || atLeast > thereFirst) continue
      const lastNm = nmOfSquaredChord(found.squares[at]!)
      let nm = flownNm + lastNm
      if (wind !== null) {
        const inAirNm = flownAirNm + airNm(wind, place, sites[site]!.place, lastNm)
        if (inAirNm > usableNm) continue
        if (costs.isInAir) nm = inAirNm
      }
      const newFirst = atLeast + Math.ceil(nm * costs.firstPerNm)
      let newSecond = second + nm * costs.sitePerNm[site]! + costs.perStop
      if (spentNm > 0) newSecond += spentNm * (costs.sitePerNm[site]! - costs.perNm)
      if (newFirst > thereFirst || (newFirst === thereFirst && newSecond >= seconds[there]!)) continue
      if (boundFirsts[there] === -1 && !this.#bound(there, layer, site)) continue
      const wholeFirst = newFirst + boundFirsts[there]!
      const wholeSecond = newSecond + boundSeconds[there]!
      if (wholeFirst > firsts[end]! || (wholeFirst === firsts[end]! && wholeSecond >= seconds[end]!)) continue
      if (!isOpen(site)) continue
      firsts[there] = newFirst
      seconds[there] = newSecond
      this.#before[there] = node
      this.#heap.push(there, wholeFirst, wholeSecond)
      if (this.#isDiving) this.#noteNext(there, wholeFirst, wholeSecond, this.#toGo.of(layer, site))
    }
  }

  /** Works out the lower bound of the rest from a node, once; false if there is no way on from it. */
  #bound(there: number, layer: number, site: number): boolean {
    const { vectors } = this.#index.near
    const [costs, usableNm, goal] = [this.#costs, this.#usableNm, this.#vectors[layer]!]
    const x = vectors[3 * site]! - goal[0]
    const y = vectors[3 * site + 1]! - goal[1]
    const z = vectors[3 * site + 2]! - goal[2]
    const overGround = this.#restNm[layer]! + nmOfSquaredChord(x * x + y * y + z * z)
    const inAir = overGround / this.#most
    const remaining = costs.isInAir ? inAir : overGround
    const known = this.#toGo.of(layer, site)
    if (known === UNREACHABLE) {
      this.#isDone[there] = 1
      return false
    }
    const stops = Math.max(known, Math.ceil((inAir - 2 * SLACK_NM) / usableNm) - 1)
    this.#boundFirsts[there] = Math.ceil(remaining * costs.firstPerNm) + stops * costs.stopFirst
    this.#boundSeconds[there] =
      remaining * costs.perNm + Math.max(0, remaining - usableNm) * costs.chargePerNm + stops * costs.stopSecond
    return true
  }

  #noteNext(there: number, wholeFirst: number, wholeSecond: number, stopsAfter: number): void {
    if (wholeFirst > this.#nextFirst) return
    if (wholeFirst === this.#nextFirst && stopsAfter > this.#nextToGo) return
    if (wholeFirst === this.#nextFirst && stopsAfter === this.#nextToGo && wholeSecond >= this.#nextSecond) return
    this.#next = there
    this.#nextFirst = wholeFirst
    this.#nextToGo = stopsAfter
    this.#nextSecond = wholeSecond
  }

  #toEnd(node: number, nm: number): void {
    const [firsts, seconds, end] = [this.#firsts, this.#seconds, this.#end]
    const newFirst = firsts[node]! + Math.ceil(nm * this.#costs.firstPerNm)
    const newSecond = seconds[node]! + nm * this.#costs.perNm
    if (newFirst > firsts[end]! || (newFirst === firsts[end]! && newSecond >= seconds[end]!)) return
    firsts[end] = newFirst
    seconds[end] = newSecond
    this.#before[end] = node
    this.#heap.push(end, newFirst, newSecond)
  }
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
  /** Distances are those through the air. */
  isInAir: boolean
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
  const bounds = { isInAir: false, stopFirst: 0, stopSecond: 0, chargePerNm: 0 }
  if (prefer === 'stops')
    return { ...bounds, firstPerNm: 0, perNm: 1, siteFirst: one, sitePerNm: one, perStop: 0, stopFirst: 1 }
  if (prefer === 'distance' || time === null)
    return { ...bounds, firstPerNm: UNITS_PER_NM, perNm: 0, siteFirst: none, sitePerNm: none, perStop: 1 }
  const { speedKt, kwhPerNm, groundMinutes } = time
  const perNm = MINUTES_PER_HOUR / speedKt
  const chargeAt = (kw: number) => (kwhPerNm / kw) * MINUTES_PER_HOUR
  return {
    isInAir: true,
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
