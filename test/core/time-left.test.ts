import { describe, expect, it } from 'vitest'
import { DurationModel } from '../../src/main/core/duration-model.ts'
import { ANY_OPERATION, timeLeftMs, type WorkLeft } from '../../src/main/core/time-left.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND
const NOW = 10 * MINUTE

/** A model that has seen forty jobs, each within half a second of `durationMs`. */
function learned(durationMs: number): DurationModel {
  const model = new DurationModel()
  for (let job = 0; job < 40; job += 1)
    model.observe(ANY_OPERATION, { notDoneAtAgeMs: durationMs - 500, doneAtAgeMs: durationMs })
  return model
}

/** A minute of a backlog: a call a second, jobs of 20 s, a result every three seconds. */
function work(more: Partial<WorkLeft> = {}): WorkLeft {
  return {
    nowMs: NOW,
    requestsPerMinute: 60,
    callsMs: Array.from({ length: 58 }, (_, index) => NOW - (58 - index) * SECOND),
    recentCalls: { needed: 100, all: 100 },
    toSend: 100,
    callsPerImage: 3,
    uploadMs: 500,
    acceptedAtMs: [15, 12, 9, 6, 3].map((seconds) => NOW - seconds * SECOND),
    toFetch: 0,
    toWrite: 0,
    durations: learned(20 * SECOND),
    seen: { images: 40, ms: 2 * MINUTE },
    ...more,
  }
}

describe('the time that is left', () => {
  it('is that of the calls which a backlog still takes, and of the last job', () => {
    // 58 calls in 60.5 s; a job takes 20 s, and most of the calls are made by the time that the last one is sent.
    const isAfter = (calls: number, leftMs: number) => {
      const callsMs = (calls / 58) * 60.5 * SECOND
      expect(leftMs).toBeGreaterThanOrEqual(callsMs)
      expect(leftMs).toBeLessThanOrEqual(callsMs + 20 * SECOND)
    }
    isAfter(310, timeLeftMs(work()))
    isAfter(205, timeLeftMs(work({ callsPerImage: 2 })))
    expect(timeLeftMs(work({ requestsPerMinute: 600, callsMs: [] })) / SECOND).toBeLessThan(60)
  })

  it('does not take slots that are free for a sign that a backlog is sent any faster', () => {
    const free = timeLeftMs(work({ callsMs: work().callsMs.slice(-20) }))
    expect(free).toBeGreaterThan(0.9 * timeLeftMs(work()))
  })

  it('is that of the last jobs when nothing is left to send', () => {
    const left = (acceptedAtMs: number[]) => timeLeftMs(work({ toSend: 0, acceptedAtMs })) / SECOND
    expect(left(work().acceptedAtMs.slice())).toBeCloseTo(17, -0.5)
    // The one that takes longer than any before it is expected to take longer still, by a fifth.
    expect(left([NOW - 5 * MINUTE])).toBeCloseTo(60, 0)
    expect(left([])).toBeLessThan(1)
  })

  it('is that of the recent results where something else limits', () => {
    const slow = { seen: { images: 10, ms: 2 * MINUTE } }
    const usual = timeLeftMs(work())
    expect(timeLeftMs(work(slow))).toBe(usual)
    expect(timeLeftMs(work({ ...slow, callsMs: work().callsMs.slice(-10) }))).toBe(105 * 12 * SECOND)
    expect(timeLeftMs(work({ ...slow, toWrite: 15 }))).toBe(120 * 12 * SECOND)
  })

  it('goes by results alone where no calls are made', () => {
    expect(timeLeftMs(work({ callsPerImage: 0, toSend: 105, acceptedAtMs: [] }))).toBe(105 * 3 * SECOND)
    expect(timeLeftMs(work({ callsPerImage: 0, seen: null }))).toBe(0)
  })

  it('takes no longer to say for a hundred thousand images', () => {
    expect(timeLeftMs(work({ toSend: 100_000 })) / MINUTE).toBeCloseTo((300_000 / 58) * (60.5 / 60), -2)
  })
})
