import { describe, expect, it } from 'vitest'
import { clairvoyant, finishFirstClairvoyant, hangar } from '../../bench/rate/policies.ts'
import { simulate } from '../../bench/rate/simulate.ts'
import { LOG_NORMAL, type Workload, WORKLOADS } from '../../bench/rate/workloads.ts'
import { DurationModel } from '../../src/main/core/duration-model.ts'
import type { Operation } from '../../src/shared/recipes/recipe.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND

describe('the planner with the real budget and model, in virtual time', () => {
  const SEED = 21

  it.each(WORKLOADS)('with a backlog of $name keeps up with a clairvoyant client, without a refusal', (workload) => {
    const options = { workload, count: 250, limit: 60, seed: SEED }
    const model = new DurationModel()
    simulate(hangar(model), { ...options, count: 60, seed: SEED + 1 })
    const result = simulate(hangar(model), options)
    expect(result.images).toBe(250)
    expect(result.refused).toBe(0)
    expect(result.mostInTrailingMinute).toBeLessThanOrEqual(60)
    // The greedy one fills the first minute with dispatches: it is done sooner by that minute's calls, with twice as many images in flight.
    expect(result.imagesPerMinute).toBeGreaterThanOrEqual(0.9 * simulate(clairvoyant(), options).imagesPerMinute)
    expect(result.imagesPerMinute).toBeGreaterThanOrEqual(
      0.93 * simulate(finishFirstClairvoyant(), options).imagesPerMinute,
    )
  })

  it.each<{ what: string; operationOf: (index: number) => Operation; callsPerImage: number }>([
    { what: 'analyzed only', operationOf: () => 'analyze', callsPerImage: 2 },
    { what: 'by turns', operationOf: (index) => (index % 2 === 0 ? 'process' : 'analyze'), callsPerImage: 2.5 },
    { what: 'in two halves', operationOf: (index) => (index < 150 ? 'optimize' : 'analyze'), callsPerImage: 2.5 },
  ])('finishes a backlog of images $what at the rate that their calls allow', ({ operationOf, callsPerImage }) => {
    const options = { workload: LOG_NORMAL, count: 300, limit: 60, seed: SEED, operationOf }
    const result = simulate(hangar(new DurationModel()), options)
    expect(result.refused).toBe(0)
    expect(result.mostInTrailingMinute).toBeLessThanOrEqual(60)
    // Of a shorter backlog the first and the last jobs take a larger share: of 500 it is 0.95 (bench/results/rate.md).
    expect(result.imagesPerMinute).toBeGreaterThanOrEqual((0.9 * 60) / callsPerImage)
    expect(result.mostInFlight).toBeLessThanOrEqual(30)
  })

  it.each<Operation>(['process', 'analyze'])(
    'lets a person who asks for two things at once wait two seconds at most during a backlog (%s)',
    (operation) => {
      const waitsMs = [11, 12, 13].flatMap((seed) => {
        const person = { personEveryMs: 40 * SECOND, personCalls: 2 }
        const options = { workload: LOG_NORMAL, count: 200, limit: 60, seed, operationOf: () => operation, ...person }
        return simulate(hangar(new DurationModel()), options).personWaitsMs
      })
      expect(waitsMs.length).toBeGreaterThan(60)
      expect(Math.max(...waitsMs)).toBeLessThanOrEqual(2 * SECOND)
    },
  )

  it('finishes a backlog as a stream: soon, evenly, and with little in the air', () => {
    const runs = [11, 12, 13].map((seed) =>
      simulate(hangar(new DurationModel()), { workload: LOG_NORMAL, count: 200, limit: 60, seed }),
    )
    for (const { resultsAtMs, inFlightMs, durationsMs, mostInFlight, totalMs } of runs) {
      expect(resultsAtMs[0]).toBeLessThanOrEqual(1.5 * (durationsMs[0] ?? NaN) + 3 * SECOND)
      expect(inFlightMs.toSorted((a, b) => a - b)[100]).toBeLessThanOrEqual(30 * SECOND)
      expect(mostInFlight).toBeLessThanOrEqual(25)
      for (let fromMs = MINUTE; fromMs + MINUTE < totalMs; fromMs += MINUTE)
        expect(resultsAtMs.filter((atMs) => atMs > fromMs && atMs <= fromMs + MINUTE).length).toBeGreaterThanOrEqual(12)
    }
  })

  it('is not slowed by four uploads at a time while each takes ten seconds', () => {
    const options = {
      workload: LOG_NORMAL,
      count: 200,
      limit: 60,
      seed: SEED,
      uploadMs: [9 * SECOND, 11 * SECOND],
    } as const
    const four = simulate(hangar(new DurationModel()), options)
    const twenty = simulate(hangar(new DurationModel(), 20), options)
    expect(four.imagesPerMinute).toBeGreaterThanOrEqual(0.97 * twenty.imagesPerMinute)
  })

  it('finishes a batch of 15 within 1.15 of the clairvoyant on average', () => {
    const model = new DurationModel()
    const ratios = Array.from({ length: 40 }, (_, batch) => {
      const options = { workload: LOG_NORMAL, count: 15, limit: 60, seed: SEED + batch }
      return simulate(hangar(model), options).totalMs / simulate(clairvoyant(), options).totalMs
    }).slice(10)
    expect(ratios.reduce((sum, ratio) => sum + ratio, 0) / ratios.length).toBeLessThanOrEqual(1.15)
  })

  it('notices a lone image within half a second or a tenth of its duration, also the first one ever', () => {
    const shares = Array.from({ length: 60 }, (_, run) => {
      const result = simulate(hangar(new DurationModel()), {
        workload: LOG_NORMAL,
        count: 1,
        limit: 60,
        seed: SEED + run,
      })
      return (result.noticedDelaysMs[0] ?? NaN) / Math.max(500, 0.1 * (result.durationsMs[0] ?? NaN))
    }).sort((a, b) => a - b)
    expect(shares[30]).toBeLessThanOrEqual(1)
    expect(shares[57]).toBeLessThanOrEqual(2)
  })

  it('brings every image home while some jobs take half an hour', () => {
    const workload: Workload = {
      name: 'some hang',
      durationMs: (_random, index) => (index % 20 === 0 ? 30 * MINUTE : 3 * SECOND),
    }
    const result = simulate(hangar(new DurationModel()), { workload, count: 200, limit: 60, seed: SEED })
    expect(result.images).toBe(200)
    // Ten minutes of calls, and half an hour for the last one that hangs, which may then be noticed ten minutes late.
    expect(result.totalMs).toBeLessThan(55 * MINUTE)
    expect(result.noticedDelaysMs.filter((delayMs) => delayMs < 3 * MINUTE).length).toBeGreaterThanOrEqual(190)
  })

  it('works under a limit of six calls a minute', () => {
    const options = { workload: LOG_NORMAL, count: 20, limit: 6, seed: SEED }
    const result = simulate(hangar(new DurationModel()), options)
    expect(result.refused).toBe(0)
    expect(result.mostInTrailingMinute).toBeLessThanOrEqual(6)
    expect(result.imagesPerMinute).toBeGreaterThanOrEqual(0.85 * simulate(clairvoyant(), options).imagesPerMinute)
  })
})
