import { describe, expect, it } from 'vitest'
import { readReserve, reserveAs, reserveInNm, reserveText } from '../../../../src/shared/chargers/route/aircraft.ts'

const AIRCRAFT = { rangeNm: 75, speedKt: 90 }

describe('A reserve', () => {
  it('is in miles, in minutes or in percent', () => {
    expect(['15', '15nm', ' 7.5 NM ', '30min', '30 min', '20%', '0'].map(readReserve)).toEqual([
      { value: 15, unit: 'nm' },
      { value: 15, unit: 'nm' },
      { value: 7.5, unit: 'nm' },
      { value: 30, unit: 'min' },
      { value: 30, unit: 'min' },
      { value: 20, unit: 'percent' },
      { value: 0, unit: 'nm' },
    ])
  })

  it.each('|min|%|-5|1e3|30 minutes|20 % min|15km|1,5|NaN|Infinity|0x10'.split('|'))('is not %j', (text) => {
    expect(readReserve(text)).toBeNull()
  })

  it('is kept in miles, never fewer than asked for', () => {
    expect(reserveInNm({ value: 15.25, unit: 'nm' }, AIRCRAFT)).toBe(15.25)
    expect(reserveInNm({ value: 30, unit: 'min' }, AIRCRAFT)).toBe(45)
    expect(reserveInNm({ value: 20, unit: 'percent' }, AIRCRAFT)).toBe(15)
    expect(reserveInNm({ value: 20, unit: 'min' }, { rangeNm: 75, speedKt: 100 })).toBe(33.4)
    expect(reserveInNm({ value: 33, unit: 'percent' }, AIRCRAFT)).toBe(24.8)
  })

  it('is written as it is read', () => {
    for (const text of ['15', '7.5', '30min', '20%']) expect(reserveText(readReserve(text)!)).toBe(text)
    expect(reserveText({ value: 1e-7, unit: 'nm' })).toBe('0')
  })

  it('keeps as much at least in another unit', () => {
    const miles = { value: 25, unit: 'nm' as const }
    expect(reserveAs('min', miles, AIRCRAFT)).toEqual({ value: 17, unit: 'min' })
    expect(reserveAs('percent', miles, AIRCRAFT)).toEqual({ value: 34, unit: 'percent' })
    expect(reserveAs('nm', { value: 30, unit: 'min' }, AIRCRAFT)).toEqual({ value: 45, unit: 'nm' })
    expect(reserveAs('percent', { value: 30, unit: 'min' }, AIRCRAFT)).toEqual({ value: 60, unit: 'percent' })
    expect(reserveAs('min', { value: 0, unit: 'nm' }, AIRCRAFT)).toEqual({ value: 0, unit: 'min' })
    for (const speedKt of [null, 0]) expect(reserveAs('min', miles, { rangeNm: 75, speedKt })).toBeNull()
  })

  it('of minutes is not known without the speed', () => {
    expect(reserveInNm({ value: 30, unit: 'min' }, { rangeNm: 75, speedKt: null })).toBeNull()
    expect(reserveInNm({ value: 20, unit: 'percent' }, { rangeNm: 75, speedKt: null })).toBe(15)
  })
})
