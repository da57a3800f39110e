import type { Job } from '../../shared/job.ts'
import type { DurationObservation } from '../core/duration-model.ts'
import type { Moment } from '../core/moment.ts'
import type { WaitingJob } from '../core/poll-planner.ts'

/** A stored wait is never longer; more means that the wall clock was set back. */
const LONGEST_WAIT_MS = 600_000

interface Times {
  acceptedAtMs: number
  lastPollAtMs: number | null
}

/**
 * When waiting jobs were accepted and last asked after, in the budget's time, which the planner thinks in. What the
 * journal holds is wall time, so that it means something after a restart.
 */
export class PollTimes {
  readonly #times = new Map<string, Times>()

  /** What the planner needs to know of a waiting job, apart from what only the runner knows. */
  of(job: Job, now: Moment): Omit<WaitingJob, 'needsDownload' | 'polling'> {
    const times = this.#times.get(job.id) ?? this.#read(job, now)
    const waitMs = job.notBeforeMs === null ? 0 : job.notBeforeMs - now.wallMs
    return {
      jobId: job.id,
      operation: job.operation ?? 'process',
      ...times,
      notBeforeMs: waitMs > 0 ? now.monotonicMs + Math.min(waitMs, LONGEST_WAIT_MS) : null,
    }
  }

  /** A poll that left at this time was answered "not yet". */
  notYet(jobId: string, askedAtMs: number): void {
    const times = this.#times.get(jobId)
    if (times !== undefined) times.lastPollAtMs = askedAtMs
  }

  /** A poll that left at this time found the job ended: what the model learns from it. */
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

  /** A clock that was set must not make a job younger than it can be. */
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
