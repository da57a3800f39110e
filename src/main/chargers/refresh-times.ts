import type { AppErrorCode } from '../../shared/errors.ts'
import type { Random } from '../../shared/ports.ts'
import { backoffMs } from '../core/backoff.ts'

const MINUTE_MS = 60_000
/** Soon: when it should have been done while the machine slept, or at the start. Spread, as many wake at the same time. */
const SOON_MS = { least: 500, more: 4500 }
/** A regular refresh comes up to a tenth of the interval, and a minute at most, later than the interval says. */
const LATER_SHARE = 0.1
const RETRY = { baseMs: 30_000, capMs: 30 * MINUTE_MS }
/** Asking again changes nothing before a person does something. */
const NEEDS_PERSON: ReadonlySet<AppErrorCode> = new Set([
  'key_missing',
  'key_refused',
  'address_wrong',
  'address_insecure',
])

interface RefreshFacts {
  /** 0: only when a person asks. */
  refreshMinutes: number
  /** When the set that is shown was given; null without one. */
  atMs: number | null
  /** Of the last refresh; null when it went well, or there was none. */
  problem: { code: AppErrorCode; retryAfterMs: number | null } | null
  /** Refreshes that failed since the last that did not. */
  failures: number
  nowMs: number
}

/** How long to wait for the next refresh that nobody orders; null when there is none. */
export function refreshDelayMs(facts: RefreshFacts, random: Random): number | null {
  const { refreshMinutes, atMs, problem, failures, nowMs } = facts
  if (refreshMinutes === 0 || (problem !== null && NEEDS_PERSON.has(problem.code))) return null
  if (problem !== null)
    return Math.max(backoffMs({ attempt: failures, ...RETRY }, random), problem.retryAfterMs ?? 0, SOON_MS.least)
  const intervalMs = refreshMinutes * MINUTE_MS
  // A set from the future is one from before the clock was set back: how old it is nobody knows.
  const ageMs = atMs === null || atMs > nowMs ? Infinity : nowMs - atMs
  if (ageMs >= intervalMs) return soonMs(random)
  return intervalMs - ageMs + random() * Math.min(MINUTE_MS, intervalMs * LATER_SHARE)
}

export function soonMs(random: Random): number {
  return SOON_MS.least + random() * SOON_MS.more
}
