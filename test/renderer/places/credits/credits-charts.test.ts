import { describe, expect, it } from 'vitest'
import type { CreditHistory } from '../../../../src/shared/contract/credits.ts'
import { balanceLine, dailyBars } from '../../../../src/renderer/places/credits/chart-data.ts'

const DAY_S = 86_400
const at = (text: string) => new Date(text).getTime()

const history = (changes: Partial<CreditHistory>): CreditHistory => ({
  fromMs: at('2026-11-01T00:00'),
  untilMs: at('2026-11-07T15:00'),
  balances: [],
  days: Array.from({ length: 7 }, (_, n) => ({ day: `2026-11-0${n + 1}`, sent: 0, credits: 0 })),
  perDay: null,
  sentToday: 0,
  team: null,
  sentThisMonth: 0,
  ...changes,
})

describe('the chart of the balance', () => {
  it('spans the time asked for, though the balance is known for minutes', () => {
    const given = history({ balances: [{ atMs: at('2026-11-07T14:58'), credits: 500 }] })
    const { fromS, untilS, times, values } = balanceLine(given)
    expect([fromS, untilS]).toEqual([given.fromMs / 1000, given.untilMs / 1000])
    expect(times).toEqual([at('2026-11-07T14:58') / 1000, untilS])
    expect(values).toEqual([500, 500])
  })

  it('begins at the edge with the last balance before it', () => {
    const given = history({
      balances: [
        { atMs: at('2026-10-20T10:00'), credits: 900 },
        { atMs: at('2026-11-03T10:00'), credits: 700 },
      ],
    })
    expect(balanceLine(given).times[0]).toBe(given.fromMs / 1000)
    expect(balanceLine(given).values).toEqual([900, 700, 700])
  })

  it('draws nothing for a balance that was never known', () => {
    expect(balanceLine(history({})).times).toEqual([])
  })
})

it('the chart of days has a place for each day asked for, and none for what is not known', () => {
  const days = history({}).days.with(6, { day: '2026-11-07', sent: 4, credits: null })
  const { fromS, untilS, times, values } = dailyBars(history({ days }), ({ credits }) => credits)
  expect(values).toEqual([0, 0, 0, 0, 0, 0, null])
  expect(times).toHaveLength(7)
  expect(untilS - fromS).toBe(7 * DAY_S)
  expect(times.every((time) => time > fromS && time < untilS)).toBe(true)
})
