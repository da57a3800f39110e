/**
 * Priority queue of nodes by a two-part cost, lowest first. A node may be in it more than once; the entry added later costs
 * less.
 */
export class CostHeap {
  readonly #nodes: number[] = []
  readonly #firsts: number[] = []
  readonly #thens: number[] = []

  push(node: number, first: number, then: number): void {
    let at = this.#nodes.length
    while (at > 0) {
      const parent = (at - 1) >> 1
      if (!this.#isLess(first, then, parent)) break
      this.#move(parent, at)
      at = parent
    }
    this.#put(at, node, first, then)
  }

  /** The node with the lowest cost; null when the heap is empty. */
  pop(): number | null {
    const [top] = this.#nodes
    const node = this.#nodes.pop()
    const first = this.#firsts.pop()
    const then = this.#thens.pop()
    if (top === undefined || node === undefined || first === undefined || then === undefined) return null
    const count = this.#nodes.length
    if (count === 0) return top
    let at = 0
    for (;;) {
      let child = 2 * at + 1
      if (child >= count) break
      if (child + 1 < count && this.#isLess(this.#firsts[child + 1]!, this.#thens[child + 1]!, child)) child += 1
      if (!this.#isLess(this.#firsts[child]!, this.#thens[child]!, null, first, then)) break
      this.#move(child, at)
      at = child
    }
    this.#put(at, node, first, then)
    return top
  }

  #isLess(first: number, then: number, at: number | null, ofFirst = 0, ofThen = 0): boolean {
    const [otherFirst, otherThen] = at === null ? [ofFirst, ofThen] : [this.#firsts[at]!, this.#thens[at]!]
    return first < otherFirst || (first === otherFirst && then < otherThen)
  }

  #move(from: number, to: number): void {
    this.#put(to, this.#nodes[from]!, this.#firsts[from]!, this.#thens[from]!)
  }

  #put(at: number, node: number, first: number, then: number): void {
    this.#nodes[at] = node
    this.#firsts[at] = first
    this.#thens[at] = then
  }
}
