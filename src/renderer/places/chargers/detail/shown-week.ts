import { DAY_MINUTES, timeText, type OpeningWeek } from '../../../../shared/chargers/opening-week.ts'

/** One day in the displayed time zone. 0 is Monday; if there are no spans, `kind` says why. */
export interface ShownDay {
  weekday: number
  kind: 'hours' | 'allDay' | 'closed' | 'unknown'
  spans: { from: string; to: string }[]
}

const WEEK_MINUTES = 7 * DAY_MINUTES

/**
 * The week in a time zone `aheadMinutes` ahead of the one the hours are written in. Hours that cross midnight there appear on both
 * days. A day of unknown hours stays on its own weekday.
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

/** Merges spans that touch or overlap. */
function joined(spans: readonly Span[]): Span[] {
  const result: Span[] = []
  for (const span of spans.toSorted((one, other) => one.from - other.from)) {
    const last = result.at(-1)
    if (last !== undefined && span.from <= last.to) last.to = Math.max(last.to, span.to)
    else result.push({ ...span })
  }
  return result
}
