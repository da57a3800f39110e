import type { Clock } from '../../shared/ports.ts'
import { sleep } from './charger-sleep.ts'

const WINDOW_MS = 60_000

/** Requests in any minute, of the 120 that the document allows to one IP address, which others may share. */
export const PACE = { background: 90, person: 110 } as const

/**
 * Spreads the pages of long lists: at most this many requests leave in any minute, from all callers together. What refreshes on
 * its own leaves room for what a person waits for. One for each service.
 */
export class ChargerPace {
  readonly #clock: Clock
  /** When requests left or will leave, in monotonic milliseconds and in the order they were asked for. */
  #slots: number[] = []

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Resolves when the next request may leave, or when the signal says that it shall not. */
  async take(mostPerMinute: number, signal: AbortSignal): Promise<void> {
    const nowMs = this.#clock.monotonicMs()
    const before = this.#slots.at(-mostPerMinute)
    const atMs = before === undefined ? nowMs : Math.max(nowMs, before + WINDOW_MS)
    this.#slots = [...this.#slots.slice(1 - PACE.person), atMs]
    if (atMs > nowMs) await sleep(atMs - nowMs, this.#clock, signal)
  }
}
