import { type CallId, countUpTo, createBudget, type RateBudget } from '../../src/main/core/rate-budget.ts'
import { CALLS } from '../../src/main/core/plan-work.ts'
import type { PlannedCall, PlannerInput, WaitingJob } from '../../src/main/core/poll-planner.ts'
import type { Operation } from '../../src/shared/recipes/recipe.ts'
import { between, seededRandom } from './seeded-random.ts'
import { CountingServer } from './counting-server.ts'
import type { Workload } from './workloads.ts'

/*
 * One key, one service, virtual time. Every call takes a way there and a way back; the service counts it when it arrives,
 * and answers 429 when its fixed window is full. Nothing here decides what to call: a policy does, with the real budget.
 */

export interface PolicyInput extends Omit<PlannerInput, 'maxSending' | 'nextDispatchAtMs'> {
  /** When the service will have ended a job, as seen from here. Only the clairvoyant may look. */
  endsAtMs: (jobId: string) => number
}

export interface Policy {
  name: string
  /** Whether it leaves the reserve to calls that a person waits for. */
  keepsReserve: boolean
  plan: (input: PolicyInput) => { calls: PlannedCall[]; wakeAtMs: number | null }
  /** Called when a poll found a job ended. */
  learn?: (operation: Operation, notDoneAtAgeMs: number, doneAtAgeMs: number) => void
}

export interface SimulationOptions {
  workload: Workload
  /** What the nth image is sent for; the full pipeline if absent. */
  operationOf?: (index: number) => Operation
  count: number
  limit: number
  seed: number
  /** A trickle: the time between two images that become ready, in ms. Without it, all are ready at the start. */
  arriveEveryMs?: number
  /** Calls a person makes now and then, in ms between two; null for none. */
  personEveryMs?: number | null
  /** How many calls a person makes then: the price of more than a hundred images takes two. One if absent. */
  personCalls?: number
  /** How long an upload takes, from and to, in ms; as on a fast line if absent. */
  uploadMs?: readonly [number, number]
  maxSending?: number
  /** More images that become ready later. */
  added?: { atMs: number; count: number }
  /** While a person pauses the queue, nothing is dispatched. */
  paused?: { fromMs: number; toMs: number }
  /** The first call that arrives after `atMs` is refused and told to wait until `untilMs`, as if others used the key. */
  refusal?: { atMs: number; untilMs: number }
  /** Hears of every change of an image, as the application does of its jobs. */
  onMove?: (move: SimulatedMove) => void
}

export type SimulatedState = 'ready' | 'sending' | 'waiting' | 'fetching' | 'done'

export interface SimulatedMove {
  jobId: string
  /** The same as `to` for a poll that was answered "not yet". */
  from: SimulatedState | null
  to: SimulatedState
  atMs: number
}

export interface SimulationResult {
  policy: string
  workload: string
  images: number
  totalMs: number
  imagesPerMinute: number
  pollsPerImage: number
  refused: number
  mostInTrailingMinute: number
  /** Per image, from ended at the service to known here. */
  noticedDelaysMs: number[]
  durationsMs: number[]
  personWaitsMs: number[]
  /** Ascending: when each image was downloaded whole. */
  resultsAtMs: number[]
  /** Per image, from its dispatch leaving to its file being here. */
  inFlightMs: number[]
  /** Images dispatched and not downloaded yet, at once. */
  mostInFlight: number
}

interface SimulatedJob extends WaitingJob {
  index: number
  operation: Operation
  sentAtMs: number
  durationMs: number
  endedAtMs: number
  polls: number
}

const DOWN_LATENCY_MS = [25, 150] as const
const UP_LATENCY_MS = [25, 150] as const
const UPLOAD_MS = [200, 1000] as const
const DOWNLOAD_MS = [50, 300] as const
/** Of how many images to be dispatched a policy is shown what they need. */
const READY_WINDOW = 24

/** Runs until every image is downloaded; throws when the policy stops making calls before that. */
export function simulate(policy: Policy, options: SimulationOptions): SimulationResult {
  return new Simulation(policy, options).run()
}

