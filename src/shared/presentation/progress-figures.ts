import type { JobCounts } from '../contract/jobs.ts'

/** How many jobs cannot continue until a person decides. */
export function needsPerson({ held, failed, unknown }: JobCounts): number {
  return held + failed + unknown
}

/** Rounds a rate to its precision: in tenths while it is small, so that a slow queue does not seem to stand still. */
export function rateFigure(perMinute: number): number {
  return perMinute < 10 ? Math.round(perMinute * 10) / 10 : Math.round(perMinute)
}
