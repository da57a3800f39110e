import { DurationModel } from '../../src/main/core/duration-model.ts'
import { CALLS } from '../../src/main/core/plan-work.ts'
import { clairvoyant, finishFirstClairvoyant, fixedInterval, growingInterval, hangar } from './policies.ts'
import { type Policy, simulate, type SimulationResult } from './simulate.ts'
import { LOG_NORMAL, type OperationMix, type Workload } from './workloads.ts'

export const SEEDS = { backlog: [81, 82, 83, 84, 85, 86], batchFrom: 100, batches: 100, loneFrom: 1000, lone: 400 }

const LIMIT = 60
const BACKLOG = 500
const TRICKLE = 100
/** Images in hand at once for the fixed schedules; with more, the budget itself spaces their polls and they become late polls. */
const IMAGES_AT_A_TIME = 8
/** A plain client: a fixed number of images at once, each polled at a fixed interval. */
const PLAIN = { imagesAtATime: 20, intervalMs: 5000 }
/** When results are counted, in minutes. */
export const CURVE_MINUTES = [1, 2, 4, 8, 16, 24]
const MINUTE = 60_000
const STEADY_WINDOW_MS = 5 * MINUTE
/** Runs with the model that learned from those before are counted from here on. */
const WARM_AFTER = 20

export interface Spread {
  mean: number
  median: number
  p95: number
  max: number
}

export function spreadOf(values: readonly number[]): Spread {
  const sorted = [...values].sort((a, b) => a - b)
  const at = (p: number): number => sorted[Math.min(sorted.length - 1, Math.floor(p * sorted.length))] ?? NaN
  return { mean: meanOf(values), median: at(0.5), p95: at(0.95), max: at(1) }
}

export interface BacklogRow {
  workload: string
  policy: string
  imagesPerMinute: number
  ofClairvoyant: number
  leastOfClairvoyant: number
  pollsPerImage: number
  refused: number
  mostInTrailingMinute: number
  firstResultMs: number
  /** Images done after each of `CURVE_MINUTES`. */
  curve: number[]
  /** Time to the k-th result against the finish-first clairvoyant's: the mean over all k. */
  toEachResult: number
  /** The worst five minutes after the first five, mean of the seeds, in images a minute. */
  worstSteadyPerMinute: number
  /** From leaving to its file being here. */
  inFlightMs: Spread
  mostInFlight: number
}

export function measureBacklog(workload: Workload): BacklogRow[] {
  const run = (policy: Policy, seed: number): SimulationResult =>
    simulate(policy, { workload, count: BACKLOG, limit: LIMIT, seed })
  const best = SEEDS.backlog.map((seed) => run(clairvoyant(), seed))
  const finishFirst = SEEDS.backlog.map((seed) => run(finishFirstClairvoyant(), seed))
  const policies = [
    () => hangar(new DurationModel()),
    () => fixedInterval(PLAIN.intervalMs, PLAIN.imagesAtATime),
    () => fixedInterval(1000, IMAGES_AT_A_TIME),
    () => fixedInterval(2000, IMAGES_AT_A_TIME),
    () => growingInterval(IMAGES_AT_A_TIME),
  ]
  const others = policies.map((policy) => SEEDS.backlog.map((seed) => run(policy(), seed)))
  return [best, finishFirst, ...others].map((results) => backlogRow(results, best, finishFirst))
}

function backlogRow(
  results: readonly SimulationResult[],
  best: readonly SimulationResult[],
  finishFirst: readonly SimulationResult[],
): BacklogRow {
  const shares = results.map((result, index) => result.imagesPerMinute / (best[index]?.imagesPerMinute ?? NaN))
  return {
    workload: results[0]?.workload ?? '',
    policy: results[0]?.policy ?? '',
    imagesPerMinute: meanOf(results.map((result) => result.imagesPerMinute)),
    ofClairvoyant: meanOf(shares),
    leastOfClairvoyant: Math.min(...shares),
    pollsPerImage: meanOf(results.map((result) => result.pollsPerImage)),
    refused: results.reduce((sum, result) => sum + result.refused, 0),
    mostInTrailingMinute: Math.max(...results.map((result) => result.mostInTrailingMinute)),
    firstResultMs: meanOf(results.map((result) => result.resultsAtMs[0] ?? NaN)),
    curve: CURVE_MINUTES.map((minutes) => meanOf(results.map((result) => doneBy(result, minutes * MINUTE)))),
    toEachResult: toEachResult(results, finishFirst),
    worstSteadyPerMinute: worstSteadyPerMinute(results),
    inFlightMs: spreadOf(results.flatMap((result) => result.inFlightMs)),
    mostInFlight: Math.max(...results.map((result) => result.mostInFlight)),
  }
}

