/** What the service does about its limit: counts arrivals in fixed windows of a minute and refuses what is over. */
export class CountingServer {
  readonly #limit: number
  readonly #windowStartMs: number
  readonly #perWindow = new Map<number, number>()
  readonly #arrivalsMs: number[] = []
  refused = 0

  /** Windows begin at `windowStartMs` and every minute from there. */
  constructor(limit: number, windowStartMs: number) {
    this.#limit = limit
    this.#windowStartMs = windowStartMs
  }

  /** Counts one arrival: null when it is served, else how long to wait (whole seconds, as in the 429's body), in ms. */
  count(atMs: number): number | null {
    const window = Math.floor((atMs - this.#windowStartMs) / 60_000)
    const counted = (this.#perWindow.get(window) ?? 0) + 1
    this.#perWindow.set(window, counted)
    this.#arrivalsMs.push(atMs)
    if (counted <= this.#limit) return null
    this.refused += 1
    return Math.ceil((this.#windowStartMs + (window + 1) * 60_000 - atMs) / 1000) * 1000
  }

  /** The most arrivals in any stretch of 60 s, however it lies. */
  mostInTrailingMinute(): number {
    const sorted = [...this.#arrivalsMs].sort((a, b) => a - b)
    let first = 0
    let most = 0
    sorted.forEach((arrivedMs, last) => {
      while (arrivedMs - (sorted[first] ?? 0) >= 60_000) first += 1
      most = Math.max(most, last - first + 1)
    })
    return most
  }
}
