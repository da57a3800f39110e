export interface HoldBackDeps<Message> {
  monotonicMs: () => number
  setTimer: (delayMs: number, callback: () => void) => void
  take: (message: Message) => void
}

/** So long after the last movement, the page stands still. */
const STILL_MS = 120
/** Nothing waits longer, however long the interaction lasts. Below what makes the shell think that the page has fallen behind. */
const LONGEST_MS = 400

/**
 * Gives messages on in their order: at once, or while the page is being scrolled a little later and together, since each of
 * them would cost the frames of the movement.
 */
export class HoldBack<Message> {
  readonly #deps: HoldBackDeps<Message>
  #waiting: Message[] = []
  #sinceMs = 0
  #movedAtMs = -Infinity

  constructor(deps: HoldBackDeps<Message>) {
    this.#deps = deps
  }

  /** Something is being scrolled. */
  moved(): void {
    this.#movedAtMs = this.#deps.monotonicMs()
  }

  push(message: Message): void {
    this.#waiting.push(message)
    if (this.#waiting.length > 1) return
    this.#sinceMs = this.#deps.monotonicMs()
    this.#giveOn()
  }

  #giveOn(): void {
    const nowMs = this.#deps.monotonicMs()
    const waitMs = Math.min(this.#movedAtMs + STILL_MS, this.#sinceMs + LONGEST_MS) - nowMs
    if (waitMs > 0) return this.#deps.setTimer(waitMs, () => this.#giveOn())
    const given = this.#waiting
    this.#waiting = []
    for (const message of given) this.#deps.take(message)
  }
}
