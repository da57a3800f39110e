interface ScrollBufferDeps<Message> {
  monotonicMs: () => number
  setTimer: (delayMs: number, callback: () => void) => void
  deliver: (message: Message) => void
}

/** How long after the last scroll event the page counts as still. */
const STILL_MS = 120
/**
 * The longest delay, however long the interaction lasts. Below the time after which the shell takes the page for one that has
 * fallen behind.
 */
const LONGEST_MS = 400

/**
 * Passes messages on in order: at once, or batched with a delay while the page is being scrolled, because handling each one
 * would drop frames.
 */
export class ScrollBuffer<Message> {
  readonly #deps: ScrollBufferDeps<Message>
  #waiting: Message[] = []
  #sinceMs = 0
  #scrolledAtMs = -Infinity

  constructor(deps: ScrollBufferDeps<Message>) {
    this.#deps = deps
  }

  /** Call on every scroll event. */
  scrolled(): void {
    this.#scrolledAtMs = this.#deps.monotonicMs()
  }

  push(message: Message): void {
    this.#waiting.push(message)
    if (this.#waiting.length > 1) return
    this.#sinceMs = this.#deps.monotonicMs()
    this.#flush()
  }

  #flush(): void {
    const nowMs = this.#deps.monotonicMs()
    const waitMs = Math.min(this.#scrolledAtMs + STILL_MS, this.#sinceMs + LONGEST_MS) - nowMs
    if (waitMs > 0) return this.#deps.setTimer(waitMs, () => this.#flush())
    const given = this.#waiting
    this.#waiting = []
    for (const message of given) this.#deps.deliver(message)
  }
}
