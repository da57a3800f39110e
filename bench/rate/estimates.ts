import type { JobView } from '../../src/shared/contract/jobs.ts'
import { DurationModel } from '../../src/main/core/duration-model.ts'
import { ProgressMeter } from '../../src/main/engine/progress-meter.ts'
import { NO_JOBS } from '../../src/shared/presentation/progress-figures.ts'
import { hangar } from './policies.ts'
import { simulate, type Policy, type PolicyInput, type SimulatedMove, type SimulationOptions } from './simulate.ts'

/** From this result on an estimate is held to what the rest really took. */
const FIRST_RESULT = 10
const MAX_ERROR = 0.15
/** About one job of the usual kind and its download: of the last seconds nobody can tell more. */
const FLOOR_MS = 10_000

export interface EstimateRow {
  values: number
  /** The share of them that are off by more than 15 % of what was left, or 10 s where that is more. */
  shareOff: number
  /** Of what was left, the median of how far off they are. */
  medianError: number
  /** How often more was said to be left than before. */
  grew: number
}

interface Estimate {
  atMs: number
  leftMs: number
}

/**
 * What the progress of Hangar says after every result from the tenth on, against what then came. Where something
 * happens in the middle that nobody can know before, only what is said after it counts.
 */
export function measureEstimates(runs: readonly SimulationOptions[]): EstimateRow {
  const errors: { share: number; isOff: boolean }[] = []
  let grew = 0
  for (const options of runs) {
    const { estimates, totalMs } = estimatesOf(options)
    for (const [index, { atMs, leftMs }] of estimates.entries()) {
      const trueMs = totalMs - atMs
      const offMs = Math.abs(leftMs - trueMs)
      errors.push({ share: offMs / trueMs, isOff: offMs > Math.max(MAX_ERROR * trueMs, FLOOR_MS) })
      if (leftMs > (estimates[index - 1]?.leftMs ?? Infinity)) grew += 1
    }
  }
  const sorted = errors.map(({ share }) => share).sort((a, b) => a - b)
  return {
    values: errors.length,
    shareOff: errors.filter(({ isOff }) => isOff).length / errors.length,
    medianError: sorted[Math.floor(sorted.length / 2)] ?? NaN,
    grew,
  }
}

function estimatesOf(options: SimulationOptions): { estimates: Estimate[]; totalMs: number } {
  const meter = new ProgressMeter(NO_JOBS, 0)
  const knownFromMs = Math.max(options.added?.atMs ?? 0, options.paused?.toMs ?? 0, options.refusal?.untilMs ?? 0)
  const estimates: Estimate[] = []
  const durations = new DurationModel()
  const policy = hangar(durations)
  const jobs = new Map<string, JobView>()
  let seen: PolicyInput | null = null
  const observed: Policy = {
    ...policy,
    plan: (input) => {
      seen = input
      return policy.plan(input)
    },
  }
  /** As the queue tells its pace, from what its policy saw last. */
  const paceAt = (atMs: number) => ({
    slotsInMs: seen!.slotTimesMs.map((slotMs) => Math.max(0, slotMs - atMs)),
    atService: seen!.waiting
      .filter(({ jobId }) => jobs.get(jobId)?.state === 'waiting')
      .map(({ jobId, operation }) => ({ operation, ageMs: atMs - jobs.get(jobId)!.sentAtMs! })),
    durations,
  })
  const goes = (atMs: number) =>
    meter.setGoing(options.paused === undefined || atMs < options.paused.fromMs || atMs >= options.paused.toMs, atMs)
  let results = 0
  const onMove = (move: SimulatedMove) => {
    const { atMs, from, to, jobId } = move
    // The application hears of a pause when it begins and ends, not with the next job.
    for (const changeMs of [options.paused?.fromMs, options.paused?.toMs])
      if (changeMs !== undefined && changeMs <= atMs) goes(changeMs)
    const job = movedJob(jobs.get(jobId), move, options)
    jobs.set(jobId, job)
    if (to === 'done') meter.changed({ ...job, state: 'writing' }, from, atMs)
    meter.changed(job, to === 'done' ? 'writing' : from, atMs)
    if (to !== 'done') return
    results += 1
    const { leftMs } = meter.read(atMs, paceAt(atMs))
    if (results >= FIRST_RESULT && atMs >= knownFromMs && leftMs !== null) estimates.push({ atMs, leftMs })
  }
  const { totalMs } = simulate(observed, { ...options, onMove })
  return { estimates, totalMs }
}

/** As much of a job as the meter looks at. */
function movedJob(before: JobView | undefined, move: SimulatedMove, { operationOf }: SimulationOptions): JobView {
  const { jobId: id, from, to: state, atMs } = move
  return {
    id,
    state,
    operation: operationOf?.(0) ?? 'process',
    outputs: [],
    image: null,
    sentAtMs: state === 'sending' ? atMs : (before?.sentAtMs ?? null),
    updatedAtMs: atMs,
    polls: (before?.polls ?? 0) + Number(from === 'waiting' && state === 'waiting'),
  } as unknown as JobView
}

export interface EstimateCase {
  name: string
  options: Omit<SimulationOptions, 'workload' | 'seed'>
}

const SECOND = 1000
const LIMIT = 60

/** Backlogs and batches, and what can happen in the middle of one. */
export const ESTIMATE_CASES: readonly EstimateCase[] = [
  { name: '500', options: { count: 500, limit: LIMIT } },
  { name: '150', options: { count: 150, limit: LIMIT } },
  { name: '60', options: { count: 60, limit: LIMIT } },
  { name: '150, two calls each', options: { count: 150, limit: LIMIT, operationOf: () => 'analyze' } },
  { name: '60, at 20 requests a minute', options: { count: 60, limit: 20 } },
  {
    name: '150, after a pause',
    options: { count: 150, limit: LIMIT, paused: { fromMs: 200 * SECOND, toMs: 260 * SECOND } },
  },
  {
    name: '150, after a 429',
    options: { count: 150, limit: LIMIT, refusal: { atMs: 200 * SECOND, untilMs: 230 * SECOND } },
  },
  { name: '100, after 60 more', options: { count: 100, limit: LIMIT, added: { atMs: 150 * SECOND, count: 60 } } },
  { name: '150, an upload takes 30 s', options: { count: 150, limit: LIMIT, uploadMs: [27 * SECOND, 33 * SECOND] } },
]
