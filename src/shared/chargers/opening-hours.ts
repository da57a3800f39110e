import { memoise } from './memoise.ts'
import { isOpenAllWeek, timeText, WEEKDAYS, type OpeningWeek, type Weekday } from './opening-week.ts'

export type OpenState = 'open' | 'closed' | 'unknown'

/** The next change of the state: "closes 18:00", "opens Mon 08:00". When the hours are unknown now, the next opening, if any. */
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
 * Whether it is open at an instant, by the clocks of `zone` (IANA name), which the document does not give: without one the state is known
 * only where the hours are the same all week. On a day when the clocks change, hours are an hour longer or shorter.
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

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000
/** How many days around an instant callers need, with a margin. */
const REACH_BACK_MS = 3 * DAY_MS
const REACH_AHEAD_MS = 11 * DAY_MS

/** Creating a format costs a thousand times more than using it. Null for an invalid zone name. */
const formatOf = memoise((timeZone): Intl.DateTimeFormat | null => {
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' })
  } catch {
    return null
  }
})

/** UTC offset of a zone at an instant in milliseconds, positive east of Greenwich; null for an invalid zone or instant. */
function offsetMsAt(zone: string, atMs: number): number | null {
  const format = formatOf(zone)
  // Years 1970 to 9999: anything else is not a meaningful time.
  if (format === null || !(atMs >= 0 && atMs < 253_370_764_800_000)) return null
  const [, sign, ...parts] = /GMT(?:([+-])(\d\d):(\d\d)(?::(\d\d))?)?$/.exec(format.format(atMs)) ?? []
  const [hours = 0, minutes = 0, seconds = 0] = parts.map((part) => Number(part ?? 0))
  return (sign === '-' ? -1000 : 1000) * (hours * 3600 + minutes * 60 + seconds)
}

/** The calendar of a zone around an instant. Days count from the day of the instant, minutes from their midnight. */
interface ZoneDays {
  /** Weekday of the instant; 0 is Monday. */
  weekday: number
  /**
   * The instant of a local time. For a time that occurs twice when clocks are set back it is the first one; for a time that
   * is skipped when they are set forward it is the instant of the change.
   */
  instantOf: (day: number, minute: number) => number
  clockAt: (atMs: number) => { day: number; minute: number }
}

/** Null for an invalid zone or instant. Assumes that no zone changes its offset twice within 14 days. */
export function zoneDays(zone: string, atMs: number): ZoneDays | null {
  let [lastBeforeMs, turnMs] = [Math.floor(atMs - REACH_BACK_MS), Math.ceil(atMs + REACH_AHEAD_MS)]
  const [before, after] = [offsetMsAt(zone, lastBeforeMs), offsetMsAt(zone, turnMs)]
  if (before === null || after === null) return null
  while (before !== after && turnMs - lastBeforeMs > 1) {
    const middleMs = Math.floor((lastBeforeMs + turnMs) / 2)
    if (offsetMsAt(zone, middleMs) === before) lastBeforeMs = middleMs
    else turnMs = middleMs
  }
  const wallMs = (ms: number) => ms + (ms < turnMs ? before : after)
  const date = Math.floor(wallMs(atMs) / DAY_MS)
  return {
    // 1970 began on a Thursday.
    weekday: (date + 3) % 7,
    instantOf: (day, minute) => {
      const ms = (date + day) * DAY_MS + minute * MINUTE_MS
      return ms - before < turnMs ? ms - before : Math.max(ms - after, turnMs)
    },
    clockAt: (ms) => {
      const day = Math.floor(wallMs(ms) / DAY_MS)
      return { day: day - date, minute: Math.floor((wallMs(ms) - day * DAY_MS) / MINUTE_MS) }
    },
  }
}
