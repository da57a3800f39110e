import type { EngineEvent, EngineEventBody } from '../../shared/contract/engine-port.ts'
import type { Logger } from '../../shared/ports.ts'

/** What the engine tells those who show it: events numbered without gaps, so that a snapshot says which are in it. */
export class EngineEvents {
  readonly #log: Logger
  readonly #listeners = new Set<(event: EngineEvent) => void>()
  /** The number of the last event. */
  seq = 0

  constructor(log: Logger) {
    this.#log = log
  }

  subscribe(listener: (event: EngineEvent) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  emit(event: EngineEventBody): void {
    this.seq += 1
    const numbered = { seq: this.seq, ...event }
    for (const listener of this.#listeners)
      try {
        listener(numbered)
      } catch (error) {
        // A listener that fails must not stop what has happened already.
        this.#log.error('a listener failed', { error: String(error) })
      }
  }
}

/** Lets a part be told of another that is made after it: the listeners are added once all parts exist. */
export class Signal<Args extends unknown[] = []> {
  readonly #listeners: ((...args: Args) => void)[] = []

  readonly emit = (...args: Args): void => {
    for (const listener of this.#listeners) listener(...args)
  }

  listen(listener: (...args: Args) => void): void {
    this.#listeners.push(listener)
  }
}
