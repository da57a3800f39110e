import type { DurationModel } from './duration-model.ts'
import { countUpTo } from './rate-budget.ts'

/*
 * What to spend the key's calls on. An image needs a dispatch, one poll that finds it ended, and perhaps a download; every other poll is
 * waste. What is nearly done goes first: downloads, then polls, then dispatches.
 *
 * Dispatches of a backlog are paced: one each time the budget has come by the calls that an image takes, so that as many are at the service as
 * the budget can finish (Little's law). Some leave ahead of the pace, so that the first slots do not lie idle. What one window of the budget
 * can finish is no backlog: it leaves as soon as there are slots, and counts for the pace all the same.
 *
 * With a backlog, a job is polled when it has almost surely ended, or earlier where the wait for the slowest costs more than calls that come
 * too soon. When calls would be left over, they buy earlier answers: with e + 1 polls for a job, each made when it has ended with probability
 * θ if it had not at the last one, all of them miss it with probability (1 - θ)^(e + 1). Setting that to MISS gives
 * θ = 1 - MISS^(1 / (e + 1)): 0.95 with a backlog (e = 0), 0.05 for a lone image (e ≈ 55).
 */

export interface WaitingJob {
  jobId: string
  operation: string
  /** When the service accepted it (its 202 came). The time of sending will do where only that is known. */
  acceptedAtMs: number
  /** When the last poll that was answered "not yet" was sent; null before the first. */
  lastPollAtMs: number | null
  /** A download follows its end: `process` and `optimize`. Image service document, Endpoints. */
  needsDownload: boolean
  /** A poll of it is under way. It is counted, not polled again. */
  polling: boolean
  /** Not to be polled before, after a failed poll; null when free. */
  notBeforeMs: number | null
}

export interface PlannerInput {
  nowMs: number
  /** Ascending: when each slot of the budget can be spent (`RateBudget.backgroundSlotTimes`). As many as the limit, less the reserve. */
  slotTimesMs: readonly number[]
  /** Jobs that may be dispatched now; of more than fill a window of the budget, it need not say how many more. */
  readyCount: number
  /** Calls that each of them takes in all, in the order in which they are dispatched; of many, those of the first ones. */
  readyCalls: readonly number[]
  /** Dispatches under way. */
  sendingCount: number
  /** Calls that those will take after their dispatch. */
  sendingCalls: number
  maxSending: number
  /** `Plan.nextDispatchAtMs` of the last plan; null for the first. */
  nextDispatchAtMs: number | null
  /** Jobs whose download may start now, oldest first. */
  downloads: readonly string[]
  /** Oldest first. */
  waiting: readonly WaitingJob[]
}

export type PlannedCall = { kind: 'dispatch' } | { kind: 'poll'; jobId: string } | { kind: 'download'; jobId: string }

export interface Plan {
  /** To be made now, in this order; never more than there are free slots. */
  calls: PlannedCall[]
  /** When to ask again if nothing happens before; null when only an answer or new work can change the plan. */
  wakeAtMs: number | null
  /** When the pace lets the next dispatch of a backlog leave, once these calls are made; in the past if some may leave in advance. */
  nextDispatchAtMs: number | null
}

