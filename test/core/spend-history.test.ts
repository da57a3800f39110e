import { describe, expect, it } from 'vitest'
import { spendHistory } from '../../src/main/core/spend-history.ts'

const DAY = 86_400_000
const seen = (...pairs: [number, number][]) => pairs.map(([days, credits]) => ({ atMs: days * DAY, credits }))
const dayOf = (atMs: number) => `day ${Math.floor(atMs / DAY)}`

describe('what was spent', () => {
  it('is what the balance fell by, on the day on which that was seen', () => {
    const { byDay } = spendHistory(seen([0.1, 100], [0.5, 90], [1.5, 90], [2.1, 60], [2.9, 55]), dayOf, 3 * DAY)
    expect(Object.fromEntries(byDay)).toEqual({ 'day 0': 10, 'day 1': 0, 'day 2': 35 })
  })

  it('is never less because credits were bought', () => {
    expect([...spendHistory(seen([0.1, 100], [0.2, 500], [0.3, 470]), dayOf, DAY).byDay]).toEqual([['day 0', 30]])
  })

  it('has a pace once a week is known', () => {
    const balances = seen([1, 100], [4, 80], [7, 30])
    expect(spendHistory(balances, dayOf, 7.5 * DAY).perDay).toBeNull()
    expect(spendHistory(balances, dayOf, 8 * DAY).perDay).toBe(10)
    expect(spendHistory(balances, dayOf, 11.5 * DAY).perDay).toBeCloseTo(50 / 7)
  })
})
