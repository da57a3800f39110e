import type { Random } from '../../shared/runtime/ports.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** How something is tried again. */
export interface Retry {
  /** Tries in a row, after which it is given up; without it, it goes on until it works, or a person acts. */
  tries?: number
  /** How long after the first failure it is given up, whatever was tried. */
  givenUpAfterMs?: number
  /** The wait after the first failure; with `full` jitter, its upper end. */
  firstMs: number
  /** `doubles` with each failure up to `longestMs`, `adds` `firstMs` with each; otherwise it stays as it is. */
  grows?: 'doubles' | 'adds'
  longestMs?: number
  /**
   * `full`: between a twentieth and the whole wait, so that what failed together is not tried again together. `slight`: a tenth
   * more or less.
   */
  jitter?: 'full' | 'slight'
}

const backoff = (firstMs: number, longestMs: number) =>
  ({ firstMs, grows: 'doubles', longestMs, jitter: 'full' }) as const

/** **The one table**: whatever Hangar's engine tries again, how often, and how long it waits. */
export const RETRIES = {
  // A picture that is sent
  /** It was being written while it was read, or while a smaller copy was made: nothing was lost by that. */
  changingFile: { firstMs: 5 * SECOND },
  /** The service refuses one picture for lack of credits although the balance should cover it. */
  creditsRefused: { tries: 3, firstMs: 5 * MINUTE, grows: 'adds' },
  /** Dispatches whose answer was lost: after the first four in a row, the next one waits (`lost-dispatches.ts`). */
  lostDispatch: { firstMs: 15 * MINUTE, grows: 'doubles', longestMs: HOUR },
  /** What a batch costs, where its credits are limited: asked before each picture, and unknown after so many questions. */
  batchPrice: { tries: 3, firstMs: 0 },

  // A service
  /** A free call finds out whether it answers again. */
  closedLane: backoff(SECOND, MINUTE),
  /** Redirects, about a minute of them: then its address is wrong. */
  redirected: { ...backoff(SECOND, MINUTE), tries: 7 },
  /** It may be a captive portal that wants a sign-in first. */
  wrongAddress: { firstMs: 5 * SECOND, grows: 'doubles', longestMs: 10 * MINUTE, jitter: 'slight' },
  refusedKey: { firstMs: 10 * MINUTE, jitter: 'slight' },
  shortCredits: { firstMs: 5 * MINUTE, jitter: 'slight' },
  /** After the last picture that the balance covered: by then it was charged. */
  spentCredits: { firstMs: 10 * SECOND, jitter: 'slight' },
  /** The balance was answered, and a price was not. */
  missingPrice: backoff(10 * SECOND, 5 * MINUTE),

  // A picture at the service
  poll: backoff(2 * SECOND, 5 * MINUTE),
  /** Answers of which nothing can be used; about a quarter of an hour. */
  unusableAnswer: { ...backoff(2 * SECOND, 5 * MINUTE), tries: 10 },
  /** It has not ended for a day: held, and polled hourly. */
  stalled: { firstMs: HOUR, givenUpAfterMs: 7 * DAY },

  // Its compressed file
  /** `GET /images/{id}/optimized` may lag behind `completed` (document, Errors). */
  missingFile: { firstMs: 15 * SECOND, givenUpAfterMs: 10 * MINUTE },
  /** No answer, or one that may improve: an outage must not turn every picture into a decision for a person; about half an hour. */
  unansweredFetch: { ...backoff(2 * SECOND, 2 * MINUTE), tries: 35 },
  /** Something other than the file. Repeating is free, but not for ever. */
  brokenFile: { ...backoff(2 * SECOND, 2 * MINUTE), tries: 6 },

  // Its results
  /** Unexpected failures; the compressed file is fetched again each time, which is free. */
  write: { ...backoff(2 * SECOND, MINUTE), tries: 6 },
  /** The disk is full, or its folder cannot be written to. */
  blockedDisk: { firstMs: 30 * SECOND },
  /** The original cannot be replaced. */
  notReplaceable: { firstMs: HOUR },
  /** The journal's disk is full or broken: what has to be in it is not lost. */
  journal: { firstMs: 2 * SECOND },

  // Intake
  /** A file that is still changing or ends too early. */
  unfinishedFile: { tries: 8, firstMs: 2 * SECOND },
  /** The drive of a batch is disconnected. */
  awayDrive: { firstMs: 5 * SECOND },

  // Chargers
  /** A page of the list that was not answered properly. */
  chargerPage: { ...backoff(2 * SECOND, 15 * SECOND), tries: 3 },
  /** A 429 that does not say how long: of 120 requests a minute, others may use some. */
  chargerRate: { tries: 5, firstMs: MINUTE },
  chargerRefresh: backoff(30 * SECOND, 30 * MINUTE),

  // The team ledger
  ledgerAway: backoff(SECOND, 30 * SECOND),
  ledgerRefused: { firstMs: 30 * SECOND },
  /** A slot, while the ledger does not say when there is one. */
  ledgerSlot: { firstMs: SECOND },

  // Hooks
  /** An address that did not take an event; at most for as long as a hook may take. */
  hook: backoff(SECOND, 15 * SECOND),
} as const satisfies Record<string, Retry>

/** A stored wait that is longer than this means that the clock was set back since. */
export const MAX_STORED_MS =
  2 * Math.max(...(Object.values(RETRIES) as Retry[]).map(({ firstMs, longestMs }) => longestMs ?? firstMs))

/** The shortest wait with `full` jitter, as a share of the longest: zero would mean an immediate retry. */
const MIN_SHARE = 0.05

/** Whether it is tried again after so many failures in a row. */
export function mayRetry({ tries }: Retry, failures: number): boolean {
  return tries === undefined || failures < tries
}

/** Milliseconds until the next try, after so many failures in a row; less than one counts as one. */
export function retryMs(retry: Retry, failures: number, random: Random): number {
  const { firstMs, grows, longestMs = Infinity, jitter } = retry
  const earlier = Math.max(failures, 1) - 1
  const factor = grows === 'doubles' ? 2 ** Math.min(earlier, 60) : grows === 'adds' ? 1 + earlier : 1
  const waitMs = Math.min(longestMs, firstMs * factor)
  if (jitter === 'full') return Math.round(waitMs * (MIN_SHARE + (1 - MIN_SHARE) * random()))
  return jitter === 'slight' ? waitMs * (0.9 + 0.2 * random()) : waitMs
}

/** The longest wait that an answer may ask for; longer ones are cut to this. */
const MAX_RETRY_AFTER_MS = HOUR

/** What `Retry-After` asks for, in seconds or as a date (RFC 9110, section 10.2.3); null where it says nothing of use. */
export function retryAfterMs(header: string | undefined, nowMs: number): number | null {
  if (header === undefined) return null
  if (/^\s*\d+\s*$/.test(header)) return secondsToMs(header)
  const untilMs = /[a-z]/i.test(header) ? Date.parse(header) : Number.NaN
  return Number.isNaN(untilMs) ? null : Math.min(Math.max(untilMs - nowMs, 0), MAX_RETRY_AFTER_MS)
}

/** The unit of `retry_after` is not shown (image service document, Errors); read as seconds. */
export function secondsToMs(value: string | number | null): number | null {
  const seconds = typeof value === 'string' ? (/^\s*\d+\s*$/.test(value) ? Number(value) : Number.NaN) : value
  if (seconds === null || Number.isNaN(seconds) || seconds < 0) return null
  return Math.min(Math.round(seconds * SECOND), MAX_RETRY_AFTER_MS)
}
