import type { CreditHistory } from '../../../shared/contract/credits.ts'

/** What a chart draws, in Unix seconds; its axis spans `fromS` to `untilS` even where there are no values. */
export interface ChartData {
  fromS: number
  untilS: number
  times: number[]
  values: (number | null)[]
}

/** The balance over the requested range. The last answer before it and the last of all extend to its edges. */
export function balanceLine({ balances, fromMs, untilMs }: CreditHistory): ChartData {
  const points = balances.map(({ atMs, credits }) => ({ atMs: Math.max(atMs, fromMs), credits }))
  const last = points.at(-1)
  if (last !== undefined) points.push({ atMs: Math.max(untilMs, last.atMs), credits: last.credits })
  return {
    fromS: fromMs / 1000,
    untilS: untilMs / 1000,
    times: points.map(({ atMs }) => atMs / 1000),
    values: points.map(({ credits }) => credits),
  }
}

const HALF_DAY_S = 43_200

/** One bar per day, at noon, so that the first and last bars are completely within the range. */
export function dailyBars(
  { days }: CreditHistory,
  valueOf: (day: CreditHistory['days'][number]) => number | null,
): ChartData {
  const times = days.map(({ day }) => new Date(`${day}T12:00`).getTime() / 1000)
  return {
    fromS: (times[0] ?? 0) - HALF_DAY_S,
    untilS: (times.at(-1) ?? 0) + HALF_DAY_S,
    times,
    values: days.map(valueOf),
  }
}
