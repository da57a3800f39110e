import type { DurationModel } from './duration-model.ts'

/*
 * What to spend the key's calls on. An image needs three: dispatch, one poll that finds it ended, one download; every other
 * poll is waste. While work is waiting to be sent, a call is worth more than an early answer: a job is polled when it has
 * almost surely ended, and the pipeline hides the wait. When calls would be left over, they buy earlier answers: the calls
 * left over for each job, e, decide how likely a poll has to be to succeed.
 *
 * With e + 1 polls for a job, each made when it has ended with probability θ if it had not at the last one, all of them
 * together miss it with probability (1 - θ)^(e + 1). Setting that to MISS gives θ = 1 - MISS^(1 / (e + 1)): 0.95 with a
 * backlog (e = 0), 0.05 for a lone image (e ≈ 55). One rule covers both ends and all that lies between.
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
  /** Ascending: when each slot of the budget can be spent (`RateBudget.backgroundSlotTimes`). Its length is the limit, less what is reserved. */
  slotTimesMs: readonly number[]
  /** Jobs that may be dispatched now, in the queue's order. */
  readyCount: number
  /** Calls that one of them takes in all: 3, or 2 without a download. */
  callsPerReady: number
  /** Dispatches under way. */
  sendingCount: number
  maxSending: number
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
}

/** With all of its polls, how many jobs are still missed (head of this file). */
const MISS = 0.05
/** Calls are called spare only if they come before a waiting job has ended with this probability. */
const HORIZON_QUANTILE = 0.7
/** Of the calls to spare, every job but one leaves half as much for the last ones to end: those decide how long a batch takes. */
const SAVED_SHARE = 0.5
/** With a backlog a late poll is nearly free and an early one is wasted: wait this much longer than the model says. */
const BACKLOG_STRETCH = 1.15
/** Never poll one job again sooner than this, or than this share of its age. */
const LEAST_GAP_MS = 300
const LEAST_GAP_SHARE = 0.05
/** With calls to spare, never leave a job alone longer than this, or than this share of its age, whatever the model says. */
const GREATEST_GAP_MS = 500
const GREATEST_GAP_SHARE = 0.1
/** Polling one job at those gaps takes about so many calls; with fewer to spare the gaps widen, and soon mean nothing. */
const CALLS_FOR_GREATEST_GAP = 36
/** With a backlog one job in so many is first polled when half of its kind have ended: it keeps the model honest. */
const PROBE_ONE_IN = 16
/** Until so many jobs of a kind were seen to end, the oldest is polled often, so that the others need not be. */
const COLD_JOBS = 3
const COLD_GAP_MS = 1000
const COLD_GAP_SHARE = 0.3
/** Jobs older than this quantile do not count against the pipeline's length: a long job blocks nobody. */
const OVERDUE_QUANTILE = 0.99
const MOST_WAITING = 1000
const STALLED_QUANTILES = 20
const STALLED_AT_LEAST_MS = 5 * 60_000
const STALLED_AT_MOST_MS = 30 * 60_000
const STALLED_GAP_MS = 10 * 60_000
/** However many jobs stall, polling them takes no more than this share of the budget. */
const STALLED_SHARE = 0.1
/** Between polls of a job whose age is unknown because the clock was set back. */
const AGELESS_GAP_MS = 10_000
const SHORTEST_HORIZON_MS = 1000
const LONGEST_HORIZON_MS = 60_000

interface DuePoll {
  jobId: string
  dueAtMs: number
}

/** Pure: the same input and model give the same plan. Call it after every event and at `wakeAtMs`. */
export function planCalls(input: PlannerInput, model: DurationModel): Plan {
  const situation = situationOf(input, model)
  const duePolls = input.waiting
    .filter((job) => !job.polling)
    .map((job) => ({ jobId: job.jobId, dueAtMs: pollDueAtMs(job, situation, model) }))
    .sort((a, b) => a.dueAtMs - b.dueAtMs)
  const calls = [...downloadsNow(input), ...pollsNow(duePolls, input.nowMs), ...dispatchesNow(input, model)]
  const freeSlots = input.slotTimesMs.filter((timeMs) => timeMs <= input.nowMs).length
  return { calls: calls.slice(0, freeSlots), wakeAtMs: wakeAtMs(input, duePolls, calls.length, freeSlots) }
}

