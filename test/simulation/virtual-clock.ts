import type { Clock } from '../../src/shared/runtime/ports.ts'

interface Timer {
  atMs: number
  seq: number
  callback: () => void
}

/** Some microseconds; a binary fraction, so that sums stay exact. */
const LOOK_TAKES_MS = 1 / 256

/**
 * A clock that moves only when told to, and by a little with each look at it, as on a real machine. Wall time can jump away
 * from monotonic time.
 */
export class VirtualClock implements Clock {
  #monotonicMs = 0
  #wallOffsetMs: number
  #timers: Timer[] = []
  #seq = 0

  constructor(startMs = 1_750_000_000_000) {
    this.#wallOffsetMs = startMs
  }

  nowMs(): number {
    return this.#monotonicMs + this.#wallOffsetMs
  }

  monotonicMs(): number {
    this.#monotonicMs += LOOK_TAKES_MS
    return this.#monotonicMs
  }

  jumpWall(byMs: number): void {
    this.#wallOffsetMs += byMs
  }

  setTimer(delayMs: number, callback: () => void): () => void {
    const timer: Timer = { atMs: this.#monotonicMs + Math.max(0, delayMs), seq: this.#seq++, callback }
    this.#timers.push(timer)
    return () => {
      this.#timers = this.#timers.filter((other) => other !== timer)
    }
  }

  /** Lets `ms` pass, with every timer at its time and all that follows from it. */
  async advance(ms: number): Promise<void> {
    const untilMs = this.#monotonicMs + ms
    await settle()
    for (;;) {
      const next = this.#timers
        .filter(({ atMs }) => atMs <= untilMs)
        .sort((a, b) => a.atMs - b.atMs || a.seq - b.seq)[0]
      if (next === undefined) break
      this.#timers = this.#timers.filter((other) => other !== next)
      this.#monotonicMs = Math.max(this.#monotonicMs, next.atMs)
      next.callback()
      await settle()
    }
    this.#monotonicMs = Math.max(this.#monotonicMs, untilMs)
    await settle()
  }

  /** What a dead process leaves: nothing. */
  dropTimers(): void {
    this.#timers = []
  }
}

/** Lets promises and immediates that are due run; nothing in a simulation waits for the real world. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 6; turn += 1) await new Promise((resolve) => setImmediate(resolve))
}
