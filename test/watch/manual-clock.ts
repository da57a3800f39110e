import type { Clock } from '../../src/shared/runtime/ports.ts'

/** A clock that goes when it is told to. `jumpMs` moves wall time alone, as a person or a sleeping computer does. */
export class ManualClock implements Clock {
  #monotonicMs = 0
  #wallOffsetMs = 1_700_000_000_000
  #timers: { atMs: number; callback: () => void }[] = []

  nowMs(): number {
    return this.#wallOffsetMs + this.#monotonicMs
  }

  monotonicMs(): number {
    return this.#monotonicMs
  }

  setTimer(delayMs: number, callback: () => void): () => void {
    const timer = { atMs: this.#monotonicMs + delayMs, callback }
    this.#timers.push(timer)
    return () => {
      this.#timers = this.#timers.filter((one) => one !== timer)
    }
  }

  get timers(): number {
    return this.#timers.length
  }

  jumpMs(byMs: number): void {
    this.#wallOffsetMs += byMs
  }

  /** Time passes and no timer goes off: a stopped process. What was due goes off with the next `pass`, late. */
  standStill(forMs: number): void {
    this.#monotonicMs += forMs
  }

  /** Lets time pass, each timer at its own moment, with promises settled in between. */
  async pass(byMs: number): Promise<void> {
    const endMs = this.#monotonicMs + byMs
    await settlePromises()
    for (;;) {
      const due = this.#timers.filter((timer) => timer.atMs <= endMs).sort((a, b) => a.atMs - b.atMs)[0]
      if (due === undefined) break
      this.#timers = this.#timers.filter((timer) => timer !== due)
      this.#monotonicMs = Math.max(this.#monotonicMs, due.atMs)
      due.callback()
      await settlePromises()
    }
    this.#monotonicMs = endMs
  }
}

async function settlePromises(): Promise<void> {
  for (let turn = 0; turn < 4; turn++) await new Promise((resolve) => setImmediate(resolve))
}
