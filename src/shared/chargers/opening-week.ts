import { memoise } from './memoise.ts'

export const WEEKDAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const
export type Weekday = (typeof WEEKDAYS)[number]

const DAY_MINUTES = 24 * 60
const WEEK_MINUTES = 7 * DAY_MINUTES

/** In minutes from its midnight; `to` is beyond 1440 where they extend into the next day. `unknown`: of these 24 hours. */
export interface DayHours {
  kind: 'open' | 'closed' | 'unknown'
  from: number
  to: number
}

/** Seven days, Monday first. */
export type OpeningWeek = readonly DayHours[]

const UNKNOWN: DayHours = { kind: 'unknown', from: 0, to: DAY_MINUTES }
const CLOSED: DayHours = { kind: 'closed', from: 0, to: DAY_MINUTES }

/**
 * Reads the weekly hours (charger document, `availability`). What the document leaves open: an end before the beginning is on the next
 * day; an end that is the beginning is 24 hours later; 23:59 means midnight; a day without usable times is unknown.
 */
export function openingWeek(
  availability: Readonly<Record<Weekday, { open: boolean; from: string | null; to: string | null } | null>>,
): OpeningWeek {
  return WEEKDAYS.map((day) => {
    const hours = availability[day] ?? null
    if (hours === null) return UNKNOWN
    return hours.open ? readHours(`${hours.from} ${hours.to}`) : CLOSED
  })
}

const readHours = memoise((times): DayHours => {
  const found = /^(\d\d):([0-5]\d) (\d\d):([0-5]\d)$/.exec(times)
  const [fromHour = 0, fromMinute = 0, toHour = 0, toMinute = 0] = found?.slice(1).map(Number) ?? []
  const [from, end] = [fromHour * 60 + fromMinute, toHour * 60 + toMinute]
  if (found === null || from >= DAY_MINUTES || end > DAY_MINUTES) return UNKNOWN
  const to = end === DAY_MINUTES - 1 ? DAY_MINUTES : end
  return { kind: 'open', from, to: to > from ? to : to + DAY_MINUTES }
})

/** "HH:MM" of minutes since midnight; values beyond 24:00 are times of the next day. */
export function timeText(minutes: number): string {
  const ofDay = minutes > DAY_MINUTES ? minutes - DAY_MINUTES : minutes
  return `${String(Math.floor(ofDay / 60)).padStart(2, '0')}:${String(ofDay % 60).padStart(2, '0')}`
}

/** From midnight to midnight. */
export const isAllDay = ({ kind, from, to }: DayHours): boolean => kind === 'open' && from === 0 && to === DAY_MINUTES

/** Open at every minute of the week, and so whatever the zone. */
export function isOpenAllWeek(week: OpeningWeek): boolean {
  const open = week.flatMap(({ kind, from, to }, day) =>
    kind === 'open' ? [[day * DAY_MINUTES + from, day * DAY_MINUTES + to] as const] : [],
  )
  let untilMinute = Math.max(0, ...open.map(([, to]) => to - WEEK_MINUTES))
  for (const [from, to] of open) if (from <= untilMinute) untilMinute = Math.max(untilMinute, to)
  return untilMinute >= WEEK_MINUTES
}
