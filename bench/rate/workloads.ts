import type { Random } from '../../src/shared/runtime/ports.ts'
import type { Operation } from '../../src/shared/recipes/recipe.ts'
import { between, normal } from './seeded-random.ts'

export interface Workload {
  name: string
  /** How long the nth of `count` jobs takes at the service, in ms. */
  durationMs: (random: Random, index: number, count: number) => number
}

export const LOG_NORMAL: Workload = {
  name: 'log-normal, median 8 s',
  durationMs: (random) => 8000 * Math.exp(0.6 * normal(random)),
}

export const WORKLOADS: readonly Workload[] = [
  { name: 'short, 1-2 s', durationMs: (random) => between(random, 1000, 2000) },
  LOG_NORMAL,
  { name: 'about 60 s', durationMs: (random) => between(random, 55_000, 65_000) },
  {
    name: 'bimodal, 5 or 45 s',
    durationMs: (random) => (random() < 0.5 ? 5000 : 45_000) * between(random, 0.9, 1.1),
  },
  { name: 'heavy tail, Pareto 4 s', durationMs: (random) => Math.min(600_000, 4000 / (1 - random()) ** (1 / 1.5)) },
  {
    name: 'drifting, 4 to 20 s',
    durationMs: (random, index, count) =>
      (4000 + (16_000 * index) / Math.max(1, count - 1)) * between(random, 0.8, 1.2),
  },
]

/** What the images of a backlog are sent for. */
export interface OperationMix {
  name: string
  operationOf: (index: number, count: number) => Operation
}

export const OPERATION_MIXES: readonly OperationMix[] = [
  { name: 'process or optimize', operationOf: () => 'optimize' },
  { name: 'analyze, or convert at the service', operationOf: () => 'analyze' },
  { name: 'process and analyze by turns', operationOf: (index) => (index % 2 === 0 ? 'process' : 'analyze') },
  { name: 'first analyze, then process', operationOf: (index, count) => (index < count / 2 ? 'analyze' : 'process') },
]
