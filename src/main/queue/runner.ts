import { ACTIVE_STATES } from '../../shared/sentences/job-states.ts'
import type { Background } from '../../shared/runtime/background.ts'
import { AppError } from '../../shared/sentences/errors.ts'
import type { Job } from '../../shared/jobs/job.ts'
import type { ServiceId } from '../../shared/recipes/recipe.ts'
import type { DurationModel } from '../core/duration-model.ts'
import { createInFlight } from '../core/in-flight.ts'
import { momentOf, type Moment, PollTimes } from './poll-times.ts'
import { planCalls } from '../core/poll-planner.ts'
import { IllegalTransition } from '../core/transition.ts'
import { maySendTo } from '../journal/batches.ts'
import { isDiskTrouble, type QueueContext } from './context.ts'
import { dispatchJob } from './dispatch-job.ts'
import { finishJob } from './finish-job.ts'
import type { JobQuery } from '../journal/job-query.ts'
import { JobGone } from '../journal/job-store.ts'
import { nextWaitMs } from '../journal/job-ids.ts'
import type { Lane, LaneHold } from './lane.ts'
import { callsOf, needsDownload } from '../core/plan-work.ts'
import { AlreadyDispatched } from '../journal/payments.ts'
import { pollJob } from './poll-job.ts'
import { prepareReady } from './prepare-ready.ts'
import { sweepHolds } from './sweep-holds.ts'

const SECOND = 1000
const SWEEP_MS = 30 * SECOND
/** What a sweep looks at, and what may wait for one. */
const UNFINISHED = [...ACTIVE_STATES, 'held', 'unknown'] as const
/** Further finishing jobs, which read and write, so that no image worker waits for the disk. */
const BESIDE_ENCODING = 2
const READY_WINDOW = 24
/** Ready jobs are counted up to this. */
const MAX_COUNTED = 1000
/** How long no new work starts after trouble with the journal's disk. */
const TROUBLE_MS = 5 * SECOND

interface RunnerDeps {
  background: Background
  lanes: () => readonly Lane[]
  /** The service that new work is sent to. */
  activeService: () => ServiceId | null
  /** Job durations per service: one says nothing about another. */
  modelOf: (serviceId: ServiceId) => DurationModel
  saveModel: (serviceId: ServiceId) => void
  /** Which ready jobs may be started; the results of everything already sent are always fetched. */
  scope: () => Pick<JobQuery, 'batchId'>
}

interface Task {
  kind: 'dispatch' | 'poll' | 'finish'
  job: Job
  lane: Lane | null
  controller: AbortController
  done: Promise<void>
}

/** Starts what is to be done next, at every event: the planner spends the rate budget, local work runs in parallel. */
export class Runner {
  readonly #context: QueueContext
  readonly #deps: RunnerDeps
  readonly #tasks = new Map<string, Task>()
  readonly #polls: PollTimes
  /** The pace of dispatches at each service (`PlannerInput.nextDispatchAtMs`). */
  readonly #pace = new Map<ServiceId, number | null>()
  readonly #probes = createInFlight()
  readonly #stopping = new AbortController()
  #running = false
  #scheduled = false
  #cancelTimer: () => void = () => undefined
  #cancelSweep: (() => void) | null = null
  #sweep: Promise<void> | null = null
  #sweepAgain = false
  #troubleUntilMs = 0
  #passedAtMs = -Infinity
  #waitForPass: (() => void)[] = []

  constructor(context: QueueContext, deps: RunnerDeps) {
    this.#context = context
    this.#polls = new PollTimes()
    this.#deps = deps
  }

  start(): void {
    this.#running = true
    this.requestSweep()
    this.wake()
  }

