import type { AppErrorCode } from '../../shared/sentences/errors.ts'
import type { Random } from '../../shared/runtime/ports.ts'
import { RETRIES, retryMs } from '../core/retries.ts'

const MINUTE_MS = 60_000
/**
 * For a refresh that was due while the machine slept, or at the start. Spread, because many machines wake at the same
 * time.
 */
const SOON_MS = { least: 500, more: 4500 }
/** A regular refresh is delayed by up to a tenth of the interval, at most a minute. */
const LATER_SHARE = 0.1
/** Retrying is useless until a person does something. */
const NEEDS_PERSON: ReadonlySet<AppErrorCode> = new Set([
  'key_missing',
  'key_refused',
  'address_wrong',
  'address_insecure',
])

interface RefreshFacts {
  /** 0: only on request. */
  refreshMinutes: number
  /** When the shown set was returned; null without one. */
  atMs: number | null
  /** Of the last refresh; null when it succeeded, or there was none. */
  problem: { code: AppErrorCode; retryAfterMs: number | null } | null
  /** Consecutive failed refreshes. */
  failures: number
  nowMs: number
}

/** Milliseconds until the next automatic refresh; null when there is none. */
export function refreshDelayMs(facts: RefreshFacts, random: Random): number | null {
  const { refreshMinutes, atMs, problem, failures, nowMs } = facts
  if (refreshMinutes === 0 || (problem !== null && NEEDS_PERSON.has(problem.code))) return null
  if (problem !== null)
    return Math.max(retryMs(RETRIES.chargerRefresh, failures, random), problem.retryAfterMs ?? 0, SOON_MS.least)
  const intervalMs = refreshMinutes * MINUTE_MS
  // A set from the future dates from before the clock was set back: its age is unknown.
  const ageMs = atMs === null || atMs > nowMs ? Infinity : nowMs - atMs
  if (ageMs >= intervalMs) return soonMs(random)
  return intervalMs - ageMs + random() * Math.min(MINUTE_MS, intervalMs * LATER_SHARE)
}

export function soonMs(random: Random): number {
  return SOON_MS.least + random() * SOON_MS.more
}
