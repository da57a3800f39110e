import { describe, expect, it } from 'vitest'
import { decimalDegrees, degreesMinutes } from '../../../src/shared/chargers/coordinates.ts'

describe('coordinates', () => {
  it('are written as pilots and as maps do', () => {
    const point = { lat: 47.262167, lng: 11.344 }
    expect(degreesMinutes(point)).toBe('N 47° 15.73′ E 011° 20.64′')
    expect(decimalDegrees(point)).toBe('47.26217, 11.34400')
    expect(degreesMinutes({ lat: -33.5, lng: -70.25 })).toBe('S 33° 30.00′ W 070° 15.00′')
    expect(degreesMinutes({ lat: 3.0833, lng: 5.126 })).toBe('N 03° 05.00′ E 005° 07.56′')
  })

  it('carry minutes that round to 60 into the next degree, and give nought no sign', () => {
    expect(degreesMinutes({ lat: 47.99999, lng: 179.99999 })).toBe('N 48° 00.00′ E 180° 00.00′')
    expect(degreesMinutes({ lat: -0.000001, lng: -0 })).toBe('N 00° 00.00′ E 000° 00.00′')
    expect(decimalDegrees({ lat: -0.000001, lng: -0 })).toBe('0.00000, 0.00000')
  })

  it('are null for what is no place on earth', () => {
    const others = [null, undefined, { lat: NaN, lng: 0 }, { lat: 90.1, lng: 0 }, { lat: 0, lng: -180.1 }]
    for (const other of [...others, { lat: 0, lng: Infinity }, {} as { lat: number; lng: number }])
      expect([decimalDegrees(other), degreesMinutes(other)]).toEqual([null, null])
  })
})
