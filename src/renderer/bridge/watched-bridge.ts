import type { Result } from '../../shared/contract/call.ts'
import type { UiBridge, UiCalls } from '../../shared/contract/page-bridge.ts'
import type { Place } from '../../shared/contract/places.ts'
import type { UiMessage } from '../../shared/contract/stream.ts'
import { useConnection } from './connection.ts'

/** How long a call or the first message may take before the page finds out whether anything is answered at all. */
const PATIENCE_MS = 1000
/** How long that question may take: a person is told within three seconds. */
const ANSWER_MS = 1500
/** Silence this long ends the connection, where it can be made again. */
const SILENT_MS = 10_000

/**
 * Notices when nothing answers any more, which a connection that is merely open does not say: a stopped server, a broken network,
 * a main process that hangs. It asks only while something is being waited for, so a page at rest costs nothing; a call that takes
 * its time, such as one with a dialog of the system, is no silence while others are answered.
 */
export class WatchedBridge implements UiBridge {
  readonly calls: UiCalls
  readonly #bridge: UiBridge
  readonly #onLongSilence: () => void
  readonly #firstMs: number
  #heard = 0
  #isAsking = false

  /** `firstMs`: how long the first message may take. */
  constructor(bridge: UiBridge, onLongSilence: () => void = () => undefined, firstMs = PATIENCE_MS + ANSWER_MS) {
    this.#bridge = bridge
    this.#onLongSilence = onLongSilence
    this.#firstMs = firstMs
    this.calls = new Proxy({} as UiCalls, {
      get: (_, name) => (request: never) => this.#watch<Result<unknown>>(bridge.calls[name as keyof UiCalls](request)),
    })
  }

  onMessage(listener: (message: UiMessage) => void): () => void {
    const before = this.#heard
    const timer = setTimeout(() => {
      if (this.#heard === before) useConnection.setState({ isSilent: true })
    }, this.#firstMs)
    const stop = this.#bridge.onMessage((message) => {
      this.#hear()
      listener(message)
    })
    return () => {
      clearTimeout(timer)
      stop()
    }
  }

  acknowledge(seq: number): void {
    this.#bridge.acknowledge(seq)
  }

  placesOf(files: readonly File[]): Promise<Result<{ places: Place[] }>> {
    return this.#watch(this.#bridge.placesOf(files))
  }

  #watch<Value>(answer: Promise<Value>): Promise<Value> {
    const timer = setInterval(() => this.#ask(), PATIENCE_MS)
    const over = (): void => {
      clearInterval(timer)
      this.#hear()
    }
    answer.then(over, over)
    return answer
  }

  /** What fails at once because there is no connection is no answer. */
  #hear(): void {
    if (useConnection.getState().state !== 'open') return
    this.#heard += 1
    if (useConnection.getState().isSilent) useConnection.setState({ isSilent: false })
  }

  /** One question at a time, however many calls wait. */
  #ask(): void {
    if (this.#isAsking) return
    this.#isAsking = true
    const before = this.#heard
    const unlessHeard = (delayMs: number, act: () => void) =>
      setTimeout(() => {
        if (this.#heard === before) act()
      }, delayMs)
    const timers = [
      unlessHeard(ANSWER_MS, () => useConnection.setState({ isSilent: true })),
      unlessHeard(SILENT_MS, this.#onLongSilence),
    ]
    const over = (): void => {
      for (const timer of timers) clearTimeout(timer)
      this.#isAsking = false
      this.#hear()
    }
    // Answered at once: it asks for nothing.
    this.#bridge.calls['jobs.rows']({ ids: [] }).then(over, over)
  }
}
