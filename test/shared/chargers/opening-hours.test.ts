import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ChargePoint } from '../../../src/shared/chargers/charger.ts'
import { isOpenOn, openingStatus, zoneDays } from '../../../src/shared/chargers/opening-hours.ts'
import { openingWeek } from '../../../src/shared/chargers/opening-week.ts'
import { CLOSED, anyCharger, hours, weekOf, weekOfDays } from './any-charger.ts'

/** "open, closed mon 18:00 +0": the state, then the next one, when the airfield's clocks say, and in how many days. */
function said(availability: ChargePoint['availability'], zone: string | null, at: string): string {
  const { state, change } = openingStatus(openingWeek(availability), zone, Date.parse(at))
  return change === null
    ? state
    : `${state}, ${change.to} ${change.weekday.slice(0, 3)} ${change.time} +${change.inDays}`
}

const office = weekOf(hours('08:00', '18:00'), { saturday: CLOSED, sunday: CLOSED })
const nights = weekOf(CLOSED, { friday: hours('18:00', '02:00') })
const VIENNA = 'Europe/Vienna'

describe('openingStatus', () => {
  it('tells when it closes and when it opens next', () => {
    // 2 March 2026 is a Monday; Vienna is an hour ahead of UTC.
    expect(said(office, VIENNA, '2026-03-02T06:59:59Z')).toBe('closed, open mon 08:00 +0')
    expect(said(office, VIENNA, '2026-03-02T07:00:00Z')).toBe('open, closed mon 18:00 +0')
    expect(said(office, VIENNA, '2026-03-02T17:00:00Z')).toBe('closed, open tue 08:00 +1')
    expect(said(office, VIENNA, '2026-03-06T20:00:00Z')).toBe('closed, open mon 08:00 +3')
    expect(said(office, 'UTC', '2026-03-02T07:30:00Z')).toBe('closed, open mon 08:00 +0')
  })

  it('goes by the date at the airfield', () => {
    expect(said(office, 'Pacific/Auckland', '2026-03-01T20:00:00Z')).toBe('open, closed mon 18:00 +0')
    expect(said(office, 'America/Los_Angeles', '2026-03-02T20:00:00Z')).toBe('open, closed mon 18:00 +0')
    expect(said(office, 'Asia/Kathmandu', '2026-03-02T02:15:00Z')).toBe('open, closed mon 18:00 +0')
  })

  it('lets hours over midnight reach into a day that is closed itself', () => {
    expect(said(nights, VIENNA, '2026-03-06T22:59:00Z')).toBe('open, closed sat 02:00 +1')
    expect(said(nights, VIENNA, '2026-03-07T00:30:00Z')).toBe('open, closed sat 02:00 +0')
    expect(said(nights, VIENNA, '2026-03-07T01:00:00Z')).toBe('closed, open fri 18:00 +6')
    // From Sunday night into Monday: the week is a ring.
    const sundays = weekOf(CLOSED, { sunday: hours('22:00', '04:00') })
    expect(said(sundays, 'UTC', '2026-03-02T03:59:00Z')).toBe('open, closed mon 04:00 +0')
  })

  it('joins days that follow each other without a gap', () => {
    const weekend = weekOf(CLOSED, { saturday: hours('00:00', '23:59'), sunday: hours('00:00', '00:00') })
    expect(said(weekend, 'UTC', '2026-03-07T12:00:00Z')).toBe('open, closed mon 00:00 +2')
    expect(said(weekend, 'UTC', '2026-03-04T12:00:00Z')).toBe('closed, open sat 00:00 +3')
  })

  it('does not know a malformed day, and knows when that ends', () => {
    const torn = weekOf(hours('08:00', '18:00'), { tuesday: hours('soon', null) })
    expect(said(torn, 'UTC', '2026-03-03T12:00:00Z')).toBe('unknown, open wed 08:00 +1')
    expect(said(torn, 'UTC', '2026-03-02T20:00:00Z')).toBe('closed, unknown tue 00:00 +1')
    const afterNight = weekOf(null, { monday: hours('18:00', '02:00') })
    expect(said(afterNight, 'UTC', '2026-03-03T01:00:00Z')).toBe('open, unknown tue 02:00 +0')
  })

  it('says when it opens next after hours that are missing, and not that it closes', () => {
    const workdays = weekOf(hours('08:00', '18:00'), { saturday: null, sunday: null })
    expect(said(workdays, VIENNA, '2026-03-08T11:00:00Z')).toBe('unknown, open mon 08:00 +1')
    const never = weekOf(CLOSED, { sunday: null })
    expect(said(never, VIENNA, '2026-03-08T11:00:00Z')).toBe('unknown, closed mon 00:00 +1')
  })

  it('opens an hour later or earlier when clocks change, by the clock and not by the hours passed', () => {
    const daily = weekOf(hours('08:00', '18:00'))
    // 29 March 2026, clocks go from 02:00 to 03:00 in Vienna.
    const spring = openingStatus(openingWeek(daily), VIENNA, Date.parse('2026-03-28T20:00:00Z'))
    expect(new Date(spring.change!.atMs).toISOString()).toBe('2026-03-29T06:00:00.000Z')
    // 25 October 2026, clocks go from 03:00 to 02:00.
    const autumn = openingStatus(openingWeek(daily), VIENNA, Date.parse('2026-10-24T20:00:00Z'))
    expect(new Date(autumn.change!.atMs).toISOString()).toBe('2026-10-25T07:00:00.000Z')
  })

  it('takes a time that comes twice as its first, and one that is left out as the instant clocks jump over it', () => {
    const early = weekOf(hours('02:30', '06:00'))
    const spring = openingStatus(openingWeek(early), VIENNA, Date.parse('2026-03-29T00:00:00Z'))
    expect(spring.change).toMatchObject({ atMs: Date.parse('2026-03-29T01:00:00Z'), time: '03:00' })
    // Berlin jumps from 02:00 to 03:00 and London from 01:00 to 02:00, both at 01:00 UTC.
    const short = weekOf(hours('01:30', '02:30'))
    expect(said(short, 'Europe/Berlin', '2026-03-29T00:45:00Z')).toBe('open, closed sun 03:00 +0')
    expect(said(short, 'Europe/London', '2026-03-29T00:45:00Z')).toBe('closed, open sun 02:00 +0')
    expect(said(short, 'Europe/London', '2026-03-29T01:15:00Z')).toBe('open, closed sun 02:30 +0')
    const autumn = openingStatus(openingWeek(early), VIENNA, Date.parse('2026-10-24T23:00:00Z'))
    expect(autumn.change).toMatchObject({ atMs: Date.parse('2026-10-25T00:30:00Z'), time: '02:30' })
    expect(said(early, VIENNA, '2026-10-25T01:15:00Z')).toBe('open, closed sun 06:00 +0')
  })

  it('knows without a zone only what is the same all week', () => {
    expect(said(office, null, '2026-03-02T12:00:00Z')).toBe('unknown')
    expect(said(office, 'Nowhere/At_All', '2026-03-02T12:00:00Z')).toBe('unknown')
    expect(said(weekOf(hours('00:00', '24:00')), null, '2026-03-02T12:00:00Z')).toBe('open')
    expect(said(weekOf(CLOSED), null, '2026-03-02T12:00:00Z')).toBe('closed')
    expect(said(weekOf(null), 'UTC', '2026-03-02T12:00:00Z')).toBe('unknown')
    expect(openingStatus(openingWeek(office), 'UTC', NaN)).toMatchObject({ state: 'unknown', change: null })
  })
})

