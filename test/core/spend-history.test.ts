import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { costOfAll, inferCosts, spendHistory } from '../../src/main/core/spend-history.ts'

const seen = (...pairs: [number, number][]) => pairs.map(([atMs, credits]) => ({ atMs, credits }))

describe('the cost of a picture', () => {
  it('is an equal share of what the balance fell by between two answers', () => {
    expect(inferCosts(seen([0, 100], [10, 70], [20, 60]), [1, 2, 10, 15])).toEqual([10, 10, 10, 10])
  })

  it('is not known outside all answers, and where credits were bought meanwhile', () => {
    expect(inferCosts(seen([10, 100], [20, 500], [30, 490]), [5, 15, 25, 35])).toEqual([null, null, 10, null])
    expect(inferCosts([], [1])).toEqual([null])
  })

  const credits = fc.integer({ min: 0, max: 10_000 })
  const times = fc.integer({ min: 0, max: 1000 })
  const answers = fc.uniqueArray(fc.record({ atMs: times, credits }), { maxLength: 20, selector: ({ atMs }) => atMs })

  it('adds up, over all pictures, to what the balance fell by where pictures were sent', () => {
    fc.assert(
      fc.property(answers, fc.array(times, { maxLength: 50 }), (balances, sent) => {
        const ordered = [...balances].sort((a, b) => a.atMs - b.atMs)
        let fell = 0
        for (const [n, after] of ordered.entries()) {
          const before = ordered[n - 1]
          if (before === undefined || before.credits < after.credits) continue
          if (sent.some((atMs) => atMs > before.atMs && atMs <= after.atMs)) fell += before.credits - after.credits
        }
        const costs = inferCosts(balances, sent)
        expect(costs).toHaveLength(sent.length)
        for (const cost of costs) expect(cost ?? 0).toBeGreaterThanOrEqual(0)
        expect(costs.reduce<number>((sum, cost) => sum + (cost ?? 0), 0)).toBeCloseTo(fell, 6)
      }),
    )
  })

  it('does not depend on the order in which anything is told', () => {
    fc.assert(
      fc.property(answers, fc.array(times, { maxLength: 30 }), (balances, sent) => {
        const backwards = inferCosts([...balances].reverse(), [...sent].reverse()).reverse()
        expect(backwards).toEqual(inferCosts(balances, sent))
      }),
    )
  })

  it('is the same whatever is bought before and after', () => {
    fc.assert(
      fc.property(credits, credits, fc.integer({ min: 1, max: 100 }), (bought, balance, spent) => {
        const around = seen(
          [0, 5],
          [1, balance + bought + spent],
          [10, balance + bought],
          [20, balance + 2 * bought + 1],
        )
        expect(inferCosts(around, [5, 6])).toEqual([spent / 2, spent / 2])
      }),
    )
  })
})

describe('the cost of several pictures', () => {
  it('takes the few that are not known for as dear as the others', () => {
    expect(costOfAll([4, 6, null])).toBe(15)
  })

  it('is not known when it is not known of half of them', () => {
    expect(costOfAll([4, null])).toBeNull()
    expect(costOfAll([null])).toBeNull()
  })

  it('is nothing for none', () => {
    expect(costOfAll([])).toBe(0)
  })
})

describe('a history', () => {
  const days = Array.from({ length: 9 }, (_, n) => `day ${n}`)
  const sent = (atMs: number, day: string, folderId: string | null = null) => ({ atMs, day, folderId })

  it('tells days without pictures from days whose cost is not known', () => {
    const history = spendHistory(
      seen([10, 100], [20, 80]),
      [sent(5, 'day 0'), sent(12, 'day 8', 'F'), sent(13, 'day 8')],
      days,
      30,
    )
    expect(history.days[0]).toEqual({ day: 'day 0', sent: 1, credits: null })
    expect(history.days[1]).toEqual({ day: 'day 1', sent: 0, credits: 0 })
    expect(history.days[8]).toEqual({ day: 'day 8', sent: 2, credits: 20 })
    expect(history.folders).toEqual([
      { folderId: null, sent: 2, credits: null },
      { folderId: 'F', sent: 1, credits: 10 },
    ])
  })

  const DAY = 86_400_000
  const now = 30 * DAY
  const perDay = (balances: [day: number, credits: number][], sentOn: number[], shown = days) =>
    spendHistory(
      seen(...balances.map(([day, credits]): [number, number] => [day * DAY, credits])),
      sentOn.map((day) => sent(day * DAY, `day ${day - 21}`)),
      shown,
      now,
    ).perDay

  it('gives the pace of the last seven days, whatever days are shown', () => {
    const balances: [number, number][] = [
      [20, 128],
      [22, 114],
      [25, 100],
      [30, 86],
    ]
    expect(perDay(balances, [21, 24, 29])).toBe(4)
    expect(perDay(balances, [21, 24, 29], ['day 8'])).toBe(4)
    expect(perDay(balances, [21])).toBe(0)
  })

  it('gives no pace until the balance was known a week ago, and where what was spent is not known', () => {
    expect(
      perDay(
        [
          [29, 100],
          [30, 86],
        ],
        [30],
      ),
    ).toBeNull()
    expect(perDay([[20, 100]], [29])).toBeNull()
    expect(perDay([], [29])).toBeNull()
  })
})
