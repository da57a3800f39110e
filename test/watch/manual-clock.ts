import type { Clock } from '../../src/shared/runtime/ports.ts'

/** Goes when it is told to. `jumpMs` moves wall time alone, as a person or a sleeping computer does; each look takes `lookMs`. */
export class ManualClock implements Clock {
  readonly #lookMs: number
  #monotonicMs = 0
  #wallOffsetMs: number
  #timers: { atMs: number; callback: () => void }[] = []

  constructor({ startMs = 1_700_000_000_000, lookMs = 0 } = {}) {
    this.#wallOffsetMs = startMs
    this.#lookMs = lookMs
  }

  nowMs(): number {
    return this.#wallOffsetMs + this.#monotonicMs
  }

  monotonicMs(): number {
    this.#monotonicMs += this.#lookMs
    return this.#monotonicMs
  }

  setTimer(delayMs: number, callback: () => void): () => void {
    const timer = { atMs: this.#monotonicMs + Math.max(0, delayMs), callback }
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

  /** What a dead process leaves: nothing. */
  dropTimers(): void {
    this.#timers = []
  }

  /** Time passes and no timer goes off: a stopped process. What was due goes off with the next `pass`, late. */
  standStill(forMs: number): void {
    this.#monotonicMs += forMs
  }

  /** Lets time pass, each timer at its own moment, with all that follows from it. */
  async pass(byMs: number): Promise<void> {
    const endMs = this.#monotonicMs + byMs
    await settle()
    for (;;) {
      const due = this.#timers.filter((timer) => timer.atMs <= endMs).sort((a, b) => a.atMs - b.atMs)[0]
      if (due === undefined) break
      this.#timers = this.#timers.filter((timer) => timer !== due)
      this.#monotonicMs = Math.max(this.#monotonicMs, due.atMs)
      due.callback()
      await settle()
    }
    this.#monotonicMs = Math.max(this.#monotonicMs, endMs)
    await settle()
  }
}

/** Lets promises and immediates that are due run; nothing on such a clock waits for the real world. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 6; turn += 1) await new Promise((resolve) => setImmediate(resolve))
}
