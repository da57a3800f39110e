import type { DurationModel } from './duration-model.ts'
import { createBudget } from './rate-budget.ts'

/*
 * How long the rest of the work takes: the longer of the calls that are left, by when the slots of the last minute come back round by round,
 * and the last jobs at the service, by what was learned of their durations. Where results wait to be written here, or far fewer calls are
 * made than the budget allows, the recent results tell.
 */

export interface WorkLeft {
  nowMs: number
  requestsPerMinute: number
  /** Ascending: when the calls of the last minute were answered. */
  callsMs: readonly number[]
  /** Of the recent calls, those that an image needs (its dispatch, the poll that finds it ended, its download) and all. */
  recentCalls: { needed: number; all: number }
  /** Images that are not sent yet, and the calls that one takes, which need not be whole in a mixed queue. */
  toSend: number
  callsPerImage: number
  /** How long an upload takes; 0 where nothing is known. */
  uploadMs: number
  /** When each job at the service was accepted; one that is still being sent, when it will probably be. */
  acceptedAtMs: readonly number[]
  /** Images that have ended and wait for their download, and those that wait to be written. */
  toFetch: number
  toWrite: number
  /** How long jobs take; it has learned of all operations under the name `ANY_OPERATION`. */
  durations: DurationModel
  /** Recent results and the time they took; null while there are too few. */
  seen: { images: number; ms: number } | null
}

export const ANY_OPERATION = 'any'
/** As many images are sent at a time. */
const UPLOADS_AT_A_TIME = 4

/** When a slot can be spent again: the budget's minute and the time of a usual call. */
const ROUND_MS = 60_500
/** The calls still to come are scaled by the waste of recent calls, damped by this many calls without waste. */
const USUAL_CALLS = 150
/** A job older than nearly all of its kind becomes says nothing but that it takes this much longer than it did already. */
const NEARLY_ALL = 0.97
const OVERDUE = 1.2
/** A usual number of results being written at once; more of them wait. */
const WRITTEN_AT_ONCE = 4
/** With fewer of the slots in use, the budget is not what limits. */
const USED_SHARE = 0.25
/** Results must come this much more slowly than expected before that counts for more. */
const SLOWER = 1.5
/** The last download. */
const LAST_CALL_MS = 300
const MAX_LEFT_MS = 4 * 3_600_000

export function timeLeftMs(work: WorkLeft): number {
  const { nowMs, requestsPerMinute, callsMs, callsPerImage, toSend, acceptedAtMs, toFetch, toWrite } = work
  const images = toSend + acceptedAtMs.length + toFetch + toWrite
  const seenMs = work.seen === null ? 0 : (images * work.seen.ms) / work.seen.images
  if (callsPerImage === 0) return seenMs
  const entries = callsMs.map((atMs) => ({ sentAtMs: atMs, answeredAtMs: atMs, count: 1 }))
  const budget = createBudget({ entries, pausedUntilMs: null }, { limit: requestsPerMinute }, nowMs)
  const slots = budget.backgroundSlotTimes(nowMs).map((atMs) => Math.max(0, atMs - nowMs))
  const needed = toSend * callsPerImage + acceptedAtMs.length * (callsPerImage - 1) + toFetch
  // What one window of the budget can finish leaves early enough for polls that come too soon not to matter.
  const isBacklog = needed > slots.length
  const waste = isBacklog ? wasteOf(work.recentCalls) : 1
  const callsMadeMs = slotMs(Math.ceil(needed * waste) - 1, slots)
  const leftMs = LAST_CALL_MS + Math.max(callsMadeMs, jobsEndedMs(work, slots, isBacklog ? waste : null))
  const isIdle = isBacklog && slots.filter((ms) => ms > 0).length < USED_SHARE * slots.length
  return (isIdle || toWrite > WRITTEN_AT_ONCE) && seenMs > SLOWER * leftMs ? seenMs : leftMs
}

function wasteOf({ needed, all }: WorkLeft['recentCalls']): number {
  return (USUAL_CALLS + all) / (USUAL_CALLS + needed)
}

/** Milliseconds until the nth call from now, counted from 0, can be made. */
function slotMs(n: number, slots: readonly number[]): number {
  return n < 0 ? 0 : slots[n % slots.length]! + Math.floor(n / slots.length) * ROUND_MS
}

/** Milliseconds until all jobs have ended, with even odds; `waste` null: what is to be sent leaves as soon as there are slots. */
function jobsEndedMs(work: WorkLeft, slots: readonly number[], waste: number | null): number {
  const { nowMs, toSend, callsPerImage, uploadMs, acceptedAtMs, durations } = work
  const uploadsMs = uploadMs / UPLOADS_AT_A_TIME
  const intervalMs = Math.max(1, uploadsMs, (callsPerImage * ROUND_MS * (waste ?? 1)) / slots.length)
  const sentMs = waste === null ? Math.max(slotMs(toSend - 1, slots), toSend * uploadsMs) : (toSend - 1) * intervalMs
  // Those that leave last are at the service together.
  const together = Math.min(toSend + acceptedAtMs.length, durations.quantileMs(ANY_OPERATION, 0.5) / intervalMs)
  const evenOdds = (jobs: number) => 0.5 ** (1 / Math.max(1, jobs))
  const lastMs = toSend === 0 ? 0 : sentMs + uploadMs + known(durations.quantileMs(ANY_OPERATION, evenOdds(together)))
  const oldMs = durations.quantileMs(ANY_OPERATION, NEARLY_ALL)
  const openMs = acceptedAtMs.map((atMs) => {
    const ageMs = Math.max(0, nowMs - atMs)
    if (ageMs > oldMs) return (OVERDUE - 1) * ageMs
    // One that is still being sent has an age below nought.
    return known(durations.conditionalQuantileMs(ANY_OPERATION, ageMs, evenOdds(acceptedAtMs.length))) - (nowMs - atMs)
  })
  return Math.max(lastMs, ...openMs)
}

/** A quantile beyond what the model can tell is infinite. */
const known = (ms: number) => Math.min(ms, MAX_LEFT_MS)
