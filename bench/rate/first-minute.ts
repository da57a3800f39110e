import { DurationModel } from '../../src/main/core/duration-model.ts'
import { hangar } from './policies.ts'
import { normal } from './seeded-random.ts'
import { simulate, type SimulationOptions } from './simulate.ts'

const MINUTE = 60_000
const PICTURES = 108
const MEDIAN_MS = 8000

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

/** 108 pictures at 60 requests a minute, nothing learned yet, jobs log-normal around 8 s. */
export function firstMinutes(sigma: number, { options }: Beginning, seed: number): FirstMinutes {
  const workload = {
    name: `sigma ${sigma}`,
    durationMs: (random: () => number) => MEDIAN_MS * Math.exp(sigma * normal(random)),
  }
  const run = simulate(hangar(new DurationModel()), { workload, count: PICTURES, limit: 60, seed, ...options })
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
