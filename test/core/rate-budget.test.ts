import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CountingServer } from '../../bench/rate/counting-server.ts'
import { createBudget, RateBudgetState } from '../../src/main/core/rate-budget.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND

interface Traffic {
  limit: number
  /** For each call: wish to call after this long, the way there, the way back (null: the answer never comes). */
  calls: { pauseMs: number; thereMs: number; backMs: number | null }[]
  windowStartMs: number
}

const upTo = (max: number) => fc.integer({ min: 0, max })
const traffic: fc.Arbitrary<Traffic> = fc.record({
  limit: fc.integer({ min: 1, max: 12 }),
  windowStartMs: fc.integer({ min: 0, max: MINUTE }),
  calls: fc.array(
    fc.record({
      pauseMs: fc.oneof(fc.constant(0), upTo(5 * SECOND), upTo(2 * MINUTE)),
      thereMs: fc.oneof(upTo(300), upTo(90 * SECOND)),
      backMs: fc.option(fc.oneof(upTo(300), upTo(30 * SECOND)), { freq: 20 }),
    }),
    { maxLength: 60 },
  ),
})

describe('the rate budget', () => {
  it('keeps every trailing minute and every fixed window at the server under the limit, whatever the network does', () => {
    fc.assert(
      fc.property(traffic, ({ limit, calls, windowStartMs }) => {
        const budget = createBudget(null, { limit }, 0)
        const answers: { atMs: number; id: number }[] = []
        const arrivals: number[] = []
        let nowMs = 0
        const reportAnswers = (): void => {
          for (const answer of answers.filter(({ atMs }) => atMs <= nowMs)) budget.answered(answer.id, answer.atMs)
        }
        for (const { pauseMs, thereMs, backMs } of calls) {
          nowMs += pauseMs
          for (reportAnswers(); budget.freeSlots(nowMs) === 0; reportAnswers()) {
            nowMs = Math.max(
              Math.min(budget.nextFreeAtMs(nowMs), ...answers.map(({ atMs }) => atMs).filter((t) => t > nowMs)),
              nowMs + 1,
            )
          }
          const id = budget.take(nowMs)
          arrivals.push(nowMs + thereMs)
          if (backMs !== null) answers.push({ atMs: nowMs + thereMs + backMs, id })
        }
        const server = new CountingServer(limit, windowStartMs)
        for (const arrivedMs of arrivals.sort((a, b) => a - b)) server.count(arrivedMs)
        expect(server.mostInTrailingMinute()).toBeLessThanOrEqual(limit)
        expect(server.refused).toBe(0)
      }),
      { numRuns: 4000 },
    )
  })

  it('keeps the limit across restarts at any moment, also when the clock was set back in between', () => {
    const run = fc.record({
      limit: fc.integer({ min: 1, max: 10 }),
      restarts: fc.array(
        fc.record({
          calls: fc.integer({ min: 0, max: 15 }),
          awayMs: fc.integer({ min: 0, max: 70 * SECOND }),
          skewMs: fc.integer({ min: -2 * 3600 * SECOND, max: 0 }),
        }),
      ),
    })
    fc.assert(
      fc.property(run, ({ limit, restarts }) => {
        const server = new CountingServer(limit, 0)
        let trueMs = 10 * 3600 * SECOND
        let skewMs = 0
        let state: RateBudgetState | null = null
        for (const { calls, awayMs, skewMs: moreSkewMs } of restarts) {
          const budget = createBudget(state, { limit }, trueMs + skewMs)
          for (let made = 0; made < calls && budget.freeSlots(trueMs + skewMs) > 0; made += 1) {
            const id = budget.take(trueMs + skewMs)
            server.count(trueMs)
            if (made % 2 === 0) budget.answered(id, trueMs + skewMs)
            trueMs += 200
          }
          state = RateBudgetState.parse(JSON.parse(JSON.stringify(budget.state(trueMs + skewMs))))
          trueMs += awayMs
          skewMs += moreSkewMs
        }
        expect(server.mostInTrailingMinute()).toBeLessThanOrEqual(limit)
      }),
      { numRuns: 1000 },
    )
  })

  it('waits one window, not two hours, when the clock was set back two hours', () => {
    const lateMs = 3 * 3600 * SECOND
    const before = createBudget(null, { limit: 3 }, lateMs)
    for (let made = 0; made < 3; made += 1) before.answered(before.take(lateMs), lateMs + SECOND)
    const nowMs = lateMs - 2 * 3600 * SECOND
    const after = createBudget(before.state(lateMs + SECOND), { limit: 3 }, nowMs)
    expect(after.freeSlots(nowMs + MINUTE)).toBe(0)
    expect(after.freeSlots(nowMs + MINUTE + SECOND)).toBe(3)
  })

  it('frees a slot one window and a little after the answer, not after the sending', () => {
    const budget = createBudget(null, { limit: 1 }, 0)
    const id = budget.take(0)
    budget.answered(id, 3 * SECOND)
    expect(budget.freeSlots(3 * SECOND + MINUTE)).toBe(0)
    expect(budget.nextFreeAtMs(3 * SECOND)).toBeLessThanOrEqual(3 * SECOND + MINUTE + 200)
    expect(budget.freeSlots(budget.nextFreeAtMs(3 * SECOND))).toBe(1)
  })

  it('holds the slot of a call that is never answered, but not for ever', () => {
    const budget = createBudget(null, { limit: 1 }, 0)
    budget.take(0)
    expect(budget.freeSlots(9 * MINUTE)).toBe(0)
    expect(budget.freeSlots(12 * MINUTE)).toBe(1)
  })

  it('refuses to book a call that has no slot', () => {
    const budget = createBudget(null, { limit: 1 }, 0)
    budget.take(0)
    expect(() => budget.take(0)).toThrow(/no slot/)
  })

  it('takes a limit changed while running into account at once, and names a useless one', () => {
    const budget = createBudget(null, { limit: 10 }, 0)
    for (let made = 0; made < 6; made += 1) budget.answered(budget.take(0), 0)
    budget.setLimit(4)
    expect(budget.freeSlots(0)).toBe(0)
    budget.setLimit(8)
    expect(budget.freeSlots(0)).toBe(2)
    expect(() => budget.setLimit(0)).toThrow(/whole number of at least 1/)
  })
})

