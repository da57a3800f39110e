import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isAllDay, isOpenAllWeek, openingWeek, timeText } from '../../../src/shared/chargers/opening-week.ts'
import { CLOSED, hours, weekOf, weekOfDays } from './any-charger.ts'

const monday = (from: string | null, to: string | null) => openingWeek(weekOf(hours(from, to)))[0]!

describe('openingWeek', () => {
  it('has seven days from Monday on, in minutes', () => {
    const week = openingWeek(weekOf(hours('08:00', '18:00'), { saturday: hours('18:00', '02:00'), sunday: CLOSED }))
    expect(week).toHaveLength(7)
    expect(week[0]).toEqual({ kind: 'open', from: 480, to: 1080 })
    expect(week[5]).toEqual({ kind: 'open', from: 1080, to: 1560 })
    expect(week[6]?.kind).toBe('closed')
    expect([480, 1560, 1440].map(timeText)).toEqual(['08:00', '02:00', '24:00'])
  })

  it.each([
    ['00:00', '00:00'],
    ['00:00', '24:00'],
    ['00:00', '23:59'],
  ])('takes %s to %s as the whole day', (from, to) => {
    expect(isAllDay(monday(from, to))).toBe(true)
  })

  it('takes hours that end when they begin as 24 hours, and 23:59 as midnight', () => {
    expect(monday('08:00', '08:00')).toMatchObject({ from: 480, to: 1920 })
    expect(monday('18:00', '23:59')).toMatchObject({ from: 1080, to: 1440 })
    expect(monday('18:00', '00:00')).toMatchObject({ from: 1080, to: 1440 })
  })

  it.each([
    'null 18:00',
    '08:00 null',
    '8:00 18:00',
    '25:00 26:00',
    '24:30 02:00',
    '24:00 24:00',
    '08:60 18:00',
    ' ',
    '08:00:00 18:00:00',
  ])('does not know a day of %j', (times) => {
    const [from = '', to = ''] = times.split(' ')
    expect(monday(from === 'null' ? null : from, to === 'null' ? null : to)).toMatchObject({ kind: 'unknown' })
  })

  it('knows the other days when one is malformed or missing', () => {
    const { sunday: _sunday, ...six } = weekOf(hours('08:00', '18:00'), {
      tuesday: hours('soon', 'late'),
      friday: null,
    })
    const week = openingWeek(six as ReturnType<typeof weekOf>)
    expect(week.map(({ kind }) => kind).join(' ')).toBe('open unknown open open unknown open unknown')
  })
})

describe('isOpenAllWeek', () => {
  it('is true when no minute of the week is left out, also by hours that reach into the next day', () => {
    expect(isOpenAllWeek(openingWeek(weekOf(hours('00:00', '23:59'))))).toBe(true)
    expect(isOpenAllWeek(openingWeek(weekOf(hours('08:00', '08:00'))))).toBe(true)
    expect(isOpenAllWeek(openingWeek(weekOf(hours('00:00', '24:00'), { monday: hours('00:00', '22:00') })))).toBe(false)
    expect(isOpenAllWeek(openingWeek(weekOf(hours('08:00', '07:00'))))).toBe(false)
    expect(isOpenAllWeek(openingWeek(weekOf(CLOSED)))).toBe(false)
    expect(isOpenAllWeek(openingWeek(weekOf(hours('00:00', '24:00'), { sunday: null })))).toBe(false)
  })

  it('says of every week what looking at each of its minutes says', () => {
    const minuteText = fc.integer({ min: 0, max: 24 }).map((hour) => `${String(hour).padStart(2, '0')}:00`)
    const day = fc.record({ open: fc.boolean(), from: minuteText, to: minuteText })
    const mostlyOpen = fc.oneof(
      { weight: 6, arbitrary: fc.constantFrom(hours('08:00', '08:00'), hours('00:00', '24:00')) },
      { weight: 1, arbitrary: day },
    )
    fc.assert(
      fc.property(fc.array(mostlyOpen, { minLength: 7, maxLength: 7 }), (days) => {
        const week = openingWeek(weekOfDays(days))
        const hoursOpen = new Set<number>()
        week.forEach(({ kind, from, to }, at) => {
          for (let hour = from / 60; kind === 'open' && hour < to / 60; hour += 1) hoursOpen.add((at * 24 + hour) % 168)
        })
        expect(isOpenAllWeek(week)).toBe(hoursOpen.size === 168)
      }),
    )
  })
})
