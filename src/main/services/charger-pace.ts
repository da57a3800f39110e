import type { Clock } from '../../shared/runtime/ports.ts'
import { sleep } from '../core/sleep.ts'

const WINDOW_MS = 60_000

/** Max requests in any minute. The document allows 120 per IP address, which others may share. */
export const PACE = { background: 90, person: 110 } as const

/** Limits the requests in any minute, over all callers. Background refreshes leave room for requests that a person waits for. */
export class ChargerPace {
  readonly #clock: Clock
  /** When requests were or will be sent, in monotonic milliseconds and in the order of the calls. */
  #slots: number[] = []

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Resolves when the next request may be sent, or when the signal is aborted. */
  async take(maxPerMinute: number, signal: AbortSignal): Promise<void> {
    const nowMs = this.#clock.monotonicMs()
    const before = this.#slots.at(-maxPerMinute)
    const atMs = before === undefined ? nowMs : Math.max(nowMs, before + WINDOW_MS)
    this.#slots = [...this.#slots.slice(1 - PACE.person), atMs]
    if (atMs > nowMs) await sleep(this.#clock, atMs - nowMs, signal)
  }
}
