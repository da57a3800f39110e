import type { CreditHistory } from '../../../shared/contract/credits.ts'
import { localDay } from '../../../shared/runtime/local-day.ts'
import { neededSinceMs, spendHistory } from '../../core/spend-history.ts'
import { balancesSince, sentTimesSince } from '../../journal/history.ts'
import { sentSince } from '../../journal/spending.ts'
import { startOfDay, startOfMonth } from '../../queue/spend.ts'
import type { CallsDeps } from './call-deps.ts'

/** The spend of the last days at the service in use, from the journal only. */
export function creditHistory({ context, lanes }: CallsDeps, dayCount: number): CreditHistory {
  const { db, clock } = context
  const nowMs = clock.nowMs()
  const days = lastDays(nowMs, dayCount)
  const fromMs = days[0]!.startMs
  const serviceId = lanes.activeId
  const team = lanes.active()?.ledger.spent() ?? null
  const balances = serviceId === null ? [] : balancesSince(db, serviceId, neededSinceMs(fromMs, nowMs))
  const sent = new Map<string, number>()
  for (const atMs of serviceId === null ? [] : sentTimesSince(db, serviceId, fromMs))
    sent.set(localDay(atMs), (sent.get(localDay(atMs)) ?? 0) + 1)
  const { byDay, perDay } = spendHistory(balances, localDay, nowMs)
  return {
    fromMs,
    untilMs: nowMs,
    balances: balances.filter((_, n) => (balances[n + 1]?.atMs ?? Infinity) > fromMs),
    days: days.map(({ day }) => ({ day, sent: sent.get(day) ?? 0, credits: rounded(byDay.get(day) ?? null) })),
    perDay: rounded(perDay),
    sentToday: serviceId === null ? 0 : sentSince(db, serviceId, startOfDay(nowMs)),
    sentThisMonth: serviceId === null ? 0 : sentSince(db, serviceId, startOfMonth(nowMs)),
    team: team === null ? null : { sentToday: team.today, sentThisMonth: team.thisMonth },
  }
}

const rounded = (credits: number | null) => (credits === null ? null : Math.round(credits * 100) / 100)

/** Today and the days before it, oldest first; days are not all equally long. */
function lastDays(nowMs: number, count: number): { day: string; startMs: number }[] {
  return Array.from({ length: count }, (_, n) => {
    const noon = new Date(nowMs)
    noon.setHours(12, 0, 0, 0)
    noon.setDate(noon.getDate() - (count - 1 - n))
    const startMs = startOfDay(noon.getTime())
    return { day: localDay(startMs), startMs }
  })
}