  get #maxFinishing(): number {
    return this.#context.files.imageWorkers + BESIDE_ENCODING
  }

  isBusy(jobId: string): boolean {
    return this.#tasks.has(jobId)
  }

  /** Something happened: schedules one tick after the current turn of the event loop, and a sweep if none is scheduled. */
  wake(): void {
    if (this.#sweep === null && this.#cancelSweep === null && !this.#isAtRest()) this.#armSweep()
    this.#tickSoon()
  }

  #tickSoon(): void {
    if (!this.#running || this.#scheduled) return
    this.#scheduled = true
    setImmediate(() => {
      this.#scheduled = false
      if (this.#running) this.#pass()
      this.#passedAtMs = this.#context.clock.monotonicMs()
      for (const resolve of this.#waitForPass.splice(0)) resolve()
    })
  }

  #pass(): void {
    // In a pause after trouble nothing is run: a background task that does nothing would count as one that works again.
    const pauseMs = this.#troubleUntilMs - this.#context.clock.monotonicMs()
    if (pauseMs > 0) this.#wakeIn(pauseMs)
    else this.#deps.background.run('queue', () => this.#tick())
  }

  /** Resolves after the next pass over the queue, or at once if one ended within the last second or the queue does not run. */
  passed(): Promise<void> {
    if (!this.#running || this.#context.clock.monotonicMs() - this.#passedAtMs < SECOND) return Promise.resolve()
    return new Promise((resolve) => {
      this.#waitForPass.push(resolve)
      this.#tickSoon()
    })
  }

  /** Aborts the free work on a job at once, because a person cancelled it. */
  abandon(jobId: string): void {
    this.#deps.background.forget(jobId)
    const task = this.#tasks.get(jobId)
    if (task !== undefined && task.kind !== 'dispatch') task.controller.abort()
  }

  /** Aborts what is free to repeat, and waits up to `graceMs` for answers to dispatches: a job without one becomes unknown. */
  async stop(graceMs: number): Promise<void> {
    this.#running = false
    this.#cancelTimer()
    this.#cancelSweep?.()
    for (const task of this.#tasks.values()) if (task.kind !== 'dispatch') task.controller.abort()
    const cancelGrace = this.#context.clock.setTimer(graceMs, () => {
      for (const task of this.#tasks.values()) task.controller.abort()
      this.#stopping.abort()
    })
    const dispatches = [...this.#tasks.values()].filter((task) => task.kind === 'dispatch')
    await Promise.all(dispatches.map((task) => task.done))
    this.#stopping.abort()
    await Promise.all([...this.#tasks.values()].map((task) => task.done))
    await this.#probes.ended()
    await this.#sweep
    cancelGrace()
  }

  /** Releases and sets holds according to the current state; one pass at a time. */
  requestSweep(): void {
    if (!this.#running) return
    if (this.#sweep !== null) {
      this.#sweepAgain = true
      return
    }
    this.#cancelSweep?.()
    const sweep = sweepHolds(this.#context, {
      lanes: this.#deps.lanes(),
      activeService: this.#deps.activeService(),
      scope: this.#deps.scope(),
      isBusy: (jobId) => this.#tasks.has(jobId),
      shouldContinue: () => this.#running,
    })
    this.#deps.background.run('holds', () => sweep)
    this.#sweep = sweep
      .then(
        () => true,
        () => false,
      )
      .then((hasWorked) => {
        this.#sweep = null
        this.#cancelSweep = null
        this.#tickSoon()
        if (this.#sweepAgain) {
          this.#sweepAgain = false
          this.requestSweep()
        } else if (!hasWorked || !this.#isAtRest()) this.#armSweep()
      })
  }

  /** With nothing unfinished, no sweep can change anything until something happens. */
  #isAtRest(): boolean {
    try {
      return this.#context.store.list({ states: UNFINISHED, limit: 1 }).length === 0
    } catch {
      return false
    }
  }

  #armSweep(): void {
    if (this.#running) this.#cancelSweep = this.#context.clock.setTimer(SWEEP_MS, () => this.requestSweep())
  }

  #tick(): void {
    this.#cancelTimer()
    const now = momentOf(this.#context.clock)
    try {
      this.#startLocalWork(now)
      const waits = [...this.#deps.lanes().map((lane) => this.#tickLane(lane, now)), this.#nextDueMs(now)]
      const next = Math.min(...waits.filter((wait) => wait !== null))
      if (Number.isFinite(next)) this.#wakeIn(next)
    } catch (error) {
      this.#pauseAfter(error)
      throw error
    }
  }

  #wakeIn(delayMs: number): void {
    this.#cancelTimer()
    this.#cancelTimer = this.#context.clock.setTimer(Math.max(1, delayMs), () => this.#tickSoon())
  }

  /** Starts work that needs no call: encoding and writing what is here. */
  #startLocalWork({ wallMs }: Moment): void {
    // Asked at each change of each job, so no job is read where none can begin.
    const places = () => this.#maxFinishing - this.#tasksOf('finish').length
    if (places() <= 0) return
    const { store } = this.#context
    const fetching = store.list({ states: ['fetching'], dueAtMs: wallMs, limit: 200 })
    // Paid results do not wait until all local work is done.
    const reserved = fetching.some(needsDownload) ? 1 : 0
    const room = () => places() - reserved
    if (room() <= 0) return
    const due = { dueAtMs: wallMs, limit: this.#maxFinishing * 4 }
    // Jobs in `fetching` that need no call were put there by a restart or a full disk.
    const local = fetching.filter((job) => !needsDownload(job))
    for (const job of [...store.list({ states: ['writing'], ...due }), ...local]) {
      if (room() <= 0) return
      if (this.#tasks.has(job.id)) continue
      this.#begin(job, 'finish', null, (signal) => finishJob(this.#context, null, job, signal))
    }
    if (this.#context.settings().paused || this.#context.guard.broken !== null) return
    const ready = { states: ['ready'] as const, ...this.#deps.scope(), free: true, dueAtMs: wallMs }
    for (const job of store.list({ ...ready, limit: room() + this.#tasks.size })) {
      if (room() <= 0) return
      if (this.#tasks.has(job.id)) continue
      const started = store.apply(job.id, { type: 'workHere' })
      this.#begin(started, 'finish', null, (signal) => finishJob(this.#context, null, started, signal))
    }
  }

  /** Spends the lane's free slots as planned; returns when to tick again. */
  #tickLane(lane: Lane, now: Moment): number | null {
    const nowMs = now.monotonicMs
    if (lane.hold !== null) this.#holdArrivals(lane, lane.hold)
    const probeAtMs = lane.probeAtMs()
    if (probeAtMs !== null && probeAtMs <= nowMs) this.#probe(lane)
    if (!lane.usable) return probeAtMs === null ? null : Math.max(1, probeAtMs - nowMs)

    const { store } = this.#context
    const ready = this.#readyJobs(lane, now)
    const waiting = store.waitingAt(lane.serviceId)
    const fetching = store
      .list({ states: ['fetching'], serviceId: lane.serviceId, dueAtMs: now.wallMs, limit: READY_WINDOW })
      .filter((job) => !this.#tasks.has(job.id) && needsDownload(job))
    const sending = this.#tasksOf('dispatch', lane)
    const plan = planCalls(
      {
        nowMs,
        slotTimesMs: lane.slots.times(nowMs),
        readyCount: ready.length === 0 ? 0 : store.countUpTo(MAX_COUNTED, this.#readyAt(lane, now)),
        readyCalls: ready.map(callsOf),
        sendingCount: sending.length,
        sendingCalls: sending.reduce((sum, { job }) => sum + callsOf(job) - 1, 0),
        maxSending: lane.maxDispatches,
        nextDispatchAtMs: this.#pace.get(lane.serviceId) ?? null,
        downloads: fetching
          .slice(0, Math.max(0, this.#maxFinishing - this.#tasksOf('finish').length))
          .map((job) => job.id),
        waiting: waiting.map((job) => ({
          ...this.#polls.of(job, now),
          needsDownload: needsDownload(job),
          polling: this.#tasks.has(job.id),
        })),
      },
      this.#deps.modelOf(lane.serviceId),
    )
    this.#pace.set(lane.serviceId, plan.nextDispatchAtMs)
    lane.slots.hasBacklog = ready.length + fetching.length > plan.calls.length
    const jobs = new Map([...waiting, ...fetching].map((job) => [job.id, job]))
    for (const call of plan.calls) {
      const job = call.kind === 'dispatch' ? ready.shift() : jobs.get(call.jobId)
      if (job === undefined || this.#tasks.has(job.id)) continue
      if (call.kind === 'dispatch') this.#begin(job, 'dispatch', lane, (signal) => this.#dispatch(lane, job, signal))
      if (call.kind === 'poll') this.#begin(job, 'poll', lane, (signal) => this.#poll(lane, job, signal))
      if (call.kind === 'download')
        this.#begin(job, 'finish', lane, (signal) => finishJob(this.#context, lane, job, signal))
    }
    const times = [plan.wakeAtMs, probeAtMs, lane.trialAtMs()]
    const next = Math.min(...times.filter((atMs) => atMs !== null)) - nowMs
    return Number.isFinite(next) ? Math.max(1, next) : null
  }

  /** Checked again because making a copy takes seconds, in which a person may have chosen another service. */
  #maySend(job: Job): boolean {
    return this.#running && maySendTo(this.#context.db, job, this.#deps.activeService())
  }

  /** Which of a lane's jobs may be sent: for a service that is not in use, only those of batches bound to it. */
  #sendable({ serviceId }: Lane): JobQuery {
    return serviceId === this.#deps.activeService() ? { serviceId } : { serviceId, boundTo: serviceId }
  }

  /** Jobs taken in while the service is held show the hold at once. */
  #holdArrivals(lane: Lane, reason: LaneHold): void {
    const { store } = this.#context
    const query = { ...this.#sendable(lane), limit: READY_WINDOW, free: false, ...this.#deps.scope() }
    for (const job of store.list({ states: ['ready'], ...query }))
      if (!this.#tasks.has(job.id)) store.apply(job.id, { type: 'hold', reason })
  }

  /** Ready jobs that can be sent now; those that need no dispatch move on by themselves. */
  #readyJobs(lane: Lane, now: Moment): Job[] {
    if (this.#context.settings().paused || !lane.sends || this.#context.writing.isBlocked) return []
    if (this.#context.guard.broken !== null) return []
    const isBusy = (job: Job): boolean => this.#tasks.has(job.id)
    const waiting = new Set<string>()
    let [ready, due]: [Job[], Job[]] = [[], []]
    // Batches that wait do not stand before others.
    for (let known = -1; due.length === 0 && known < waiting.size;) {
      known = waiting.size
      const query = { ...this.#readyAt(lane, now), notBatches: [...waiting], limit: READY_WINDOW }
      ready = this.#context.store.list(query)
      due = ready.filter((job) => !isBusy(job) && this.#needsSending(job, waiting))
    }
    const keys = new Set(ready.filter(isBusy).map(({ paidKey }) => paidKey!))
    return due.filter((job) => {
      if (keys.has(job.paidKey!)) return false
      keys.add(job.paidKey!)
      return true
    })
  }

  #readyAt(lane: Lane, { wallMs }: Moment): JobQuery {
    const due: JobQuery = { states: ['ready'], dueAtMs: wallMs, free: false, decidable: true }
    return { ...this.#sendable(lane), ...due, ...this.#deps.scope() }
  }

  /** One bad row must not stop the others. */
  #needsSending(job: Job, waiting: Set<string>): boolean {
    try {
      const need = prepareReady(this.#context, job)
      if (need === 'wait') waiting.add(job.batchId)
      return need === 'send' || need === 'ask'
    } catch (error) {
      if (isDiskTrouble(error)) throw error
      this.#context.log.error('a picture cannot be prepared', { job: job.id, error: String(error) })
      return false
    }
  }

  async #dispatch(lane: Lane, job: Job, signal: AbortSignal): Promise<void> {
    const isSent = await dispatchJob(this.#context, lane, job, signal, (now) => this.#maySend(now))
    // Its turn was not used: the pace lets another one leave.
    if (!isSent) this.#pace.set(lane.serviceId, Math.min(this.#pace.get(lane.serviceId) ?? 0, lane.nowMs()))
  }

  async #poll(lane: Lane, job: Job, signal: AbortSignal): Promise<void> {
    const askedAtMs = lane.nowMs()
    const outcome = await pollJob(this.#context, lane, job, signal)
    if (outcome === 'notYet') this.#polls.notYet(job.id, askedAtMs)
    if (outcome !== 'ended') return
    const observation = this.#polls.ended(job.id, askedAtMs)
    if (observation === null) return
    this.#deps.modelOf(lane.serviceId).observe(job.operation ?? 'process', observation)
    this.#deps.saveModel(lane.serviceId)
  }

  #probe(lane: Lane): void {
    const probe = async () => {
      try {
        await lane.probe(this.#stopping.signal)
        this.requestSweep()
      } catch (error) {
        if (!this.#stopping.signal.aborted) throw error
      }
    }
    this.#deps.background.run('service_probe', () => this.#probes.run(probe), lane.serviceId)
  }

  #begin(job: Job, kind: Task['kind'], lane: Lane | null, work: (signal: AbortSignal) => Promise<void>): void {
    const controller = new AbortController()
    const done = work(controller.signal)
      .then(() => this.#taskWorked(job))
      .catch((error: unknown) => this.#taskFailed(job, error))
      .finally(() => {
        this.#tasks.delete(job.id)
        this.#taskEnded(job.id)
      })
    this.#tasks.set(job.id, { kind, job, lane, controller, done })
  }

  #taskEnded(jobId: string): void {
    if (!this.#running) return
    try {
      const state = this.#context.store.get(jobId)?.state
      if (state !== 'waiting') this.#polls.forget(jobId)
      // Only now, because a sweep skips jobs with a running task.
      if (state === 'held' || state === 'unknown' || state === 'sending') this.requestSweep()
    } catch (error) {
      this.#pauseAfter(error)
    }
    this.wake()
  }

  #taskFailed(job: Job, error: unknown): void {
    this.#context.guard.note(error)
    // A person's command, or a job with the same content, came in between: the next tick handles it.
    if (error instanceof AlreadyDispatched || error instanceof IllegalTransition || error instanceof JobGone) return
    if (error instanceof Error && error.name === 'AbortError') return
    // Its lane says so for all pictures.
    if (
      error instanceof AppError &&
      ['key_missing', 'ledger_away', 'ledger_refused', 'ledger_newer'].includes(error.code)
    )
      return
    if (error === this.#context.guard.broken)
      return this.#report(null, () => {
        throw error
      })
    this.#context.log.error('work on a picture failed', { job: job.id, error: String(error) })
    this.#report(isDiskTrouble(error) ? null : job.id, () => {
      throw error
    })
    this.#pause()
  }

  #taskWorked(job: Job): void {
    for (const subject of [null, job.id]) this.#report(subject, () => undefined)
  }

  /** A full disk is one problem for all pictures; a bug affects one picture. */
  #report(jobId: string | null, outcome: () => void): void {
    this.#deps.background.run('queue_work', outcome, jobId)
  }

  #pauseAfter(error: unknown): void {
    this.#context.guard.note(error)
    if (!isDiskTrouble(error)) this.#context.log.error('the queue met an unexpected error', { error: String(error) })
    this.#pause()
  }

  /** What failed would be begun again at once. */
  #pause(): void {
    this.#troubleUntilMs = this.#context.clock.monotonicMs() + TROUBLE_MS
    this.#wakeIn(TROUBLE_MS)
  }

  #tasksOf(kind: Task['kind'], lane?: Lane): Task[] {
    return [...this.#tasks.values()].filter((task) => task.kind === kind && (lane === undefined || task.lane === lane))
  }

  /** Milliseconds until the earliest stored wait ends. */
  #nextDueMs({ wallMs }: Moment): number | null {
    const atMs = nextWaitMs(this.#context.db, wallMs)
    return atMs === null ? null : Math.max(1, atMs - wallMs)
  }
}
