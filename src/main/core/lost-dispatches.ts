import { RETRIES, retryMs } from './retries.ts'

/** Max dispatches under way: the most answers that one outage can lose. */
const MAX_DISPATCHES = 4
/** After this many lost in a row the next one leaves only after a wait. */
const MAX_LOST = 4

/** How to send to a service that may take no pictures (docs/decisions/0044-a-service-that-takes-no-pictures.md). Monotonic times. */
export class LostDispatches {
  #inARow: number
  /** Of those in a row, lost by an earlier start. */
  #before: number
  #sinceMs = 0
  #lastLostAtMs = -Infinity
  #nextAtMs: number | null = null
  /** Since a free call was last answered, one failed or could not be made. */
  #freeFailed = false

  /** `before`: how many in a row earlier starts lost. The next one leaves at once, alone; if it is lost too, the wait begins there. */
  constructor(before = 0) {
    this.#before = Math.min(before, MAX_LOST)
    this.#inARow = this.#before
  }

  /** How many may be under way. After a lost one, the next shows first whether the service takes pictures again. */
  get most(): number {
    return this.#inARow === 0 ? MAX_DISPATCHES : 1
  }

  /** Since when they have been lost, since this start. */
  get sinceMs(): number {
    return this.#sinceMs
  }

  /** When the next one may leave; null, or in the past, where nothing has to be waited for. */
  get nextAtMs(): number | null {
    return this.#nextAtMs
  }

  lost(nowMs: number): void {
    if (this.#inARow === this.#before) this.#sinceMs = nowMs
    this.#inARow += 1
    this.#lastLostAtMs = nowMs
    const failures = this.#inARow - MAX_LOST + 1
    if (failures > 0) this.#nextAtMs = nowMs + retryMs(RETRIES.lostDispatch, failures, () => 0)
  }

  /** The answer to one that left before another was lost says nothing about what is sent now. */
  accepted(leftAtMs: number): void {
    if (leftAtMs <= this.#lastLostAtMs) return
    this.#inARow = 0
    this.#before = 0
    this.#nextAtMs = null
  }

  freeFailed(): void {
    this.#freeFailed = true
  }

  /** If free calls had failed too, the outage is over: the first wait is not needed. Later ones are: that was tried before. */
  freeAnswered(): void {
    if (this.#freeFailed && this.#inARow === MAX_LOST) this.#nextAtMs = null
    this.#freeFailed = false
  }

  /** A person wants the next one to leave now. */
  tryNow(): void {
    this.#nextAtMs = null
  }
}