/** With all of its polls, how many jobs are still missed (head of this file). */
const MISS = 0.05
/** Calls are called spare only if they come before a waiting job has ended with this probability. */
const HORIZON_QUANTILE = 0.7
/** Of the calls to spare, every job but one leaves half as much for the last ones to end: those decide how long a batch takes. */
const SAVED_SHARE = 0.5
/** When a slot can be spent again: a minute after its answer came, with the budget's margin and the time of a usual call. */
export const SLOT_COMES_BACK_MS = 60_500
/** Dispatches may run ahead of their pace by this much: eight of them at the documented limit. */
const ADVANCE_MS = 24_000
/** … and by this many dispatches at least, where the limit is low. */
const MIN_ADVANCE_INTERVALS = 2
/** With a backlog, a slot that would lie idle polls a job for the first time if it has ended with this probability … */
const EARLY_SUCCESS = 0.85
/** … would otherwise not be polled before this many times its age … */
const EARLY_GAIN = 1.3
/** … and at least this many jobs of its kind are remembered, so that this is known. */
const EARLY_JOBS = 20
/** Never poll one job again sooner than this, or than this share of its age. */
const MIN_GAP_MS = 300
const MIN_GAP_SHARE = 0.05
/** With calls to spare, never leave a job alone longer than this, or than this share of its age, whatever the model says. */
const MAX_GAP_MS = 500
const MAX_GAP_SHARE = 0.1
/** Polling one job at those gaps takes about this many calls; with fewer to spare the gaps widen, and soon mean nothing. */
const CALLS_FOR_MAX_GAP = 36
/** With a backlog one job in this many is first polled when half of its kind have ended: it keeps the model honest. */
const PROBE_ONE_IN = 32
/** Until this many jobs of a kind were seen to end, the oldest is polled often, so that the others need not be. */
const COLD_JOBS = 3
const COLD_GAP_MS = 1000
const COLD_GAP_SHARE = 0.3
/** With a backlog, until this many were seen to end, jobs are polled one by one, each once: the first at this quantile of the age … */
const FIRST_SAMPLE = 0.4
/** … and later ones nearer to the usual one, the more is known. */
const SAMPLED_JOBS = 6
/** The tail of what is believed of a kind is wide while it is new: waiting for all of it would keep too many at the service. */
const NEW_SUCCESS = 0.9
/** With a backlog, one call is worth that one job waits this much longer, and at least this many times what its kind usually takes … */
const CALL_IS_WORTH_MS = 2 * 60_000
const CALL_IS_WORTH_JOBS = 10
/** … and a job that had not ended is polled again at this many times its age at the latest, whatever the model says. */
const MAX_GROWTH = 2.5
const MAX_WAITING = 1000
/** The quantile that stands for how long nearly all jobs take; a job is stalled at STALLED_QUANTILES times that. */
const NEARLY_ALL = 0.99
const STALLED_QUANTILES = 20
const MIN_STALLED_MS = 5 * 60_000
const MAX_STALLED_MS = 30 * 60_000
const STALLED_GAP_MS = 10 * 60_000
/** However many jobs stall, polling them takes no more than this share of the budget. */
const STALLED_SHARE = 0.1
const MIN_HORIZON_MS = 1000
const MAX_HORIZON_MS = 60_000

interface DuePoll {
  jobId: string
  dueAtMs: number
}

/** Pure: the same input and model give the same plan. Call it after every event and at `wakeAtMs`. */
export function planCalls(input: PlannerInput, learned: DurationModel): Plan {
  const model = learned.whileOpen(openJobs(input))
  const situation = situationOf(input, model)
  const duePolls = input.waiting
    .filter((job) => !job.polling)
    .map((job) => ({ jobId: job.jobId, dueAtMs: pollDueAtMs(job, situation, model) }))
    .sort((a, b) => a.dueAtMs - b.dueAtMs)
  const due: PlannedCall[] = [
    ...input.downloads.map((jobId) => ({ kind: 'download', jobId }) as const),
    ...duePolls.filter(({ dueAtMs }) => dueAtMs <= input.nowMs).map(({ jobId }) => ({ kind: 'poll', jobId }) as const),
  ]
  const freeSlots = countUpTo(input.slotTimesMs, input.nowMs)
  const { wanted, count, nextAtMs, wakeAtMs: sendsAtMs } = dispatchesNow(input, Math.max(0, freeSlots - due.length))
  const idleSlots = Math.max(0, freeSlots - due.length - count)
  const isBacklog = situation.sparePerJob === 0 && input.readyCount > count
  const calls = [
    ...due,
    ...Array.from({ length: count }, () => ({ kind: 'dispatch' }) as const),
    ...(isBacklog ? earlyPolls(input, duePolls, model).slice(0, idleSlots) : []),
  ].slice(0, freeSlots)
  const dueTimes = duePolls.map((poll) => poll.dueAtMs)
  if (input.readyCount > count) dueTimes.push(sendsAtMs)
  return {
    calls,
    wakeAtMs: wakeAtMs(input, dueTimes, Math.max(calls.length, due.length + wanted), freeSlots),
    nextDispatchAtMs: nextAtMs,
  }
}

/** Jobs that a poll found not ended, as of that poll. */
function openJobs({ waiting }: PlannerInput): { operation: string; ageMs: number }[] {
  return waiting.flatMap(({ operation, acceptedAtMs, lastPollAtMs }) =>
    lastPollAtMs === null ? [] : [{ operation, ageMs: Math.max(0, lastPollAtMs - acceptedAtMs) }],
  )
}

