import type { ChargePoint, OpeningHours } from './charger.ts'
import type { Weekday } from './nothing-known.ts'

export const DAY_MINUTES = 24 * 60
const WEEK_MINUTES = 7 * DAY_MINUTES

/** Monday first. */
export const WEEK: readonly Weekday[] = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday']

/**
 * Opening hours of one day in minutes from its midnight: `from` below 1440, `to` above `from`, and beyond 1440 when they
 * extend into the next day. `unknown`: nothing is known about these 24 hours.
 */
interface DayHours {
  kind: 'open' | 'closed' | 'unknown'
  from: number
  to: number
}

/** Seven days, Monday first. */
export type OpeningWeek = readonly DayHours[]

const UNKNOWN: DayHours = { kind: 'unknown', from: 0, to: DAY_MINUTES }
const CLOSED: DayHours = { kind: 'closed', from: 0, to: DAY_MINUTES }

/**
 * Reads the weekly hours (charger document, `availability`). Cases that the document leaves open: hours whose end is before
 * their beginning end on the next day; hours that end when they begin last 24 hours, so that 00:00–00:00 is the whole day; an
 * end at 23:59 means midnight. A day that is open without times, or is in another format, is unknown.
 */
export function openingWeek(availability: ChargePoint['availability'] | null | undefined): OpeningWeek {
  return WEEK.map((day) => dayHours(availability?.[day]))
}

/** Most chargers share the same few hours, so they share one object. */
const MAX_KNOWN_HOURS = 2000
const knownHours = new Map<string, DayHours>()

function dayHours(hours: OpeningHours | null | undefined): DayHours {
  if (hours === null || hours === undefined || typeof hours.open !== 'boolean') return UNKNOWN
  if (!hours.open) return CLOSED
  const written = `${hours.from} ${hours.to}`
  const known = knownHours.get(written)
  if (known !== undefined) return known
  const made = readHours(hours)
  if (knownHours.size >= MAX_KNOWN_HOURS) knownHours.clear()
  knownHours.set(written, made)
  return made
}

function readHours(hours: OpeningHours): DayHours {
  const from = minuteOf(hours.from)
  const end = minuteOf(hours.to)
  if (from === null || end === null || from === DAY_MINUTES) return UNKNOWN
  const to = end === DAY_MINUTES - 1 ? DAY_MINUTES : end
  return { kind: 'open', from, to: to > from ? to : to + DAY_MINUTES }
}

/** Minutes since midnight of "HH:MM", 24:00 included; null for anything else. */
function minuteOf(time: string | null): number | null {
  if (typeof time !== 'string' || !/^\d\d:[0-5]\d$/.test(time)) return null
  const minutes = Number(time.slice(0, 2)) * 60 + Number(time.slice(3))
  return minutes <= DAY_MINUTES ? minutes : null
}

/** "HH:MM" of minutes since midnight; values beyond 24:00 are times of the next day. */
export function timeText(minutes: number): string {
  const ofDay = minutes > DAY_MINUTES ? minutes - DAY_MINUTES : minutes
  return `${String(Math.floor(ofDay / 60)).padStart(2, '0')}:${String(ofDay % 60).padStart(2, '0')}`
}

/** One line of a table of opening hours. `from` and `to` are null unless `kind` is `hours`. */
export interface WeekRow {
  weekday: Weekday
  kind: 'hours' | 'allDay' | 'closed' | 'unknown'
  from: string | null
  to: string | null
  /** `to` is on the next day. */
  overMidnight: boolean
}

export function weekRows(week: OpeningWeek): WeekRow[] {
  return WEEK.map((weekday, at) => {
    const { kind, from, to } = week[at] ?? UNKNOWN
    const none = { weekday, from: null, to: null, overMidnight: false }
    if (kind !== 'open') return { ...none, kind }
    if (from === 0 && to === DAY_MINUTES) return { ...none, kind: 'allDay' }
    return { weekday, kind: 'hours', from: timeText(from), to: timeText(to), overMidnight: to > DAY_MINUTES }
  })
}

/** Open at every minute of the week, and so whatever the zone. */
export function isOpenAllWeek(week: OpeningWeek): boolean {
  // A cheap check first: most are closed when Monday begins.
  const [monday, sunday] = [week[0] ?? UNKNOWN, week[6] ?? UNKNOWN]
  const isOpenFirst = monday.kind === 'open' && monday.from === 0
  if (!isOpenFirst && !(sunday.kind === 'open' && sunday.to > DAY_MINUTES)) return false
  const spans = week.flatMap(({ kind, from, to }, day) =>
    kind === 'open' ? [[day * DAY_MINUTES + from, day * DAY_MINUTES + to] as const] : [],
  )
  const covers = (minute: number) =>
    spans.some(([from, to]) => (from <= minute && minute < to) || minute + WEEK_MINUTES < to)
  return spans.every(([, to]) => covers(to % WEEK_MINUTES))
}

export function isClosedAllWeek(week: OpeningWeek): boolean {
  return week.every(({ kind }) => kind === 'closed')
}
