import type { DurationModel } from '../../src/main/core/duration-model.ts'
import { type PlannedCall, planCalls } from '../../src/main/core/poll-planner.ts'
import { countUpTo } from '../../src/main/core/rate-budget.ts'
import type { Policy, PolicyInput } from './simulate.ts'

const MAX_SENDING = 4

/** Hangar itself: the planner and the model as the app uses them. */
export function hangar(model: DurationModel, maxSending = MAX_SENDING): Policy {
  let nextDispatchAtMs: number | null = null
  return {
    name: 'Hangar',
    keepsReserve: true,
    plan: (input) => {
      const plan = planCalls({ ...input, maxSending, nextDispatchAtMs }, model)
      nextDispatchAtMs = plan.nextDispatchAtMs
      return plan
    },
    learn: (operation, notDoneAtAgeMs, doneAtAgeMs) => model.observe(operation, { notDoneAtAgeMs, doneAtAgeMs }),
  }
}

/** Knows when each job ends and polls it exactly once, so that the poll arrives when it has. Has no reserve to keep. */
export function clairvoyant(): Policy {
  return simplePolicy('clairvoyant', Infinity, (job, { endsAtMs }) => endsAtMs(job.jobId))
}

/**
 * Knows the same and finishes first: it dispatches an image only while every call that is owed, its own included, finds a slot when
 * it is due. So nothing that has ended ever waits, and results come as early as they can without sending more than
 * can be finished.
 */
export function finishFirstClairvoyant(): Policy {
  const greedy = clairvoyant()
  const plan = (input: PolicyInput): ReturnType<Policy['plan']> => {
    const others = greedy.plan({ ...input, readyCount: 0 })
    const free = countUpTo(input.slotTimesMs, input.nowMs) - others.calls.length
    const most = Math.max(0, Math.min(free, input.readyCount, MAX_SENDING - input.sendingCount))
    let count = 0
    while (count < most && canFinish(input, count + 1)) count += 1
    const calls = [...others.calls, ...Array.from({ length: count }, (): PlannedCall => ({ kind: 'dispatch' }))]
    const waits = input.readyCount > count ? [input.nowMs + 1000] : []
    if (others.wakeAtMs !== null) waits.push(others.wakeAtMs)
    return { calls, wakeAtMs: waits.length === 0 ? null : Math.min(...waits) }
  }
  return { name: 'clairvoyant, finishes first', keepsReserve: false, plan }
}

/** How the durations of all jobs are distributed, without knowing that of any: the share that has ended at an age, and its inverse. */
export interface Distribution {
  doneBy: (ageMs: number) => number
  quantileMs: (p: number) => number
}

/** Of the jobs that had not ended at a poll, this share will have at the next. */
const LATER_SUCCESS = 0.6
const ADVANCE_MS = 24_000
const YIELDS_MS = 4000

/** Knows how durations are distributed, as if it had learned for ever: each job is first polled at one quantile of them. Hangar's pace. */
export function knowsDistribution(
  { doneBy, quantileMs }: Distribution,
  success: number,
  advanceMs = ADVANCE_MS,
): Policy {
  let nextMs = -Infinity
  const dueAtMs = ({ acceptedAtMs, lastPollAtMs }: PolicyInput['waiting'][number]): number => {
    if (lastPollAtMs === null) return acceptedAtMs + quantileMs(success)
    const done = doneBy(lastPollAtMs - acceptedAtMs)
    return acceptedAtMs + quantileMs(done + LATER_SUCCESS * (1 - done))
  }
  return {
    name: `knows the distribution, asks at ${success}`,
    keepsReserve: true,
    plan: ({ nowMs, slotTimesMs, downloads, waiting, readyCount, sendingCount }) => {
      const free = countUpTo(slotTimesMs, nowMs)
      const polls = waiting
        .filter(({ polling }) => !polling)
        .map((job) => ({ jobId: job.jobId, dueAtMs: dueAtMs(job) }))
        .sort((a, b) => a.dueAtMs - b.dueAtMs)
      const due = (fromMs: number, toMs: number): PlannedCall[] =>
        polls
          .filter((poll) => poll.dueAtMs > fromMs && poll.dueAtMs <= toMs)
          .map(({ jobId }) => ({ kind: 'poll', jobId }))
      const urgent = [
        ...downloads.map((jobId): PlannedCall => ({ kind: 'download', jobId })),
        ...due(-Infinity, nowMs - YIELDS_MS),
      ]
      const most = Math.min(readyCount, MAX_SENDING - sendingCount, free - urgent.length)
      nextMs = Math.max(nextMs, nowMs - advanceMs)
      const dispatches: PlannedCall[] = []
      for (; dispatches.length < most && nextMs <= nowMs; nextMs += (3 * 60_500) / slotTimesMs.length)
        dispatches.push({ kind: 'dispatch' })
      const calls = [...urgent, ...dispatches, ...due(nowMs - YIELDS_MS, nowMs)].slice(0, free)
      const times = [...polls.map((poll) => poll.dueAtMs), nextMs, ...slotTimesMs].filter((timeMs) => timeMs > nowMs)
      return { calls, wakeAtMs: times.length === 0 ? null : Math.min(...times) }
    },
  }
}

