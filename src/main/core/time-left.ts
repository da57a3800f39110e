import type { DurationModel } from './duration-model.ts'
import { YIELDS_TO_DISPATCH_MS } from './poll-planner.ts'
import { createBudget } from './rate-budget.ts'

/*
 * How long the rest of the work takes. Two things decide that, and the longer of them does:
 *
 * - The calls that are left. One slot of the budget comes back a minute after it was used, so those of the last minute
 *   say when the next ones can be made, and so on round by round. With a backlog this is nearly all of it.
 * - The last jobs at the service. When each image will be sent follows from going through the calls that are left: what
 *   is nearly done goes first, a backlog goes at the pace of the budget and no faster than uploads do. All jobs, those to be sent
 *   included, have ended with even odds at a time that follows from what was learned of their durations.
 *
 * Where results wait to be written here, or far fewer calls are made than the budget allows, something else is what
 * limits. Only the recent results show that.
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
  /** From being accepted to being found ended, for the last jobs that were. */
  foundAfterMs: readonly number[]
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
/** What could not be sent while slots were scarce is sent later, as much as the pace sends in this time. */
const CATCHES_UP_MS = 30_000
/** Of a long backlog all images but this many go by the budget alone. */
const GONE_THROUGH = 200
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
const LONGEST_MS = 4 * 3_600_000
const PRECISE_MS = 100

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
  const leftMs = LAST_CALL_MS + Math.max(callsMadeMs, jobsEndedMs(work, sendTimesMs(work, slots, waste)))
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

/** Milliseconds until each of the last images leaves, of those that are not sent yet: the calls that are left, gone through in order. */
function sendTimesMs(work: WorkLeft, slots: readonly number[], waste: number): number[] {
  const { nowMs, acceptedAtMs, callsPerImage, uploadMs } = work
  const intervalMs = (callsPerImage * ROUND_MS) / slots.length
  const toSend = Math.min(work.toSend, GONE_THROUGH)
  const beforeMs = (work.toSend - toSend) * intervalMs * waste
  const foundAfterMs = work.foundAfterMs.toSorted((a, b) => a - b)[work.foundAfterMs.length >> 1] ?? 0
  /** When the calls that finish each image are due. */
  const dueMs = acceptedAtMs.map((atMs) => endsInMs(nowMs - atMs, work.durations)).sort((a, b) => a - b)
  const freeMs = [...slots]
  const sends: number[] = []
  /** Images that are due, those of them that no longer yield to one to be sent, and calls made to finish images. */
  let [due, urgent, finishing] = [0, 0, 0]
  let [nowLeftMs, paceMs, uploadsMs] = [0, slots[0]! > 0 ? -CATCHES_UP_MS : 0, 0]
  const owedFor = (images: number) => work.toFetch + images * (callsPerImage - 1) - finishing
  for (let slot = 0; sends.length < toSend; slot += 1) {
    nowLeftMs = Math.max(nowLeftMs, freeMs[slot]!)
    let isSend: boolean
    for (;;) {
      const isPaced = (toSend - sends.length) * callsPerImage + owedFor(dueMs.length) > slots.length
      while ((dueMs[due] ?? Infinity) <= nowLeftMs) due += 1
      while ((dueMs[urgent] ?? Infinity) <= nowLeftMs - (isPaced ? YIELDS_TO_DISPATCH_MS : 0)) urgent += 1
      const sendMs = Math.max(uploadsMs, isPaced ? paceMs : 0)
      isSend = sendMs <= nowLeftMs && owedFor(urgent) < 1
      if (isSend || owedFor(due) >= 1) break
      nowLeftMs = Math.min(dueMs[due] ?? Infinity, sendMs)
    }
    if (isSend) {
      sends.push(nowLeftMs)
      dueMs.push(nowLeftMs + uploadMs + foundAfterMs)
      paceMs = Math.max(paceMs, nowLeftMs - CATCHES_UP_MS) + intervalMs
      uploadsMs = Math.max(uploadsMs, nowLeftMs) + uploadMs / UPLOADS_AT_A_TIME
    } else finishing += 1
    freeMs.push(nowLeftMs + ROUND_MS * waste + (isSend ? uploadMs : 0))
  }
  return sends.map((ms) => beforeMs + ms)
}

/** Milliseconds until a job of this age has ended with even odds. */
function endsInMs(ageMs: number, durations: DurationModel): number {
  return durations.conditionalQuantileMs(ANY_OPERATION, Math.max(0, ageMs), 0.5) - ageMs
}

/** Milliseconds until all jobs have ended, with even odds. */
function jobsEndedMs({ nowMs, acceptedAtMs, durations, uploadMs }: WorkLeft, sends: readonly number[]): number {
  const oldMs = durations.quantileMs(ANY_OPERATION, NEARLY_ALL)
  const lastMs = sends.at(-1) ?? 0
  // One that is sent long before the last will have ended before it.
  const lastSends = sends.filter((ms) => ms >= lastMs - 2 * oldMs)
  const ages = [...acceptedAtMs.map((atMs) => nowMs - atMs), ...lastSends.map((ms) => -ms - uploadMs)]
  const endsWithin = (ageMs: number, ms: number): number => {
    if (ageMs + ms <= 0) return 0
    if (ageMs > oldMs) return ms >= (OVERDUE - 1) * ageMs ? 1 : 0
    return durations.endsBetween(ANY_OPERATION, Math.max(0, ageMs), ageMs + ms)
  }
  let [tooSoonMs, lateMs] = [0, LONGEST_MS + lastMs]
  while (lateMs - tooSoonMs > PRECISE_MS) {
    const middleMs = (tooSoonMs + lateMs) / 2
    const odds = ages.reduce((product, ageMs) => product * endsWithin(ageMs, middleMs), 1)
    if (odds < 0.5) tooSoonMs = middleMs
    else lateMs = middleMs
  }
  return ages.length === 0 ? 0 : lateMs
}
