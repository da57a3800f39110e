import type { JobView } from '../../shared/contract.ts'
import type { JobRow } from '../../shared/ui-contract.ts'
import { rowOf } from './job-row.ts'

/** In one message; beyond these a page does better to ask again for what it shows. */
export const MOST_ROWS = 200
export const MOST_ADDED = 2000

/** What happened to the jobs since the message before: the latest of each, and never more than a message holds. */
export class JobChanges {
  readonly #changed = new Map<string, JobView>()
  #added: string[] = []
  #isStale = false

  get isEmpty(): boolean {
    return this.#changed.size === 0 && this.#added.length === 0 && !this.#isStale
  }

  changed(job: JobView, isNew: boolean): void {
    // Taken out first, so that the newest change is the last.
    this.#changed.delete(job.id)
    this.#changed.set(job.id, job)
    if (this.#changed.size > MOST_ROWS) {
      this.#isStale = true
      const [oldest] = this.#changed.keys()
      if (oldest !== undefined) this.#changed.delete(oldest)
    }
    if (!isNew) return
    if (this.#added.length < MOST_ADDED) this.#added.push(job.id)
    else this.#isStale = true
  }

  /** Lists are to be asked for again. */
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
