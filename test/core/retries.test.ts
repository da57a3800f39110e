import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { mayRetry, RETRIES, type Retry, retryMs } from '../../src/main/core/retries.ts'

const doubling: Retry = { firstMs: 1000, grows: 'doubles', longestMs: 60_000, jitter: 'full' }
const all: readonly (readonly [string, Retry])[] = Object.entries(RETRIES)

describe('the wait before the next try', () => {
  it('doubles with every failure, until it is the longest', () => {
    const longest = [1, 2, 3, 6, 7, 50].map((failures) => retryMs(doubling, failures, () => 1 - 1e-9))
    expect(longest).toEqual([1000, 2000, 4000, 32_000, 60_000, 60_000])
  })

  it('is spread over its whole length, but is never nothing', () => {
    expect(retryMs(doubling, 4, () => 0)).toBe(400)
    expect(retryMs(doubling, 4, () => 0.5)).toBe(4200)
  })

  it('grows by its first length, or stays the same, and differs slightly or not at all', () => {
    expect([1, 2, 3].map((failures) => retryMs({ firstMs: 10, grows: 'adds' }, failures, () => 0))).toEqual([
      10, 20, 30,
    ])
    expect([0, 1, 9].map((failures) => retryMs({ firstMs: 10 }, failures, () => 0.9))).toEqual([10, 10, 10])
    expect([0, 0.5].map((random) => retryMs({ firstMs: 100, jitter: 'slight' }, 1, () => random))).toEqual([90, 100])
  })

  it.each(all)('for "%s" stays finite, and at or under the longest, for any number of failures', (_, retry) => {
    const { firstMs, longestMs, jitter } = retry
    const most = longestMs ?? (retry.grows === undefined ? firstMs : Infinity)
    fc.assert(
      fc.property(
        fc.integer({ min: -5, max: 1_000_000 }),
        fc.double({ min: 0, max: 1 - 1e-12, noNaN: true }),
        (failures, random) => {
          const waitMs = retryMs(retry, failures, () => random)
          expect(waitMs).toBeGreaterThanOrEqual(0)
          expect(waitMs).toBeLessThanOrEqual(jitter === 'slight' ? most * 1.1 : most)
          expect(Number.isFinite(waitMs)).toBe(true)
        },
      ),
    )
  })
})

it('it is given up after its last try, or never', () => {
  expect([1, 5, 6, 7].map((failures) => mayRetry(RETRIES.write, failures))).toEqual([true, true, false, false])
  expect(mayRetry(RETRIES.poll, 1e9)).toBe(true)
})
