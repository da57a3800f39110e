import { describe, expect, it } from 'vitest'
import { consumptionOf, rangeOf } from '../../../../src/shared/chargers/route/consumption.ts'

const AIRCRAFT = {
  connectors: [],
  types: [],
  rangeNm: 75,
  reserve: { value: 15, unit: 'nm' as const },
  speedKt: 90,
  usableKwh: 30,
  maxKw: null,
}

describe('A consumption', () => {
  it('gives the range together with the energy, never more than they do', () => {
    expect(rangeOf(AIRCRAFT, { kwh: 0.4, per: 'nm' })).toBe(75)
    expect(rangeOf(AIRCRAFT, { kwh: 36, per: 'hour' })).toBe(75)
    expect(rangeOf(AIRCRAFT, { kwh: 0.37, per: 'nm' })).toBe(81)
    expect(rangeOf(AIRCRAFT, { kwh: 0.371, per: 'nm' })).toBe(80.8)
  })

  it('gives none without the energy, nor per hour without the speed', () => {
    expect(rangeOf({ ...AIRCRAFT, usableKwh: null }, { kwh: 0.4, per: 'nm' })).toBeNull()
    expect(rangeOf({ ...AIRCRAFT, speedKt: null }, { kwh: 36, per: 'hour' })).toBeNull()
    expect(rangeOf({ ...AIRCRAFT, speedKt: null }, { kwh: 0.4, per: 'nm' })).toBe(75)
    expect(rangeOf(AIRCRAFT, { kwh: 0, per: 'nm' })).toBeNull()
  })

  it('is what energy and range say', () => {
    expect(consumptionOf(AIRCRAFT, 'nm')).toBeCloseTo(0.4, 9)
    expect(consumptionOf(AIRCRAFT, 'hour')).toBeCloseTo(36, 9)
    expect(consumptionOf({ ...AIRCRAFT, speedKt: null }, 'hour')).toBeNull()
    expect(consumptionOf({ ...AIRCRAFT, usableKwh: null }, 'nm')).toBeNull()
  })
})
