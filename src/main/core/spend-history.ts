/*
 * What pictures cost, inferred from when each was sent and the balances reported: the image service document has no list of
 * charges.
 */

/** A balance that the service reported. */
interface BalanceSeen {
  atMs: number
  credits: number
}

/** A picture that was sent, or may have been. */
interface PictureSent {
  atMs: number
  /** In this computer's time zone. */
  day: string
  folderId: string | null
}

/**
 * Credits for each picture, in the same order. A fall of the balance between two answers is shared equally by the pictures sent
 * in between. Null for a picture before the first or after the last answer, and between two answers if the balance rose: credits
 * were bought, so the spend is unknown.
 */
export function inferCosts(balances: readonly BalanceSeen[], sentAtMs: readonly number[]): (number | null)[] {
  const answers = [...balances].sort((a, b) => a.atMs - b.atMs)
  const spanOf = (atMs: number) => firstNotBefore(answers, atMs)
  const spans = sentAtMs.map(spanOf)
  const sharers = new Map<number, number>()
  for (const span of spans) sharers.set(span, (sharers.get(span) ?? 0) + 1)
  return spans.map((span) => {
    const [before, after] = [answers[span - 1], answers[span]]
    if (before === undefined || after === undefined || after.credits > before.credits) return null
    return (before.credits - after.credits) / sharers.get(span)!
  })
}

/** The index of the first answer at or after a time; the number of answers if there is none. */
function firstNotBefore(answers: readonly BalanceSeen[], atMs: number): number {
  let [low, high] = [0, answers.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (answers[middle]!.atMs < atMs) low = middle + 1
    else high = middle
  }
  return low
}

/**
 * The total cost of several pictures. Those of unknown cost count as the average of the others; null if they are the majority.
 */
export function costOfAll(costs: readonly (number | null)[]): number | null {
  if (costs.length === 0) return 0
  const known = costs.filter((cost) => cost !== null)
  if (known.length * 2 <= costs.length) return null
  return (known.reduce((sum, cost) => sum + cost, 0) / known.length) * costs.length
}

interface SpendHistory {
  days: { day: string; sent: number; credits: number | null }[]
  folders: { folderId: string | null; sent: number; credits: number | null }[]
  /** Over the last seven days; null if the balance a week ago or the spend since is unknown. */
  perDay: number | null
}

const DAY_MS = 86_400_000
/** A forecast is based on a whole week: weekdays differ, and a shorter period says little. */
const PACE_DAYS = 7

/** Spend by day and folder over `days`, in order, and the pace; `sent` and `balances` may begin earlier. */
export function spendHistory(
  balances: readonly BalanceSeen[],
  sent: readonly PictureSent[],
  days: readonly string[],
  nowMs: number,
): SpendHistory {
  const costs = inferCosts(
    balances,
    sent.map(({ atMs }) => atMs),
  )
  const shown = new Set(days)
  const by = <Key>(keyOf: (picture: PictureSent) => Key) => {
    const groups = new Map<Key, (number | null)[]>()
    for (const [n, picture] of sent.entries()) {
      if (!shown.has(picture.day)) continue
      const key = keyOf(picture)
      const group = groups.get(key)
      if (group === undefined) groups.set(key, [costs[n]!])
      else group.push(costs[n]!)
    }
    return groups
  }
  const byDay = by(({ day }) => day)
  const daily = days.map((day) => {
    const ofDay = byDay.get(day) ?? []
    return { day, sent: ofDay.length, credits: costOfAll(ofDay) }
  })
  const folders = [...by(({ folderId }) => folderId)].map(([folderId, ofFolder]) => ({
    folderId,
    sent: ofFolder.length,
    credits: costOfAll(ofFolder),
  }))
  const weekAgoMs = nowMs - PACE_DAYS * DAY_MS
  const isKnown = balances.some(({ atMs }) => atMs <= weekAgoMs)
  const spent = isKnown ? costOfAll(costs.filter((_, n) => sent[n]!.atMs > weekAgoMs)) : null
  return {
    days: daily,
    folders: folders.sort((a, b) => b.sent - a.sent),
    perDay: spent === null ? null : spent / PACE_DAYS,
  }
}

/** The time from which balances and pictures are needed for a history from `fromMs` on. */
export const neededSinceMs = (fromMs: number, nowMs: number): number => Math.min(fromMs, nowMs - PACE_DAYS * DAY_MS)
