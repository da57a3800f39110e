import { type CallId, countUpTo, createBudget, type RateBudget } from '../../src/main/core/rate-budget.ts'
import type { PlannedCall, WaitingJob } from '../../src/main/core/poll-planner.ts'
import { between, seededRandom } from './seeded-random.ts'
import { CountingServer } from './counting-server.ts'
import type { Workload } from './workloads.ts'

/*
 * One key, one service, virtual time. Every call takes a way there and a way back; the service counts it when it arrives,
 * and answers 429 when its fixed window is full. Nothing here decides what to call: a policy does, with the real budget.
 */

export interface PolicyInput {
  nowMs: number
  slotTimesMs: readonly number[]
  readyCount: number
  sendingCount: number
  downloads: readonly string[]
  waiting: readonly WaitingJob[]
  /** When the service will have ended a job, as seen from here. Only the clairvoyant may look. */
  endsAtMs: (jobId: string) => number
}

export interface Policy {
  name: string
  /** Whether it leaves the reserve to calls that a person waits for. */
  keepsReserve: boolean
  plan: (input: PolicyInput) => { calls: PlannedCall[]; wakeAtMs: number | null }
  /** Called when a poll found a job ended. */
  learn?: (notDoneAtAgeMs: number, doneAtAgeMs: number) => void
}

export interface SimulationOptions {
  workload: Workload
  count: number
  limit: number
  seed: number
  /** A trickle: the time between two images that become ready, in ms. Without it, all are ready at the start. */
  arriveEveryMs?: number
  /** Calls a person makes now and then, in ms between two; null for none. */
  personEveryMs?: number | null
  maxSending?: number
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
  sentAtMs: number
  durationMs: number
  endedAtMs: number
  polls: number
}

const DOWN_LATENCY_MS = [25, 150] as const
const UP_LATENCY_MS = [25, 150] as const
const UPLOAD_MS = [200, 1000] as const
const DOWNLOAD_MS = [50, 300] as const

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
  #toDispatch: number
  #dispatched = 0
  #sending = 0
  #done = 0
  #doneAtMs = 0
  #polls = 0
  #plannedWakeMs = Infinity
  readonly #waiting = new Map<string, SimulatedJob>()
  /** Job ids in the order in which they were found ended, and when each was sent. */
  readonly #downloads = new Map<string, number>()
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
    this.#toDispatch = options.arriveEveryMs === undefined ? options.count : 0
  }

  run(): SimulationResult {
    const { personEveryMs, arriveEveryMs, count } = this.#options
    if (arriveEveryMs !== undefined)
      for (let n = 0; n < count; n += 1) this.#at(n * arriveEveryMs, () => (this.#toDispatch += 1))
    if (personEveryMs) this.#at(this.#random() * personEveryMs, () => this.#personAsks(personEveryMs))
    this.#plan()
    while (this.#done < this.#options.count) {
      const event = this.#nextEvent()
      if (event === undefined)
        throw new Error(`${this.#policy.name} stopped with ${this.#done} of ${this.#options.count} images done`)
      this.#nowMs = event.atMs
      event.run()
      this.#plan()
    }
    return this.#result()
  }

  #plan(): void {
    this.#servePerson()
    const times = this.#policy.keepsReserve
      ? this.#budget.backgroundSlotTimes(this.#nowMs)
      : this.#budget.slotTimes(this.#nowMs)
    const { calls, wakeAtMs } = this.#policy.plan({
      nowMs: this.#nowMs,
      slotTimesMs: times,
      readyCount: this.#toDispatch,
      sendingCount: this.#sending,
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
    this.#toDispatch -= 1
    this.#sending += 1
    const index = this.#dispatched
    const sentAtMs = this.#nowMs
    this.#dispatched += 1
    this.#inFlight += 1
    this.#mostInFlight = Math.max(this.#mostInFlight, this.#inFlight)
    this.#call(
      between(this.#random, ...UPLOAD_MS),
      between(this.#random, ...DOWN_LATENCY_MS),
      (arrivedAtMs) => {
        this.#sending -= 1
        const durationMs = this.#durationOf(index)
        this.#durationsMs.push(durationMs)
        const job: SimulatedJob = {
          jobId: `job-${this.#options.seed}-${index}`,
          operation: 'process',
          acceptedAtMs: this.#nowMs,
          lastPollAtMs: null,
          needsDownload: true,
          polling: false,
          notBeforeMs: null,
          sentAtMs,
          durationMs,
          endedAtMs: arrivedAtMs + durationMs,
          polls: 0,
        }
        this.#waiting.set(job.jobId, job)
      },
      () => {
        this.#sending -= 1
        this.#inFlight -= 1
        this.#toDispatch += 1
        this.#dispatched -= 1
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
        else job.lastPollAtMs = sentAtMs
      },
      () => {
        job.polling = false
      },
    )
  }

  #noticed(job: SimulatedJob, sentAtMs: number): void {
    this.#waiting.delete(job.jobId)
    this.#downloads.set(job.jobId, job.sentAtMs)
    this.#noticedDelaysMs.push(this.#nowMs - job.endedAtMs)
    const notDoneAtAgeMs = job.lastPollAtMs === null ? 0 : job.lastPollAtMs - job.acceptedAtMs
    this.#policy.learn?.(notDoneAtAgeMs, sentAtMs - job.acceptedAtMs)
  }

  #download(jobId: string): void {
    const sentAtMs = this.#downloads.get(jobId)
    if (sentAtMs === undefined)
      throw new Error(`${this.#policy.name} downloaded ${jobId}, which is not to be downloaded`)
    this.#downloads.delete(jobId)
    this.#call(
      between(this.#random, ...UP_LATENCY_MS),
      between(this.#random, ...DOWNLOAD_MS),
      () => {
        this.#done += 1
        this.#doneAtMs = this.#nowMs
        this.#inFlight -= 1
        this.#resultsAtMs.push(this.#nowMs)
        this.#inFlightMs.push(this.#nowMs - sentAtMs)
      },
      () => this.#downloads.set(jobId, sentAtMs),
    )
  }

  #call(thereMs: number, backMs: number, onAnswer: (arrivedAtMs: number) => void, onRefused: () => void): void {
    const id: CallId = this.#budget.take(this.#nowMs)
    this.#at(this.#nowMs + thereMs, () => {
      const arrivedAtMs = this.#nowMs
      const retryAfterMs = this.#server.count(arrivedAtMs)
      this.#at(arrivedAtMs + backMs, () => {
        if (retryAfterMs === null) this.#budget.answered(id, this.#nowMs)
        else this.#budget.rateLimited(id, this.#nowMs, retryAfterMs)
        if (retryAfterMs === null) onAnswer(arrivedAtMs)
        else onRefused()
      })
    })
  }

  #personAsks(everyMs: number): void {
    this.#personAskedAtMs.push(this.#nowMs)
    this.#at(this.#nowMs + everyMs, () => this.#personAsks(everyMs))
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
