import { nmOfSquaredChord, squaredChord, unitVector, type Point, type UnitVector } from '../distance.ts'
import type { NearIndex } from './near-index.ts'

/** More than a chain of stops can have. */
export const UNREACHABLE = 0xffff
const UNSET = 0xfffe

/** How many more stops than the straight line needs are tried, one after the other; then any number. */
const DETOURS = [0, 1, 2, 4, 8, Infinity]

/** The ways on from a place: for each number of stops to go, the least distance to the next charge or to the end. */
type WaysOn = Map<number, number>

/** The search from one point of `through` back to the one before it. */
interface Layer {
  levels: Uint16Array
  from: UnitVector
  /** What is not in `levels` has at least this number. */
  least: number
  /** What is not in `levels` has at least this number together with the stops that the straight line from `from` needs. */
  leastInAll: number
}

/**
 * How many stops are to be made after a site, at least, before the end is reached: never more than the truth, exact for each site
 * on a chain with the fewest stops, and never falling by more than one from one stop to the next.
 *
 * For each point of `through`, from the last to the first: breadth first, backwards from the point, over sites on chains that are
 * only a little longer than they have to be.
 */
export class StopsToGo {
  readonly #near: NearIndex
  readonly #usableNm: number
  readonly #layers: Layer[] = []
  readonly isReachable: boolean

  constructor(near: NearIndex, from: Point, through: readonly Point[], usableNm: number) {
    this.#near = near
    this.#usableNm = usableNm
    const places = [from, ...through]
    let ways: WaysOn = new Map([[0, 0]])
    for (let at = through.length - 1; at >= 0 && ways.size > 0; at -= 1)
      ways = this.#addLayer(places[at]!, places[at + 1]!, ways, at === 0)
    this.isReachable = ways.size > 0
  }

  /** After `site`, with `layer` points of `through` behind it; `UNREACHABLE` where no chain leads on. */
  of(layer: number, site: number): number {
    const { levels, from, least, leastInAll } = this.#layers[layer]!
    const level = levels[site]!
    return level === UNSET ? Math.min(least, Math.max(0, leastInAll - this.#stopsTo(site, from))) : level
  }

  /** Stops of a chain that leads straight to the site, which is the last of them. */
  #stopsTo(site: number, from: UnitVector): number {
    const { vectors } = this.#near
    const x = vectors[3 * site]! - from[0]
    const y = vectors[3 * site + 1]! - from[1]
    const z = vectors[3 * site + 2]! - from[2]
    return Math.ceil(nmOfSquaredChord(x * x + y * y + z * z) / this.#usableNm)
  }

  /** Returns the ways on from `from`. */
  #addLayer(from: Point, goal: Point, ways: WaysOn, isFirst: boolean): WaysOn {
    const usableNm = this.#usableNm
    const [fromVector, goalVector] = [unitVector(from), unitVector(goal)]
    const straightNm = nmOfSquaredChord(squaredChord(fromVector, goalVector))
    const around: { site: number; nm: number }[] = []
    this.#near.near(from, usableNm, (site, nm) => around.push({ site, nm }))
    // At the start any way will do. Beyond a point passed, no way needs less range than the one by the nearest site.
    const nearest = around.reduce((best, one) => (one.nm < best.nm ? one : best), { site: -1, nm: Infinity })
    const until = around.length === 0 ? [] : isFirst ? around.map(({ site }) => site) : [nearest.site]
    const layer = this.#search(fromVector, goalVector, straightNm, ways, until)
    this.#layers.unshift(layer)
    const next: WaysOn = new Map()
    const offer = (level: number, nm: number) => {
      if (nm <= usableNm && nm < (next.get(level) ?? Infinity)) next.set(level, nm)
    }
    for (const [level, nm] of ways) offer(level, straightNm + nm)
    for (const { site, nm } of around) if (layer.levels[site]! < UNSET) offer(layer.levels[site]! + 1, nm)
    return next
  }

  #search(from: UnitVector, goal: UnitVector, straightNm: number, ways: WaysOn, until: readonly number[]): Layer {
    const straight = Math.min(...[...ways].map(([level, nm]) => level + Math.ceil((straightNm + nm) / this.#usableNm)))
    for (const detour of until.length === 0 ? [] : DETOURS) {
      const layer = this.#searchWithin(from, goal, ways, until, straight - 1 + detour)
      if (layer !== null) return layer
    }
    const levels = new Uint16Array(this.#near.count).fill(UNREACHABLE)
    return { levels, from, least: UNREACHABLE, leastInAll: UNREACHABLE }
  }

  /** Over chains with at most `most` stops in all. Null when none of `until` is on one of them, although there may be longer ones. */
  #searchWithin(
    from: UnitVector,
    goal: UnitVector,
    ways: WaysOn,
    until: readonly number[],
    most: number,
  ): Layer | null {
    const near = this.#near
    const levels = new Uint16Array(near.count).fill(most === Infinity ? UNREACHABLE : UNSET)
    const left = near.allLeft()
    const last = Math.max(...ways.keys())
    const next: number[] = []
    for (let [level, reached]: [number, number[]] = [0, []]; level <= last || reached.length > 0; level += 1) {
      next.length = 0
      const flownNm = ways.get(level)
      if (flownNm !== undefined) near.takeNearVector(left, goal, this.#usableNm - flownNm, next)
      for (const site of reached) near.takeNear(left, site, this.#usableNm, next)
      reached = most === Infinity ? next.slice() : next.filter((site) => level + this.#stopsTo(site, from) <= most)
      for (const site of reached) levels[site] = level
      if (until.every((site) => levels[site]! >= UNSET)) continue
      if (most === Infinity)
        for (let site = 0; site < levels.length; site += 1) if (levels[site] === UNREACHABLE) levels[site] = UNSET
      return { levels, from, least: level + 1, leastInAll: most + 1 }
    }
    return most === Infinity ? { levels, from, least: UNREACHABLE, leastInAll: UNREACHABLE } : null
  }
}
