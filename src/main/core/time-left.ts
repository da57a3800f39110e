import type { DurationModel } from './duration-model.ts'
import { SLOT_COMES_BACK_MS } from './poll-planner.ts'

/*
 * How long the rest of the work takes: as long as the calls that are left or the last jobs at the service, whichever is longer. Where
 * results wait to be written here, or far fewer calls are made than the budget allows, something else limits, which only the recent
 * results show.
 */

/** What the queue knows about the service in use. */
export interface ServicePace {
  /** Milliseconds until each slot of the budget can be spent, ascending. */
  slotsInMs: readonly number[]
  /** Jobs at the service, and how long ago each was sent. */
  atService: readonly { operation: string; ageMs: number }[]
  durations: DurationModel
}

export interface WorkLeft {
  /** Images that are not sent yet, are being sent, have ended and wait for their download, and wait to be written. */
  ready: number
  sending: number
  fetching: number
  writing: number
  /** The calls that an image needs, which need not be whole in a mixed queue. */
  callsPerImage: number
  /** Calls made for each one needed: polls may come too early. */
  waste: number
  uploadMs: number
  /** Of the images to be sent. */
  operation: string
  pace: ServicePace
}

const UPLOADS_AT_ONCE = 4
/** A job older than nearly all of its kind takes this much longer than it did already. */
const NEARLY_ALL = 0.97
const OVERDUE = 1.2
/** A usual number of results being written at once; more of them wait. */
const WRITTEN_AT_ONCE = 4
/** With fewer of the slots in use, the budget is not what limits. */
const USED_SHARE = 0.25
/** Results must come this much more slowly than expected before that counts for more. */
const SLOWER = 1.5
const LAST_DOWNLOAD_MS = 300
const MAX_JOB_MS = 4 * 3_600_000

/** `seenMs`: what the images left take at the rate of the recent results; 0 while that is not known. */
export function timeLeftMs(work: WorkLeft, seenMs: number): number {
  const { ready, sending, fetching, writing, callsPerImage, pace } = work
  const slots = pace.slotsInMs
  const needed = ready * callsPerImage + (sending + pace.atService.length) * (callsPerImage - 1) + fetching
  // What one window of the budget can finish leaves early enough for polls that come too soon not to matter.
  const isBacklog = needed > slots.length
  const waste = isBacklog ? work.waste : 1
  const callsMadeMs = slotMs(Math.ceil(needed * waste) - 1, slots)
  const leftMs = LAST_DOWNLOAD_MS + Math.max(callsMadeMs, jobsEndedMs(work, isBacklog ? waste : null))
  const isIdle = isBacklog && slots.filter((ms) => ms > 0).length < USED_SHARE * slots.length
  return (isIdle || writing > WRITTEN_AT_ONCE) && seenMs > SLOWER * leftMs ? seenMs : leftMs
}

/** Milliseconds until the nth call from now, counted from 0, can be made. */
function slotMs(n: number, slots: readonly number[]): number {
  return n < 0 ? 0 : slots[n % slots.length]! + Math.floor(n / slots.length) * SLOT_COMES_BACK_MS
}

/** Milliseconds until all jobs have ended, with even odds; `waste` null: what is to be sent leaves as soon as there are slots. */
function jobsEndedMs(work: WorkLeft, waste: number | null): number {
  const { ready, sending, callsPerImage, uploadMs, operation, pace } = work
  const { slotsInMs: slots, atService, durations } = pace
  const uploadsMs = uploadMs / UPLOADS_AT_ONCE
  const intervalMs = Math.max(1, uploadsMs, (callsPerImage * SLOT_COMES_BACK_MS * (waste ?? 1)) / slots.length)
  const sentMs = waste === null ? Math.max(slotMs(ready - 1, slots), ready * uploadsMs) : (ready - 1) * intervalMs
  const open = [...Array.from({ length: sending }, () => ({ operation, ageMs: 0 })), ...atService]
  // Those that leave last are at the service together.
  const together = Math.min(ready + open.length, durations.quantileMs(operation, 0.5) / intervalMs)
  const evenOdds = (jobs: number) => 0.5 ** (1 / Math.max(1, jobs))
  const lastMs = ready === 0 ? 0 : sentMs + uploadMs + known(durations.quantileMs(operation, evenOdds(together)))
  const openMs = open.map((job) => {
    const ageMs = Math.max(0, job.ageMs - uploadMs)
    if (ageMs > durations.quantileMs(job.operation, NEARLY_ALL)) return (OVERDUE - 1) * ageMs
    const endMs = known(durations.conditionalQuantileMs(job.operation, ageMs, evenOdds(open.length)))
    return endMs - (job.ageMs - uploadMs)
  })
  return Math.max(lastMs, ...openMs)
}

/** A quantile beyond what the model can tell is infinite. */
const known = (ms: number) => Math.min(ms, MAX_JOB_MS)
