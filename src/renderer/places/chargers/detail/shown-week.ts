import { DAY_MINUTES, timeText, type OpeningWeek } from '../../../../shared/chargers/opening-week.ts'

/** One day as a clock shows it. 0 is Monday; without spans, `kind` says why. */
export interface ShownDay {
  weekday: number
  kind: 'hours' | 'allDay' | 'closed' | 'unknown'
  spans: { from: string; to: string }[]
}

const WEEK_MINUTES = 7 * DAY_MINUTES

/**
 * The week by a clock that is this many minutes ahead of the one the hours are written by. Hours that pass midnight on that
 * clock are told on both days. What is not known stays with its own day.
 */
export function shownWeek(week: OpeningWeek, aheadMinutes: number): ShownDay[] {
  const spans = joined(
    week.flatMap(({ kind, from, to }, day) =>
      kind === 'open'
        ? [{ from: day * DAY_MINUTES + from + aheadMinutes, to: day * DAY_MINUTES + to + aheadMinutes }]
        : [],
    ),
  )
  return week.map(({ kind }, weekday) => {
    const start = weekday * DAY_MINUTES
    const parts = [-WEEK_MINUTES, 0, WEEK_MINUTES].flatMap((turn) =>
      spans.flatMap(({ from, to }) => {
        const part = { from: Math.max(0, from + turn - start), to: Math.min(DAY_MINUTES, to + turn - start) }
        return part.from < part.to ? [part] : []
      }),
    )
    const ofDay = joined(parts)
    const [first] = ofDay
    if (first !== undefined && first.from === 0 && first.to === DAY_MINUTES)
      return { weekday, kind: 'allDay', spans: [] }
    if (ofDay.length === 0) return { weekday, kind: kind === 'unknown' ? 'unknown' : 'closed', spans: [] }
    return { weekday, kind: 'hours', spans: ofDay.map(({ from, to }) => ({ from: timeText(from), to: timeText(to) })) }
  })
}

interface Span {
  from: number
  to: number
}

/** Spans that touch or overlap become one. */
function joined(spans: readonly Span[]): Span[] {
  const result: Span[] = []
  for (const span of spans.toSorted((one, other) => one.from - other.from)) {
    const last = result.at(-1)
    if (last !== undefined && span.from <= last.to) last.to = Math.max(last.to, span.to)
    else result.push({ ...span })
  }
  return result
}