const instants = fc.integer({ min: Date.UTC(2024, 0), max: Date.UTC(2035, 0) })
const ZONES =
  'UTC Europe/Vienna America/New_York Australia/Lord_Howe Pacific/Chatham Asia/Kathmandu Africa/Casablanca ' +
  'Pacific/Kiritimati America/St_Johns America/Havana Asia/Beirut Africa/Cairo America/Santiago'
const zones = fc.constantFrom(...ZONES.split(' '))
const clock = fc.integer({ min: 0, max: 96 }).map((quarters) => {
  const pad = (value: number) => String(value).padStart(2, '0')
  return `${pad(Math.floor(quarters / 4))}:${pad((quarters % 4) * 15)}`
})
const day = fc.option(fc.record({ open: fc.boolean(), from: clock, to: clock }), { freq: 10 })
const weeks = fc.array(day, { minLength: 7, maxLength: 7 }).map(weekOfDays)

describe('any week, zone and instant', () => {
  it('stay in one state until the announced change, or are not open until then, and are in another from then on', () => {
    fc.assert(
      fc.property(
        weeks,
        zones,
        instants,
        fc.double({ min: 0, max: 1, noNaN: true }),
        (hoursOfWeek, zone, nowMs, part) => {
          const week = openingWeek(hoursOfWeek)
          const { state, change } = openingStatus(week, zone, nowMs)
          const untilMs = change?.atMs ?? nowMs + 6 * 86_400_000
          const between = Math.min(Math.floor(nowMs + (untilMs - nowMs) * part), untilMs - 1)
          const then = openingStatus(week, zone, between).state
          if (state === 'unknown' && change?.to === 'open') expect(then).not.toBe('open')
          else expect(then).toBe(state)
          if (change === null) return
          expect(change.atMs).toBeGreaterThan(nowMs)
          expect(change.to).not.toBe(state)
          expect(openingStatus(week, zone, change.atMs).state).toBe(change.to)
        },
      ),
      { numRuns: 300 },
    )
  })

  it('are open for the quick question when they are for the full one', () => {
    fc.assert(
      fc.property(weeks, zones, instants, (hoursOfWeek, zone, nowMs) => {
        const week = openingWeek(hoursOfWeek)
        expect(isOpenOn(week, zoneDays(zone, nowMs)!, nowMs)).toBe(openingStatus(week, zone, nowMs).state === 'open')
      }),
      { numRuns: 300 },
    )
  })

  it('never throw, whatever the service, the clock or the zone says', () => {
    fc.assert(
      fc.property(anyCharger, fc.oneof(zones, fc.string()), fc.double(), ({ availability }, zone, nowMs) => {
        expect(['open', 'closed', 'unknown']).toContain(openingStatus(openingWeek(availability), zone, nowMs).state)
      }),
    )
  })
})
