import type { JobCounts } from '../contract/jobs.ts'
import { ACTIVE_STATES, JOB_STATES } from '../sentences/job-states.ts'
import type { JobState } from '../sentences/reasons.ts'

export const NO_JOBS = Object.fromEntries(JOB_STATES.map((state) => [state, 0])) as JobCounts

/** How many jobs are in these states, by default in any. */
export const countIn = (counts: Partial<JobCounts>, states = Object.keys(counts) as readonly JobState[]): number =>
  states.reduce((sum, state) => sum + (counts[state] ?? 0), 0)

export const activeIn = (counts: Partial<JobCounts>): number => countIn(counts, ACTIVE_STATES)

/** How many jobs cannot continue until a person decides. */
export function needsPerson({ held, failed, unknown }: JobCounts): number {
  return held + failed + unknown
}

/** Rounds a rate to its precision: in tenths while it is small, so that a slow queue does not seem to stand still. */
export function rateFigure(perMinute: number): number {
  return perMinute < 10 ? Math.round(perMinute * 10) / 10 : Math.round(perMinute)
}
