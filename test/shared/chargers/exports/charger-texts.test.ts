import { expect, it } from 'vitest'
import { openingHoursText } from '../../../../src/shared/chargers/exports/charger-texts.ts'
import { CLOSED, hours, weekOf } from '../any-charger.ts'

it.each([
  ['24/7', weekOf(hours('00:00', '24:00'))],
  ['', weekOf(null)],
  ['Mo-Su off', weekOf(CLOSED)],
  ['Mo-Fr 08:00-18:00; Sa off; Su unknown', weekOf(hours('08:00', '18:00'), { saturday: CLOSED, sunday: null })],
  [
    'Mo-Th off; Fr 18:00-02:00; Sa 00:00-24:00; Su off',
    weekOf(CLOSED, { friday: hours('18:00', '02:00'), saturday: hours('00:00', '23:59') }),
  ],
])('openingHoursText writes %j as OpenStreetMap does', (text, availability) => {
  expect(openingHoursText(availability)).toBe(text)
})