/** What one window of the budget can finish is no backlog. */
function isPaced(input: PlannerInput): boolean {
  return input.readyCalls.length > 0 && callsNeeded(input, input.waiting) > input.slotTimesMs.length
}

/** First polls that are not due yet, for slots that nothing else needs. */
function earlyPolls(
  { nowMs, waiting }: PlannerInput,
  duePolls: readonly DuePoll[],
  model: DurationModel,
): PlannedCall[] {
  const dueAtMs = new Map(duePolls.map((poll) => [poll.jobId, poll.dueAtMs]))
  return waiting
    .filter(({ jobId, operation, acceptedAtMs, lastPollAtMs, notBeforeMs }) => {
      const ageMs = nowMs - acceptedAtMs
      return (
        lastPollAtMs === null &&
        (notBeforeMs ?? 0) <= nowMs &&
        (dueAtMs.get(jobId) ?? 0) > nowMs &&
        (dueAtMs.get(jobId) ?? 0) - acceptedAtMs >= EARLY_GAIN * ageMs &&
        model.observedJobs(operation) >= EARLY_JOBS &&
        model.doneBy(operation, ageMs) >= EARLY_SUCCESS
      )
    })
    .map(({ jobId }) => ({ kind: 'poll', jobId }))
}

interface Dispatches {
  /** How many should leave now, and how many of them find a slot. */
  wanted: number
  count: number
  /** `Plan.nextDispatchAtMs`. */
  nextAtMs: number | null
  /** When the next one may leave. */
  wakeAtMs: number
}

/** Whatever is no backlog may leave as far ahead of the pace as one window of the budget can finish, a backlog as far as the advance. */
function dispatchesNow(input: PlannerInput, slots: number): Dispatches {
  const { nowMs, slotTimesMs, sendingCount, waiting, nextDispatchAtMs } = input
  const room = Math.min(
    input.readyCalls.length,
    Math.max(0, input.maxSending - sendingCount),
    Math.max(0, MAX_WAITING - waiting.length - sendingCount),
  )
  const [firstCalls] = input.readyCalls
  if (firstCalls === undefined || slotTimesMs.length === 0)
    return { wanted: room, count: Math.min(room, slots), nextAtMs: nextDispatchAtMs, wakeAtMs: Infinity }
  const callMs = SLOT_COMES_BACK_MS / slotTimesMs.length
  const intervalMs = firstCalls * callMs
  const advanceMs = Math.max(ADVANCE_MS, MIN_ADVANCE_INTERVALS * intervalMs)
  const windowAheadMs = Math.max(0, SLOT_COMES_BACK_MS - advanceMs)
  const aheadMs = isPaced(input) ? 0 : windowAheadMs
  // A run that begins with jobs under way has nothing to make up for: the run before sent them.
  const saidMs = nextDispatchAtMs ?? (waiting.length === 0 ? -Infinity : nowMs)
  let nextAtMs = Math.min(Math.max(saidMs, nowMs - advanceMs), nowMs + windowAheadMs + intervalMs)
  let inPaceAtMs = nextAtMs
  let wanted = 0
  for (const calls of input.readyCalls.slice(0, room)) {
    if (inPaceAtMs > nowMs + aheadMs) break
    inPaceAtMs += calls * callMs
    wanted += 1
    if (wanted <= slots) nextAtMs = inPaceAtMs
  }
  return { wanted, count: Math.min(wanted, slots), nextAtMs, wakeAtMs: nextAtMs - aheadMs }
}

/** Calls that all jobs in hand take if each is polled once. */
function callsNeeded(input: PlannerInput, waiting: readonly WaitingJob[]): number {
  const known = input.readyCalls.reduce((sum, calls) => sum + calls, 0)
  // Those whose calls are not given are taken to be like those whose are.
  const ready = input.readyCalls.length === 0 ? 0 : known * (input.readyCount / input.readyCalls.length)
  return (
    ready +
    input.sendingCalls +
    input.downloads.length +
    waiting.reduce((sum, job) => sum + (job.needsDownload ? 2 : 1), 0)
  )
}

