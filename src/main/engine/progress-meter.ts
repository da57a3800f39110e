import type { JobCounts, JobView } from '../../shared/contract/jobs.ts'
import type { Progress } from '../../shared/contract/queue.ts'
import { activeIn, countIn, NO_JOBS } from '../../shared/presentation/progress-figures.ts'
import { ACTIVE_STATES, END_STATES, hasEnded } from '../../shared/sentences/job-states.ts'
import type { JobState } from '../../shared/sentences/reasons.ts'
import { callsOf } from '../core/plan-work.ts'
import { type ServicePace, timeLeftMs } from '../core/time-left.ts'
import { savedBytesOf } from '../core/published-output.ts'
import type { Clock } from '../../shared/runtime/ports.ts'
import type { EngineData } from './engine-data.ts'
import type { EngineEvents } from './engine-events.ts'
import type { Queue } from './engine-queue.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND
const WINDOW_MS = 2 * MINUTE
const RECENT_ENDS = 500
/** With fewer ends or a shorter time, a rate is meaningless. */
const MIN_ENDS = 3
const MIN_MS = 3000
const MIN_RATE_MS = 15_000
/** If no work was added, an estimate that grows by a smaller factor is noise. */
const NOISE = 1.25
/** How many of the last images are averaged. */
const RECENT_IMAGES = 40
const USUAL_CALLS_PER_IMAGE = 3
/** Wasted calls are damped by this many calls without waste. */
const USUAL_CALLS = 200

interface End {
  /** In working time, which excludes pauses. */
  atMs: number
  isResult: boolean
}

interface MeasuredParts extends Pick<Queue, 'context' | 'status' | 'sends' | 'pace'>, Pick<EngineData, 'settings'> {
  scope: 'all' | 'batch' | 'none'
  clock: Pick<Clock, 'monotonicMs'>
  events: EngineEvents
}

/** The progress of an engine's work, without the ready jobs of batches that it does not send. */
export function measureProgress(parts: MeasuredParts): () => Progress {
  const { scope, sends, clock, context, status, settings, events, pace } = parts
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
  return () => meter.read(clock.monotonicMs(), pace())
}

/**
 * Progress of all batches that were worked on since the queue was last empty. Jobs of these batches that ended earlier count too,
 * whether before a restart or while others were held. Until the queue is empty, `ended` and `savedBytes` never decrease, and the
 * estimate does not grow unless work was added or the rate really dropped. Times are monotonic milliseconds.
 */
export class ProgressMeter {
  #counts: JobCounts
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
  /** The calls that each of the last images needed, and its polls that came too early. */
  readonly #images: { calls: number; early: number }[] = []
  readonly #uploadsMs: number[] = []
  /** Of the last image that was sent. */
  #operation = 'process'

  /** `countsOf`: the jobs of a batch as they are now. */
  constructor(counts: JobCounts, atMs: number, countsOf: (batchId: string) => JobCounts = () => NO_JOBS) {
    this.#countsOf = countsOf
    this.#counts = { ...counts }
    this.#startedAtMs = atMs
    this.#going.sinceMs = atMs
  }

  /** Must be called for every event of a job. */
  changed(job: JobView, from: JobState | null, atMs: number): void {
    const was = isActive(from)
    const is = isActive(job.state)
    if (!was && is && this.#active === 0) this.#begin(atMs)
    if (from === 'sending' && job.state === 'waiting' && job.sentAtMs !== null)
      keepLast(this.#uploadsMs, job.updatedAtMs - job.sentAtMs)
    // A picture that fails immediately counts towards the work under way, if any.
    const failedAtOnce = from === null && !is && job.state !== 'held' && this.#active > 0
    if (from !== null) this.#counts[from] = Math.max(0, this.#counts[from] - 1)
    this.#counts[job.state] += 1
    if ((was && !is && job.state !== 'held') || failedAtOnce) this.#end(job, atMs)
    if (was || is || failedAtOnce) this.#join(job, from)
  }

  /** Takes a fresh count: jobs can leave the list without an event. */
  corrected(counts: JobCounts): void {
    this.#counts = { ...counts }
  }

  setGoing(isOn: boolean, atMs: number): void {
    if (isOn === this.#going.isOn) return
    this.#going = { isOn, sinceMs: atMs, passedMs: this.#workedMs(atMs) }
  }

  /** `pace`: null without a service. */
  read(atMs: number, pace: ServicePace | null): Progress {
    const { isOn } = this.#going
    return {
      total: this.#ended + this.#active,
      ended: this.#ended,
      done: this.#done,
      savedBytes: this.#savedBytes,
      leftMs: isOn ? this.#leftMs(atMs, pace) : null,
      resultsPerMinute: isOn && this.#active > 0 ? this.#resultsPerMinute(atMs) : null,
    }
  }

  get #active(): number {
    return activeIn(this.#counts)
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

  #end(job: JobView, atMs: number): void {
    this.#ended += 1
    if (job.state === 'done') this.#done += 1
    this.#savedBytes += savedBytesOf(job)
    if (job.state === 'done' && (job.operation === null || job.sentAtMs !== null))
      keepLast(this.#images, { calls: callsOf(job), early: job.polls })
    if (job.operation !== null) this.#operation = job.operation
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
    return results < MIN_ENDS || ms < MIN_RATE_MS ? null : (results * MINUTE) / ms
  }

  #leftMs(atMs: number, pace: ServicePace | null): number | null {
    const active = this.#active
    const { ends, ms } = this.#recentEnds(atMs)
    if (active === 0 || this.#ends.length < MIN_ENDS || atMs - this.#startedAtMs < MIN_MS) return null
    // The first end only starts the time over which the others are counted.
    const seenMs = ends.length < MIN_ENDS - 1 ? null : (active * ms) / ends.length
    const calls = sum(this.#images.map((image) => image.calls))
    const callsPerImage = this.#images.length === 0 ? USUAL_CALLS_PER_IMAGE : calls / this.#images.length
    const isLocal = pace === null || callsPerImage === 0
    if (seenMs === null && isLocal) return null
    const waste = 1 + sum(this.#images.map(({ early }) => early)) / (USUAL_CALLS + calls)
    const uploadMs = median(this.#uploadsMs) ?? 0
    const work = { ...this.#counts, callsPerImage, waste, uploadMs, operation: this.#operation }
    const estimate = isLocal ? seenMs! : timeLeftMs({ ...work, pace }, seenMs ?? 0)
    const shown = this.#shown
    const isNoise = shown !== null && active <= shown.active && estimate < shown.leftMs * NOISE
    const leftMs = isNoise ? Math.min(shown.leftMs, estimate) : estimate
    this.#shown = { leftMs, active }
    return Math.max(1, Math.ceil(leftMs / SECOND)) * SECOND
  }
}

function isActive(state: JobState | null): boolean {
  return ACTIVE_STATES.some((active) => active === state)
}

function keepLast<Item>(list: Item[], item: Item): void {
  list.push(item)
  if (list.length > RECENT_IMAGES) list.shift()
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)

function median(values: readonly number[]): number | null {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? null
}
