import type { Clock } from '../../shared/ports.ts'

/** No timer is longer: on some systems time stands still for timers while the machine sleeps. */
const LONGEST_LOOK_MS = 30_000

/** One time to come, by both clocks: whichever says first that it is there counts, so sleep and a set clock only hasten it. */
export class RefreshTimer {
  readonly #clock: Clock
  readonly #onDue: () => void
  #due: { atMs: number; monotonicMs: number } | null = null
  #cancel: (() => void) | null = null

  constructor(clock: Clock, onDue: () => void) {
    this.#clock = clock
    this.#onDue = onDue
  }

  /** Unix milliseconds; null when nothing is to come. */
  get atMs(): number | null {
    return this.#due?.atMs ?? null
  }

  /** Instead of what was set before; null for never. */
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

  /** Whether the time went by unnoticed, as it does while the machine sleeps. */
  get isMissed(): boolean {
    return this.#due !== null && this.#clock.nowMs() > this.#due.atMs + LONGEST_LOOK_MS
  }

  #arm(): void {
    if (this.#due === null) return
    const { atMs, monotonicMs } = this.#due
    const leftMs = Math.min(atMs - this.#clock.nowMs(), monotonicMs - this.#clock.monotonicMs())
    this.#cancel = this.#clock.setTimer(Math.min(Math.max(leftMs, 0), LONGEST_LOOK_MS), () => {
      this.#cancel = null
      if (this.#clock.nowMs() < atMs && this.#clock.monotonicMs() < monotonicMs) return this.#arm()
      this.#onDue()
    })
  }
}
