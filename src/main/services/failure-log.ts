import type { HttpOutcome, Logger } from '../../shared/runtime/ports.ts'

/** What is known of a failed request stands in the log once, not with each try, until the host answers again. */
export class FailureLog {
  readonly #log: Logger
  /** The last failure of each host that has not answered since. */
  readonly #last = new Map<string, string>()

  constructor(log: Logger) {
    this.#log = log
  }

  note(url: URL, outcome: HttpOutcome<unknown>): void {
    const { host } = url
    if (outcome.kind === 'response') {
      if (this.#last.delete(host)) this.#log.info('a service answers again', { host })
      return
    }
    const { code, message } = outcome.error
    // Given up here, by a person or by quitting: it says nothing of the service.
    if (code === 'aborted' || this.#last.get(host) === message) return
    this.#last.set(host, message)
    this.#log.warn('a service did not answer', { host, error: message })
  }

  /** An error that no network has. The message that people see does not have its words, which may be anything. */
  unexpected(url: URL, error: unknown): void {
    this.#log.error('a request could not be made', { host: url.host, error: String(error) })
  }
}
