import type { Notice, UiDelta, UiMessage, UiState } from '../../shared/contract/stream.ts'
import type { JobRow, JobView } from '../../shared/contract/jobs.ts'
import { rowOf } from './job-row.ts'

/** A page that falls further behind gets a fresh snapshot at its next acknowledgement. */
export const MAX_UNACKNOWLEDGED = 8
/** Notices are not part of the state, so they are kept for a page that fell behind. */
const MAX_KEPT_NOTICES = 50

/** One page's end of the stream. */
export interface UiConnection {
  /** Every message up to this one was processed. Numbers that were never sent are ignored. */
  acknowledge(seq: number): void
  close(): void
}

type DeltaBody = Omit<UiDelta, 'type' | 'seq'>

/**
 * A snapshot, then deltas, numbered consecutively. While too many are unacknowledged only notices are kept, and the next acknowledgement
 * is answered with a snapshot. If `send` throws, the stream ends.
 */
export class EventStream {
  readonly #send: (message: UiMessage) => void
  readonly #state: () => UiState
  #seq = 0
  #acknowledged = 0
  #isBehind = false
  #isClosed = false
  #kept: Notice[] = []

  /** `state` may push pending changes to all streams. */
  constructor(send: (message: UiMessage) => void, state: () => UiState) {
    this.#send = send
    this.#state = state
    this.#snapshot()
  }

  get isClosed(): boolean {
    return this.#isClosed
  }

  push(delta: DeltaBody): void {
    if (!this.#isBehind && this.#seq - this.#acknowledged >= MAX_UNACKNOWLEDGED) this.#isBehind = true
    if (this.#isBehind) this.#kept = [...this.#kept, ...delta.notices].slice(-MAX_KEPT_NOTICES)
    else this.#out({ type: 'delta', seq: this.#next(), ...delta })
  }

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
      // A page that cannot be sent to is gone.
      this.#isClosed = true
    }
  }
}

/** Beyond these it is cheaper for a page to request its list again. */
export const MAX_ROWS = 200
export const MAX_ADDED = 2000

/** Changes since the previous message, the latest of each job, and never more than a message holds. */
export class JobChanges {
  readonly #changed = new Map<string, JobView>()
  #added: string[] = []
  #isStale = false

  get isEmpty(): boolean {
    return this.#changed.size === 0 && this.#added.length === 0 && !this.#isStale
  }

  changed(job: JobView, isNew: boolean): void {
    // Deleted first, so that the newest change comes last.
    this.#changed.delete(job.id)
    this.#changed.set(job.id, job)
    if (this.#changed.size > MAX_ROWS) {
      this.#isStale = true
      const [oldest] = this.#changed.keys()
      if (oldest !== undefined) this.#changed.delete(oldest)
    }
    if (!isNew) return
    if (this.#added.length < MAX_ADDED) this.#added.push(job.id)
    else this.#isStale = true
  }

  /** Pages must request their lists again. */
  lost(): void {
    this.#isStale = true
  }

  take(): { added: string[]; rows: JobRow[]; stale: boolean } {
    const taken = { added: this.#added, rows: [...this.#changed.values()].map(rowOf), stale: this.#isStale }
    this.#changed.clear()
    this.#added = []
    this.#isStale = false
    return taken
  }
}
