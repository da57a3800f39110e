import type { Clock } from '../../shared/runtime/ports.ts'
import type { WatchTiming } from './watch-timing.ts'

/** Decides when events require a rescan: many at once are the only sign that the kernel dropped some. One covers what comes together. */
export class DroppedEvents {
  readonly #clock: Clock
  readonly #timing: WatchTiming
  readonly #rescan: () => void
  #windowStartMs = -Infinity
  #count = 0
  #cancelTimer: (() => void) | null = null

  constructor(clock: Clock, timing: WatchTiming, rescan: () => void) {
    this.#clock = clock
    this.#timing = timing
    this.#rescan = rescan
  }

  /** Counts an event. */
  count(): void {
    const nowMs = this.#clock.monotonicMs()
    if (nowMs - this.#windowStartMs > this.#timing.overflowWindowMs) {
      this.#windowStartMs = nowMs
      this.#count = 0
    }
    this.#count += 1
    if (this.#count >= this.#timing.overflowEvents) this.requestRescan()
  }

  requestRescan(): void {
    this.#cancelTimer ??= this.#clock.setTimer(this.#timing.rescanDelayMs, () => {
      this.#cancelTimer = null
      this.#rescan()
    })
  }

  stop(): void {
    this.#cancelTimer?.()
    this.#cancelTimer = null
  }
}
