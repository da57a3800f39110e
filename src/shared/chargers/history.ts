/*
 * What is known of a charger over time, from the states that refreshes found. Times are Unix milliseconds. Between two
 * refreshes a state is taken to have lasted; without a refresh for longer than that nothing is known.
 */

/** Two refreshes further apart than this leave a gap in knowledge: twice the longest interval between refreshes. */
export const KNOWN_FOR_MS = 2 * 60 * 60_000

const DAY_MS = 86_400_000

/** The charger is in this state from then on. */
export interface StateChange {
  atMs: number
  /** A `LiveClass`, or `gone` when the service no longer lists it. */
  kind: string
  /** The live state as the service names it; null without a current one. */
  state: string | null
}

/** A time during which refreshes came often enough; both ends are refreshes. */
export interface KnownTime {
  fromMs: number
  toMs: number
}

/** A state that lasted; the times between spans are not known. */
interface StateSpan extends KnownTime {
  kind: string
  state: string | null
}

/** All in order of time. Spans begin at `fromMs` at the earliest, and end at the last refresh or at `untilMs`. */
export function stateSpans(
  changes: readonly StateChange[],
  known: readonly KnownTime[],
  { fromMs, untilMs }: { fromMs: number; untilMs: number },
): StateSpan[] {
  const spans: StateSpan[] = []
  changes.forEach(({ atMs, kind, state }, at) => {
    const endMs = Math.min(changes[at + 1]?.atMs ?? Infinity, untilMs)
    for (const time of known) {
      const span = { fromMs: Math.max(atMs, time.fromMs, fromMs), toMs: Math.min(endMs, time.toMs), kind, state }
      if (span.fromMs < span.toMs) spans.push(span)
    }
  })
  return spans
}

/** The known times without those in which refreshes did not list the charger. All in order of time. */
export function withoutMissed(known: readonly KnownTime[], missed: readonly KnownTime[]): KnownTime[] {
  let left: KnownTime[] = [...known]
  for (const gap of missed)
    left = left.flatMap(({ fromMs, toMs }) =>
      [
        { fromMs, toMs: Math.min(toMs, gap.fromMs) },
        { fromMs: Math.max(fromMs, gap.toMs), toMs },
      ].filter((part) => part.fromMs <= part.toMs),
    )
  return left
}

/** A time without refreshes ages what is kept by this at most: a clock that jumps ahead by a year must not end all of it. */
const MOST_AGED_MS = 7 * DAY_MS

/** The time before which everything is older than `days`, of which a gap between refreshes counts as a week at most. */
export function agedMs(known: readonly KnownTime[], nowMs: number, days: number): number {
  let [atMs, leftMs] = [nowMs, days * DAY_MS]
  for (const { fromMs, toMs } of known.toReversed()) {
    const gapMs = Math.min(atMs - toMs, MOST_AGED_MS)
    if (gapMs >= leftMs) return atMs - leftMs
    leftMs -= gapMs
    if (toMs - fromMs >= leftMs) return toMs - leftMs
    leftMs -= toMs - fromMs
    atMs = fromMs
  }
  return -Infinity
}

/** How long a charger was in error or maintenance, of the time that its live state was known. */
interface ErrorShare {
  days: number
  knownMs: number
  brokenMs: number
}

/** Kinds that say nothing about whether a charger works: no live state, one that was out of date, or one of unknown meaning. */
export const NOTHING_KNOWN: readonly string[] = ['stale', 'unlinked', 'unknown', 'gone']

export function errorShare(spans: readonly StateSpan[], days: number, nowMs: number): ErrorShare {
  let [knownMs, brokenMs] = [0, 0]
  for (const { fromMs, toMs, kind } of spans) {
    const ms = toMs - Math.max(fromMs, nowMs - days * DAY_MS)
    if (ms <= 0 || NOTHING_KNOWN.includes(kind)) continue
    knownMs += ms
    if (kind === 'broken') brokenMs += ms
  }
  return { days, knownMs, brokenMs }
}

/** The live state of the charger document that says energy flows. */
export const CHARGING = 'busy-charging'

/**
 * Which changes of the log: `changes` are all but those that a live state merely ages by; `broken`, `free` and `taken` are those of
 * them that end in such a state; `listed` are new chargers, and those that go or come back; `all` has the ageing too.
 */
export const LOG_PARTS = ['changes', 'broken', 'free', 'taken', 'listed', 'all'] as const
export type LogPart = (typeof LOG_PARTS)[number]
