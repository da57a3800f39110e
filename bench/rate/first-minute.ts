import { DurationModel } from '../../src/main/core/duration-model.ts'
import { hangar, type Distribution } from './policies.ts'
import { between, normal } from './seeded-random.ts'
import { type Policy, simulate, type SimulationOptions } from './simulate.ts'
import type { Workload } from './workloads.ts'

const MINUTE = 60_000
const PICTURES = 108
const LIMIT = 60
export const MEDIAN_MS = 8000

/** Log-normal around 8 s. */
export function spread(sigma: number): Workload {
  return { name: `log-normal, sigma ${sigma}`, durationMs: (random) => MEDIAN_MS * Math.exp(sigma * normal(random)) }
}

/** The same, for who knows how they are distributed. The logistic curve stands in for the normal one: they differ by less than 0.01. */
export function logNormal(sigma: number): Distribution {
  return {
    doneBy: (ageMs) => 1 / (1 + (Math.max(ageMs, 1) / MEDIAN_MS) ** (-1.702 / sigma)),
    quantileMs: (p) => MEDIAN_MS * (p / (1 - p)) ** (sigma / 1.702),
  }
}

/** How long jobs may take: as widely spread as is known of services, and shapes that nothing was chosen for. */
export const SHAPES: readonly Workload[] = [
  spread(0.35),
  spread(0.6),
  spread(1),
  { name: 'uniform, 2 to 20 s', durationMs: (random) => between(random, 2000, 20_000) },
  {
    name: '4 s, one in five 25 s',
    durationMs: (random) => (random() < 0.8 ? 4000 : 25_000) * between(random, 0.85, 1.15),
  },
  { name: 'all 8 s', durationMs: () => MEDIAN_MS },
  {
    name: 'from 4 to 20 s',
    durationMs: (random, index, count) => driftMs(4000, 20_000, index / (count - 1), random()),
  },
  {
    name: 'from 20 to 4 s',
    durationMs: (random, index, count) => driftMs(20_000, 4000, index / (count - 1), random()),
  },
]

function driftMs(fromMs: number, toMs: number, share: number, chance: number): number {
  return (fromMs + (toMs - fromMs) * share) * (0.7 + 0.6 * chance)
}

/** How the pictures come to the queue, and how fast the line is. */
export interface Beginning {
  name: string
  options: Pick<SimulationOptions, 'arriveEveryMs' | 'uploadMs'>
}

/** All known before the first is sent, or read from a folder one by one while those before them are being sent. */
export const BEGINNINGS: readonly Beginning[] = [
  { name: 'all at once', options: {} },
  { name: 'read one by one', options: { arriveEveryMs: 40, uploadMs: [5, 30] } },
]

export interface FirstMinutes {
  firstResultMs: number
  inOneMinute: number
  inFourMinutes: number
  /** From leaving to its file being here, the median of the pictures. */
  inFlightMs: number
  mostInFlight: number
  refused: number
  /** Of the whole batch. */
  totalMs: number
}

/** A batch of which nothing was learned yet: 108 pictures at 60 requests a minute, and as many minutes' worth at another limit. */
export function firstMinutes(
  workload: Workload,
  { options }: Beginning,
  seed: number,
  policy: Policy = hangar(new DurationModel()),
  limit = LIMIT,
): FirstMinutes {
  const run = simulate(policy, { workload, count: Math.round((PICTURES * limit) / LIMIT), limit, seed, ...options })
  const doneBy = (ms: number) => run.resultsAtMs.filter((atMs) => atMs <= ms).length
  return {
    firstResultMs: run.resultsAtMs[0]!,
    inOneMinute: doneBy(MINUTE),
    inFourMinutes: doneBy(4 * MINUTE),
    inFlightMs: run.inFlightMs.toSorted((a, b) => a - b)[run.inFlightMs.length >> 1]!,
    mostInFlight: run.mostInFlight,
    refused: run.refused,
    totalMs: run.totalMs,
  }
}

export interface MeanAndWorst {
  mean: number
  /** The mean of the worst tenth of the runs. */
  worst: number
}

export function meanAndWorst(runs: readonly FirstMinutes[], figure: keyof FirstMinutes): MeanAndWorst {
  const isMoreBetter = figure === 'inOneMinute' || figure === 'inFourMinutes'
  const fromBest = runs.map((run) => run[figure]).sort((a, b) => (isMoreBetter ? b - a : a - b))
  return { mean: meanOf(fromBest), worst: meanOf(fromBest.slice(-Math.ceil(fromBest.length / 10))) }
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}
