import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { currentsOf, powerOf } from '../../../src/shared/chargers/power.ts'
import { anyText } from './any-charger.ts'

describe('powerOf', () => {
  it.each([
    ['22', 22, 1],
    ['22 kW', 22, 1],
    ['2x22', 22, 2],
    ['2×22 kW', 22, 2],
    ['2 x 22kW', 22, 2],
    ['19,2', 19.2, 1],
    ['3.7', 3.7, 1],
    [' 50kW ', 50, 1],
    ['150 kW DC', 150, 1],
    ['DC 50', 50, 1],
    ['max. 22 kW', 22, 1],
    ['22 (AC)', 22, 1],
    ['1 000', 1000, 1],
    ['1\u202f000 kW', 1000, 1],
    ["1'500,5 kW", 1500.5, 1],
    ['65.000', 65, 1],
    ['22000 W', 22, 1],
    ['２２', 22, 1],
  ])('reads %j as %d kW at %d outlets', (text, kw, outlets) => {
    expect(powerOf(text)).toEqual({ kw, outlets, totalKw: Math.round(kw * outlets * 1000) / 1000 })
  })

  it.each([
    ...'| |abc|kW|0|-5|0x22|100x22|1e3|11/22 kW|2x22+1x50|350kW DC / 22kW AC|22 kW x 2|1,2 MW|150+|11-22 kW|11-22'.split(
      '|',
    ),
    ...'22-11 kW|22 kW + ?|50 / 22 kW AC|32 A|400 V|50 kWh|22 kVA|CCS2 50 kW|22000|1.2.3|NaN|Infinity'.split('|'),
    '9'.repeat(500),
    ' '.repeat(500) + '22',
    null,
  ])('does not guess what %j means', (text) => {
    expect(powerOf(text)).toBeNull()
  })

  it('never throws, and gives only powers that a charger can have', () => {
    fc.assert(
      fc.property(
        fc.oneof(anyText, fc.string({ unit: fc.constantFrom(..."0123456789 .,xkW'×*-acdc()/"), maxLength: 60 })),
        (text) => {
          const power = powerOf(text)
          if (power === null) return
          expect(power.kw).toBeGreaterThan(0)
          expect(power.kw).toBeLessThanOrEqual(10_000)
          expect(Number.isInteger(power.outlets) && power.outlets >= 1).toBe(true)
        },
      ),
    )
  })

  it('takes no time that grows with every repetition', () => {
    // A pattern that can read a blank in two ways would be at this for years.
    expect(powerOf(`1${' ac'.repeat(19)}x`)).toBeNull()
    expect(powerOf(`1${' '.repeat(58)}x`)).toBeNull()
  })

  it('reads back every number it could have been written from', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 99_999 }), fc.integer({ min: 1, max: 9 }), (tenths, outlets) => {
        const kw = tenths / 10
        const written = `${outlets} x ${String(kw).replace('.', ',')} kW`
        expect(powerOf(written)).toMatchObject({ kw, outlets })
      }),
    )
  })
})

it.each([
  ['AC', ['AC']],
  ['dc', ['DC']],
  ['AC/DC', ['AC', 'DC']],
  ['ACDC', ['AC', 'DC']],
  ['dc fast', ['DC']],
  ['DC + AC', ['AC', 'DC']],
  ['AC22', ['AC']],
  ['DCFC', ['DC']],
  ['AC (3-phase)', ['AC']],
  ['fast', []],
  ['', []],
  [null, []],
  ['place', []],
  ['Académie', []],
])('currentsOf reads %j as %j', (type, currents) => {
  expect(currentsOf(type)).toEqual(currents)
})