function downloadsNow({ downloads }: PlannerInput): PlannedCall[] {
  return downloads.map((jobId) => ({ kind: 'download', jobId }))
}

/** The one that has been due longest goes first. */
function pollsNow(duePolls: readonly DuePoll[], nowMs: number): PlannedCall[] {
  return duePolls.filter((poll) => poll.dueAtMs <= nowMs).map(({ jobId }) => ({ kind: 'poll', jobId }))
}

function dispatchesNow(input: PlannerInput, model: DurationModel): PlannedCall[] {
  const room = mostWaiting(input, model) - waitingInTime(input, model) - input.sendingCount
  const count = Math.min(input.readyCount, input.maxSending - input.sendingCount, room)
  return Array.from({ length: Math.max(0, count) }, () => ({ kind: 'dispatch' }))
}

/** The next poll that comes due, or the next slot (more calls to spare make polls due sooner), whichever is first. */
function wakeAtMs(input: PlannerInput, duePolls: readonly DuePoll[], wanted: number, freeSlots: number): number | null {
  const nextSlotAtMs = input.slotTimesMs[freeSlots] ?? Infinity
  if (wanted > freeSlots) return finiteOrNull(nextSlotAtMs)
  const nextDueAtMs = duePolls.find((poll) => poll.dueAtMs > input.nowMs)?.dueAtMs ?? Infinity
  if (nextDueAtMs === Infinity) return null
  if (wanted === freeSlots) return finiteOrNull(Math.max(nextDueAtMs, nextSlotAtMs))
  return Math.min(nextDueAtMs, Math.max(nextSlotAtMs, input.nowMs + LEAST_GAP_MS))
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
    stalledIds,
    stalledGapMs: Math.max(STALLED_GAP_MS, fairGapMs),
  }
}

/**
 * Calls that would be left over for each job in hand if each were polled once, in the time until the jobs now waiting have
 * most likely ended; 0 with a backlog. Stalled jobs do not count.
 */
function spareCallsPerJob(input: PlannerInput, inTime: readonly WaitingJob[], model: DurationModel): number {
  const jobs = inTime.length + input.readyCount + input.sendingCount
  if (jobs === 0) return 0
  const needed =
    input.readyCount * input.callsPerReady +
    input.sendingCount * (input.callsPerReady - 1) +
    input.downloads.length +
    inTime.reduce((sum, job) => sum + (job.needsDownload ? 2 : 1), 0)
  const untilMs = input.nowMs + horizonMs(inTime, input.nowMs, model)
  const available = input.slotTimesMs.filter((timeMs) => timeMs <= untilMs).length
  return Math.max(0, available - needed) / (jobs + SAVED_SHARE * (jobs - 1))
}

/** How long until the jobs waiting have most likely ended. */
function horizonMs(jobs: readonly WaitingJob[], nowMs: number, model: DurationModel): number {
  let longestMs = SHORTEST_HORIZON_MS
  for (const job of jobs) {
    const ageMs = Math.max(0, nowMs - job.acceptedAtMs)
    longestMs = Math.max(longestMs, model.conditionalQuantileMs(job.operation, ageMs, HORIZON_QUANTILE) - ageMs)
    if (longestMs >= LONGEST_HORIZON_MS) return LONGEST_HORIZON_MS
  }
  return longestMs
}

/** When a job should next be polled. May lie in the past. */
function pollDueAtMs(job: WaitingJob, situation: Situation, model: DurationModel): number {
  const ageless = Math.max(job.acceptedAtMs, job.lastPollAtMs ?? 0) > situation.nowMs
  const dueAtMs = ageless ? dueAfterClockWentBack(job, situation.nowMs) : dueByAge(job, situation, model)
  return Math.max(dueAtMs, job.notBeforeMs ?? 0)
}

function dueByAge(job: WaitingJob, { sparePerJob, scouts, ...situation }: Situation, model: DurationModel): number {
  if (situation.stalledIds.has(job.jobId)) {
    return job.lastPollAtMs === null ? job.acceptedAtMs : job.lastPollAtMs + situation.stalledGapMs
  }
  const lastAgeMs = job.lastPollAtMs === null ? 0 : Math.max(0, job.lastPollAtMs - job.acceptedAtMs)
  const gapMs = pollAgeMs(job, lastAgeMs, sparePerJob, model) - lastAgeMs
  return job.acceptedAtMs + lastAgeMs + gapBesideScout(job, lastAgeMs, gapMs, scouts)
}

