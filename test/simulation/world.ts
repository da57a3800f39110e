import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Background } from '../../src/shared/runtime/background.ts'
import type { Job } from '../../src/shared/jobs/job.ts'
import type { Clock, Logger } from '../../src/shared/runtime/ports.ts'
import { END_STATES } from '../../src/shared/sentences/job-states.ts'
import type { JobState } from '../../src/shared/sentences/reasons.ts'
import { Settings } from '../../src/shared/settings/settings.ts'
import { createBudget, RateBudgetState } from '../../src/main/core/rate-budget.ts'
import { canTake, type JobEvent } from '../../src/main/core/transition.ts'
import { batchCalls } from '../../src/main/engine/calls/queue-calls.ts'
import type { CallsDeps, HandlersOf } from '../../src/main/engine/calls/call-deps.ts'
import { jobCalls } from '../../src/main/engine/calls/job-calls.ts'
import { type Batch, findBatch, insertBatch, setOpen } from '../../src/main/journal/batches.ts'
import { stateBefore } from '../../src/main/journal/history.ts'
import type { QueueContext } from '../../src/main/queue/context.ts'
import { openQueue } from './open-queue.ts'
import { Documents } from '../../src/main/journal/documents.ts'
import { takeIn } from '../../src/main/queue/intake.ts'
import type { JobChange, JobStore } from '../../src/main/journal/job-store.ts'
import { openJournal, type Db } from '../../src/main/journal/journal.ts'
import { recover } from '../../src/main/queue/recovery.ts'
import type { Runner } from '../../src/main/queue/runner.ts'
import { makeBatch, makeRequest, SERVICE } from '../queue/make-job.ts'
import { MemoryFiles, picture } from './memory-files.ts'
import { SimulatedService, type ServiceWeather } from './simulated-service.ts'
import { settle, VirtualClock } from './virtual-clock.ts'

/** A second one, with an account of its own, for batches that are bound to it. */
export const OTHER_SERVICE = 'https://other.example'
/** A disk in memory where there is one: thousands of journals are made. */
const JOURNALS = existsSync('/dev/shm') ? '/dev/shm' : tmpdir()

/** Says nothing of what fails; tests of what is started and not awaited have their own. */
export const quietBackground = (): Background => new Background({ log: quiet, nowMs: () => 0 })

export const quiet: Logger = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
}

/** More pictures than this in a burst wait for a person. */
const ASK_ABOVE = 3
const CALLS = { cancel: 'jobs.cancel', retry: 'jobs.retry', reopen: 'jobs.reopen' } as const
const RESOLVED = { resend: 'resend', drop: 'drop', fetchAgain: 'fetch_again' } as const

interface Running {
  db: Db
  context: QueueContext
  calls: HandlersOf<'jobs'> & HandlersOf<'batches'>
  store: JobStore
  runner: Runner
  /** Over when the process is dead. */
  life: { over: boolean }
}

