import type { JobCounts, JobView } from '../../shared/contract.ts'
import type { JobState } from '../../shared/reasons.ts'
import type { Progress } from '../../shared/ui-contract.ts'
import { savedBytesOf } from './job-row.ts'

/** States that continue by themselves; a held job waits for a person or a disk and is not among them. */
const ACTIVE: readonly JobState[] = ['ready', 'sending', 'waiting', 'fetching', 'writing']

/** The full pipeline cannot do with less: dispatch, one poll, one download (docs/decisions/0003). */
const REQUESTS_PER_IMAGE = 3
const MINUTE = 60_000
const WINDOW_MS = 2 * MINUTE
const MOST_RECENT = 500
/** With fewer ends, or a shorter time, a rate says nothing. */
const FEWEST_ENDS = 3
const SHORTEST_MS = 3000
/** An estimate that grows by less, while no work was added, is noise. */
const NOISE = 1.25

export function activeIn(counts: JobCounts): number {
  return ACTIVE.reduce((sum, state) => sum + counts[state], 0)
}

interface End {
  atMs: number
  /** It took requests of the rate budget. */
  sent: boolean
}

/**
 * The work since the queue was last empty. Within that, `ended` and `savedBytes` never go back, and what is left is not
 * said to have grown unless work was added or things really went slower. Times are monotonic milliseconds.
 */
export class ProgressMeter {
  #active: number
  #ended = 0
  #done = 0
  #skipped = 0
  #savedBytes = 0
  #recent: End[] = []
  #startedAtMs: number
  #told: { leftMs: number; active: number } | null = null

  constructor(counts: JobCounts, atMs: number) {
    this.#active = activeIn(counts)
    this.#startedAtMs = atMs
  }

  changed(job: JobView, from: JobState | null, atMs: number): void {
    const was = from !== null && ACTIVE.includes(from)
    const is = ACTIVE.includes(job.state)
    if (!was && is) {
      if (this.#active === 0) this.#begin(atMs)
      this.#active += 1
      return
    }
    // A picture that fails at once belongs to the work under way, if there is some.
    const failedAtOnce = from === null && !is && job.state !== 'held' && this.#active > 0
    if (was && !is) this.#active = Math.max(0, this.#active - 1)
    if ((was && !is && job.state !== 'held') || failedAtOnce) this.#end(job, atMs)
  }

  /** A fresh count: jobs can leave the list without an event. */
  corrected(counts: JobCounts): void {
    this.#active = activeIn(counts)
  }

  /** `goesOn`: nothing keeps the queue from sending. */
  read(now: { atMs: number; goesOn: boolean; requestsPerMinute: number }): Progress {
    return {
      total: this.#ended + this.#active,
      ended: this.#ended,
      done: this.#done,
      skipped: this.#skipped,
      savedBytes: this.#savedBytes,
      leftMs: now.goesOn ? this.#leftMs(now.atMs, now.requestsPerMinute) : null,
      requestsPerMinute: now.requestsPerMinute,
    }
  }

  #begin(atMs: number): void {
    this.#ended = 0
    this.#done = 0
    this.#skipped = 0
    this.#savedBytes = 0
    this.#recent = []
    this.#startedAtMs = atMs
    this.#told = null
  }

  #end(job: JobView, atMs: number): void {
    this.#ended += 1
    if (job.state === 'done') this.#done += 1
    if (job.state === 'skipped') this.#skipped += 1
    this.#savedBytes += savedBytesOf(job)
    this.#recent.push({ atMs, sent: job.operation !== null })
    if (this.#recent.length > MOST_RECENT) this.#recent.shift()
  }

  #leftMs(atMs: number, requestsPerMinute: number): number | null {
    const recent = this.#recent.filter((end) => atMs - end.atMs <= WINDOW_MS)
    const sinceMs = recent.length === MOST_RECENT ? recent[0]!.atMs : Math.max(this.#startedAtMs, atMs - WINDOW_MS)
    const spanMs = atMs - sinceMs
    if (this.#active === 0 || recent.length < FEWEST_ENDS || spanMs < SHORTEST_MS) return null
    const possible = requestsPerMinute / REQUESTS_PER_IMAGE / MINUTE
    const seen = recent.length / spanMs
    const rate = recent.some(({ sent }) => sent) ? Math.min(seen, possible) : seen
    const estimate = this.#active / rate
    const told = this.#told
    const isNoise = told !== null && this.#active <= told.active && estimate < told.leftMs * NOISE
    const leftMs = isNoise ? Math.min(told.leftMs, estimate) : estimate
    this.#told = { leftMs, active: this.#active }
    return Math.ceil(leftMs / 1000) * 1000
  }
}
