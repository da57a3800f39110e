import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { backoffMs, clampWait } from '../../src/main/core/backoff.ts'

const range = { baseMs: 1000, capMs: 60_000 }

describe('backoffMs', () => {
  it('doubles its upper end with every attempt until the cap', () => {
    const ceilings = [1, 2, 3, 6, 7, 50].map((attempt) => backoffMs({ attempt, ...range }, () => 1 - 1e-9))
    expect(ceilings).toEqual([1000, 2000, 4000, 32_000, 60_000, 60_000])
  })

  it('uses the whole range below its upper end, but never waits for nothing', () => {
    expect(backoffMs({ attempt: 4, ...range }, () => 0)).toBe(400)
    expect(backoffMs({ attempt: 4, ...range }, () => 0.5)).toBe(4200)
  })

  it('stays positive, finite and under the cap for any attempt number', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -5, max: 1_000_000 }),
        fc.double({ min: 0, max: 1 - 1e-12, noNaN: true }),
        (attempt, r) => {
          const waitMs = backoffMs({ attempt, ...range }, () => r)
          expect(waitMs).toBeGreaterThan(0)
          expect(waitMs).toBeLessThanOrEqual(range.capMs)
        },
      ),
    )
  })
})

describe('clampWait', () => {
  it('keeps a wait that is still ahead', () => {
    expect(clampWait(1500, 1000, 60_000)).toBe(1500)
  })

  it('ends a wait that is over, or that was never set', () => {
    expect(clampWait(1000, 1000, 60_000)).toBeNull()
    expect(clampWait(null, 1000, 60_000)).toBeNull()
  })

  it('shortens a wait that a clock set back two hours has made endless', () => {
    const nowMs = 10_000_000
    expect(clampWait(nowMs + 2 * 3_600_000, nowMs, 60_000)).toBe(nowMs + 60_000)
  })
})
