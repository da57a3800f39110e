import type { Job } from '../../shared/jobs/job.ts'
import type { DurationObservation } from '../core/duration-model.ts'
import type { WaitingJob } from '../core/poll-planner.ts'
import { MAX_STORED_MS } from '../core/retries.ts'
import type { Clock } from '../../shared/runtime/ports.ts'

interface Times {
  acceptedAtMs: number
  lastPollAtMs: number | null
}

/** When waiting jobs were accepted and last polled, on the budget's clock; the journal stores wall time, for a restart. */
export class PollTimes {
  readonly #times = new Map<string, Times>()

  /** What the planner needs to know of a waiting job, except what only the runner knows. */
  of(job: Job, now: Moment): Omit<WaitingJob, 'needsDownload' | 'polling'> {
    const times = this.#times.get(job.id) ?? this.#read(job, now)
    const waitMs = job.notBeforeMs === null ? 0 : job.notBeforeMs - now.wallMs
    return {
      jobId: job.id,
      operation: job.operation ?? 'process',
      ...times,
      notBeforeMs: waitMs > 0 ? now.monotonicMs + Math.min(waitMs, MAX_STORED_MS) : null,
    }
  }

  /** A poll made at this time was answered "not yet". */
  notYet(jobId: string, askedAtMs: number): void {
    const times = this.#times.get(jobId)
    if (times !== undefined) times.lastPollAtMs = askedAtMs
  }

  /** A poll made at this time found the job ended; returns what the model learns from it. */
  ended(jobId: string, askedAtMs: number): DurationObservation | null {
    const times = this.#times.get(jobId)
    if (times === undefined) return null
    const { acceptedAtMs, lastPollAtMs } = times
    return {
      notDoneAtAgeMs: lastPollAtMs === null ? 0 : Math.max(0, lastPollAtMs - acceptedAtMs),
      doneAtAgeMs: Math.max(1, askedAtMs - acceptedAtMs),
    }
  }

  forget(jobId: string): void {
    this.#times.delete(jobId)
  }

  /** Setting the clock must not make a job younger than possible. */
  #read(job: Job, now: Moment): Times {
    const toLaneTime = (atMs: number) => now.monotonicMs - Math.max(0, now.wallMs - atMs)
    const neverAsked = job.polls === 0 && job.lastPollAtMs === null
    const times = {
      acceptedAtMs: toLaneTime(neverAsked ? job.updatedAtMs : (job.sentAtMs ?? job.updatedAtMs)),
      lastPollAtMs: job.lastPollAtMs === null ? null : toLaneTime(job.lastPollAtMs),
    }
    this.#times.set(job.id, times)
    return times
  }
}

/** Both clocks, read once: what is decided together is decided at one time. */
export interface Moment {
  wallMs: number
  monotonicMs: number
}

export function momentOf(clock: Clock): Moment {
  return { wallMs: clock.nowMs(), monotonicMs: clock.monotonicMs() }
}
