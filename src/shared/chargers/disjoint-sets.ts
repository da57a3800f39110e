/** Disjoint sets of positions in a list; the root of a set is its lowest member. */
export class DisjointSets {
  readonly #parent: number[]

  constructor(count: number) {
    this.#parent = Array.from({ length: count }, (_, at) => at)
  }

  rootOf(at: number): number {
    let root = at
    while (this.#parentOf(root) !== root) root = this.#parentOf(root)
    for (let on = at; on !== root;) {
      const next = this.#parentOf(on)
      this.#parent[on] = root
      on = next
    }
    return root
  }

  join(one: number, other: number): void {
    const [first, second] = [this.rootOf(one), this.rootOf(other)]
    this.#parent[Math.max(first, second)] = Math.min(first, second)
  }

  #parentOf(at: number): number {
    return this.#parent[at] ?? at
  }
}
