import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decimalDegrees, degreesMinutes } from '../../../src/shared/chargers/coordinates.ts'
import { anyPoint } from './any-charger.ts'

describe('coordinates', () => {
  it('are written as pilots and as maps do', () => {
    const point = { lat: 47.262167, lng: 11.344 }
    expect(degreesMinutes(point)).toBe('N 47° 15.73′ E 011° 20.64′')
    expect(decimalDegrees(point)).toBe('47.26217, 11.34400')
    expect(degreesMinutes({ lat: -33.5, lng: -70.25 })).toBe('S 33° 30.00′ W 070° 15.00′')
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

  it('read back to within what was rounded', () => {
    fc.assert(
      fc.property(anyPoint, (point) => {
        const [lat, lng] = decimalDegrees(point)!.split(', ').map(Number)
        expect(Math.abs(lat! - point.lat)).toBeLessThanOrEqual(0.000_005_1)
        expect(Math.abs(lng! - point.lng)).toBeLessThanOrEqual(0.000_005_1)
        const parts = /^([NS]) (\d\d)° ([0-5]\d\.\d\d)′ ([EW]) (\d{3})° ([0-5]\d\.\d\d)′$/.exec(degreesMinutes(point)!)!
        const read = (sign: string, degrees: string, minutes: string) =>
          (/[SW]/.test(sign) ? -1 : 1) * (Number(degrees) + Number(minutes) / 60)
        expect(Math.abs(read(parts[1]!, parts[2]!, parts[3]!) - point.lat)).toBeLessThan(0.0001)
        expect(Math.abs(read(parts[4]!, parts[5]!, parts[6]!) - point.lng)).toBeLessThan(0.0001)
      }),
    )
  })
})
