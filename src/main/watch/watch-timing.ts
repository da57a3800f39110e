import { SETTLE_TIMING, type SettleTiming } from './settle.ts'

const SECOND = 1_000
const MINUTE = 60 * SECOND

export interface WatchTiming {
  /** Interval of scans while the watch works; varied by up to a fifth. */
  scanEveryMs: number
  /** Interval of scans without a watch: from this to twice this, and scans take at most a tenth of the time. */
  pollEveryMs: number
  /** Interval of checks whether the same folder is there. */
  lookEveryMs: number
  /** Interval of retries for a missing folder, and of scans of one that is empty or was replaced. */
  missingRetryMs: number
  /** This many events within `overflowWindowMs` may mean that the kernel dropped some: a rescan follows. */
  overflowEvents: number
  overflowWindowMs: number
  /** From the event that requires a rescan until it is asked for; one that takes long rests first. */
  rescanDelayMs: number
  /** Removals are checked together, this long after the first. */
  removalDelayMs: number
  /** A failed watch is restarted after this, doubling up to `longestRestartMs`. */
  restartMs: number
  longestRestartMs: number
  /** After this many consecutive failures the folder is polled. */
  maxRestarts: number
  /** After this long, a folder that is polled because its watch failed is watched again. */
  rewatchMs: number
  settle: SettleTiming
}

export const WATCH_TIMING: WatchTiming = {
  scanEveryMs: 5 * MINUTE,
  pollEveryMs: 30 * SECOND,
  lookEveryMs: 10 * SECOND,
  missingRetryMs: 10 * SECOND,
  overflowEvents: 500,
  overflowWindowMs: 10 * SECOND,
  rescanDelayMs: 3 * SECOND,
  removalDelayMs: 500,
  restartMs: SECOND,
  longestRestartMs: MINUTE,
  maxRestarts: 6,
  rewatchMs: 15 * MINUTE,
  settle: SETTLE_TIMING,
}
