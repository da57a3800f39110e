import type { Clock } from '../../shared/runtime/ports.ts'

/** The longest timer: on some systems timers stop while the machine sleeps. */
const MAX_TIMER_MS = 30_000

/**
 * One point in time, by both clocks: whichever reaches it first counts, so sleep or a changed clock can only make it
 * earlier.
 */
export class RefreshTimer {
  readonly #clock: Clock
  readonly #onDue: () => void
  #due: { atMs: number; monotonicMs: number } | null = null
  #cancel: (() => void) | null = null

  constructor(clock: Clock, onDue: () => void) {
    this.#clock = clock
    this.#onDue = onDue
  }

  /** Unix milliseconds; null when nothing is scheduled. */
  get atMs(): number | null {
    return this.#due?.atMs ?? null
  }

  /** Replaces the time set before; null cancels it. */
  set(delayMs: number | null): void {
    this.#cancel?.()
    this.#cancel = null
    const clock = this.#clock
    this.#due =
      delayMs === null
        ? null
        : { atMs: Math.round(clock.nowMs() + delayMs), monotonicMs: clock.monotonicMs() + delayMs }
    this.#arm()
  }

  /** Whether the time passed unnoticed, as happens while the machine sleeps. */
  get isMissed(): boolean {
    return this.#due !== null && this.#clock.nowMs() > this.#due.atMs + MAX_TIMER_MS
  }

  #arm(): void {
    if (this.#due === null) return
    const { atMs, monotonicMs } = this.#due
    const leftMs = Math.min(atMs - this.#clock.nowMs(), monotonicMs - this.#clock.monotonicMs())
    this.#cancel = this.#clock.setTimer(Math.min(Math.max(leftMs, 0), MAX_TIMER_MS), () => {
      this.#cancel = null
      if (this.#clock.nowMs() < atMs && this.#clock.monotonicMs() < monotonicMs) return this.#arm()
      this.#onDue()
    })
  }
}