function doneBy({ resultsAtMs }: SimulationResult, atMs: number): number {
  return resultsAtMs.filter((doneAtMs) => doneAtMs <= atMs).length
}

/** The mean over k of the mean time to the k-th result, against another policy's. */
export function toEachResult(results: readonly SimulationResult[], others: readonly SimulationResult[]): number {
  const toKth = (runs: readonly SimulationResult[], k: number): number =>
    meanOf(runs.map(({ resultsAtMs }) => resultsAtMs[k] ?? NaN))
  const count = results[0]?.resultsAtMs.length ?? 0
  return meanOf(Array.from({ length: count }, (_, k) => toKth(results, k) / toKth(others, k)))
}

/** Windows begin every five minutes and end while all runs still have work. */
function worstSteadyPerMinute(results: readonly SimulationResult[]): number {
  const shortestMs = Math.min(...results.map(({ totalMs }) => totalMs))
  let worst = Infinity
  for (let fromMs = STEADY_WINDOW_MS; fromMs + STEADY_WINDOW_MS <= shortestMs; fromMs += STEADY_WINDOW_MS) {
    const done = meanOf(results.map((run) => doneBy(run, fromMs + STEADY_WINDOW_MS) - doneBy(run, fromMs)))
    worst = Math.min(worst, (done * MINUTE) / STEADY_WINDOW_MS)
  }
  return worst
}

export interface OperationRow {
  mix: string
  policy: string
  /** The least calls that an image takes, mean of the backlog. */
  callsPerImage: number
  /** What the limit allows at that number of calls, in images a minute. */
  bound: number
  imagesPerMinute: number
  ofBound: number
  /** Without the first and the last tenth of the results. */
  steadyOfBound: number
  pollsPerImage: number
  refused: number
  inFlightMs: Spread
  mostInFlight: number
}

/** A backlog of the log-normal jobs for each operation, and for mixes of them. */
export function measureOperations({ name, operationOf }: OperationMix): OperationRow[] {
  const calls = Array.from({ length: BACKLOG }, (_, index): number => CALLS[operationOf(index, BACKLOG)])
  const callsPerImage = meanOf(calls)
  const bound = LIMIT / callsPerImage
  const policies = [clairvoyant, finishFirstClairvoyant, () => hangar(new DurationModel())]
  return policies.map((policy) => {
    const results = SEEDS.backlog.map((seed) =>
      simulate(policy(), {
        workload: LOG_NORMAL,
        count: BACKLOG,
        limit: LIMIT,
        seed,
        operationOf: (index) => operationOf(index, BACKLOG),
      }),
    )
    const imagesPerMinute = meanOf(results.map((result) => result.imagesPerMinute))
    return {
      mix: name,
      policy: results[0]?.policy ?? '',
      callsPerImage,
      bound,
      imagesPerMinute,
      ofBound: imagesPerMinute / bound,
      steadyOfBound: meanOf(results.map(steadyPerMinute)) / bound,
      pollsPerImage: meanOf(results.map((result) => result.pollsPerImage)),
      refused: results.reduce((sum, result) => sum + result.refused, 0),
      inFlightMs: spreadOf(results.flatMap((result) => result.inFlightMs)),
      mostInFlight: Math.max(...results.map((result) => result.mostInFlight)),
    }
  })
}

function steadyPerMinute({ resultsAtMs }: SimulationResult): number {
  const edge = Math.floor(resultsAtMs.length / 10)
  const last = resultsAtMs.length - 1 - edge
  return ((last - edge) * MINUTE) / ((resultsAtMs[last] ?? NaN) - (resultsAtMs[edge] ?? NaN))
}

export interface BatchRow {
  workload: string
  count: number
  warm: Spread
  cold: Spread
  /** Time to the k-th result against the finish-first clairvoyant's, mean over all k. */
  toEachResult: number
  refused: number
}

/** One model learns from batch to batch; beside it, each batch is the first ever for a fresh model. */
export function measureBatches(workload: Workload, count: number): BatchRow {
  const model = new DurationModel()
  const warm: number[] = []
  const cold: number[] = []
  const learnedRuns: SimulationResult[] = []
  const finishFirstRuns: SimulationResult[] = []
  let refused = 0
  for (let batch = 0; batch < SEEDS.batches; batch += 1) {
    const options = {
      workload: partOf(workload, batch, SEEDS.batches),
      count,
      limit: LIMIT,
      seed: SEEDS.batchFrom + batch,
    }
    const bestMs = simulate(clairvoyant(), options).totalMs
    const learned = simulate(hangar(model), options)
    const fresh = simulate(hangar(new DurationModel()), options)
    if (batch >= WARM_AFTER) {
      warm.push(learned.totalMs / bestMs)
      learnedRuns.push(learned)
      finishFirstRuns.push(simulate(finishFirstClairvoyant(), options))
    }
    cold.push(fresh.totalMs / bestMs)
    refused += learned.refused + fresh.refused
  }
  return {
    workload: workload.name,
    count,
    warm: spreadOf(warm),
    cold: spreadOf(cold),
    toEachResult: toEachResult(learnedRuns, finishFirstRuns),
    refused,
  }
}

