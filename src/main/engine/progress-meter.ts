import type { JobCounts, JobView } from '../../shared/contract/jobs.ts'
import type { Progress } from '../../shared/contract/queue.ts'
import { countIn, NO_JOBS } from '../../shared/presentation/progress-figures.ts'
import { ACTIVE_STATES, END_STATES, hasEnded } from '../../shared/sentences/job-states.ts'
import type { JobState } from '../../shared/sentences/reasons.ts'
import { DurationModel } from '../core/duration-model.ts'
import { ANY_OPERATION, timeLeftMs } from '../core/time-left.ts'
import { savedBytesOf } from '../core/published-output.ts'
import type { Clock } from '../../shared/runtime/ports.ts'
import type { EngineData } from './engine-data.ts'
import type { EngineEvents } from './engine-events.ts'
import type { Queue } from './engine-queue.ts'

type Active = (typeof ACTIVE_STATES)[number]

const SECOND = 1000
const MINUTE = 60 * SECOND
/** The window that rates are computed over. */
const WINDOW_MS = 2 * MINUTE
const RECENT_ENDS = 500
/** With fewer ends or a shorter time, a rate is meaningless. */
const FEWEST_ENDS = 3
const SHORTEST_MS = 3000
const SHORTEST_RATE_MS = 15_000
/** If no work was added, an estimate that grows by a smaller factor is noise. */
const NOISE = 1.25
/** Sample sizes. */
const RECENT_IMAGES = 40
const RECENT_CALLS = 100
const USUAL_CALLS_PER_IMAGE = 3

interface End {
  /** In working time, which excludes pauses. */
  atMs: number
  isResult: boolean
}

interface AtService {
  acceptedAtMs: number
  /** When a poll last found it unfinished; before the first poll, when it was accepted. */
  notEndedAtMs: number
}

interface Call {
  atMs: number
  /** False for a poll that came too early. */
  isNeeded: boolean
}

interface MeasuredParts extends Pick<Queue, 'context' | 'status' | 'sends'>, Pick<EngineData, 'settings'> {
  scope: 'all' | 'batch' | 'none'
  clock: Pick<Clock, 'monotonicMs'>
  events: EngineEvents
}

/** The progress of an engine's work, without the ready jobs of batches that it does not send. */
export function measureProgress({
  scope,
  sends,
  clock,
  context,
  status,
  settings,
  events,
}: MeasuredParts): () => Progress {
  const { store } = context
  const counts = () => (scope === 'all' ? store.count() : { ...store.count(), ready: 0 })
  const meter = new ProgressMeter(counts(), clock.monotonicMs(), (batchId) => store.count({ batchId }))
  const follow = () => {
    const service = status()
    const isHeld = service !== null && (service.hold !== null || service.unreachable !== null)
    meter.setGoing(!settings().paused && !isHeld, clock.monotonicMs())
  }
  follow()
  events.subscribe((event) => {
    if (event.type === 'job') {
      const { job, from } = event
      if (sends(job.batchId) || (from !== 'ready' && job.state !== 'ready'))
        meter.changed(job, from, clock.monotonicMs())
    } else if (event.type === 'removed' && scope === 'all') meter.corrected(counts())
    else if (event.type === 'service' || event.type === 'settings') follow()
  })
  return () => meter.read({ atMs: clock.monotonicMs(), requestsPerMinute: settings().requestsPerMinute })
}

/**
 * Progress of all batches that were worked on since the queue was last empty. Jobs of these batches that ended earlier count too,
 * whether before a restart or while others were held. Until the queue is empty, `ended` and `savedBytes` never decrease, and the estimate does not
 * grow unless work was added or the rate really dropped. Times are monotonic milliseconds.
 */
export class ProgressMeter {
  readonly #counts: Pick<JobCounts, Active>
  #ended = 0
  #done = 0
  #savedBytes = 0
  readonly #countsOf: (batchId: string) => JobCounts
  /** Batches whose earlier ends are counted. */
  readonly #batches = new Set<string>()
  #shown: { leftMs: number; active: number } | null = null
  #startedAtMs: number
  /** Working time: it stops during a pause, an outage or a hold. */
  #going = { isOn: true, sinceMs: 0, passedMs: 0 }
  #ends: End[] = []
  /** Jobs being sent and jobs at the service, by id. */
  readonly #sentAtMs = new Map<string, number>()
  readonly #atService = new Map<string, AtService>()
  /** The last calls, inferred from the changes of jobs. */
  readonly #calls: Call[] = []
  /** How long the upload of each of the last images took. */
  readonly #uploadsMs: number[] = []
  readonly #durations = new DurationModel()
  /** How many calls each of the last images took. */
  readonly #callsOfImages: number[] = []

