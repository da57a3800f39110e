import type { Notice, UiDelta, UiMessage, UiState } from '../../shared/ui-contract.ts'

/** So many messages may be on their way; a page that falls behind further gets a fresh snapshot once it is heard of. */
export const MOST_UNACKNOWLEDGED = 8
/** Notices are no part of the state, so they are kept for a page that fell behind; more than this nobody reads. */
const MOST_KEPT_NOTICES = 50

/** One page's end of the stream. */
export interface UiConnection {
  /** Every message up to this one was worked in. Numbers that were never sent are ignored. */
  acknowledge(seq: number): void
  close(): void
}

export type DeltaBody = Omit<UiDelta, 'type' | 'seq'>

/**
 * One page's stream: a snapshot first, then deltas, numbered one by one. While eight are unacknowledged nothing is sent and
 * nothing is kept; the next acknowledgement is answered with a snapshot. `send` that throws ends the stream.
 */
export class EventStream {
  readonly #send: (message: UiMessage) => void
  readonly #state: () => UiState
  #seq = 0
  #acknowledged = 0
  #isBehind = false
  #isClosed = false
  #kept: Notice[] = []

  /** `state` may push what was not told yet to all streams; one that is behind keeps nothing of it but notices. */
  constructor(send: (message: UiMessage) => void, state: () => UiState) {
    this.#send = send
    this.#state = state
    this.#snapshot()
  }

  get isClosed(): boolean {
    return this.#isClosed
  }

  push(delta: DeltaBody): void {
    if (!this.#isBehind && this.#seq - this.#acknowledged >= MOST_UNACKNOWLEDGED) this.#isBehind = true
    if (this.#isBehind) this.#kept = [...this.#kept, ...delta.notices].slice(-MOST_KEPT_NOTICES)
    else this.#out({ type: 'delta', seq: this.#next(), ...delta })
  }

  /** Means every message up to this one; a number that was never sent, or was acknowledged before, means nothing. */
  acknowledge(seq: number): void {
    if (!Number.isSafeInteger(seq) || seq <= this.#acknowledged || seq > this.#seq) return
    this.#acknowledged = seq
    if (!this.#isBehind) return
    this.#snapshot()
    this.#isBehind = false
    const notices = this.#kept
    this.#kept = []
    if (notices.length > 0) this.push({ state: {}, added: [], rows: [], stale: false, notices })
  }

  close(): void {
    this.#isClosed = true
  }

  #snapshot(): void {
    this.#out({ type: 'snapshot', seq: this.#next(), state: this.#state() })
  }

  #next(): number {
    this.#seq += 1
    return this.#seq
  }

  #out(message: UiMessage): void {
    if (this.#isClosed) return
    try {
      this.#send(message)
    } catch {
      // Who cannot be sent to is gone.
      this.#isClosed = true
    }
  }
}