describe('after a 429', () => {
  it('pauses as long as the service says, and counts nothing twice', () => {
    const budget = createBudget(null, { limit: 60 }, 0)
    const id = budget.take(0)
    budget.rateLimited(id, SECOND, 20 * SECOND)
    budget.answered(id, 2 * SECOND)
    expect(budget.freeSlots(20 * SECOND)).toBe(0)
    expect(budget.freeSlots(22 * SECOND)).toBeGreaterThan(50)
  })

  it('does not believe a wait far longer than a window until the refusal is repeated', () => {
    const budget = createBudget(null, { limit: 60 }, 0)
    budget.rateLimited(budget.take(0), 0, 86_400 * SECOND)
    const firstMs = budget.pausedUntilMs(0) ?? 0
    expect(firstMs).toBeLessThan(61 * SECOND)
    budget.rateLimited(budget.take(firstMs), firstMs, 86_400 * SECOND)
    expect((budget.pausedUntilMs(firstMs) ?? 0) - firstMs).toBeGreaterThan(115 * SECOND)
  })

  it('pauses also when the service names no wait, and longer each time', () => {
    const budget = createBudget(null, { limit: 60 }, 0)
    const waits: number[] = []
    let nowMs = 0
    for (let refusal = 0; refusal < 12; refusal += 1) {
      budget.rateLimited(budget.take(nowMs), nowMs, null)
      const untilMs = budget.pausedUntilMs(nowMs) ?? 0
      waits.push(untilMs - nowMs)
      nowMs = untilMs
    }
    expect(waits[0]).toBeLessThan(6 * SECOND)
    expect(waits[2]).toBeGreaterThan(19 * SECOND)
    expect(Math.max(...waits)).toBeLessThan(15 * MINUTE + SECOND)
  })

  it('counts calls refused together as one refusal', () => {
    const budget = createBudget(null, { limit: 60 }, 0)
    const ids = [1, 2, 3, 4].map(() => budget.take(0))
    ids.forEach((id, index) => budget.rateLimited(id, 100 + index, null))
    expect(budget.pausedUntilMs(200)).toBeLessThan(6 * SECOND)
  })

  it('keeps a pause across a restart, shortened when the clock was set back', () => {
    const budget = createBudget(null, { limit: 60 }, 10 * MINUTE)
    budget.rateLimited(budget.take(10 * MINUTE), 10 * MINUTE, 30 * SECOND)
    const state = budget.state(10 * MINUTE)
    expect(createBudget(state, { limit: 60 }, 10 * MINUTE + SECOND).freeSlots(10 * MINUTE + SECOND)).toBe(0)
    expect(createBudget(state, { limit: 60 }, 0).pausedUntilMs(0)).toBeLessThanOrEqual(MINUTE)
  })

  it('slows down a little, recovers, and keeps nine tenths of what was possible under refusals at random', () => {
    fc.assert(
      fc.property(
        fc.integer(),
        fc.constantFrom(10, 20, 50),
        fc.constantFrom(0, SECOND),
        (seed, oneIn, retryAfterMs) => {
          const served = (slowsDown: boolean): number => {
            const budget = createBudget(null, { limit: 60 }, 0)
            let state = seed >>> 0
            let pausedUntilMs = 0
            let count = 0
            for (let nowMs = 0; nowMs < 15 * MINUTE; nowMs += 100) {
              while (nowMs >= pausedUntilMs && budget.freeSlots(nowMs) > 0) {
                const id = budget.take(nowMs)
                state = (Math.imul(state, 1664525) + 1013904223) >>> 0
                const refused = (state >>> 8) % oneIn === 0
                if (refused && slowsDown) budget.rateLimited(id, nowMs, retryAfterMs)
                else budget.answered(id, nowMs)
                if (refused) pausedUntilMs = nowMs + retryAfterMs
                else count += 1
                if (refused) break
              }
            }
            return count
          }
          expect(served(true)).toBeGreaterThanOrEqual(0.9 * served(false))
        },
      ),
      { numRuns: 6 },
    )
  })
})