export interface LoneRow {
  workload: string
  delayMs: Spread
  share: Spread
  coldShare: Spread
  callsMedian: number
}

export function measureLone(workload: Workload): LoneRow {
  const model = new DurationModel()
  const warm: SimulationResult[] = []
  const cold: SimulationResult[] = []
  for (let run = 0; run < SEEDS.lone; run += 1) {
    const options = { workload: partOf(workload, run, SEEDS.lone), count: 1, limit: LIMIT, seed: SEEDS.loneFrom + run }
    const learned = simulate(hangar(model), options)
    if (run >= WARM_AFTER) warm.push(learned)
    cold.push(simulate(hangar(new DurationModel()), options))
  }
  return {
    workload: workload.name,
    delayMs: spreadOf(warm.map((result) => result.noticedDelaysMs[0] ?? NaN)),
    share: spreadOf(warm.map(shareOfTarget)),
    coldShare: spreadOf(cold.map(shareOfTarget)),
    callsMedian: spreadOf(warm.map((result) => result.pollsPerImage + 2)).median,
  }
}

/** How late it was noticed, in parts of the greater of half a second and a tenth of its duration. */
export function shareOfTarget({ noticedDelaysMs, durationsMs }: SimulationResult): number {
  return (noticedDelaysMs[0] ?? NaN) / Math.max(500, 0.1 * (durationsMs[0] ?? NaN))
}

export interface TrickleRow {
  workload: string
  everyMs: number
  inFlightMs: Spread
  mostInFlight: number
  pollsPerImage: number
}

/** Images that come one by one, every so often. */
export function measureTrickle(workload: Workload, everyMs: number): TrickleRow {
  const model = new DurationModel()
  const results = SEEDS.backlog.map((seed) =>
    simulate(hangar(model), { workload, count: TRICKLE, limit: LIMIT, seed, arriveEveryMs: everyMs }),
  )
  return {
    workload: workload.name,
    everyMs,
    inFlightMs: spreadOf(results.flatMap((result) => result.inFlightMs)),
    mostInFlight: Math.max(...results.map((result) => result.mostInFlight)),
    pollsPerImage: meanOf(results.map((result) => result.pollsPerImage)),
  }
}

export interface PersonRow {
  reserve: boolean
  /** Made at once. */
  calls: number
  waitMs: Spread
  imagesPerMinute: number
}

/** What a person waits for the budget during a backlog, with the reserve and without. */
export function measurePerson(workload: Workload): PersonRow[] {
  const rows = [true, false].flatMap((reserve) => [1, 2].map((calls) => ({ reserve, calls })))
  return rows.map(({ reserve, calls }) => {
    const results = SEEDS.backlog.map((seed) =>
      simulate(
        { ...hangar(new DurationModel()), keepsReserve: reserve },
        { workload, count: BACKLOG, limit: LIMIT, seed, personEveryMs: 40_000, personCalls: calls },
      ),
    )
    return {
      reserve,
      calls,
      waitMs: spreadOf(results.flatMap((result) => result.personWaitsMs)),
      imagesPerMinute: meanOf(results.map((result) => result.imagesPerMinute)),
    }
  })
}

export interface SlowLineRow {
  uploadS: number
  uploadsAtATime: number
  imagesPerMinute: number
  mostInFlight: number
}

/** A backlog on a line on which each upload takes about `uploadS`, with as many uploads at a time as Hangar makes, or more. */
export function measureSlowLine(workload: Workload, uploadS: number, uploadsAtATime: number): SlowLineRow {
  const results = SEEDS.backlog.map((seed) =>
    simulate(hangar(new DurationModel(), uploadsAtATime), {
      workload,
      count: BACKLOG,
      limit: LIMIT,
      seed,
      uploadMs: [uploadS * 900, uploadS * 1100],
    }),
  )
  return {
    uploadS,
    uploadsAtATime,
    imagesPerMinute: meanOf(results.map((result) => result.imagesPerMinute)),
    mostInFlight: Math.max(...results.map((result) => result.mostInFlight)),
  }
}

/** A workload that changes over time does so over all runs, not within each. */
function partOf(workload: Workload, run: number, runs: number): Workload {
  return { name: workload.name, durationMs: (random) => workload.durationMs(random, run, runs) }
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}
