import { SETTLE_TIMING, type SettleTiming } from './settle.ts'

const SECOND = 1_000
const MINUTE = 60 * SECOND

export interface WatchTiming {
  /** Between passes beside a working watch; up to a fifth more or less. */
  passEveryMs: number
  /** Between passes without one: from this to twice this, and never more than a tenth of the time spent on them. */
  pollEveryMs: number
  /** A missing folder is looked for this often. */
  missingRetryMs: number
  /** So many events within `burstWindowMs` may mean that the kernel dropped some: a pass follows. */
  burstEvents: number
  burstWindowMs: number
  /** A pass after a burst waits for so much quiet, but not longer than `calmLimitMs`. */
  calmMs: number
  calmLimitMs: number
  /** Removals are looked into together, this long after the first. */
  removalDelayMs: number
  /** A failed watch is started again after this, doubling up to `longestRestartMs`. */
  restartMs: number
  longestRestartMs: number
  /** So many failures in a row and the folder is polled. */
  maxRestarts: number
  /** After this long, a folder that is polled for want of a watch gets another try. */
  rewatchMs: number
  settle: SettleTiming
}

export const WATCH_TIMING: WatchTiming = {
  passEveryMs: 5 * MINUTE,
  pollEveryMs: 30 * SECOND,
  missingRetryMs: 10 * SECOND,
  burstEvents: 500,
  burstWindowMs: 10 * SECOND,
  calmMs: 3 * SECOND,
  calmLimitMs: 15 * SECOND,
  removalDelayMs: 500,
  restartMs: SECOND,
  longestRestartMs: MINUTE,
  maxRestarts: 6,
  rewatchMs: 15 * MINUTE,
  settle: SETTLE_TIMING,
}
