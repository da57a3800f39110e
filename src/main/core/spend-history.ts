/** A balance that the service reported. */
interface BalanceSeen {
  atMs: number
  credits: number
}

const DAY_MS = 86_400_000
/** A forecast is based on a whole week: weekdays differ, and a shorter period says little. */
const PACE_DAYS = 7

/** The time from which balances are needed for a history from `fromMs` on. */
export const neededSinceMs = (fromMs: number, nowMs: number): number => Math.min(fromMs, nowMs - PACE_DAYS * DAY_MS)

/** What the balance fell by, by the day on which it was seen, and a day over a week, null before one is known; less what a purchase hid. */
export function spendHistory(
  balances: readonly BalanceSeen[],
  dayOf: (atMs: number) => string,
  nowMs: number,
): { byDay: ReadonlyMap<string, number>; perDay: number | null } {
  const byDay = new Map<string, number>()
  const weekAgoMs = nowMs - PACE_DAYS * DAY_MS
  let lastWeek = 0
  for (const [n, { atMs, credits }] of balances.entries()) {
    const fell = Math.max(0, (balances[n - 1]?.credits ?? credits) - credits)
    byDay.set(dayOf(atMs), (byDay.get(dayOf(atMs)) ?? 0) + fell)
    if (atMs > weekAgoMs) lastWeek += fell
  }
  const isKnown = balances.some(({ atMs }) => atMs <= weekAgoMs)
  return { byDay, perDay: isKnown ? lastWeek / PACE_DAYS : null }
}
