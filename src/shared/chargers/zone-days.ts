import { memoise } from './memoise.ts'

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
export interface ZoneDays {
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
