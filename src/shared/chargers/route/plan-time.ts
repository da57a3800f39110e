/** Times of a plan are from 1970 on and before the year 3000: addresses, fields and clocks show such years with four digits. */
const END_MS = Date.UTC(3000, 0, 1)

/** The last minute of such times, as a `datetime-local` field writes it. */
export const LAST_FIELD_TIME = '2999-12-31T23:59'

/** Unix milliseconds; null outside of those times. */
export function planTime(ms: number): number | null {
  return ms >= 0 && ms < END_MS ? ms : null
}

/** To the minute, as departures are entered: the current one is not past. */
export function isPastDeparture(departMs: number, nowMs: number): boolean {
  return departMs <= nowMs - 60_000
}

/** A date and time with an offset, as in "2026-05-01T09:00+02:00"; null for anything else. */
export function readPlanTime(text: string): number | null {
  return /(?:Z|[+-]\d\d:?\d\d)$/i.test(text.trim()) ? planTime(Date.parse(text)) : null
}

/** In UTC, as addresses and `datetime-local` fields write it: "2026-05-01T09:00". */
export function fieldTime(ms: number): string {
  return new Date(ms).toISOString().slice(0, 16)
}

/** Null also beyond the times of a plan. */
export function later(atMs: number | null, minutes: number | null): number | null {
  return atMs === null || minutes === null ? null : planTime(atMs + minutes * 60_000)
}

/** Null when one of them is unknown. */
export function sumOf(values: readonly (number | null)[]): number | null {
  return values.reduce((sum, value) => (sum === null || value === null ? null : sum + value), 0)
}
