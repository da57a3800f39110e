/**
 * Counts requests per key in fixed windows of one minute (both documents, "Limits"). A window starts with the first
 * request after the last one ended; a refused request is not counted.
 */
export class FixedWindow {
  limit: number
  readonly #windowMs: number
  readonly #windows = new Map<string, { startedAtMs: number; count: number }>()

  constructor(limit: number, windowMs = 60_000) {
    this.limit = limit
    this.#windowMs = windowMs
  }

  /** Null when the request may pass, otherwise the milliseconds until the window ends. `nowMs` is monotonic. */
  take(key: string, nowMs: number): number | null {
    let window = this.#windows.get(key)
    if (!window || nowMs - window.startedAtMs >= this.#windowMs) {
      window = { startedAtMs: nowMs, count: 0 }
      this.#windows.set(key, window)
    }
    if (window.count >= this.limit) return window.startedAtMs + this.#windowMs - nowMs
    window.count += 1
    return null
  }
}
