import type { Clock } from '../../shared/runtime/ports.ts'
import type { WatchTiming } from './watch-timing.ts'

/**
 * Decides when events require a rescan. The kernel silently drops events when its queue is full, so many events within
 * a short time are the only sign of it. What the watch says it may have missed requires one too. It starts once events have calmed down,
 * or at a time limit.
 */
export class DroppedEvents {
  readonly #clock: Clock
  readonly #timing: WatchTiming
  readonly #rescan: () => void
  #windowStartMs = -Infinity
  #count = 0
  #lastEventMs = 0
  #requestedAtMs = 0
  #cancelTimer: (() => void) | null = null

  constructor(clock: Clock, timing: WatchTiming, rescan: () => void) {
    this.#clock = clock
    this.#timing = timing
    this.#rescan = rescan
  }

  /** Counts an event. */
  count(): void {
    const now = this.#clock.monotonicMs()
    this.#lastEventMs = now
    if (now - this.#windowStartMs > this.#timing.overflowWindowMs) {
      this.#windowStartMs = now
      this.#count = 0
    }
    this.#count += 1
    if (this.#count >= this.#timing.overflowEvents) this.requestRescan()
  }

  /** Requests a rescan once events have calmed down. */
  requestRescan(): void {
    if (this.#cancelTimer !== null) return
    const now = this.#clock.monotonicMs()
    this.#lastEventMs = now
    this.#requestedAtMs = now
    this.#setTimer(this.#timing.calmMs)
  }

  stop(): void {
    this.#cancelTimer?.()
    this.#cancelTimer = null
  }

  #setTimer(delayMs: number): void {
    this.#cancelTimer = this.#clock.setTimer(delayMs, () => {
      this.#cancelTimer = null
      const now = this.#clock.monotonicMs()
      const calmInMs = this.#lastEventMs + this.#timing.calmMs - now
      if (calmInMs <= 0 || now - this.#requestedAtMs >= this.#timing.calmLimitMs) this.#rescan()
      else this.#setTimer(calmInMs)
    })
  }
}
