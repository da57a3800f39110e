import { ManualClock } from '../watch/manual-clock.ts'

export { settle } from '../watch/manual-clock.ts'

/** A clock that moves by a little with each look at it, as on a real machine: a binary fraction, so that sums stay exact. */
export class VirtualClock extends ManualClock {
  constructor(startMs = 1_750_000_000_000) {
    super({ startMs, lookMs: 1 / 256 })
  }

  advance(ms: number): Promise<void> {
    return this.pass(ms)
  }
}