/** A scout is polled often; the others of its kind wait for what it finds out, up to twice as long as they would. */
function gapBesideScout(job: WaitingJob, lastAgeMs: number, gapMs: number, scouts: Situation['scouts']): number {
  const scout = scouts.get(job.operation)
  if (scout === job.jobId) return Math.min(gapMs, Math.max(COLD_GAP_MS, COLD_GAP_SHARE * lastAgeMs))
  return scout !== undefined && lastAgeMs === 0 ? 2 * gapMs : gapMs
}

/** A job from the future: its age is unknown, so it is polled now and then at a fixed pace until the clock makes sense. */
function dueAfterClockWentBack({ lastPollAtMs }: WaitingJob, nowMs: number): number {
  return lastPollAtMs === null || lastPollAtMs > nowMs ? nowMs : lastPollAtMs + AGELESS_GAP_MS
}

function pollAgeMs(job: WaitingJob, lastAgeMs: number, spare: number, model: DurationModel): number {
  const leastMs = lastAgeMs + Math.max(LEAST_GAP_MS, LEAST_GAP_SHARE * lastAgeMs)
  const success = 1 - MISS ** (1 / (spare + 1))
  const likelyMs = Math.min(model.conditionalQuantileMs(job.operation, lastAgeMs, success), STALLED_AT_MOST_MS)
  if (spare === 0) return Math.max(leastMs, backlogAgeMs(job, lastAgeMs, likelyMs * BACKLOG_STRETCH, model))
  const widen = Math.max(1, (CALLS_FOR_GREATEST_GAP / (spare + 1)) ** 2)
  const mostMs = lastAgeMs + widen * Math.max(GREATEST_GAP_MS, GREATEST_GAP_SHARE * lastAgeMs)
  return Math.max(leastMs, Math.min(likelyMs, mostMs))
}

function backlogAgeMs(job: WaitingJob, lastAgeMs: number, likelyMs: number, model: DurationModel): number {
  if (lastAgeMs > 0) return Math.min(likelyMs, 2 * lastAgeMs)
  return isProbe(job.jobId) ? Math.min(likelyMs, model.quantileMs(job.operation, 0.5)) : likelyMs
}

/** After 20 times what nearly all jobs take, or half an hour, a job is polled every ten minutes only. */
function isStalled(job: WaitingJob, nowMs: number, model: DurationModel): boolean {
  const limitMs = Math.max(STALLED_AT_LEAST_MS, STALLED_QUANTILES * model.quantileMs(job.operation, OVERDUE_QUANTILE))
  return nowMs - job.acceptedAtMs > Math.min(STALLED_AT_MOST_MS, limitMs)
}

/**
 * How many jobs may wait at the service at once: as many as all calls could dispatch in the time each waits until it has
 * almost surely ended, and a third of a minute's calls on top. Fewer would leave slots idle when calls come in bursts.
 */
function mostWaiting(input: PlannerInput, model: DurationModel): number {
  const perMinute = input.slotTimesMs.length
  const operations = new Set(input.waiting.map((job) => job.operation))
  const longestMs = Math.max(0, ...[...operations].map((operation) => model.quantileMs(operation, 1 - MISS)))
  return Math.min(
    MOST_WAITING,
    Math.ceil(perMinute * ((longestMs * BACKLOG_STRETCH) / 60_000 + 1 / input.callsPerReady)),
  )
}

function waitingInTime(input: PlannerInput, model: DurationModel): number {
  const overdueMs = new Map<string, number>()
  const count = input.waiting.filter((job) => {
    const limitMs = overdueMs.get(job.operation) ?? model.quantileMs(job.operation, OVERDUE_QUANTILE)
    overdueMs.set(job.operation, limitMs)
    return input.nowMs - job.acceptedAtMs <= limitMs * 1.5
  }).length
  return input.waiting.length >= MOST_WAITING ? MOST_WAITING : count
}

function isProbe(jobId: string): boolean {
  let hash = 0
  for (let index = 0; index < jobId.length; index += 1) hash = (Math.imul(hash, 31) + jobId.charCodeAt(index)) >>> 0
  return hash % PROBE_ONE_IN === 0
}
