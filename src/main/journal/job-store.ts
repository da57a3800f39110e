import { Job } from '../../shared/jobs/job.ts'
import { SETTLED_STATES } from '../../shared/jobs/job-list.ts'
import { NO_JOBS } from '../../shared/presentation/progress-figures.ts'
import { type JobState, MAX_DETAIL_CHARS } from '../../shared/sentences/reasons.ts'
import { nameKey } from '../core/naming.ts'
import { shownResult } from '../core/published-output.ts'
import { isDurable, transition, type JobEvent } from '../core/transition.ts'
import { parseStored, quarantine } from './documents.ts'
import { conditions, type JobQuery } from './job-query.ts'
import { type Db, durably, prepared, transact } from './journal.ts'
import { recordOutput } from './outputs.ts'
import { lastDispatch, updatePayment } from './payments.ts'
import { anyRemoved, NOT_REMOVED, purgeRemoved, putBackRemoved, removeEnded, type Removal } from './removed-jobs.ts'
import { updateReview } from './reviews.ts'

/** One change of one job, after it is in the journal. `from` is null for a new job. */
export interface JobChange {
  job: Job
  from: JobState | null
  /** Change in the number of jobs whose texts need a review. */
  toReview: number
  /** The batch that it was moved out of. */
  left?: string
}

interface JobRow {
  id: string
  state: JobState
  paid_key: string | null
  path: string
  doc: string
}
const ROW = 'SELECT id, state, paid_key, path, doc FROM jobs'

/** Worded as the condition of the index `jobs_settled`. */
const SETTLED = `state IN (${SETTLED_STATES.map((state) => `'${state}'`).join(', ')})`
const CLEARED_AT_ONCE = 200
const PAGE = 500
const AFTER_ALL_IDS = '\u{10ffff}'

/** The job to be changed is no longer in the journal, or was removed from the list. */
export class JobGone extends Error {
  constructor(id: string) {
    super(`no job ${id}`)
    this.name = 'JobGone'
  }
}

/**
 * The jobs in the journal. Only `apply` changes a job: it checks that the change is legal, writes it with payment, dispatch, outputs
 * and history in one transaction, then tells the listener.
 */
export class JobStore {
  readonly #db: Db
  readonly #nowMs: () => number
  readonly #onChange: (change: JobChange) => void
  readonly #onGone: (jobs: number) => void

  /** How many jobs are in each state; null when it must be counted again. */
  #tally: Record<JobState, number> | null = null
  /** The jobs that wait for a service, by id; null when they must be read again. */
  #waiting: Map<string, Job> | null = null
  /** The journal has removed jobs: every query leaves them out. */
  #hides: boolean

  /** `onGone` is called with jobs that left the list because a newer one of the same file replaced them. */
  constructor(
    db: Db,
    nowMs: () => number,
    onChange: (change: JobChange) => void = () => undefined,
    onGone: (jobs: number) => void = () => undefined,
  ) {
    this.#db = db
    this.#nowMs = nowMs
    this.#onChange = onChange
    this.#onGone = onGone
    this.#hides = anyRemoved(db)
  }

