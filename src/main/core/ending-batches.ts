import type { BatchView } from '../../shared/contract/intake.ts'
import type { JobCounts, JobView } from '../../shared/contract/jobs.ts'
import { END_STATES, hasEnded } from '../../shared/sentences/job-states.ts'
import type { JobState } from '../../shared/sentences/reasons.ts'

/** How often a batch is looked at of which nothing tells when it ends. */
const AGAIN_MS = 2000

/** Finds the batches that may have ended, each once, and again after a job joined it or was retried. Times are monotonic milliseconds. */
export class EndingBatches {
  /** When to look at each. */
  readonly #lookAtMs = new Map<string, number>()
  readonly #ended = new Set<string>()
  readonly #quietMs: number

  /** A batch without events for `quietMs` is looked at: more of its jobs may be about to end. */
  constructor(quietMs: number) {
    this.#quietMs = quietMs
  }

  /** `left`: the batch that the job was moved out of, which may have waited for it alone. */
  job(
    { batchId, state }: Pick<JobView, 'batchId' | 'state'>,
    from: JobState | null,
    atMs: number,
    left?: string,
  ): void {
    if (left !== undefined) this.#lookLater(left, atMs + this.#quietMs)
    if (from === null || !hasEnded(state)) this.#ended.delete(batchId)
    if (!hasEnded(state)) this.#lookAtMs.delete(batchId)
    else if (from !== state) this.#lookLater(batchId, atMs + this.#quietMs)
  }

  /** A command that found nothing new has no jobs and ends all the same. */
  batch({ id, open }: Pick<BatchView, 'id' | 'open'>, atMs: number): void {
    if (!open) this.#lookLater(id, atMs + this.#quietMs)
  }

  /** Batches to look at now. */
  due(atMs: number): string[] {
    const due = [...this.#lookAtMs].filter(([, ms]) => ms <= atMs).map(([id]) => id)
    for (const id of due) this.#lookAtMs.delete(id)
    return due
  }

  /** It was looked at and has ended. False if it is to be looked at again: another job ended meanwhile. */
  ended(id: string): boolean {
    if (this.#lookAtMs.has(id)) return false
    this.#ended.add(id)
    return true
  }

  /** It is to be looked at once more: all its jobs have ended while more may come, or its jobs could not be counted. */
  lookAgain(id: string, atMs: number): void {
    this.#lookLater(id, atMs + AGAIN_MS)
  }

  nextAtMs(): number {
    return Math.min(Infinity, ...this.#lookAtMs.values())
  }

  #lookLater(id: string, atMs: number): void {
    if (!this.#ended.has(id)) this.#lookAtMs.set(id, atMs)
  }
}

/** Whether every job of a batch has ended. A held one has not: it goes on when its reason is gone. */
export function allEnded(counts: JobCounts): boolean {
  const ended = END_STATES.reduce((sum, state) => sum + counts[state], 0)
  return Object.values(counts).reduce((sum, count) => sum + count, 0) === ended
}
