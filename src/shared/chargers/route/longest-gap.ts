import { distanceNm, nmOfSquaredChord, squaredChord, unitVector, type Point } from '../distance.ts'
import { DisjointSets } from '../disjoint-sets.ts'
import type { SiteIndex } from './find-route.ts'
import { partLinks, type PartLink } from './part-links.ts'

/** A site, or a place that the route begins at, passes or ends at: 0 is the start, then `through`. */
export type GapEnd = { site: number } | { end: number }

/** A stretch between two charges that no detour makes shorter. */
export interface Gap {
  from: GapEnd
  /** How many via points lie within it: those after `passed`. */
  vias: number
  passed: number
  to: GapEnd
  nm: number
}

/** Precision of the search. */
const EXACT_NM = 1e-4

/**
 * What keeps the end from being reached when no chain of sites within the index's reach does so: the longest stretch of the
 * chain whose longest stretch is shortest. With a usable range of that length there would be a route. As in `findRoute`, every
 * stretch begins with a full charge, and a place that is passed without charging lies within one.
 */
export function longestGap(index: SiteIndex, from: Point, through: readonly Point[]): Gap | null {
  const chains = new GapSearch(index, [from, ...through])
  let low = index.reachNm
  let high = chains.straightNm
  let found = chains.within(high)
  if (found === null) return null
  while (high - low > EXACT_NM) {
    const middle = (low + high) / 2
    const shorter = chains.within(middle)
    if (shorter === null) low = middle
    else {
      found = shorter
      // The longest stretch is usually shorter than what was allowed.
      high = Math.min(middle, shorter.nm)
    }
  }
  return found
}

const linksOf = new WeakMap<SiteIndex, PartLink[]>()

/** For each place of the route the nearest site of each part, which is all that a chain needs to know of the part. */
interface NearestSites {
  nm: Float64Array
  site: Int32Array
}

class GapSearch {
  readonly #links: readonly PartLink[]
  /** For each site the number of its part, from 0. */
  readonly #parts: Int32Array
  readonly #count: number
  readonly #nearest: readonly NearestSites[]
  /** From each place of the route to the one after it. */
  readonly #hops: readonly number[]
  /** The route without a charge. */
  readonly straightNm: number

  constructor(index: SiteIndex, ends: readonly Point[]) {
    const numbers = new Map<number, number>()
    this.#parts = index.parts.map((part) => {
      const number = numbers.get(part) ?? numbers.size
      numbers.set(part, number)
      return number
    })
    this.#count = numbers.size
    const places = index.sites.map(({ place }) => place)
    let links = linksOf.get(index)
    if (links === undefined) linksOf.set(index, (links = partLinks(places, index.parts)))
    this.#links = links
    const vectors = places.map(unitVector)
    this.#nearest = ends.map((end) => {
      const [nm, site] = [new Float64Array(this.#count).fill(Infinity), new Int32Array(this.#count).fill(-1)]
      const vector = unitVector(end)
      vectors.forEach((other, at) => {
        const [square, part] = [squaredChord(vector, other), this.#parts[at]!]
        if (square < nm[part]!) [nm[part], site[part]] = [square, at]
      })
      return { nm: nm.map(nmOfSquaredChord), site }
    })
    this.#hops = ends.slice(1).map((end, at) => distanceNm(ends[at]!, end) ?? Infinity)
    this.straightNm = this.#hops.reduce((sum, nm) => sum + nm, 0)
  }

  /** The longest stretch of some chain whose stretches are all within `nm`; null when there is no such chain. */
  within(nm: number): Gap | null {
    const usable = this.#links.slice(0, firstBeyond(this.#links, nm))
    const sets = new DisjointSets(this.#count)
    for (const { one, other } of usable) sets.join(this.#parts[one]!, this.#parts[other]!)
    // What was flown since the last charge, at least, when a place is passed, and the part that this charge was in; -1: before
    // the place passed last.
    const flown = [0]
    const charged = [-1]
    for (let at = 1; at <= this.#hops.length; at += 1) {
      const [here, before] = [this.#nearest[at]!, this.#nearest[at - 1]!]
      const reached = new Set<number>()
      before.nm.forEach((toPart, part) => {
        if (flown[at - 1]! + toPart <= nm) reached.add(sets.rootOf(part))
      })
      let [least, from] = [flown[at - 1]! + this.#hops[at - 1]!, -1]
      here.nm.forEach((toPart, part) => {
        if (toPart < least && reached.has(sets.rootOf(part))) [least, from] = [toPart, part]
      })
      if (least > nm) return null
      flown.push(least)
      charged.push(from)
    }
    return this.#longest(usable, sets, flown, charged)
  }

  #longest(links: readonly PartLink[], sets: DisjointSets, flown: readonly number[], charged: readonly number[]): Gap {
    let longest: Gap = { from: { end: 0 }, passed: 0, vias: 0, to: { end: this.#hops.length }, nm: -1 }
    const offer = (gap: Gap) => {
      if (gap.nm > longest.nm) longest = gap
    }
    let [from, passedAtStart]: [GapEnd, number] = [{ end: 0 }, 0]
    for (let at = 1; at <= this.#hops.length; at += 1) {
      const exit = charged[at]!
      if (exit === -1) continue
      const before = this.#nearest[at - 1]!
      let entry = exit
      before.nm.forEach((toPart, part) => {
        if (toPart < before.nm[entry]! && sets.rootOf(part) === sets.rootOf(exit)) entry = part
      })
      const nm = flown[at - 1]! + before.nm[entry]!
      offer({ from, passed: passedAtStart, vias: at - 1 - passedAtStart, to: { site: before.site[entry]! }, nm })
      for (const link of this.#way(links, entry, exit))
        offer({ from: { site: link.one }, passed: at - 1, vias: 0, to: { site: link.other }, nm: link.nm })
      from = { site: this.#nearest[at]!.site[exit]! }
      passedAtStart = at - 1
    }
    const last = this.#hops.length
    offer({ from, passed: passedAtStart, vias: last - 1 - passedAtStart, to: { end: last }, nm: flown[last]! })
    return longest
  }

  /** The links between two parts that hang together, in the direction of flight. */
  #way(links: readonly PartLink[], from: number, to: number): PartLink[] {
    if (from === to) return []
    const linksAt = new Map<number, PartLink[]>()
    for (const link of links)
      for (const site of [link.one, link.other]) {
        const part = this.#parts[site]!
        const known = linksAt.get(part)
        if (known === undefined) linksAt.set(part, [link])
        else known.push(link)
      }
    const before = new Map<number, PartLink | null>([[from, null]])
    const queue = [from]
    for (const part of queue)
      for (const link of linksAt.get(part) ?? []) {
        const on = this.#parts[link.one] === part ? link : { one: link.other, other: link.one, nm: link.nm }
        const next = this.#parts[on.other]!
        if (before.has(next)) continue
        before.set(next, on)
        queue.push(next)
      }
    const way: PartLink[] = []
    for (let link = before.get(to); link != null; link = before.get(this.#parts[link.one]!)) way.push(link)
    return way.reverse()
  }
}

/** How many of these links, shortest first, are within `nm`. */
function firstBeyond(links: readonly PartLink[], nm: number): number {
  const first = links.findIndex((link) => link.nm > nm)
  return first === -1 ? links.length : first
}
