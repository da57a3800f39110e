import { nmOfSquaredChord, unitVector, type Point } from '../distance.ts'
import { DisjointSets } from '../disjoint-sets.ts'

/** The shortest stretch between two parts, between a place of one and a place of the other. */
export interface PartLink {
  one: number
  other: number
  nm: number
}

const LEAF = 12

/**
 * Of all stretches between parts, those that a minimum spanning tree of the parts consists of, shortest first: the way
 * between two parts along them has the shortest longest stretch there is. `parts`: for each place one that stands for its
 * part.
 *
 * Borůvka's algorithm over a k-d tree: each part finds its nearest place of another one, and joins it.
 */
export function partLinks(places: readonly Point[], parts: Int32Array): PartLink[] {
  const tree = new PartTree(places)
  const sets = new DisjointSets(places.length)
  parts.forEach((part, place) => sets.join(part, place))
  const roots = new Int32Array(places.length)
  const links: PartLink[] = []
  for (;;) {
    for (let place = 0; place < places.length; place += 1) roots[place] = sets.rootOf(place)
    let isJoined = false
    for (const { one, other, square } of tree.nearestOfOthers(roots)) {
      if (sets.rootOf(one) === sets.rootOf(other)) continue
      sets.join(one, other)
      links.push({ one, other, nm: nmOfSquaredChord(square) })
      isJoined = true
    }
    if (!isJoined) return links.sort((link, another) => link.nm - another.nm)
  }
}

interface Nearest {
  one: number
  other: number
  square: number
}

/** A k-d tree in three-dimensional space; each node knows whether all its places are of one part. */
class PartTree {
  readonly #vectors: Float64Array
  /** Places, those of each node next to one another. */
  readonly #order: Int32Array
  /** For each node its range in the order, and its box: lowest and highest x, y and z. */
  readonly #from: number[] = []
  readonly #to: number[] = []
  readonly #boxes: number[] = []
  /** The second child of a node; the first comes right after the node. 0: a leaf. */
  readonly #second: number[] = []

  constructor(places: readonly Point[]) {
    this.#vectors = new Float64Array(places.length * 3)
    places.forEach((place, at) => this.#vectors.set(unitVector(place), at * 3))
    this.#order = Int32Array.from(places, (_, at) => at)
    if (places.length > 0) this.#build(0, places.length)
  }

  #build(from: number, to: number): number {
    const node = this.#from.length
    this.#from.push(from)
    this.#to.push(to)
    this.#second.push(0)
    const box = [Infinity, -Infinity, Infinity, -Infinity, Infinity, -Infinity]
    for (let at = from; at < to; at += 1)
      for (let axis = 0; axis < 3; axis += 1) {
        const value = this.#vectors[this.#order[at]! * 3 + axis]!
        if (value < box[2 * axis]!) box[2 * axis] = value
        if (value > box[2 * axis + 1]!) box[2 * axis + 1] = value
      }
    this.#boxes.push(...box)
    if (to - from <= LEAF) return node
    const widths = [0, 1, 2].map((axis) => box[2 * axis + 1]! - box[2 * axis]!)
    const axis = widths.indexOf(Math.max(...widths))
    const middle = (from + to) >> 1
    this.#halve(from, to, middle, axis)
    this.#build(from, middle)
    this.#second[node] = this.#build(middle, to)
    return node
  }

  /** Hoare's selection: no place before the middle has a higher value than one after it. */
  #halve(from: number, to: number, middle: number, axis: number): void {
    const order = this.#order
    const valueOf = (at: number) => this.#vectors[order[at]! * 3 + axis]!
    for (let [low, high] = [from, to - 1]; low < high;) {
      const pivot = valueOf((low + high) >> 1)
      let [left, right] = [low, high]
      while (left <= right) {
        while (valueOf(left) < pivot) left += 1
        while (valueOf(right) > pivot) right -= 1
        if (left > right) break
        const kept = order[left]!
        order[left] = order[right]!
        order[right] = kept
        left += 1
        right -= 1
      }
      if (right < middle) low = left
      if (left > middle) high = right
    }
  }

  /** For each part the shortest stretch to another one. `roots`: for each place the number of its part. */
  nearestOfOthers(roots: Int32Array): Nearest[] {
    const partOf = this.#partsOfNodes(roots)
    const best = new Map<number, Nearest>()
    for (const place of this.#order) {
      const part = roots[place]!
      const known = best.get(part)
      const limit = known?.square ?? Infinity
      const found = this.#nearest(place, part, partOf, roots, limit)
      if (found !== null) best.set(part, found)
    }
    return [...best.values()]
  }

  /** For each node the part that all its places are of; -1 for several. */
  #partsOfNodes(roots: Int32Array): Int32Array {
    const partOf = new Int32Array(this.#from.length)
    for (let node = this.#from.length - 1; node >= 0; node -= 1) {
      const second = this.#second[node]!
      let part = roots[this.#order[this.#from[node]!]!]!
      if (second !== 0) part = partOf[node + 1] === partOf[second] ? partOf[second]! : -1
      else
        for (let at = this.#from[node]!; at < this.#to[node]!; at += 1) if (roots[this.#order[at]!] !== part) part = -1
      partOf[node] = part
    }
    return partOf
  }

  /** The nearest place of another part, if it is nearer than `limit`. */
  #nearest(place: number, part: number, partOf: Int32Array, roots: Int32Array, limit: number): Nearest | null {
    const [x, y, z] = [this.#vectors[place * 3]!, this.#vectors[place * 3 + 1]!, this.#vectors[place * 3 + 2]!]
    let [other, square] = [-1, limit]
    const visit = (node: number) => {
      if (partOf[node] === part || this.#squareToBox(node, x, y, z) >= square) return
      const second = this.#second[node]!
      if (second !== 0) {
        const isSecondNearer = this.#squareToBox(second, x, y, z) < this.#squareToBox(node + 1, x, y, z)
        visit(isSecondNearer ? second : node + 1)
        visit(isSecondNearer ? node + 1 : second)
        return
      }
      for (let at = this.#from[node]!; at < this.#to[node]!; at += 1) {
        const there = this.#order[at]!
        if (roots[there] === part) continue
        const found =
          (this.#vectors[there * 3]! - x) ** 2 +
          (this.#vectors[there * 3 + 1]! - y) ** 2 +
          (this.#vectors[there * 3 + 2]! - z) ** 2
        if (found < square) [other, square] = [there, found]
      }
    }
    visit(0)
    return other === -1 ? null : { one: place, other, square }
  }

  #squareToBox(node: number, x: number, y: number, z: number): number {
    const [boxes, at] = [this.#boxes, node * 6]
    const dx = Math.max(boxes[at]! - x, 0, x - boxes[at + 1]!)
    const dy = Math.max(boxes[at + 2]! - y, 0, y - boxes[at + 3]!)
    const dz = Math.max(boxes[at + 4]! - z, 0, z - boxes[at + 5]!)
    return dx * dx + dy * dy + dz * dz
  }
}
