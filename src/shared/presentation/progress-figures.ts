import type { JobCounts } from '../contract/jobs.ts'
import { ACTIVE_STATES, JobState } from '../sentences/reasons.ts'

export const NO_JOBS = Object.fromEntries(JobState.options.map((state) => [state, 0])) as JobCounts

export const countIn = (counts: JobCounts, states: readonly JobState[]): number =>
  states.reduce((sum, state) => sum + counts[state], 0)

export const activeIn = (counts: JobCounts): number => countIn(counts, ACTIVE_STATES)

/** How many jobs cannot continue until a person decides. */
export function needsPerson({ held, failed, unknown }: JobCounts): number {
  return held + failed + unknown
}

/** Rounds a rate to its precision: in tenths while it is small, so that a slow queue does not seem to stand still. */
export function rateFigure(perMinute: number): number {
  return perMinute < 10 ? Math.round(perMinute * 10) / 10 : Math.round(perMinute)
}