/** What a dispatch is taken to need before its end is known, in ms: an upload and a usual job. */
const UNKNOWN_END_MS = 9000

function canFinish({ nowMs, slotTimesMs, ...input }: PolicyInput, dispatches: number): boolean {
  const owed = input.downloads.map(() => nowMs)
  for (const job of input.waiting) {
    const calls = (job.polling ? 0 : 1) + (job.needsDownload ? 1 : 0)
    owed.push(...Array<number>(calls).fill(input.endsAtMs(job.jobId)))
  }
  const later = input.readyCalls.slice(0, dispatches).reduce((sum, calls) => sum + calls - 1, input.sendingCalls)
  owed.push(...Array<number>(later).fill(nowMs + UNKNOWN_END_MS), ...Array<number>(dispatches).fill(nowMs))
  owed.sort((a, b) => a - b)
  return owed.every((dueAtMs, index) => (slotTimesMs[index] ?? nowMs + 60_500) <= Math.max(dueAtMs, nowMs))
}

/** The usual client: some images at a time, each polled at a fixed interval. */
export function fixedInterval(intervalMs: number, imagesAtATime: number): Policy {
  return simplePolicy(
    `${imagesAtATime} at a time, every ${intervalMs / 1000} s`,
    imagesAtATime,
    (job) => (job.lastPollAtMs ?? job.acceptedAtMs) + intervalMs,
  )
}

/** Waits 1 s before the first poll and half as long again after each. */
export function growingInterval(imagesAtATime: number): Policy {
  return simplePolicy(`${imagesAtATime} at a time, 1 s, then × 1.5`, imagesAtATime, (job) => {
    if (job.lastPollAtMs === null) return job.acceptedAtMs + 1000
    const polledForMs = job.lastPollAtMs - job.acceptedAtMs
    // Waits of 1, 1.5, 2.25 … s add up to 2 × (last wait × 1.5 - 1 s), so the next wait is half of what passed plus 1 s.
    return job.lastPollAtMs + 1000 + polledForMs / 2
  })
}

type DueAt = (job: PolicyInput['waiting'][number], input: PolicyInput) => number

/** Downloads first, then dispatches up to a number of images in hand, then polls by due time: kind to each baseline. */
function simplePolicy(name: string, imagesAtATime: number, dueAt: DueAt): Policy {
  const plan = (input: PolicyInput): { calls: PlannedCall[]; wakeAtMs: number | null } => {
    const polls = input.waiting
      .filter((job) => !job.polling)
      .map((job) => ({ jobId: job.jobId, dueAtMs: dueAt(job, input) }))
      .sort((a, b) => a.dueAtMs - b.dueAtMs)
    const room = imagesAtATime - input.waiting.length - input.sendingCount - input.downloads.length
    const dispatchCount = Math.max(0, Math.min(input.readyCount, MAX_SENDING - input.sendingCount, room))
    const calls: PlannedCall[] = [
      ...input.downloads.map((jobId): PlannedCall => ({ kind: 'download', jobId })),
      ...polls.filter((poll) => poll.dueAtMs <= input.nowMs).map(({ jobId }): PlannedCall => ({ kind: 'poll', jobId })),
      ...Array.from({ length: dispatchCount }, (): PlannedCall => ({ kind: 'dispatch' })),
    ]
    const freeSlots = countUpTo(input.slotTimesMs, input.nowMs)
    const wanted = calls.length
    const nextSlotAtMs = input.slotTimesMs[freeSlots] ?? null
    const nextDueAtMs = polls.find((poll) => poll.dueAtMs > input.nowMs)?.dueAtMs ?? null
    return { calls: calls.slice(0, freeSlots), wakeAtMs: wanted > freeSlots ? nextSlotAtMs : nextDueAtMs }
  }
  return { name, keepsReserve: false, plan }
}