  /** `countsOf`: the jobs of a batch as they are now. */
  constructor(counts: JobCounts, atMs: number, countsOf: (batchId: string) => JobCounts = () => NO_JOBS) {
    this.#countsOf = countsOf
    this.#counts = activeCounts(counts)
    this.#startedAtMs = atMs
    this.#going.sinceMs = atMs
  }

  /** Must be called for every event of a job, including those that do not change its state, such as a poll. */
  changed(job: JobView, from: JobState | null, atMs: number): void {
    const was = isActive(from)
    const is = isActive(job.state)
    if (!was && is && this.#active === 0) this.#begin(atMs)
    this.#callsOf(job, from, atMs)
    // A picture that fails immediately counts towards the work under way, if any.
    const failedAtOnce = from === null && !is && job.state !== 'held' && this.#active > 0
    if (isActive(from) && from !== job.state) this.#counts[from] = Math.max(0, this.#counts[from] - 1)
    if (isActive(job.state) && from !== job.state) this.#counts[job.state] += 1
    if ((was && !is && job.state !== 'held') || failedAtOnce) this.#end(job, atMs)
    if (was || is || failedAtOnce) this.#join(job, from)
  }

  /** Takes a fresh count: jobs can leave the list without an event. */
  corrected(counts: JobCounts): void {
    Object.assign(this.#counts, activeCounts(counts))
    if (this.#counts.sending === 0) this.#sentAtMs.clear()
    if (this.#counts.waiting === 0) this.#atService.clear()
  }

  /** Whether the queue is able to send from now on. */
  setGoing(isOn: boolean, atMs: number): void {
    if (isOn === this.#going.isOn) return
    this.#going = { isOn, sinceMs: atMs, passedMs: this.#workedMs(atMs) }
  }

  read(now: { atMs: number; requestsPerMinute: number }): Progress {
    const { isOn } = this.#going
    return {
      total: this.#ended + this.#active,
      ended: this.#ended,
      done: this.#done,
      savedBytes: this.#savedBytes,
      leftMs: isOn ? this.#leftMs(now.atMs, now.requestsPerMinute) : null,
      resultsPerMinute: isOn && this.#active > 0 ? this.#resultsPerMinute(now.atMs) : null,
    }
  }

  get #active(): number {
    return ACTIVE_STATES.reduce((sum, state) => sum + this.#counts[state], 0)
  }

  #join({ batchId, state }: JobView, from: JobState | null): void {
    if (this.#batches.has(batchId)) return
    this.#batches.add(batchId)
    // What is tried again after it ended is work of its own: the rest of its batch was counted when it was done.
    if (from !== null && hasEnded(from)) return
    const counts = this.#countsOf(batchId)
    const endsNow = (ended: boolean) => Number(ended && from !== state)
    this.#ended += Math.max(0, countIn(counts, END_STATES) - endsNow(hasEnded(state)))
    this.#done += Math.max(0, counts.done - endsNow(state === 'done'))
  }

  #begin(atMs: number): void {
    this.#batches.clear()
    this.#ended = 0
    this.#done = 0
    this.#savedBytes = 0
    this.#ends = []
    this.#startedAtMs = atMs
    this.#shown = null
  }

  #workedMs(atMs: number): number {
    const { isOn, sinceMs, passedMs } = this.#going
    return isOn ? passedMs + atMs - sinceMs : passedMs
  }

  /** Infers from an event which calls were made and how long the job took. */
  #callsOf(job: JobView, from: JobState | null, atMs: number): void {
    const to = job.state
    const sentAtMs = this.#sentAtMs.get(job.id)
    const atService = this.#atService.get(job.id)
    if (to !== from) {
      this.#sentAtMs.delete(job.id)
      this.#atService.delete(job.id)
    }
    if (to === 'sending' && from !== 'sending') this.#sentAtMs.set(job.id, atMs)
    else if (from === 'sending') {
      this.#call(atMs, to === 'waiting')
      if (to !== 'waiting') return
      if (sentAtMs !== undefined) keepLast(this.#uploadsMs, atMs - sentAtMs)
      this.#atService.set(job.id, { acceptedAtMs: atMs, notEndedAtMs: atMs })
    } else if (from === 'waiting' && to === 'waiting') {
      this.#call(atMs, false)
      if (atService !== undefined) atService.notEndedAtMs = atMs
    } else if (from === 'waiting' && (to === 'fetching' || to === 'writing')) {
      this.#call(atMs, true)
      keepLast(this.#callsOfImages, to === 'fetching' ? 3 : 2)
      if (atService === undefined) return
      const { acceptedAtMs, notEndedAtMs } = atService
      const observed = { notDoneAtAgeMs: notEndedAtMs - acceptedAtMs, doneAtAgeMs: atMs - acceptedAtMs }
      this.#durations.observe(ANY_OPERATION, observed)
    } else if (from === 'fetching' && to === 'writing') this.#call(atMs, true)
    else if (from === 'ready' && job.operation === null) keepLast(this.#callsOfImages, 0)
  }

  #call(atMs: number, isNeeded: boolean): void {
    this.#calls.push({ atMs, isNeeded })
    while (this.#calls.length > RECENT_CALLS && this.#calls[0]!.atMs < atMs - MINUTE - SECOND) this.#calls.shift()
  }

  #end(job: JobView, atMs: number): void {
    this.#ended += 1
    if (job.state === 'done') this.#done += 1
    this.#savedBytes += savedBytesOf(job)
    this.#ends.push({ atMs: this.#workedMs(atMs), isResult: job.state === 'done' })
    if (this.#ends.length > RECENT_ENDS) this.#ends.shift()
  }

  /** Ends within the window, measured from the first of them: the time before it is not part of the rate. */
  #recentEnds(atMs: number): { ends: readonly End[]; ms: number } {
    const workedMs = this.#workedMs(atMs)
    const fromMs = Math.max(this.#ends[0]?.atMs ?? workedMs, workedMs - WINDOW_MS)
    return { ends: this.#ends.filter((end) => end.atMs > fromMs), ms: workedMs - fromMs }
  }

  #resultsPerMinute(atMs: number): number | null {
    const { ends, ms } = this.#recentEnds(atMs)
    const results = ends.filter(({ isResult }) => isResult).length
    return results < FEWEST_ENDS || ms < SHORTEST_RATE_MS ? null : (results * MINUTE) / ms
  }

  #leftMs(atMs: number, requestsPerMinute: number): number | null {
    const active = this.#active
    const { ends, ms } = this.#recentEnds(atMs)
    if (active === 0 || this.#ends.length < FEWEST_ENDS || atMs - this.#startedAtMs < SHORTEST_MS) return null
    // The first end only starts the time over which the others are counted.
    const seen = ends.length < FEWEST_ENDS - 1 ? null : { images: ends.length, ms }
    const callsPerImage = mean(this.#callsOfImages) ?? USUAL_CALLS_PER_IMAGE
    if (seen === null && (callsPerImage === 0 || this.#calls.length === 0)) return null
    const { ready, sending, waiting, fetching, writing } = this.#counts
    const uploadMs = median(this.#uploadsMs) ?? 0
    const recent = this.#calls.slice(-RECENT_CALLS)
    const estimate = timeLeftMs({
      nowMs: atMs,
      requestsPerMinute,
      callsMs: this.#calls.map((call) => call.atMs),
      recentCalls: { needed: recent.filter(({ isNeeded }) => isNeeded).length, all: recent.length },
      toSend: ready,
      callsPerImage,
      uploadMs,
      acceptedAtMs: [
        ...this.#known(this.#sentAtMs.values(), sending).map((sentAtMs) => Math.max(atMs, sentAtMs + uploadMs)),
        ...this.#known(
          [...this.#atService.values()].map(({ acceptedAtMs }) => acceptedAtMs),
          waiting,
        ),
      ],
      toFetch: fetching,
      toWrite: writing,
      durations: this.#durations,
      seen,
    })
    const shown = this.#shown
    const isNoise = shown !== null && active <= shown.active && estimate < shown.leftMs * NOISE
    const leftMs = isNoise ? Math.min(shown.leftMs, estimate) : estimate
    this.#shown = { leftMs, active }
    return Math.max(1, Math.ceil(leftMs / SECOND)) * SECOND
  }

  /** Pads to one time per job: those sent by an earlier run count as sent when this one began. */
  #known(timesMs: Iterable<number>, count: number): number[] {
    const known = [...timesMs].slice(0, count)
    return [...known, ...Array<number>(count - known.length).fill(this.#startedAtMs)]
  }
}

function isActive(state: JobState | null): state is Active {
  return (ACTIVE_STATES as readonly (JobState | null)[]).includes(state)
}

function activeCounts({ ready, sending, waiting, fetching, writing }: JobCounts): Pick<JobCounts, Active> {
  return { ready, sending, waiting, fetching, writing }
}

function keepLast(list: number[], value: number): void {
  list.push(value)
  if (list.length > RECENT_IMAGES) list.shift()
}

function mean(values: readonly number[]): number | null {
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length
}

function median(values: readonly number[]): number | null {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? null
}
