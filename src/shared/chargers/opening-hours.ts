import { WEEKDAYS, type Weekday } from './nothing-known.ts'
import { isOpenAllWeek, timeText, type OpeningWeek } from './opening-week.ts'
import { zoneDays, type ZoneDays } from './zone-days.ts'

export type OpenState = 'open' | 'closed' | 'unknown'

/**
 * The next change of the state: "closes 18:00", "opens Mon 08:00". When the hours are unknown now, it is the next opening
 * within a week, if any. The caller makes the text.
 */
interface OpeningChange {
  atMs: number
  to: OpenState
  /** Local time at the airfield. */
  weekday: Weekday
  time: string
  /** Days from the airfield's current day; 0 is today. */
  inDays: number
}

export interface OpeningStatus {
  state: OpenState
  /** Null when nothing changes within a week, or the hours are unknown. */
  change: OpeningChange | null
  openAllWeek: boolean
}

const DAYS_AHEAD = 8

/**
 * Whether it is open at an instant, by the clocks of `zone` (IANA name or "UTC"). The document gives no zone: the caller
 * assumes the one at the charger's coordinates. Without a zone, the state is known only where the hours are the same all
 * week. Hours are computed between instants, so on a day when the clocks change they are an hour longer or shorter.
 */
export function openingStatus(week: OpeningWeek, zone: string | null, nowMs: number): OpeningStatus {
  const openAllWeek = isOpenAllWeek(week)
  const isClosed = week.every(({ kind }) => kind === 'closed')
  const days = openAllWeek || isClosed || zone === null ? null : zoneDays(zone, nowMs)
  if (days === null) return { state: openAllWeek ? 'open' : isClosed ? 'closed' : 'unknown', change: null, openAllWeek }
  const spans = spansOf(week, days, DAYS_AHEAD)
  const state = stateAt(spans, nowMs)
  const turns = spans
    .flatMap(({ fromMs, toMs }) => [fromMs, toMs])
    .sort((one, other) => one - other)
    .filter((edgeMs) => edgeMs > nowMs && edgeMs <= days.instantOf(DAYS_AHEAD, 0) && stateAt(spans, edgeMs) !== state)
  // When the hours are unknown, "closes" at midnight would imply that it is open until then.
  const opens = state === 'unknown' ? turns.find((edgeMs) => stateAt(spans, edgeMs) === 'open') : undefined
  const atMs = opens ?? turns[0]
  if (atMs === undefined) return { state, change: null, openAllWeek }
  const { day, minute } = days.clockAt(atMs)
  const weekday = WEEKDAYS[(days.weekday + day) % 7]!
  return {
    state,
    change: { atMs, to: stateAt(spans, atMs), weekday, time: timeText(minute), inDays: day },
    openAllWeek,
  }
}

/** Same as `openingStatus(…).state === 'open'`, for many chargers at one instant. `days`: the calendar of their zone. */
export function isOpenOn(week: OpeningWeek, days: ZoneDays, nowMs: number): boolean {
  return stateAt(spansOf(week, days, 1), nowMs) === 'open'
}

interface Span {
  isKnown: boolean
  fromMs: number
  toMs: number
}

/** From yesterday, whose hours may reach into today, to so many days ahead. */
function spansOf(week: OpeningWeek, days: ZoneDays, daysAhead: number): Span[] {
  const spans: Span[] = []
  for (let day = -1; day <= daysAhead; day += 1) {
    const hours = week[(days.weekday + day + 7) % 7]
    if (hours === undefined || hours.kind === 'closed') continue
    const [fromMs, toMs] = [days.instantOf(day, hours.from), days.instantOf(day, hours.to)]
    spans.push({ isKnown: hours.kind === 'open', fromMs, toMs })
  }
  return spans
}

/** Open takes precedence over unknown: hours of the day before may extend into an unknown day. */
function stateAt(spans: readonly Span[], atMs: number): OpenState {
  const here = spans.filter(({ fromMs, toMs }) => fromMs <= atMs && atMs < toMs)
  if (here.some(({ isKnown }) => isKnown)) return 'open'
  return here.length > 0 ? 'unknown' : 'closed'
}
