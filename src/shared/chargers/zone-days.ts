const MINUTE_MS = 60_000
const DAY_MS = 86_400_000
/** How many days around an instant callers need, with a margin. */
const REACH_BACK_DAYS = 3
const REACH_AHEAD_DAYS = 11
/** There are about 600 zones; more than this can only be invalid names. */
const MAX_ZONES = 1000

/** Creating a format costs a thousand times more than using it. Null for an invalid zone name. */
const formats = new Map<string, Intl.DateTimeFormat | null>()

function formatOf(zone: string): Intl.DateTimeFormat | null {
  const known = formats.get(zone)
  if (known !== undefined) return known
  let format: Intl.DateTimeFormat | null = null
  try {
    format = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' })
  } catch (error) {
    // Intl throws a RangeError for an unknown zone.
    if (!(error instanceof RangeError)) throw error
  }
  if (formats.size >= MAX_ZONES) formats.clear()
  formats.set(zone, format)
  return format
}

/** UTC offset of a zone at an instant in milliseconds, positive east of Greenwich; null for an invalid zone or instant. */
export function offsetMsAt(zone: string, atMs: number): number | null {
  const format = formatOf(zone)
  // Years 1970 to 9999: anything else is not a meaningful time.
  if (format === null || !(atMs >= 0 && atMs < 253_370_764_800_000)) return null
  const parts = /GMT(?:([+-])(\d\d):(\d\d)(?::(\d\d))?)?$/.exec(format.format(atMs))
  if (parts === null) return null
  const [, sign, hours = '0', minutes = '0', seconds = '0'] = parts
  return (sign === '-' ? -1000 : 1000) * (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds))
}

/** The calendar of a zone around an instant. */
export interface ZoneDays {
  zone: string
  /** Weekday of the instant; 0 is Monday. */
  weekday: number
  /**
   * The instant of a local time: `day` counts from the day of the instant, `minute` from midnight. For a time that occurs
   * twice when clocks are set back it is the first one; for a time that is skipped when they are set forward it is the
   * instant of the change.
   */
  instantOf: (day: number, minute: number) => number
}

export function zoneDays(zone: string, atMs: number): ZoneDays | null {
  const times = zoneTimes(zone, atMs)
  if (times === null) return null
  const { before, after, turnMs } = times
  const date = Math.floor((atMs + (atMs < turnMs ? before : after)) / DAY_MS)
  return {
    zone,
    // 1970 began on a Thursday.
    weekday: (date + 3) % 7,
    instantOf: (day, minute) => {
      const wallMs = (date + day) * DAY_MS + minute * MINUTE_MS
      if (wallMs - before < turnMs) return wallMs - before
      return Math.max(wallMs - after, turnMs)
    },
  }
}

/** The offsets of a zone around an instant: `before` and, from `turnMs` on, `after`. Usually they are equal. */
interface ZoneTimes {
  fromMs: number
  toMs: number
  before: number
  after: number
  turnMs: number
}

/** The last result for each zone: computing offsets is the expensive part when there are many zones. */
const timesOfZone = new Map<string, ZoneTimes>()

/** Assumes that no zone changes its offset twice within 16 days. */
function zoneTimes(zone: string, atMs: number): ZoneTimes | null {
  const [fromMs, toMs] = [atMs - REACH_BACK_DAYS * DAY_MS, atMs + REACH_AHEAD_DAYS * DAY_MS]
  const known = timesOfZone.get(zone)
  if (known !== undefined && known.fromMs <= fromMs && toMs <= known.toMs) return known
  // One extra day at both ends, so that the cached result serves later instants too.
  const made = findTimes(zone, Math.floor(fromMs) - DAY_MS, Math.ceil(toMs) + DAY_MS)
  if (made === null) return null
  if (timesOfZone.size >= MAX_ZONES) timesOfZone.clear()
  timesOfZone.set(zone, made)
  return made
}

function findTimes(zone: string, fromMs: number, toMs: number): ZoneTimes | null {
  const before = offsetMsAt(zone, fromMs)
  const after = offsetMsAt(zone, toMs)
  if (before === null || after === null) return null
  let [lastBefore, turnMs] = [fromMs, toMs]
  while (before !== after && turnMs - lastBefore > 1) {
    const middle = Math.floor((lastBefore + turnMs) / 2)
    if (offsetMsAt(zone, middle) === before) lastBefore = middle
    else turnMs = middle
  }
  return { fromMs, toMs, before, after, turnMs }
}

/** Local time in the zone: weekday (0 is Monday), day number, and minute of the day. */
export function wallClock(zone: string, atMs: number): { weekday: number; day: number; minute: number } | null {
  const offset = offsetMsAt(zone, atMs)
  if (offset === null) return null
  const day = Math.floor((atMs + offset) / DAY_MS)
  return { weekday: (day + 3) % 7, day, minute: Math.floor((atMs + offset - day * DAY_MS) / MINUTE_MS) }
}