class Simulation {
  readonly #policy: Policy
  readonly #options: SimulationOptions
  readonly #random
  readonly #server: CountingServer
  readonly #budget: RateBudget
  #nowMs = 0
  #events: { atMs: number; order: number; run: () => void }[] = []
  #order = 0
  /** Images to be dispatched, by their number. */
  readonly #ready: number[] = []
  readonly #sending = new Set<number>()
  readonly #states = new Map<number, SimulatedState>()
  #refuses: boolean
  #done = 0
  #doneAtMs = 0
  #polls = 0
  #plannedWakeMs = Infinity
  readonly #waiting = new Map<string, SimulatedJob>()
  /** Job ids in the order in which they were found ended, and when each was sent. */
  readonly #downloads = new Map<string, SimulatedJob>()
  readonly #noticedDelaysMs: number[] = []
  readonly #durationsMs: number[] = []
  readonly #personWaitsMs: number[] = []
  readonly #personAskedAtMs: number[] = []
  readonly #resultsAtMs: number[] = []
  readonly #inFlightMs: number[] = []
  #inFlight = 0
  #mostInFlight = 0

  constructor(policy: Policy, options: SimulationOptions) {
    this.#policy = policy
    this.#options = options
    this.#random = seededRandom(options.seed)
    this.#server = new CountingServer(options.limit, this.#random() * 60_000)
    this.#budget = createBudget(null, { limit: options.limit }, 0)
    this.#refuses = options.refusal !== undefined
  }

  run(): SimulationResult {
    const { personEveryMs, arriveEveryMs, added, paused } = this.#options
    const count = this.#options.count + (added?.count ?? 0)
    for (let index = 0; index < count; index += 1) {
      const addedAtMs = added !== undefined && index >= this.#options.count ? added.atMs : 0
      const atMs = arriveEveryMs === undefined ? addedAtMs : index * arriveEveryMs
      if (atMs === 0) this.#becomesReady(index)
      else this.#at(atMs, () => this.#becomesReady(index))
    }
    if (paused !== undefined) this.#at(paused.toMs, noop)
    if (personEveryMs) this.#at(this.#random() * personEveryMs, () => this.#personAsks(personEveryMs))
    this.#plan()
    while (this.#done < count) {
      const event = this.#nextEvent()
      if (event === undefined)
        throw new Error(`${this.#policy.name} stopped with ${this.#done} of ${count} images done`)
      this.#nowMs = event.atMs
      event.run()
      this.#plan()
    }
    return this.#result()
  }

