import type { JobRow, JobView } from '../../shared/contract/jobs.ts'
import { rowOf } from './job-row.ts'

/** Limits of one message; beyond these it is cheaper for a page to request its list again. */
export const MAX_ROWS = 200
export const MAX_ADDED = 2000

/** Changes of jobs since the previous message: the latest of each job, and never more than a message holds. */
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

  /** Marks lists as stale: pages must request them again. */
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
