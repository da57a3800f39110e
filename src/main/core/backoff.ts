import type { Random } from '../../shared/ports.ts'

export interface BackoffRange {
  /** Failed tries so far, the present one included: 1 after the first failure. Less counts as 1. */
  attempt: number
  /** Upper end of the first wait. */
  baseMs: number
  /** Upper end of every wait. */
  capMs: number
}

/** No wait is shorter than this share of its upper end: a wait of zero would be an immediate second try. */
const LEAST_SHARE = 0.05

/**
 * How long to wait before the next try: full jitter, evenly between next to nothing and `baseMs` doubled with every
 * attempt, never more than `capMs`. Spreading over the whole range keeps jobs that failed together from coming back together.
 */
export function backoffMs({ attempt, baseMs, capMs }: BackoffRange, random: Random): number {
  const doublings = Math.min(Math.max(attempt, 1) - 1, 60)
  const ceilingMs = Math.min(capMs, baseMs * 2 ** doublings)
  return Math.round(ceilingMs * (LEAST_SHARE + (1 - LEAST_SHARE) * random()))
}

/**
 * A stored "not before", made safe against a wall clock that was set back since: it never lies more than `maxWaitMs` (the
 * longest wait its writer could have meant) after now. A clock set forward ends the wait early, which costs one early try.
 */
export function clampWait(notBeforeMs: number | null, nowMs: number, maxWaitMs: number): number | null {
  if (notBeforeMs === null || notBeforeMs <= nowMs) return null
  return Math.min(notBeforeMs, nowMs + maxWaitMs)
}
