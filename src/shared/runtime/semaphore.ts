/** Runs at most `slots` tasks at a time; the others wait in the order of their calls. */
export class Semaphore {
  readonly #waiting: (() => void)[] = []
  #free: number

  constructor(slots: number) {
    this.#free = slots
  }

  /** The number of tasks that wait for a slot. */
  get waiting(): number {
    return this.#waiting.length
  }

  async run<Value>(work: () => Promise<Value>): Promise<Value> {
    if (this.#free > 0) this.#free -= 1
    else await new Promise<void>((resolve) => this.#waiting.push(resolve))
    try {
      return await work()
    } finally {
      // Passes the slot to the next in the queue, or frees it.
      const next = this.#waiting.shift()
      if (next === undefined) this.#free += 1
      else next()
    }
  }
}
