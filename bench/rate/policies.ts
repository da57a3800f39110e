import type { DurationModel } from '../../src/main/core/duration-model.ts'
import { type PlannedCall, planCalls } from '../../src/main/core/poll-planner.ts'
import { countUpTo } from '../../src/main/core/rate-budget.ts'
import type { Policy, PolicyInput } from './simulate.ts'

const MAX_SENDING = 4

/** Hangar itself: the planner and the model as the app uses them. */
export function hangar(model: DurationModel): Policy {
  return {
    name: 'Hangar',
    keepsReserve: true,
    plan: (input) => planCalls({ ...input, callsPerReady: 3, maxSending: MAX_SENDING }, model),
    learn: (notDoneAtAgeMs, doneAtAgeMs) => model.observe('process', { notDoneAtAgeMs, doneAtAgeMs }),
  }
}

/** Knows when each job ends and polls it exactly once, so that the poll arrives when it has. Has no reserve to keep. */
export function clairvoyant(): Policy {
  return simplePolicy('clairvoyant', Infinity, (job, { endsAtMs }) => endsAtMs(job.jobId))
}

/** The usual client: some images at a time, each polled at a fixed interval. */
export function fixedInterval(intervalMs: number, imagesAtATime: number): Policy {
  return simplePolicy(
    `every ${intervalMs / 1000} s`,
    imagesAtATime,
    (job) => (job.lastPollAtMs ?? job.acceptedAtMs) + intervalMs,
  )
}

/** Waits 1 s before the first poll and half as long again after each. */
export function growingInterval(imagesAtATime: number): Policy {
  return simplePolicy('1 s, then × 1.5', imagesAtATime, (job) => {
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
