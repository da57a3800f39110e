import type { EngineEvent } from '../../shared/contract/engine-port.ts'
import type { Logger } from '../../shared/runtime/ports.ts'

export class EngineEvents {
  readonly #log: Logger
  readonly #listeners = new Set<(event: EngineEvent) => void>()

  constructor(log: Logger) {
    this.#log = log
  }

  subscribe(listener: (event: EngineEvent) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  emit(event: EngineEvent): void {
    for (const listener of this.#listeners)
      try {
        listener(event)
      } catch (error) {
        // A failing listener must not undo or stop the change that it was notified of.
        this.#log.error('a listener failed', { error: String(error) })
      }
  }
}
