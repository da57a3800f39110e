import type { EngineEvent } from '../../src/shared/contract/engine-port.ts'
import type { Job } from '../../src/shared/jobs/job.ts'
import type { JobState } from '../../src/shared/sentences/reasons.ts'
import { viewOf } from '../../src/main/engine/calls/job-view.ts'
import { JobStore } from '../../src/main/journal/job-store.ts'
import { type Db, prepared } from '../../src/main/journal/journal.ts'
import { idOf, jobOf } from './seed-journal.ts'

const WAY: readonly JobState[] = ['ready', 'sending', 'waiting', 'fetching', 'writing', 'done']
/** As many jobs are under way at once; the newest ones, so that what is on the screen changes. */
const UNDER_WAY = 400
const FIRST_NEW = 900_000

/** Changes jobs in the journal as fast as asked, by transitions that need no service. */
export class JobMover {
  readonly #db: Db
  readonly #emit: (event: EngineEvent) => void
  readonly #store: JobStore
  readonly #jobs: Job[]
  #turn = 0
  #added = 0

  constructor(db: Db, emit: (event: EngineEvent) => void) {
    this.#db = db
    this.#emit = emit
    this.#store = new JobStore(
      db,
      () => Date.now(),
      ({ job, from, toReview }) => emit({ type: 'job', job: viewOf(db, job), from, toReview }),
    )
    this.#jobs = this.#store.list({ newestFirst: true, limit: UNDER_WAY })
  }

  move(changes: number, added: number): void {
    if (this.#jobs.length === 0 || changes + added === 0) return
    this.#db.transaction(() => {
      for (let n = 0; n < changes; n += 1) this.#change()
      for (let n = 0; n < added; n += 1) this.#add()
    })()
  }

  #change(): void {
    const at = (this.#turn * 7) % this.#jobs.length
    this.#turn += 1
    const before = this.#jobs[at]!
    const state = WAY[(WAY.indexOf(before.state) + 1) % WAY.length]!
    const job: Job = { ...before, state, reason: null, resume: null, updatedAtMs: Date.now() }
    this.#jobs[at] = job
    prepared(this.#db, 'UPDATE jobs SET state = ?, reason = NULL, updated_at_ms = ?, doc = ? WHERE id = ?').run(
      state,
      job.updatedAtMs,
      JSON.stringify(job),
      job.id,
    )
    this.#emit({ type: 'job', job: viewOf(this.#db, job), from: before.state, toReview: 0 })
  }

  #add(): void {
    const n = FIRST_NEW + this.#added
    this.#added += 1
    const nowMs = Date.now()
    const source = jobOf(n, idOf(n, nowMs), '/pictures', nowMs)
    this.#store.insert({ ...source, state: 'ready', reason: null, resume: null, result: null, outputs: [] })
  }
}