/** The next call that comes due, or the next slot (more calls to spare make polls due sooner), whichever is first. */
function wakeAtMs(
  input: PlannerInput,
  dueTimesMs: readonly number[],
  wanted: number,
  freeSlots: number,
): number | null {
  const nextSlotAtMs = input.slotTimesMs[freeSlots] ?? Infinity
  if (wanted > freeSlots) return finiteOrNull(nextSlotAtMs)
  const nextDueAtMs = Math.min(...dueTimesMs.filter((timeMs) => timeMs > input.nowMs))
  if (nextDueAtMs === Infinity) return null
  if (wanted === freeSlots) return finiteOrNull(Math.max(nextDueAtMs, nextSlotAtMs))
  return Math.min(nextDueAtMs, Math.max(nextSlotAtMs, input.nowMs + MIN_GAP_MS))
}

function finiteOrNull(timeMs: number): number | null {
  return Number.isFinite(timeMs) ? timeMs : null
}

/** What decides about every poll alike. */
interface Situation {
  nowMs: number
  sparePerJob: number
  /** While little is known of a kind, its oldest job is its scout. Per operation, the job's id. */
  scouts: ReadonlyMap<string, string>
  /** Of a backlog of a kind of which little is known, the job that is asked for next. Per operation, the job's id. */
  samples: ReadonlyMap<string, string>
  stalledIds: ReadonlySet<string>
  stalledGapMs: number
}

function situationOf(input: PlannerInput, model: DurationModel): Situation {
  const inTime: WaitingJob[] = []
  const stalledIds = new Set<string>()
  const scouts = new Map<string, string>()
  for (const job of input.waiting) {
    if (isStalled(job, input.nowMs, model)) stalledIds.add(job.jobId)
    else inTime.push(job)
  }
  for (const job of inTime) {
    const cold = model.observedJobs(job.operation) < COLD_JOBS
    if (cold && !scouts.has(job.operation)) scouts.set(job.operation, job.jobId)
  }
  const fairGapMs = (stalledIds.size * 60_000) / (STALLED_SHARE * Math.max(1, input.slotTimesMs.length))
  return {
    nowMs: input.nowMs,
    sparePerJob: spareCallsPerJob(input, inTime, model),
    scouts,
    samples: samplesOf(inTime, model),
    stalledIds,
    stalledGapMs: Math.max(STALLED_GAP_MS, fairGapMs),
  }
}

/** The oldest job that was never asked for, one at a time: its answer says when the next one should be. */
function samplesOf(inTime: readonly WaitingJob[], model: DurationModel): Map<string, string> {
  const samples = new Map<string, string>()
  const asked = new Set<string>()
  for (const { operation, polling } of inTime) if (polling) asked.add(operation)
  for (const { jobId, operation, lastPollAtMs } of inTime)
    if (lastPollAtMs === null && !asked.has(operation) && !samples.has(operation))
      if (model.observedJobs(operation) < SAMPLED_JOBS) samples.set(operation, jobId)
  return samples
}

/** Calls left over for each job in hand if each were polled once, until the jobs now waiting have most likely ended; 0 with a backlog. */
function spareCallsPerJob(input: PlannerInput, inTime: readonly WaitingJob[], model: DurationModel): number {
  const jobs = inTime.length + input.readyCount + input.sendingCount
  if (jobs === 0) return 0
  const needed = callsNeeded(input, inTime)
  const untilMs = input.nowMs + horizonMs(inTime, input.nowMs, model)
  const available = input.slotTimesMs.filter((timeMs) => timeMs <= untilMs).length
  return Math.max(0, available - needed) / (jobs + SAVED_SHARE * (jobs - 1))
}

/** How long until the jobs waiting have most likely ended. */
function horizonMs(jobs: readonly WaitingJob[], nowMs: number, model: DurationModel): number {
  let longestMs = MIN_HORIZON_MS
  for (const job of jobs) {
    const ageMs = Math.max(0, nowMs - job.acceptedAtMs)
    longestMs = Math.max(longestMs, model.conditionalQuantileMs(job.operation, ageMs, HORIZON_QUANTILE) - ageMs)
    if (longestMs >= MAX_HORIZON_MS) return MAX_HORIZON_MS
  }
  return longestMs
}

/** When a job should next be polled. May lie in the past. */
function pollDueAtMs(job: WaitingJob, situation: Situation, model: DurationModel): number {
  return Math.max(dueByAge(job, situation, model), job.notBeforeMs ?? 0)
}

