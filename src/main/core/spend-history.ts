/*
 * What pictures cost, from what is known for sure: when each was sent, and what the balance was when it was asked. The
 * image service document shows no list of charges, so a cost is always inferred.
 */

/** A balance, as the service said it. */
export interface BalanceSeen {
  atMs: number
  credits: number
}

/** A picture that was sent, or may have been. */
export interface PictureSent {
  atMs: number
  /** The day in this computer's time zone. */
  day: string
  folderId: string | null
}

/**
 * Credits for each of the pictures, in their order. What the balance fell by between two answers is shared equally by the
 * pictures sent after the one and not after the other. Null for a picture outside all answers, and for one between two of
 * which the later is higher: credits were bought there, and what was spent besides cannot be told.
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

/** The index of the first answer at or after a time; the number of answers when there is none. */
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
 * What several pictures cost together. Those whose cost is not known count as much as the others do on average, as long
 * as they are the smaller part; else null.
 */
export function costOfAll(costs: readonly (number | null)[]): number | null {
  if (costs.length === 0) return 0
  const known = costs.filter((cost) => cost !== null)
  if (known.length * 2 <= costs.length) return null
  return (known.reduce((sum, cost) => sum + cost, 0) / known.length) * costs.length
}

export interface SpendHistory {
  days: { day: string; sent: number; credits: number | null }[]
  folders: { folderId: string | null; sent: number; credits: number | null }[]
  perDay: number | null
}

const PACE_DAYS = 7

/** Spend by day and by folder, and the pace of the last seven of `days`, which are in order and hold every picture's day. */
export function spendHistory(
  balances: readonly BalanceSeen[],
  sent: readonly PictureSent[],
  days: readonly string[],
): SpendHistory {
  const costs = inferCosts(
    balances,
    sent.map(({ atMs }) => atMs),
  )
  const by = <Key>(keyOf: (picture: PictureSent) => Key) => {
    const groups = new Map<Key, (number | null)[]>()
    for (const [n, picture] of sent.entries()) {
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
  return { days: daily, folders: folders.sort((a, b) => b.sent - a.sent), perDay: paceOf(daily.slice(-PACE_DAYS)) }
}

/** Null while nothing was sent whose cost is known: no pace can be told from that. */
function paceOf(days: SpendHistory['days']): number | null {
  const known = days.filter(({ credits }) => credits !== null)
  if (!known.some(({ sent }) => sent > 0)) return null
  return known.reduce((sum, { credits }) => sum + credits!, 0) / known.length
}
