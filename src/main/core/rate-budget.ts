import { z } from 'zod'
import { MAX_REQUESTS_PER_MINUTE } from '../../shared/recipes/limits.ts'

/*
 * The rate budget of one key (image service document, Limits: 60 requests per minute per key).
 *
 * Rule: a call may leave at t only if fewer than `limit` logged calls are live at t; a call is live until its answer came plus one window
 * plus a margin, and for as long as it is unanswered.
 *
 * Why that is safe: a call sent at t and answered at a is counted at the service somewhere in [t, a]. Suppose more than `limit` calls are
 * counted in some window of one minute; look at the one that was sent last, at t. Every other one was counted after t minus one window, so its
 * answer came later than that: it was live at t, and the call at t was not allowed. No rule that frees slots sooner is safe. Fixed windows of a
 * server are among these.
 *
 * Every `nowMs` must come from one clock that does not jump within a run: wall time at start plus monotonic time since, or the uptime.
 */

const LogEntry = z.object({
  sentAtMs: z.number(),
  answeredAtMs: z.number().nullable(),
  /** How many calls this entry stands for, all answered by then. */
  count: z.number().int().min(1).max(MAX_REQUESTS_PER_MINUTE),
})

/** What outlives a restart. At most a few hundred numbers; write it when a call is taken, before it is sent. */
export const RateBudgetState = z.object({
  entries: z.array(LogEntry).max(MAX_REQUESTS_PER_MINUTE),
  pausedUntilMs: z.number().nullable(),
})
export type RateBudgetState = z.infer<typeof RateBudgetState>

interface RateBudgetOptions {
  /** Calls per window, at least 1; the documented limit, or less when a person set it so. */
  limit: number
}

const WINDOW_MS = 60_000
/** Two clocks that are each wrong by 500 ppm, the most that time keeping software slews, differ by 60 ms in a minute. */
const MARGIN_MS = 100
/** An answer that nobody reported after this long is taken as lost. Transport time-outs are far shorter. */
const LOST_AFTER_MS = 10 * 60_000
/** Background work leaves this many slots to calls that a person waits for … */
const RESERVED_SLOTS = 2
/** … unless as many others come free within this time anyway, so that the reserve is lent, not lost. */
const RESERVE_GRACE_MS = 2000
/** A 429 without a wait pauses this long, doubled while refusals continue. */
const DEFAULT_PAUSE_MS = 5000
const MAX_PAUSE_MS = 15 * 60_000
/** A refusal that our log cannot explain takes this share of the slots away, in all never more than MAX_CUT … */
const CUT_STEP = 0.05
/** … so that even refusals at random cost less than a tenth of the throughput: the pauses themselves obey the service. */
const MAX_CUT = 0.08
/** One slot that was cut comes back after this long without another refusal. */
const CUT_RECOVERY_MS = 10_000

/** More answered calls than this are stored as counts, by the second: the log is written with every call. */
const STORED_SINGLY = 120
const STORED_STEP_MS = 1000

export type CallId = number

/** Sliding log of calls of one key. Mutable; not aware of who calls. See the rule at the head of this file. */
export class RateBudget {
  #limit: number
  /** When the calls that are answered were, ascending: time does not go back. */
  #answeredAtMs: number[] = []
  /** When the calls under way were sent. */
  readonly #openSinceMs = new Map<CallId, number>()
  #nextId = 1
  #pausedUntilMs: number | null = null
  #pausedAtMs: number | null = null
  #refusalsInARow = 0
  #cutSlots = 0
  #cutAtMs = 0

  constructor({ limit }: RateBudgetOptions) {
    this.#limit = checkedLimit(limit)
  }

  get limit(): number {
    return this.#limit
  }

  /** Takes effect at once; when lowered, calls already made stay counted. */
  setLimit(limit: number): void {
    this.#limit = checkedLimit(limit)
  }

  /** Books one call that leaves now. Throws when no slot is free: a caller that did not ask is a mistake in the program. */
  take(nowMs: number): CallId {
    if (this.freeSlots(nowMs) < 1) throw new Error('rate budget: a call was taken though no slot is free')
    const id = this.#nextId++
    this.#openSinceMs.set(id, nowMs)
    return id
  }

  /** The call was not made: its slot is free again. */
  cancel(id: CallId): void {
    this.#openSinceMs.delete(id)
  }