function dueByAge(job: WaitingJob, situation: Situation, model: DurationModel): number {
  const { sparePerJob, scouts } = situation
  if (situation.stalledIds.has(job.jobId)) {
    return job.lastPollAtMs === null ? job.acceptedAtMs : job.lastPollAtMs + situation.stalledGapMs
  }
  const lastAgeMs = job.lastPollAtMs === null ? 0 : Math.max(0, job.lastPollAtMs - job.acceptedAtMs)
  if (sparePerJob === 0) return job.acceptedAtMs + backlogDueAgeMs(job, lastAgeMs, situation, model)
  const gapMs = pollAgeMs(job, lastAgeMs, sparePerJob, model) - lastAgeMs
  return job.acceptedAtMs + lastAgeMs + gapBesideScout(job, lastAgeMs, gapMs, scouts)
}

/** With a backlog each early poll is a call that an image would need, so it asks for the job of which it tells the most. */
function backlogDueAgeMs(
  job: WaitingJob,
  lastAgeMs: number,
  { sparePerJob, samples }: Situation,
  model: DurationModel,
): number {
  const usualMs = pollAgeMs(job, lastAgeMs, sparePerJob, model)
  if (samples.get(job.operation) !== job.jobId) return usualMs
  const known = model.observedJobs(job.operation) / SAMPLED_JOBS
  const success = FIRST_SAMPLE + (1 - MISS - FIRST_SAMPLE) * known
  return Math.min(usualMs, model.quantileMs(job.operation, success))
}

/** A scout is polled often; the others of its kind wait for what it finds out, up to twice as long as they would. */
function gapBesideScout(job: WaitingJob, lastAgeMs: number, gapMs: number, scouts: Situation['scouts']): number {
  const scout = scouts.get(job.operation)
  if (scout === job.jobId) return Math.min(gapMs, Math.max(COLD_GAP_MS, COLD_GAP_SHARE * lastAgeMs))
  return scout !== undefined && lastAgeMs === 0 ? 2 * gapMs : gapMs
}

function pollAgeMs(job: WaitingJob, lastAgeMs: number, spare: number, model: DurationModel): number {
  const leastMs = lastAgeMs + Math.max(MIN_GAP_MS, MIN_GAP_SHARE * lastAgeMs)
  const usual = 1 - MISS ** (1 / (spare + 1))
  const isNew = model.observedJobs(job.operation) < EARLY_JOBS
  const success = isNew ? Math.min(usual, NEW_SUCCESS) : usual
  const likelyMs = Math.min(model.conditionalQuantileMs(job.operation, lastAgeMs, success), MAX_STALLED_MS)
  if (spare === 0) return Math.max(leastMs, backlogAgeMs(job, lastAgeMs, likelyMs, model))
  const widen = Math.max(1, (CALLS_FOR_MAX_GAP / (spare + 1)) ** 2)
  const mostMs = lastAgeMs + widen * Math.max(MAX_GAP_MS, MAX_GAP_SHARE * lastAgeMs)
  return Math.max(leastMs, Math.min(likelyMs, mostMs))
}

function backlogAgeMs(job: WaitingJob, lastAgeMs: number, likelyMs: number, model: DurationModel): number {
  const usualMs = model.quantileMs(job.operation, 0.5)
  const callMs = Math.max(CALL_IS_WORTH_MS, CALL_IS_WORTH_JOBS * usualMs)
  const ageMs = model.cheapestPollMs(job.operation, lastAgeMs, likelyMs, callMs)
  if (lastAgeMs > 0) return Math.min(ageMs, MAX_GROWTH * lastAgeMs)
  return isProbe(job.jobId) ? Math.min(ageMs, usualMs) : ageMs
}

/** After 20 times what nearly all jobs take, or half an hour, a job is polled every ten minutes only. */
function isStalled(job: WaitingJob, nowMs: number, model: DurationModel): boolean {
  const limitMs = Math.max(MIN_STALLED_MS, STALLED_QUANTILES * model.quantileMs(job.operation, NEARLY_ALL))
  return nowMs - job.acceptedAtMs > Math.min(MAX_STALLED_MS, limitMs)
}

function isProbe(jobId: string): boolean {
  let hash = 0
  for (let index = 0; index < jobId.length; index += 1) hash = (Math.imul(hash, 31) + jobId.charCodeAt(index)) >>> 0
  return hash % PROBE_ONE_IN === 0
}
