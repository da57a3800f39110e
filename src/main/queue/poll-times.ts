import type { Job } from '../../shared/job.ts'
import type { Clock } from '../../shared/ports.ts'
import type { DurationObservation } from '../core/duration-model.ts'
import type { WaitingJob } from '../core/poll-planner.ts'
import type { Lane } from './lane.ts'

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
  readonly #clock: Clock
  readonly #times = new Map<string, Times>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** What the planner needs to know of a waiting job, apart from what only the runner knows. */
  of(job: Job, lane: Lane): Omit<WaitingJob, 'needsDownload' | 'polling'> {
    const times = this.#times.get(job.id) ?? this.#read(job, lane)
    const waitMs = job.notBeforeMs === null ? 0 : job.notBeforeMs - this.#clock.nowMs()
    return {
      jobId: job.id,
      operation: job.operation ?? 'process',
      ...times,
      notBeforeMs: waitMs > 0 ? lane.nowMs() + Math.min(waitMs, LONGEST_WAIT_MS) : null,
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
  #read(job: Job, lane: Lane): Times {
    const toLaneTime = (atMs: number) => lane.nowMs() - Math.max(0, this.#clock.nowMs() - atMs)
    const neverAsked = job.polls === 0 && job.lastPollAtMs === null
    const times = {
      acceptedAtMs: toLaneTime(neverAsked ? job.updatedAtMs : (job.sentAtMs ?? job.updatedAtMs)),
      lastPollAtMs: job.lastPollAtMs === null ? null : toLaneTime(job.lastPollAtMs),
    }
    this.#times.set(job.id, times)
    return times
  }
}
