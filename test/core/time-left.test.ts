import { describe, expect, it } from 'vitest'
import { DurationModel } from '../../src/main/core/duration-model.ts'
import { timeLeftMs, type ServicePace, type WorkLeft } from '../../src/main/core/time-left.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND

/** A model that has seen forty jobs, each within half a second of `durationMs`. */
function learned(durationMs: number): DurationModel {
  const model = new DurationModel()
  for (let job = 0; job < 40; job += 1)
    model.observe('process', { notDoneAtAgeMs: durationMs - 500, doneAtAgeMs: durationMs })
  return model
}

const slots = (free: number) => Array.from({ length: 58 }, (_, n) => Math.max(0, n + 1 - free) * SECOND)
const open = (...seconds: number[]) => seconds.map((age) => ({ operation: 'process', ageMs: age * SECOND }))

/** A minute of a backlog: a call a second, jobs of 20 s, a result every three seconds. */
function left(more: Partial<WorkLeft> = {}, pace: Partial<ServicePace> = {}, seenMs = 0): number {
  const usual = { slotsInMs: slots(0), atService: open(15, 12, 9, 6, 3), durations: learned(20 * SECOND), ...pace }
  const counts = { ready: 100, sending: 0, fetching: 0, writing: 0 }
  const calls = { callsPerImage: 3, waste: 1, uploadMs: 500, operation: 'process' }
  return timeLeftMs({ ...counts, ...calls, pace: usual, ...more }, seenMs)
}

describe('the time that is left', () => {
  it('is that of the calls which a backlog still takes, and of the last job', () => {
    // 58 calls in 60.5 s; a job takes 20 s, and most of the calls are made by the time that the last one is sent.
    const isAfter = (calls: number, leftMs: number) => {
      const callsMs = (calls / 58) * 60.5 * SECOND
      expect(leftMs).toBeGreaterThanOrEqual(callsMs)
      expect(leftMs).toBeLessThanOrEqual(callsMs + 20 * SECOND)
    }
    isAfter(310, left())
    isAfter(205, left({ callsPerImage: 2 }))
    expect(left({}, { slotsInMs: Array<number>(600).fill(0) }) / SECOND).toBeLessThan(60)
    expect(left({ ready: 100_000 }) / MINUTE).toBeCloseTo((300_000 / 58) * (60.5 / 60), -2)
  })

  it('does not take slots that are free for a sign that a backlog is sent any faster', () => {
    expect(left({}, { slotsInMs: slots(38) })).toBeGreaterThan(0.9 * left())
  })

  it('is that of the last jobs when nothing is left to send', () => {
    const last = (...ages: number[]) => left({ ready: 0, uploadMs: 0 }, { atService: open(...ages) }) / SECOND
    expect(last(15, 12, 9, 6, 3)).toBeCloseTo(17, -0.5)
    // The one that takes longer than any before it is expected to take longer still, by a fifth.
    expect(last(5 * 60)).toBeCloseTo(60, 0)
    expect(last()).toBeLessThan(1)
  })

  it('is that of the recent results where something else limits', () => {
    const slowMs = 105 * 12 * SECOND
    expect(left({}, {}, slowMs)).toBe(left())
    expect(left({}, { slotsInMs: slots(48) }, slowMs)).toBe(slowMs)
    expect(left({ writing: 15 }, {}, slowMs)).toBe(slowMs)
  })
})
