import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { JobState } from '../../src/shared/sentences/reasons.ts'
import { DurationModel } from '../../src/main/core/duration-model.ts'
import type { ServicePace } from '../../src/main/core/time-left.ts'
import { ProgressMeter } from '../../src/main/engine/progress-meter.ts'
import { noCounts } from '../page/fake-engine.ts'
import { jobView } from '../page/make-view.ts'

/** A service that takes 60 calls a minute, with these jobs at it. */
const pace = (agesMs: number[] = [], durations = new DurationModel()): ServicePace => ({
  slotsInMs: Array.from({ length: 60 }, (_, n) => (n + 1) * 1000),
  atService: agesMs.map((ageMs) => ({ operation: 'process', ageMs })),
  durations,
})
const ACTIVE: readonly JobState[] = ['ready', 'sending', 'waiting', 'fetching', 'writing']

/** A queue of jobs by number, and the meter that hears of them. */
class Queue {
  readonly states = new Map<number, JobState>()
  readonly meter = new ProgressMeter(noCounts(), 0)

  move(n: number, state: JobState, atMs: number): void {
    const from = this.states.get(n) ?? null
    this.states.set(n, state)
    this.meter.changed(jobView({ state }, n), from, atMs)
  }

  /** All that is done with a picture, at one moment. */
  finish(n: number, atMs: number): void {
    for (const state of ['sending', 'waiting', 'fetching', 'writing', 'done'] as const) this.move(n, state, atMs)
  }

  get active(): number {
    return [...this.states.values()].filter((state) => ACTIVE.includes(state)).length
  }
}