  #becomesReady(index: number): void {
    this.#ready.push(index)
    this.#moves(index, 'ready')
  }

  #moves(index: number, to: SimulatedState): void {
    const from = this.#states.get(index) ?? null
    this.#states.set(index, to)
    this.#options.onMove?.({ jobId: this.#idOf(index), from, to, atMs: this.#nowMs })
  }

  #idOf(index: number): string {
    return `job-${this.#options.seed}-${index}`
  }

  /** What may be dispatched now. */
  get #readyNow(): readonly number[] {
    const { paused } = this.#options
    return paused !== undefined && this.#nowMs >= paused.fromMs && this.#nowMs < paused.toMs ? [] : this.#ready
  }

  #plan(): void {
    this.#servePerson()
    const times = this.#policy.keepsReserve
      ? this.#budget.backgroundSlotTimes(this.#nowMs)
      : this.#budget.slotTimes(this.#nowMs)
    const { calls, wakeAtMs } = this.#policy.plan({
      nowMs: this.#nowMs,
      slotTimesMs: times,
      readyCount: this.#readyNow.length,
      readyCalls: this.#readyNow.slice(0, READY_WINDOW).map((index) => CALLS[this.#operationOf(index)]),
      sendingCount: this.#sending.size,
      sendingCalls: [...this.#sending].reduce((sum, index) => sum + CALLS[this.#operationOf(index)] - 1, 0),
      downloads: [...this.#downloads.keys()],
      waiting: [...this.#waiting.values()],
      endsAtMs: (jobId) => this.#waiting.get(jobId)?.endedAtMs ?? Infinity,
    })
    if (calls.length > countUpTo(times, this.#nowMs))
      throw new Error(`${this.#policy.name} planned more calls than free slots`)
    for (const call of calls) this.#make(call)
    if (wakeAtMs !== null && wakeAtMs < this.#plannedWakeMs) this.#wakeAt(wakeAtMs)
  }

  #wakeAt(wakeAtMs: number): void {
    this.#plannedWakeMs = wakeAtMs
    this.#at(Math.max(wakeAtMs, this.#nowMs + 1), () => {
      this.#plannedWakeMs = Infinity
    })
  }

  #make(call: PlannedCall): void {
    if (call.kind === 'dispatch') this.#dispatch()
    else if (call.kind === 'poll') this.#poll(call.jobId)
    else this.#download(call.jobId)
  }

  #dispatch(): void {
    const index = this.#ready.shift()
    if (index === undefined) throw new Error(`${this.#policy.name} dispatched more than there is`)
    this.#sending.add(index)
    this.#moves(index, 'sending')
    const sentAtMs = this.#nowMs
    this.#inFlight += 1
    this.#mostInFlight = Math.max(this.#mostInFlight, this.#inFlight)
    this.#call(
      between(this.#random, ...(this.#options.uploadMs ?? UPLOAD_MS)),
      between(this.#random, ...DOWN_LATENCY_MS),
      (arrivedAtMs) => {
        this.#sending.delete(index)
        const durationMs = this.#durationOf(index)
        this.#durationsMs.push(durationMs)
        const job: SimulatedJob = {
          jobId: this.#idOf(index),
          index,
          operation: this.#operationOf(index),
          acceptedAtMs: this.#nowMs,
          lastPollAtMs: null,
          needsDownload: CALLS[this.#operationOf(index)] === 3,
          polling: false,
          notBeforeMs: null,
          sentAtMs,
          durationMs,
          endedAtMs: arrivedAtMs + durationMs,
          polls: 0,
        }
        this.#waiting.set(job.jobId, job)
        this.#moves(index, 'waiting')
      },
      () => {
        this.#sending.delete(index)
        this.#inFlight -= 1
        this.#ready.unshift(index)
        this.#moves(index, 'ready')
      },
    )
  }

  #poll(jobId: string): void {
    const job = this.#waiting.get(jobId)
    if (job === undefined || job.polling)
      throw new Error(`${this.#policy.name} polled ${jobId}, which is not to be polled`)
    job.polling = true
    const sentAtMs = this.#nowMs
    this.#call(
      between(this.#random, ...UP_LATENCY_MS),
      between(this.#random, ...DOWN_LATENCY_MS),
      (arrivedAtMs) => {
        job.polling = false
        job.polls += 1
        this.#polls += 1
        if (arrivedAtMs >= job.endedAtMs) this.#noticed(job, sentAtMs)
        else {
          job.lastPollAtMs = sentAtMs
          this.#moves(job.index, 'waiting')
        }
      },
      () => {
        job.polling = false
      },
    )
  }

  #noticed(job: SimulatedJob, sentAtMs: number): void {
    this.#waiting.delete(job.jobId)
    this.#noticedDelaysMs.push(this.#nowMs - job.endedAtMs)
    const notDoneAtAgeMs = job.lastPollAtMs === null ? 0 : job.lastPollAtMs - job.acceptedAtMs
    this.#policy.learn?.(job.operation, notDoneAtAgeMs, sentAtMs - job.acceptedAtMs)
    if (!job.needsDownload) return this.#finished(job)
    this.#downloads.set(job.jobId, job)
    this.#moves(job.index, 'fetching')
  }

  #finished({ index, sentAtMs }: SimulatedJob): void {
    this.#done += 1
    this.#doneAtMs = this.#nowMs
    this.#inFlight -= 1
    this.#resultsAtMs.push(this.#nowMs)
    this.#inFlightMs.push(this.#nowMs - sentAtMs)
    this.#moves(index, 'done')
  }

  #download(jobId: string): void {
    const job = this.#downloads.get(jobId)
    if (job === undefined) throw new Error(`${this.#policy.name} downloaded ${jobId}, which is not to be downloaded`)
    this.#downloads.delete(jobId)
    this.#call(
      between(this.#random, ...UP_LATENCY_MS),
      between(this.#random, ...DOWNLOAD_MS),
      () => this.#finished(job),
      () => this.#downloads.set(jobId, job),
    )
  }

  #call(thereMs: number, backMs: number, onAnswer: (arrivedAtMs: number) => void, onRefused: () => void): void {
    const id: CallId = this.#budget.take(this.#nowMs)
    this.#at(this.#nowMs + thereMs, () => {
      const arrivedAtMs = this.#nowMs
      const retryAfterMs = this.#refusalAt(arrivedAtMs)
      this.#at(arrivedAtMs + backMs, () => {
        if (retryAfterMs === null) this.#budget.answered(id, this.#nowMs)
        else this.#budget.rateLimited(id, this.#nowMs, retryAfterMs)
        if (retryAfterMs === null) onAnswer(arrivedAtMs)
        else onRefused()
      })
    })
  }

  /** How long to wait where the call that arrives now is refused; null where it is served. */
  #refusalAt(arrivedAtMs: number): number | null {
    const retryAfterMs = this.#server.count(arrivedAtMs)
    const { refusal } = this.#options
    if (!this.#refuses || refusal === undefined || arrivedAtMs < refusal.atMs) return retryAfterMs
    this.#refuses = false
    return refusal.untilMs - arrivedAtMs
  }

  #personAsks(everyMs: number): void {
    for (let n = 0; n < (this.#options.personCalls ?? 1); n += 1) this.#personAskedAtMs.push(this.#nowMs)
    this.#at(this.#nowMs + everyMs, () => this.#personAsks(everyMs))
  }

  #operationOf(index: number): Operation {
    return this.#options.operationOf?.(index) ?? 'process'
  }

  /** The same for every policy under one seed, whatever else was drawn before. */
  #durationOf(index: number): number {
    const random = seededRandom(this.#options.seed * 1_000_003 + index)
    return this.#options.workload.durationMs(random, index, this.#options.count)
  }

  /** A person's call goes before all others, as soon as any slot is free. */
  #servePerson(): void {
    while (this.#personAskedAtMs.length > 0 && this.#budget.freeSlots(this.#nowMs) > 0) {
      this.#personWaitsMs.push(this.#nowMs - (this.#personAskedAtMs.shift() ?? 0))
      this.#call(between(this.#random, ...UP_LATENCY_MS), between(this.#random, ...DOWN_LATENCY_MS), noop, noop)
    }
    if (this.#personAskedAtMs.length > 0) this.#at(this.#budget.nextFreeAtMs(this.#nowMs), noop)
  }

  #at(atMs: number, run: () => void): void {
    this.#events.push({ atMs, order: this.#order++, run })
  }

  #nextEvent(): { atMs: number; run: () => void } | undefined {
    let first = 0
    for (let index = 1; index < this.#events.length; index += 1) {
      const event = this.#events[index]
      const best = this.#events[first]
      if (event && best && (event.atMs < best.atMs || (event.atMs === best.atMs && event.order < best.order)))
        first = index
    }
    return this.#events.splice(first, 1)[0]
  }

  #result(): SimulationResult {
    return {
      policy: this.#policy.name,
      workload: this.#options.workload.name,
      images: this.#done,
      totalMs: this.#doneAtMs,
      imagesPerMinute: (this.#done * 60_000) / this.#doneAtMs,
      pollsPerImage: this.#polls / this.#done,
      refused: this.#server.refused,
      mostInTrailingMinute: this.#server.mostInTrailingMinute(),
      noticedDelaysMs: this.#noticedDelaysMs,
      durationsMs: this.#durationsMs,
      personWaitsMs: this.#personWaitsMs,
      resultsAtMs: this.#resultsAtMs,
      inFlightMs: this.#inFlightMs,
      mostInFlight: this.#mostInFlight,
    }
  }
}

function noop(): void {
  // The event itself is what matters: planning follows every event.
}
