/** How long after the last scroll event the page counts as still. */
const STILL_MS = 120
/** The longest delay, however long a person scrolls. Below the time after which the shell takes the page for one that fell behind. */
const MAX_WAIT_MS = 400

/**
 * Passes messages on in order: at once, or batched with a delay while the page is being scrolled, because handling each one
 * would drop frames.
 */
export class ScrollBuffer<Message> {
  readonly #deliver: (message: Message) => void
  #waiting: Message[] = []
  #sinceMs = 0
  #scrolledAtMs = -Infinity

  constructor(deliver: (message: Message) => void) {
    this.#deliver = deliver
  }

  /** Call on every scroll event. */
  scrolled(): void {
    this.#scrolledAtMs = performance.now()
  }

  push(message: Message): void {
    this.#waiting.push(message)
    if (this.#waiting.length > 1) return
    this.#sinceMs = performance.now()
    this.#flush()
  }

  #flush(): void {
    const waitMs = Math.min(this.#scrolledAtMs + STILL_MS, this.#sinceMs + MAX_WAIT_MS) - performance.now()
    if (waitMs > 0) {
      setTimeout(() => this.#flush(), waitMs)
      return
    }
    const given = this.#waiting
    this.#waiting = []
    for (const message of given) this.#deliver(message)
  }
}
