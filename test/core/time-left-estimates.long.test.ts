import { describe, expect, it } from 'vitest'
import { measureEstimates } from '../../bench/rate/estimates.ts'
import { type Workload, WORKLOADS } from '../../bench/rate/workloads.ts'

const SECOND = 1000

const named = (part: string): Workload => WORKLOADS.find(({ name }) => name.startsWith(part))!
const of = (workload: Workload, count: number, seeds: number[], more = {}) =>
  measureEstimates(seeds.map((seed) => ({ workload, count, limit: 60, seed, ...more })))

/** None of them is one that a constant was chosen with. */
const SEEDS = [61, 62, 63, 64, 65, 66]

describe('the estimate after each result from the tenth on, in virtual time', () => {
  // Of a heavy tail nothing can be known: its last job takes ten seconds or ten minutes. Of bimodal jobs it is known whether
  // the last ones take 5 s or 45 only when they were asked for.
  it.each([
    ['short', 0.05],
    ['log-normal', 0.1],
    ['bimodal', 0.15],
  ])('of a backlog of %s jobs is off by more than 15 percent in a share of %d of cases at most', (name, mostOff) => {
    const middle = of(named(name), 150, SEEDS)
    expect(middle.shareOff).toBeLessThanOrEqual(mostOff)
    expect(middle.medianError).toBeLessThanOrEqual(0.06)
    expect(middle.grew).toBeLessThanOrEqual(10)
    expect(of(named(name), 500, SEEDS.slice(0, 1)).shareOff).toBeLessThanOrEqual(0.05)
  })

  it('holds with two calls an image, a lower limit, a pause, a refusal, work that is added and slow uploads', () => {
    const log = named('log-normal')
    expect(of(log, 150, SEEDS, { operationOf: () => 'analyze' as const }).shareOff).toBeLessThanOrEqual(0.2)
    expect(of(log, 60, SEEDS, { limit: 20 }).shareOff).toBeLessThanOrEqual(0.15)
    const refusal = { atMs: 200 * SECOND, untilMs: 230 * SECOND }
    expect(of(log, 150, SEEDS, { refusal }).shareOff).toBeLessThanOrEqual(0.2)
    expect(of(log, 100, SEEDS, { added: { atMs: 150 * SECOND, count: 60 } }).shareOff).toBeLessThanOrEqual(0.15)
    const paused = { fromMs: 200 * SECOND, toMs: 260 * SECOND }
    expect(of(named('bimodal'), 150, SEEDS, { paused }).shareOff).toBeLessThanOrEqual(0.15)
    const uploadMs = [27 * SECOND, 33 * SECOND] as const
    expect(of(log, 150, SEEDS.slice(0, 3), { uploadMs }).shareOff).toBeLessThanOrEqual(0.15)
  })
})