  /** Stores a new job, and removes earlier ones of the same file that ended without a result. */
  insert(given: Job): void {
    const job = cutDetails(given)
    const gone = transact(this.#db, () => {
      const forgotten = this.#forget(job.source.path)
      this.#write(job)
      this.#note(job, 'found')
      return forgotten
    })
    this.#left(gone)
    this.#keep(null, job)
    if (gone.length > 0) this.#onGone(gone.length)
    this.#onChange({ job, from: null, toReview: 0 })
  }

  /** Removes jobs of a file that ended without a result: the file needs nothing, or has a newer job. */
  forgetEnded(path: string): void {
    const gone = transact(this.#db, () => this.#forget(path))
    this.#left(gone)
    if (gone.length > 0) this.#onGone(gone.length)
  }

  /** The states of those that were on the list. */
  #forget(path: string): JobState[] {
    const which = `path = ? AND state IN ('skipped', 'failed', 'cancelled')`
    const onList = `SELECT state FROM jobs WHERE ${which}${this.#hides ? ` AND ${NOT_REMOVED}` : ''}`
    const ended = prepared<[string], JobState>(this.#db, onList).pluck(true).all(path)
    if (ended.length === 0 && !this.#hides) return []
    prepared(this.#db, `DELETE FROM job_events WHERE job_id IN (SELECT id FROM jobs WHERE ${which})`).run(path)
    prepared(this.#db, `DELETE FROM jobs WHERE ${which}`).run(path)
    return ended
  }

  /** Moves a job that is under way to another batch, because its picture was added again. */
  move(id: string, batchId: string): void {
    const job = this.get(id)
    if (job === null || job.batchId === batchId) return
    const moved = { ...job, batchId }
    transact(this.#db, () => this.#write(moved))
    this.#keep(job.state, moved)
    this.#onChange({ job: moved, from: job.state, toReview: 0, left: job.batchId })
  }

  /** A row that no longer parses or agrees with itself goes to quarantine. */
  get(id: string): Job | null {
    const sql = `${ROW} WHERE id = ?${this.#hides ? ` AND ${NOT_REMOVED}` : ''}`
    const row = prepared<[string], JobRow>(this.#db, sql).get(id)
    return row === undefined ? null : this.#parse(row)
  }

  /** Like `get`, but also finds removed jobs: for display, never for work. */
  getAny(id: string): Job | null {
    const row = prepared<[string], JobRow>(this.#db, `${ROW} WHERE id = ?`).get(id)
    return row === undefined ? null : this.#parse(row)
  }

  /**
   * Applies one event. `alongside` runs in the same transaction. Throws `JobGone`, `IllegalTransition`,
   * `AlreadyDispatched`, and whatever the disk throws; then nothing has changed.
   */
  apply(id: string, event: JobEvent, alongside: () => void = () => undefined): Job {
    let before: Job | null = null
    let after: Job | null = null
    let toReview = 0
    const change = () => {
      before = this.get(id)
      if (before === null) throw new JobGone(id)
      after = cutDetails(this.#dated(before, transition(before, event, this.#nowMs()), event))
      updatePayment(this.#db, before, after, event)
      toReview = updateReview(this.#db, before, after, event)
      if (event.type === 'planned' || event.type === 'rewritten' || event.type === 'renamed')
        recordOutput(this.#db, event.output, after.source.path, after.id)
      if (event.type === 'published')
        for (const output of event.outputs) recordOutput(this.#db, output, after.source.path, after.id)
      this.#write(after)
      if (after.state !== before.state || isNews(before, after)) this.#note(after, event.type)
      alongside()
    }
    if (isDurable(event)) durably(this.#db, change)
    else transact(this.#db, change)
    this.#keep(before!.state, after!)
    this.#onChange({ job: after!, from: before!.state, toReview })
    return after!
  }

  /** An order to send again covers what was sent until now, and nothing later. A retry of what is only held is none. */
  #dated(before: Job, job: Job, event: JobEvent): Job {
    const isOrder = event.type === 'retry' ? before.state !== 'held' : ['resend', 'sendAgain'].includes(event.type)
    if (!isOrder) return job
    return job.paidKey === null ? job : { ...job, approvalCovers: lastDispatch(this.#db, job.paidKey) }
  }

  /** Oldest first, unless the query says otherwise. */
  list(query: JobQuery = {}): Job[] {
    const { states } = query
    if (query.removed !== true && states?.some((state) => this.#tallied()[state] > 0) === false) return []
    return this.#rows(query)
      .map((row) => this.#parse(row))
      .filter((job) => job !== null)
  }

  #rows(query: JobQuery): JobRow[] {
    const { where, values } = conditions(query, this.#hides)
    const sql = `${ROW} ${where} ORDER BY id ${query.newestFirst === true ? 'DESC' : 'ASC'} LIMIT ?`
    return prepared<unknown[], JobRow>(this.#db, sql).all(...values, query.limit ?? -1)
  }

  *each(query: Omit<JobQuery, 'afterId' | 'limit'> = {}): Iterable<Job> {
    let afterId: string | undefined = query.newestFirst === true ? AFTER_ALL_IDS : ''
    while (afterId !== undefined) {
      const rows = this.#rows({ ...query, afterId, limit: PAGE })
      for (const row of rows) {
        const job = this.#parse(row)
        if (job !== null) yield job
      }
      afterId = rows.at(-1)?.id
    }
  }

  /** Jobs that wait for a service, oldest first. In memory, as it is asked at each change of each job. */
  waitingAt(serviceId: string): Job[] {
    this.#waiting ??= new Map(this.list({ states: ['waiting'] }).map((job) => [job.id, job]))
    return [...this.#waiting.values()]
      .filter((job) => job.serviceId === serviceId)
      .sort((a, b) => (a.id < b.id ? -1 : 1))
  }

  /** Jobs were changed in the journal by something else, such as a move of their folder. */
  readAgain(): void {
    this.#waiting = null
    this.#recount()
  }

  /** The number of matching jobs; stops counting at `most`. */
  countUpTo(most: number, query: JobQuery): number {
    const { where, values } = conditions(query, this.#hides)
    const sql = `SELECT count(*) AS n FROM (SELECT 1 FROM jobs ${where} LIMIT ?)`
    return prepared<unknown[], { n: number }>(this.#db, sql).get(...values, most)?.n ?? 0
  }

  /** The number of matching jobs in each state; that of all jobs is in memory. */
  count(query: JobQuery = {}): Record<JobState, number> {
    if (Object.values(query).some((value) => value !== undefined) || this.#db.readonly) return this.#read(query)
    return { ...this.#tallied() }
  }

  #read(query: JobQuery): Record<JobState, number> {
    const { where, values } = conditions(query, this.#hides)
    const sql = `SELECT state, count(*) AS n FROM jobs ${where} GROUP BY state`
    const rows = prepared<unknown[], { state: JobState; n: number }>(this.#db, sql).all(...values)
    const counts = { ...NO_JOBS }
    for (const row of rows) counts[row.state] = row.n
    return counts
  }

  /** Deletes some jobs that have settled and not changed since `beforeMs`; payments and outputs stay known. Returns how many. */
  clearSettled(beforeMs: number): number {
    // Removed jobs can be put back; `purge` deletes them.
    const which = `${SETTLED} AND updated_at_ms < ?${this.#hides ? ` AND ${NOT_REMOVED}` : ''}`
    const sql = `SELECT id, state FROM jobs INDEXED BY jobs_settled WHERE ${which} ORDER BY updated_at_ms LIMIT ?`
    const rows = prepared<unknown[], { id: string; state: JobState }>(this.#db, sql).all(beforeMs, CLEARED_AT_ONCE)
    transact(this.#db, () => {
      for (const { id } of rows) {
        prepared(this.#db, 'DELETE FROM job_events WHERE job_id = ?').run(id)
        prepared(this.#db, 'DELETE FROM jobs WHERE id = ?').run(id)
      }
    })
    this.#left(rows.map(({ state }) => state))
    return rows.length
  }

  /** Removes ended jobs from the list; `putBack` with the same id undoes that until `purge`. */
  remove(which: Removal, undoId: string): ReturnType<typeof removeEnded> {
    const outcome = removeEnded(this.#db, which, undoId, this.#nowMs())
    this.#recount()
    return outcome
  }

  putBack(which: { undoId: string | null; ids: readonly string[] }): number {
    const putBack = putBackRemoved(this.#db, which)
    this.#recount()
    return putBack
  }

  /** Deletes some of what was removed before a time; false when nothing is left. */
  purge(beforeMs: number): boolean {
    if (!this.#hides) return false
    const more = purgeRemoved(this.#db, beforeMs)
    // Removed jobs are in no list and no count.
    if (!more) this.#hides = anyRemoved(this.#db)
    return more
  }

  #recount(): void {
    this.#tally = null
    this.#hides = anyRemoved(this.#db)
  }

  #tallied(): Record<JobState, number> {
    this.#tally ??= this.#read({})
    return this.#tally
  }

  /** Keeps what is in memory in step with a job that was written. */
  #keep(from: JobState | null, job: Job): void {
    this.#moved(from, job.state)
    if (job.state === 'waiting') this.#waiting?.set(job.id, job)
    else this.#waiting?.delete(job.id)
  }

  /** Jobs in these states are gone, now that the journal says so. */
  #left(states: readonly JobState[]): void {
    for (const state of states) this.#moved(state, null)
  }

  #moved(from: JobState | null, to: JobState | null): void {
    if (this.#tally === null || from === to) return
    if (from !== null) this.#tally[from] -= 1
    if (to !== null) this.#tally[to] += 1
  }

  #write(job: Job): void {
    const sql = `INSERT INTO jobs (id, batch_id, folder_id, path, sha256, signature, service_id, paid_key, state, reason,
           not_before_ms, created_at_ms, updated_at_ms, doc, name_key, size_bytes, after_bytes)
         VALUES (:id, :batchId, :folderId, :path, :sha256, :signature, :serviceId, :paidKey, :state, :reason,
           :notBeforeMs, :createdAtMs, :updatedAtMs, :doc, :nameKey, :sizeBytes, :afterBytes)
         ON CONFLICT (id) DO UPDATE SET state = excluded.state, reason = excluded.reason, paid_key = excluded.paid_key,
           service_id = excluded.service_id, batch_id = excluded.batch_id, not_before_ms = excluded.not_before_ms,
           updated_at_ms = excluded.updated_at_ms, doc = excluded.doc, size_bytes = excluded.size_bytes,
           after_bytes = excluded.after_bytes`
    prepared(this.#db, sql).run({
      ...job,
      ...job.source,
      sha256: job.image?.sha256 ?? null,
      reason: job.reason?.code ?? null,
      doc: JSON.stringify(job),
      nameKey: nameKey(job.source.path),
      afterBytes: shownResult(job.outputs)?.sizeBytes ?? null,
    })
  }

  #note(job: Job, event: string): void {
    const sql = 'INSERT INTO job_events (job_id, at_ms, event, state, reason, detail) VALUES (?, ?, ?, ?, ?, ?)'
    prepared(this.#db, sql).run(job.id, job.updatedAtMs, event, job.state, job.reason?.code ?? null, detailOf(job))
  }

  #parse(row: JobRow): Job | null {
    const parsed = parseJob(row)
    if (parsed.job !== null) return parsed.job
    if (this.#db.readonly) return null
    this.#tally = null
    this.#waiting = null
    transact(this.#db, () => {
      quarantine(this.#db, { source: 'jobs', key: row.id, why: parsed.why, doc: row.doc })
      prepared(this.#db, 'DELETE FROM jobs WHERE id = ?').run(row.id)
    })
    return null
  }
}

/** Whether a wait deserves a line in the history: a repetition of the same one does not. */
function isNews(before: Job, after: Job): boolean {
  return after.reason?.code !== before.reason?.code || detailOf(after) !== detailOf(before)
}

function detailOf({ reason }: Job): string | null {
  return reason?.detail == null ? null : JSON.stringify(reason.detail)
}

function parseJob({ id, state, paid_key, path, doc }: JobRow): { job: Job; why: null } | { job: null; why: string } {
  const { value: job, why } = parseStored(doc, Job)
  if (why !== null) return { job: null, why }
  const agrees = job.id === id && job.source.path === path && job.state === state && job.paidKey === paid_key
  return agrees ? { job, why: null } : { job: null, why: 'is of another job, or of another time' }
}

/** Cuts long messages of a service or a decoder: a row with a longer one would not parse when it is read. */
function cutDetails(job: Job): Job {
  const { reason, notes } = job
  const said = JSON.stringify({ reason, notes })
  if (said.length <= MAX_DETAIL_CHARS) return job
  const cut = (_: string, value: unknown) =>
    typeof value === 'string' ? value.slice(0, MAX_DETAIL_CHARS).toWellFormed() : value
  return { ...job, ...(JSON.parse(said, cut) as Pick<Job, 'reason' | 'notes'>) }
}