describe('a large budget', () => {
  const LIMIT = 6000
  /** Four minutes of calls that are answered after 180 ms, at most 40 at a time. */
  function run(): { server: CountingServer; sent: number; longestLog: number } {
    const server = new CountingServer(LIMIT, 0)
    const budget = createBudget(null, { limit: LIMIT }, 0)
    let underWay: { id: number; atMs: number }[] = []
    let [sent, longestLog] = [0, 0]
    for (let nowMs = 0; nowMs < 4 * MINUTE; nowMs += 5) {
      for (const { atMs } of underWay) if (atMs === nowMs + 90) server.count(nowMs)
      for (const { id } of underWay.filter(({ atMs }) => atMs <= nowMs)) budget.answered(id, nowMs)
      underWay = underWay.filter(({ atMs }) => atMs > nowMs)
      while (budget.freeSlots(nowMs) > 0 && underWay.length < 40) {
        underWay.push({ id: budget.take(nowMs), atMs: nowMs + 180 })
        sent += 1
        if (sent % 100 === 0) longestLog = Math.max(longestLog, JSON.stringify(budget.state(nowMs)).length)
      }
    }
    return { server, sent, longestLog }
  }

  it('is used nearly whole, never exceeded, and stored in a few kilobytes', () => {
    const { server, sent, longestLog } = run()
    expect(server.mostInTrailingMinute()).toBeLessThanOrEqual(LIMIT)
    expect(sent).toBeGreaterThan(0.95 * 4 * LIMIT)
    expect(longestLog).toBeLessThan(10_000)
  })

  it('outlives a restart without a call too many: what is stored frees no slot sooner', () => {
    const budget = createBudget(null, { limit: LIMIT }, 0)
    for (let n = 0; n < LIMIT; n += 1) budget.answered(budget.take(n * 7), n * 7)
    const nowMs = LIMIT * 7
    const state = RateBudgetState.parse(JSON.parse(JSON.stringify(budget.state(nowMs))))
    const again = createBudget(state, { limit: LIMIT }, nowMs)
    for (let atMs = nowMs; atMs < nowMs + 61 * SECOND; atMs += 250) {
      expect(again.freeSlots(atMs)).toBeLessThanOrEqual(budget.freeSlots(atMs))
      expect(budget.freeSlots(atMs) - again.freeSlots(atMs)).toBeLessThanOrEqual(1000 / 7 + 1)
    }
    expect(again.freeSlots(nowMs + 61 * SECOND)).toBe(LIMIT)
  })
})

describe('slots for background work', () => {
  it('leaves two slots to a person while the rest is spent, so that a call never waits long', () => {
    const budget = createBudget(null, { limit: 60 }, 0)
    const spendAll = (nowMs: number): void => {
      while ((budget.backgroundSlotTimes(nowMs)[0] ?? Infinity) <= nowMs) budget.answered(budget.take(nowMs), nowMs)
    }
    let longestMs = 0
    for (let nowMs = 0; nowMs < 10 * MINUTE; nowMs += 100) {
      spendAll(nowMs)
      longestMs = Math.max(longestMs, budget.nextFreeAtMs(nowMs) - nowMs)
    }
    expect(longestMs).toBeLessThanOrEqual(2 * SECOND)
  })

  it('lends the reserve when others come free soon: ten minutes still see nearly all calls', () => {
    const budget = createBudget(null, { limit: 60 }, 0)
    let count = 0
    for (let nowMs = 0; nowMs < 10 * MINUTE; nowMs += 50) {
      while ((budget.backgroundSlotTimes(nowMs)[0] ?? Infinity) <= nowMs) {
        budget.answered(budget.take(nowMs), nowMs)
        count += 1
      }
    }
    expect(count).toBeGreaterThanOrEqual(590)
  })

  it('has nothing to reserve under a small limit', () => {
    const budget = createBudget(null, { limit: 5 }, 0)
    expect(budget.backgroundSlotTimes(0)).toEqual([0, 0, 0, 0, 0])
  })
})
