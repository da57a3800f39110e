import type { Random } from '../../shared/runtime/ports.ts'

export interface BackoffRange {
  /** Failed attempts, including the current one: 1 after the first failure. Less counts as 1. */
  attempt: number
  /** Upper end of the first wait. */
  baseMs: number
  /** Upper end of every wait. */
  capMs: number
}

/** The shortest wait, as a share of its upper end: zero would mean an immediate retry. */
const MIN_SHARE = 0.05

/**
 * How long to wait before the next attempt: full jitter, uniformly between almost nothing and `baseMs` doubled with every
 * attempt, at most `capMs`. Spreading over the whole range keeps jobs that failed together from retrying together.
 */
export function backoffMs({ attempt, baseMs, capMs }: BackoffRange, random: Random): number {
  const doublings = Math.min(Math.max(attempt, 1) - 1, 60)
  const ceilingMs = Math.min(capMs, baseMs * 2 ** doublings)
  return Math.round(ceilingMs * (MIN_SHARE + (1 - MIN_SHARE) * random()))
}

/**
 * Limits a stored "not before" in case the wall clock was set back since: at most `maxWaitMs` from now, the longest wait that
 * can have been meant. A clock that was set forward ends the wait early, which costs one early attempt.
 */
export function clampWait(notBeforeMs: number | null, nowMs: number, maxWaitMs: number): number | null {
  if (notBeforeMs === null || notBeforeMs <= nowMs) return null
  return Math.min(notBeforeMs, nowMs + maxWaitMs)
}
