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
      if (!isLess(first, then, this.#firsts[parent]!, this.#thens[parent]!)) break
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
    const firsts = this.#firsts
    const thens = this.#thens
    if (count === 0) return top
    let at = 0
    for (;;) {
      let child = 2 * at + 1
      if (child >= count) break
      if (child + 1 < count && isLess(firsts[child + 1]!, thens[child + 1]!, firsts[child]!, thens[child]!)) child += 1
      if (!isLess(firsts[child]!, thens[child]!, first, then)) break
      this.#move(child, at)
      at = child
    }
    this.#put(at, node, first, then)
    return top
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

function isLess(first: number, then: number, otherFirst: number, otherThen: number): boolean {
  return first < otherFirst || (first === otherFirst && then < otherThen)
}