  /** The answer came whole, or the call was given up: from now on it cannot be counted any later. */
  answered(id: CallId, nowMs: number): void {
    if (this.#close(id, nowMs) !== null) this.#refusalsInARow = 0
  }

  /**
   * Answered with 429: the key pauses, for the service's own wait up to one window at first, twice as much with each refusal in a row, at most
   * 15 minutes. Calls that were under way together count as one refusal.
   */
  rateLimited(id: CallId, nowMs: number, retryAfterMs: number | null): void {
    const sentAtMs = this.#close(id, nowMs)
    if (sentAtMs === null) return
    const sameRefusal = this.#pausedAtMs !== null && sentAtMs <= this.#pausedAtMs
    if (!sameRefusal) {
      this.#cut(nowMs)
      this.#refusalsInARow += 1
      this.#pausedAtMs = nowMs
    }
    const doublings = Math.min(Math.max(this.#refusalsInARow, 1) - 1, 10)
    const capMs = Math.min(WINDOW_MS * 2 ** doublings, MAX_PAUSE_MS)
    const wantedMs = retryAfterMs ?? DEFAULT_PAUSE_MS * 2 ** doublings
    const untilMs = nowMs + Math.min(Math.max(wantedMs, 0), capMs) + MARGIN_MS
    this.#pausedUntilMs = Math.max(this.#pausedUntilMs ?? untilMs, untilMs)
  }

  /** When the pause after a 429 ends; null when there is none. */
  pausedUntilMs(nowMs: number): number | null {
    return this.#pausedUntilMs !== null && this.#pausedUntilMs > nowMs ? this.#pausedUntilMs : null
  }

  /** Calls that may leave now. For calls that a person waits for; background work goes by `backgroundSlotTimes`. */
  freeSlots(nowMs: number): number {
    this.#forget(nowMs)
    if (this.pausedUntilMs(nowMs) !== null) return 0
    return Math.max(0, this.#limitAt(nowMs) - this.#liveCount)
  }

  /** When the next call may leave: now, or later. Not before then; an unanswered call may still move it. */
  nextFreeAtMs(nowMs: number): number {
    return this.slotTimes(nowMs)[0] ?? nowMs + WINDOW_MS + MARGIN_MS
  }

  /** Ascending: when each slot can be spent, `nowMs` for those free now, and unanswered calls at the earliest. */
  slotTimes(nowMs: number): number[] {
    this.#forget(nowMs)
    const freeAtMs = (countedAtMs: number) => countedAtMs + WINDOW_MS + MARGIN_MS
    const answered = this.#answeredAtMs.map(freeAtMs)
    const open = [...this.#openSinceMs.values()].map((sentAtMs) => freeAtMs(lastCountedMs(sentAtMs, nowMs)))
    const busy = [...answered, ...open].sort((a, b) => a - b)
    const limit = this.#limitAt(nowMs)
    const unused = Math.max(0, limit - busy.length)
    const times = [...Array<number>(unused).fill(nowMs), ...busy.slice(Math.max(0, busy.length - limit))]
    const pausedUntilMs = this.pausedUntilMs(nowMs)
    return pausedUntilMs === null ? times : times.map((timeMs) => Math.max(timeMs, pausedUntilMs))
  }

  /** Like `slotTimes`, less the reserve for calls that a person waits for: two slots, lent while others are about to come free. */
  backgroundSlotTimes(nowMs: number): number[] {
    const times = this.slotTimes(nowMs)
    const reserve = Math.min(RESERVED_SLOTS, Math.floor(times.length / 10))
    return times
      .slice(0, times.length - reserve)
      .map((timeMs, index) => Math.max(timeMs, (times[index + reserve] ?? timeMs) - RESERVE_GRACE_MS))
  }

  state(nowMs: number): RateBudgetState {
    this.#forget(nowMs)
    const open = [...this.#openSinceMs.values()].map((sentAtMs) => ({ sentAtMs, answeredAtMs: null, count: 1 }))
    return { entries: [...storedAnswers(this.#answeredAtMs), ...open], pausedUntilMs: this.pausedUntilMs(nowMs) }
  }

  /** Goes on from an earlier run. Calls left unanswered count as answered now, and everything as just made if the clock ran backward. */
  restore(state: RateBudgetState, nowMs: number): void {
    const ranBackward = state.entries.some((entry) => Math.max(entry.sentAtMs, entry.answeredAtMs ?? 0) > nowMs)
    const answered = state.entries.flatMap(({ answeredAtMs, count }) =>
      Array<number>(count).fill(ranBackward ? nowMs : (answeredAtMs ?? nowMs)),
    )
    this.#answeredAtMs = [...this.#answeredAtMs, ...answered].sort((a, b) => a - b)
    const longestPauseMs = ranBackward ? WINDOW_MS : MAX_PAUSE_MS
    if (state.pausedUntilMs !== null) this.#pausedUntilMs = Math.min(state.pausedUntilMs, nowMs + longestPauseMs)
    this.#forget(nowMs)
  }

  /** When it was sent; null for a call that is not under way. */
  #close(id: CallId, nowMs: number): number | null {
    const sentAtMs = this.#openSinceMs.get(id)
    if (sentAtMs === undefined) return null
    this.#openSinceMs.delete(id)
    // Answers that came together may be reported out of order.
    const after = this.#answeredAtMs.findLastIndex((atMs) => atMs <= nowMs)
    this.#answeredAtMs.splice(after + 1, 0, nowMs)
    return sentAtMs
  }

  get #liveCount(): number {
    return this.#answeredAtMs.length + this.#openSinceMs.size
  }

  #limitAt(nowMs: number): number {
    return Math.max(1, this.#limit - this.#cutNow(nowMs))
  }

  #cut(nowMs: number): void {
    const largest = Math.floor(this.#limit * MAX_CUT)
    this.#cutSlots = Math.min(largest, this.#cutNow(nowMs) + Math.ceil(this.#limit * CUT_STEP))
    this.#cutAtMs = nowMs
  }

  #cutNow(nowMs: number): number {
    return Math.max(0, this.#cutSlots - Math.max(0, Math.floor((nowMs - this.#cutAtMs) / CUT_RECOVERY_MS)))
  }

  #forget(nowMs: number): void {
    const isLive = (countedAtMs: number) => countedAtMs + WINDOW_MS + MARGIN_MS > nowMs
    if (!isLive(this.#answeredAtMs[0] ?? Infinity)) {
      const first = this.#answeredAtMs.findIndex(isLive)
      this.#answeredAtMs.splice(0, first === -1 ? this.#answeredAtMs.length : first)
    }
    for (const [id, sentAtMs] of this.#openSinceMs)
      if (!isLive(lastCountedMs(sentAtMs, nowMs))) this.#openSinceMs.delete(id)
  }
}

/** Until when a call under way may be counted, as far as is known now. */
function lastCountedMs(sentAtMs: number, nowMs: number): number {
  return Math.max(Math.min(nowMs, sentAtMs + LOST_AFTER_MS), sentAtMs)
}

/** Singly, or by the second where there are many: those of one second count as made when its last one was. */
function storedAnswers(answeredAtMs: readonly number[]): RateBudgetState['entries'] {
  const entries: RateBudgetState['entries'] = []
  const isSingle = answeredAtMs.length <= STORED_SINGLY
  for (const atMs of answeredAtMs) {
    const last = entries.at(-1)
    const isSameStep =
      Math.floor((last?.answeredAtMs ?? -Infinity) / STORED_STEP_MS) === Math.floor(atMs / STORED_STEP_MS)
    if (last === undefined || isSingle || !isSameStep) entries.push({ sentAtMs: atMs, answeredAtMs: atMs, count: 1 })
    else entries[entries.length - 1] = { sentAtMs: atMs, answeredAtMs: atMs, count: last.count + 1 }
  }
  return entries
}

/** A budget that continues from `state`, or starts empty. */
export function createBudget(state: RateBudgetState | null, options: RateBudgetOptions, nowMs: number): RateBudget {
  const budget = new RateBudget(options)
  if (state !== null) budget.restore(state, nowMs)
  return budget
}

function checkedLimit(limit: number): number {
  if (!Number.isInteger(limit) || limit < 1)
    throw new RangeError(`requests per minute must be a whole number of at least 1, not ${limit}`)
  return limit
}

/** How many of the ascending times lie at or before `nowMs`. */
export function countUpTo(times: readonly number[], nowMs: number): number {
  let count = 0
  while (count < times.length && (times[count] ?? Infinity) <= nowMs) count += 1
  return count
}