describe('progress', () => {
  it('is of the work since the queue was last empty', () => {
    const queue = new Queue()
    for (let n = 0; n < 10; n += 1) queue.move(n, 'ready', 0)
    for (let n = 0; n < 10; n += 1) queue.move(n, 'done', n * 1000)
    expect(queue.meter.read(10_000, pace())).toMatchObject({
      total: 10,
      ended: 10,
      savedBytes: 4_000_000,
      leftMs: null,
    })
    queue.move(10, 'ready', 60_000)
    expect(queue.meter.read(60_000, pace())).toMatchObject({ total: 1, ended: 0, savedBytes: 0 })
  })

  it('counts what had ended of a batch before the rest was held, or before a restart', () => {
    const counts = { ...noCounts(), done: 90, failed: 4, held: 6 }
    const meter = new ProgressMeter({ ...counts, waiting: 2 }, 0, () => ({ ...counts, done: 91, waiting: 1 }))
    meter.changed(jobView({ state: 'done' }, 1), 'waiting', 100)
    expect(meter.read(100, pace())).toMatchObject({ total: 96, ended: 95, done: 91 })
    meter.changed(jobView({ state: 'done' }, 2), 'waiting', 200)
    expect(meter.read(200, pace())).toMatchObject({ total: 96, ended: 96, done: 92 })

    const held = new ProgressMeter(noCounts(), 0, () => ({ ...counts, held: 5, ready: 1 }))
    held.changed(jobView({ state: 'ready' }), 'held', 0)
    expect(held.read(0, pace())).toMatchObject({ total: 95, ended: 94, done: 90, savedBytes: 0 })
  })

  it('never says that work ends sooner than the limit of requests allows', () => {
    const queue = new Queue()
    for (let n = 0; n < 1000; n += 1) queue.move(n, 'ready', 0)
    // A burst that was waiting at the service already.
    for (let n = 0; n < 100; n += 1) queue.finish(n, 4000 + n)
    const { leftMs } = queue.meter.read(5000, pace())
    expect(leftMs).toBeGreaterThanOrEqual(900 * 3 * 1000)
    expect(leftMs).toBeLessThanOrEqual(1.1 * 900 * 3 * 1000)
  })

  it('is not held to that limit where nothing is sent', () => {
    const meter = new ProgressMeter({ ...noCounts(), ready: 200 }, 0)
    for (let n = 0; n < 100; n += 1)
      meter.changed(jobView({ state: 'done', operation: null }, n), 'ready', (n + 1) * 100)
    expect(meter.read(10_000, pace()).leftMs).toBe(10_000)
  })

  it('never says that more is left while pictures end steadily', () => {
    const durations = new DurationModel()
    for (let n = 0; n < 30; n += 1) durations.observe('process', { notDoneAtAgeMs: 0, doneAtAgeMs: 100 })
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 3100, max: 3800 }), { minLength: 20, maxLength: 100 }), (gapsMs) => {
        const queue = new Queue()
        for (let n = 0; n < gapsMs.length; n += 1) queue.move(n, 'ready', 0)
        let atMs = 0
        let before = Infinity
        for (const [n, gapMs] of gapsMs.entries()) {
          atMs += gapMs
          queue.finish(n, atMs)
          const leftMs = queue.meter.read(atMs, pace([], durations)).leftMs ?? before
          expect(leftMs).toBeLessThanOrEqual(before)
          before = leftMs
        }
        expect(before).toBeLessThanOrEqual(5000)
      }),
    )
  })

  it('counts results a minute over the last two minutes, without pauses and without what failed', () => {
    const queue = new Queue()
    for (let n = 0; n < 100; n += 1) queue.move(n, 'ready', 0)
    const rate = (atMs: number) => queue.meter.read(atMs, pace()).resultsPerMinute
    queue.finish(0, 30_000)
    for (let n = 1; n <= 4; n += 1) queue.finish(n, 30_000 + n * 3000)
    expect(rate(42_000)).toBeNull()
    for (let n = 5; n <= 10; n += 1) queue.finish(n, 30_000 + n * 3000)
    // From the first result on: the time before it is no part of the rate.
    expect(rate(60_000)).toBeCloseTo(20)
    queue.move(11, 'failed', 60_000)
    expect(rate(60_000)).toBeCloseTo(20)
    queue.meter.setGoing(false, 60_000)
    expect(rate(600_000)).toBeNull()
    queue.meter.setGoing(true, 660_000)
    expect(rate(660_000)).toBeCloseTo(20)
    expect(rate(690_000)).toBeCloseTo(10)
    // Two minutes after the last one, nothing is known any more.
    expect(rate(790_000)).toBeNull()
  })

  it('goes by what is known of the jobs at the service, when nothing is left to send', () => {
    const queue = new Queue()
    for (let n = 0; n < 30; n += 1) queue.move(n, 'ready', 0)
    for (let n = 0; n < 20; n += 1) queue.finish(n, n * 3000 + 60_000)
    const durations = new DurationModel()
    for (let n = 0; n < 20; n += 1) durations.observe('process', { notDoneAtAgeMs: 55_000, doneAtAgeMs: 60_000 })
    for (let n = 20; n < 30; n += 1) for (const state of ['sending', 'waiting'] as const) queue.move(n, state, 117_000)
    const agesMs = Array.from({ length: 10 }, (_, n) => 30_000 + n * 3000)
    const leftMs = queue.meter.read(117_000, pace(agesMs, durations)).leftMs!
    expect(leftMs).toBeGreaterThanOrEqual(20_000)
    expect(leftMs).toBeLessThanOrEqual(35_000)
  })

  it('never jumps back, whatever jobs do', () => {
    const step = fc.record({ n: fc.nat(20), state: fc.constantFrom(...JobState.options), waitMs: fc.nat(5000) })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
        const queue = new Queue()
        let atMs = 0
        let before = queue.meter.read(0, pace())
        for (const { n, state, waitMs } of steps) {
          atMs += waitMs
          const began = queue.active === 0
          const known = queue.states.get(n)
          queue.move(n, state, atMs)
          const now = queue.meter.read(atMs, pace())
          expect(now.total).toBe(now.ended + queue.active)
          if (began && queue.active > 0) before = { ...before, ended: 0, savedBytes: 0, leftMs: null }
          expect(now.ended).toBeGreaterThanOrEqual(before.ended)
          expect(now.savedBytes).toBeGreaterThanOrEqual(before.savedBytes)
          const isNew = known === undefined || !ACTIVE.includes(known)
          if (!isNew && !ACTIVE.includes(state)) expect(now.total).toBeLessThanOrEqual(before.total)
          if (now.leftMs !== null) expect(now.leftMs).toBeGreaterThan(0)
          before = now
        }
      }),
    )
  })
})
