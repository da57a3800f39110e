import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { seededRandom } from '../../bench/rate/seeded-random.ts'
import { LOG_NORMAL } from '../../bench/rate/workloads.ts'
import { DurationModel, DurationModelState } from '../../src/main/core/duration-model.ts'

const SECOND = 1000

/** Shows the model a job as polls at a fixed interval would. */
function pollEvery(model: DurationModel, intervalMs: number, durationMs: number): void {
  const doneAtAgeMs = Math.ceil(durationMs / intervalMs) * intervalMs
  model.observe('process', { notDoneAtAgeMs: doneAtAgeMs - intervalMs, doneAtAgeMs })
}

describe('the duration model', () => {
  it('expects about eight seconds, and holds much else possible, before it has seen a job', () => {
    const model = new DurationModel()
    expect(model.quantileMs('process', 0.5)).toBeGreaterThan(7 * SECOND)
    expect(model.quantileMs('process', 0.5)).toBeLessThan(9 * SECOND)
    expect(model.quantileMs('process', 0.05)).toBeLessThan(2 * SECOND)
    expect(model.quantileMs('process', 0.95)).toBeGreaterThan(30 * SECOND)
    expect(model.observedJobs('process')).toBe(0)
  })

  it('learns the quantiles of jobs that it only sees between two polls', () => {
    const model = new DurationModel()
    const random = seededRandom(7)
    const durations = Array.from({ length: 300 }, (_, index) => LOG_NORMAL.durationMs(random, index, 300))
    for (const durationMs of durations) pollEvery(model, SECOND, durationMs)
    const sorted = durations.slice(-100).sort((a, b) => a - b)
    for (const p of [0.25, 0.5, 0.75]) {
      const actualMs = sorted[Math.floor(p * sorted.length)] ?? NaN
      expect(model.quantileMs('process', p) / actualMs).toBeGreaterThan(0.75)
      expect(model.quantileMs('process', p) / actualMs).toBeLessThan(1.33)
    }
  })

  it('holds jobs that have not ended to take longer than they have, while little is known', () => {
    const model = new DurationModel()
    for (let job = 0; job < 3; job += 1) pollEvery(model, SECOND, 4 * SECOND)
    const open = Array.from({ length: 12 }, () => ({ operation: 'process', ageMs: 9 * SECOND }))
    const believed = model.whileOpen(open)
    expect(model.quantileMs('process', 0.5)).toBeLessThan(5 * SECOND)
    expect(believed.quantileMs('process', 0.5)).toBeGreaterThan(9 * SECOND)
    expect(believed.observedJobs('process')).toBe(model.observedJobs('process'))
    expect(model.whileOpen([])).toBe(model)
    for (let job = 0; job < 60; job += 1) pollEvery(model, SECOND, 4 * SECOND)
    expect(model.whileOpen(open)).toBe(model)
  })

  it('follows a service that becomes five times slower within some dozens of jobs, and back', () => {
    const model = new DurationModel()
    for (let job = 0; job < 200; job += 1) pollEvery(model, 500, 4 * SECOND)
    for (let job = 0; job < 40; job += 1) pollEvery(model, 500, 20 * SECOND)
    expect(model.quantileMs('process', 0.5)).toBeGreaterThan(18 * SECOND)
    for (let job = 0; job < 40; job += 1) pollEvery(model, 500, 4 * SECOND)
    expect(model.quantileMs('process', 0.5)).toBeLessThan(5 * SECOND)
  })

  it('expects a bimodal job that outlived the first mode at the second', () => {
    const model = new DurationModel()
    for (let job = 0; job < 60; job += 1) pollEvery(model, 500, job % 2 === 0 ? 5 * SECOND : 45 * SECOND)
    expect(model.conditionalQuantileMs('process', 10 * SECOND, 0.1)).toBeGreaterThan(40 * SECOND)
    expect(model.endsBetween('process', 10 * SECOND, 40 * SECOND)).toBeLessThan(0.1)
    expect(model.endsBetween('process', 10 * SECOND, 50 * SECOND)).toBeGreaterThan(0.8)
  })

  it('goes on from its stored state, which stays small', () => {
    const model = new DurationModel()
    const random = seededRandom(3)
    for (let job = 0; job < 500; job += 1) pollEvery(model, 300, LOG_NORMAL.durationMs(random, job, 500))
    const stored = JSON.stringify(model.state())
    expect(stored.length).toBeLessThan(2000)
    const restored = new DurationModel(DurationModelState.parse(JSON.parse(stored)))
    for (const p of [0.1, 0.5, 0.9, 0.99]) {
      expect(restored.quantileMs('process', p) / model.quantileMs('process', p)).toBeCloseTo(1, 2)
    }
  })

  it('refuses a stored state of another shape', () => {
    const wrong = { version: 1, operations: { process: { weights: [1, 2], priorJobs: 0 } } }
    expect(DurationModelState.safeParse(wrong).success).toBe(false)
  })

  it('stays a distribution whatever is observed: quantiles rise, shares stay between 0 and 1', () => {
    const observation = fc.record({
      notDoneAtAgeMs: fc.double({ min: -1e4, max: 1e8, noNaN: true }),
      doneAtAgeMs: fc.double({ min: 0, max: 1e8, noNaN: true }),
    })
    fc.assert(
      fc.property(fc.array(observation, { maxLength: 60 }), (observations) => {
        const model = new DurationModel()
        for (const each of observations) model.observe('process', each)
        const quantiles = [0.01, 0.1, 0.5, 0.9, 0.99].map((p) => model.quantileMs('process', p))
        expect(quantiles).toEqual([...quantiles].sort((a, b) => a - b))
        for (const ageMs of [0, 100, 1e3, 1e4, 1e6, 1e9]) {
          expect(model.doneBy('process', ageMs)).toBeGreaterThanOrEqual(0)
          expect(model.doneBy('process', ageMs)).toBeLessThanOrEqual(1 + 1e-9)
        }
        expect(model.observedJobs('process')).toBeLessThanOrEqual(31)
      }),
      { numRuns: 300 },
    )
  })
})