/** A small linear generator: the same seed gives the same world. */
export function seeded(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

/** The queue as it runs in the application, on a simulated disk, service and clock. It can crash and start again. */
export class World {
  readonly clock = new VirtualClock()
  readonly files = new MemoryFiles()
  readonly service: SimulatedService
  readonly otherService: SimulatedService
  readonly problems: string[] = []
  /** Dispatches that a person approved again. */
  approved = 0
  accountId = 'account-1'
  settings = Settings.parse({})
  readonly #dir = mkdtempSync(join(JOURNALS, 'hangar-world-'))
  readonly #random: () => number
  /** Jobs that a person asked for again, and those that one cancelled. */
  readonly #wanted = new Set<string>()
  readonly #unwanted = new Set<string>()
  readonly #batches: string[] = []
  #ids = 0
  #running: Running | null = null

  constructor(random: () => number) {
    this.#random = random
    this.service = new SimulatedService(this.clock, random)
    this.otherService = new SimulatedService(this.clock, random)
  }

  get store(): JobStore {
    return this.#now().store
  }

  get db(): Db {
    return this.#now().db
  }

  #now(): Running {
    if (this.#running === null) throw new Error('the engine is not running')
    return this.#running
  }

  start(): void {
    if (this.#running !== null) return
    this.files.sweep()
    const life = { over: false }
    const db = openJournal(this.#dir)
    const log: Logger = {
      ...quiet,
      error: (message, facts) => life.over || this.#note(`${message} ${JSON.stringify(facts)}`),
    }
    // What a dead process still had in mind happens no more.
    const clock: Clock = {
      nowMs: () => this.clock.nowMs(),
      monotonicMs: () => this.clock.monotonicMs(),
      setTimer: (delayMs, callback) =>
        life.over ? () => undefined : this.clock.setTimer(delayMs, () => life.over || callback()),
    }
    const documents = new Documents(db)
    const laneTo = (serviceId: string, service: SimulatedService, accountId: string) => ({
      serviceId,
      service,
      accountId,
      budget: createBudget(
        documents.get('budget', serviceId, RateBudgetState),
        { limit: 60 },
        this.clock.monotonicMs(),
      ),
      saveBudget: (changed: RateBudgetState) => documents.put('budget', serviceId, changed),
    })
    const { store, context, runner, lanes } = openQueue({
      db,
      clock,
      files: this.files,
      random: this.#random,
      log,
      settings: () => this.settings,
      lanes: [laneTo(SERVICE, this.service, this.accountId), laneTo(OTHER_SERVICE, this.otherService, 'other account')],
      activeService: () => SERVICE,
      onBalance: () => undefined,
      onError: (error) => life.over || this.#note(String(error)),
      askAbove: ASK_ABOVE,
      onJob: (change) => this.#look(context, change),
    })
    recover(context)
    const deps = {
      context,
      db,
      runner,
      team: { decided: () => undefined },
      folders: { list: () => [] },
      lanes: { askSoon: () => lanes.map((lane) => lane.askSoon()), refresh: async () => undefined },
      intake: { view: (id: string) => findBatch(db, id), cancel: () => undefined },
    } as unknown as CallsDeps
    this.#running = { db, context, calls: { ...jobCalls(deps), ...batchCalls(deps) }, store, runner, life }
    runner.start()
  }

  /** kill -9: nothing is told, nothing is finished; what the journal and the disk hold is all that is left. */
  async crash(): Promise<void> {
    const running = this.#running
    if (running === null) return
    this.#running = null
    running.life.over = true
    this.clock.dropTimers()
    running.db.close()
    await settle()
    this.clock.dropTimers()
  }

  async stop(): Promise<void> {
    const running = this.#running
    if (running === null) return
    const stopped = running.runner.stop(20_000)
    await this.clock.advance(30_000)
    await stopped
    running.db.close()
    this.#running = null
  }

  set(settings: Partial<Settings>): void {
    this.settings = { ...this.settings, ...settings }
    this.#running?.runner.requestSweep()
    this.#running?.runner.wake()
  }

  /** What fails because the journal's disk is full is meant to. */
  #note(problem: string): void {
    if (!problem.includes('disk is full')) this.problems.push(problem)
  }

  #look({ cancelledBatches }: QueueContext, { job, from }: JobChange): void {
    if (job.state === from) return
    const isUnwanted = this.#unwanted.has(job.id) || cancelledBatches.has(job.batchId)
    if (job.state === 'sending' && isUnwanted && !job.resendApproved)
      this.problems.push(`${job.id} sent after a cancel`)
    if (job.state === 'cancelled' && this.#wanted.has(job.id)) this.problems.push(`${job.id} cancelled though wanted`)
  }

  /** The journal's disk takes no more, or has room again. */
  fillJournal(isFull: boolean): void {
    this.#running?.db.pragma(`max_page_count = ${isFull ? 1 : 1_000_000}`)
  }

  /** What a reconcile pass does; `boundTo` for a batch that goes to one service, whichever is in use. */
  async reconcile(boundTo: string | null = null): Promise<void> {
    await this.#takeAllIn(makeBatch(`B${this.#ids++}`, { boundTo }))
  }

  /** What comes into a watched folder at once: more is on its way until `endBursts`. */
  async burst(): Promise<void> {
    await this.#takeAllIn(makeBatch(`B${this.#ids++}`, { kind: 'folder', open: true, confirmed: false }))
  }

  endBursts(): void {
    if (this.#running === null) return
    for (const id of this.#batches) setOpen(this.db, id, false)
    this.#running.runner.requestSweep()
  }

  async #takeAllIn(batch: Batch): Promise<void> {
    if (this.#running === null) return
    const { context, db } = this.#running
    const { id: batchId, boundTo } = batch
    insertBatch(db, batch, this.clock.nowMs())
    this.#batches.push(batchId)
    const of = { batchId, serviceId: boundTo ?? SERVICE }
    for (const path of [...this.files.disk.keys()].filter((name) => /\/[^.][^/]*\.(jpg|png|gif|webp)$/.test(name)))
      await takeIn(context, () => this.#makeId(), makeRequest(path, of))
  }

  async command(
    what: keyof typeof CALLS | keyof typeof RESOLVED | 'confirm' | 'cancelBatch',
    nth: number,
  ): Promise<void> {
    if (this.#running === null) return
    const { db, store, calls } = this.#running
    if (what === 'confirm' || what === 'cancelBatch') return this.#decideOn(this.#batches.at(-1 - (nth % 3)), what)
    const eventFor = (job: Job): JobEvent | null => {
      if (what !== 'reopen') return { type: what }
      const before = stateBefore(db, job.id, 'drop')
      return before === null ? null : ({ type: what, ...before } as JobEvent)
    }
    const jobs = store.list().filter((job) => {
      const event = eventFor(job)
      return event !== null && (canTake(job, event) || (what === 'cancel' && job.state === 'sending'))
    })
    const job = jobs[nth % Math.max(1, jobs.length)]
    if (job === undefined) return
    const ids = [job.id]
    if (what === 'cancel' || what === 'drop') this.#wanted.delete(job.id)
    if (what in RESOLVED) await calls['jobs.resolve']({ ids, all: false, how: RESOLVED[what as keyof typeof RESOLVED] })
    else await calls[CALLS[what as keyof typeof CALLS]]({ ids, all: false })
    if (what === 'cancel') this.#unwanted.add(job.id)
    const after = store.get(job.id)
    if (after?.state !== 'ready' || !after.resendApproved) return
    this.approved += 1
    this.#wanted.add(job.id)
  }

  async #decideOn(id: string | undefined, what: 'confirm' | 'cancelBatch'): Promise<void> {
    if (id === undefined) return
    const { store, calls } = this.#now()
    if (what === 'confirm') {
      await calls['batches.confirm']({ id })
      return
    }
    for (const job of store.list({ batchId: id })) this.#wanted.delete(job.id)
    await calls['batches.cancel']({ id })
  }

  /** A person agrees to everything that waits for one. */
  async confirmAll(): Promise<void> {
    for (const id of this.#batches) await this.#decideOn(id, 'confirm')
  }

  paint(weather: ServiceWeather): void {
    this.service.weather = weather
  }

  add(nth: number, content: number, type: 'jpeg' | 'png' | 'gif' = 'jpeg'): void {
    this.files.put(
      `/pictures/${nth}.${type === 'jpeg' ? 'jpg' : type}`,
      picture(type, `content ${content} ${'x'.repeat(200)}`),
    )
  }

  remove(nth: number): void {
    this.files.disk.delete(`/pictures/${nth}.jpg`)
  }

  jobs(): Job[] {
    return this.store.list()
  }

  unfinished(): Job[] {
    return this.jobs().filter((job) => !(END_STATES as readonly JobState[]).includes(job.state))
  }

  async dispose(): Promise<void> {
    await this.crash()
    rmSync(this.#dir, { recursive: true, force: true })
  }

  #makeId(): string {
    this.#ids += 1
    return `01J${String(this.#ids).padStart(23, '0')}`
  }
}
