import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { distanceNm, squaredChord, squaredChordOfNm, unitVector } from '../../../src/shared/chargers/distance.ts'
import { anyPoint } from './any-charger.ts'
const KM_PER_NM = 1.852
const distanceKm = (...places: Parameters<typeof distanceNm>) => distanceNm(...places)! * KM_PER_NM

describe('distances', () => {
  it('agree with known ones', () => {
    const [frankfurt, newYork] = [{ lat: 50.0333, lng: 8.5706 } as const, { lat: 40.6398, lng: -73.7789 } as const]
    expect(distanceKm(frankfurt, newYork)).toBeCloseTo(6184, -2)
    expect(distanceNm({ lat: 0, lng: 0 }, { lat: 1, lng: 0 })).toBeCloseTo(60.04, 1)
    expect(distanceKm({ lat: 0, lng: 179.9 }, { lat: 0, lng: -179.9 })).toBeCloseTo(22.24, 1)
    expect(distanceKm(newYork, newYork)).toBe(0)
  })

  it('are unknown to what is no place', () => {
    expect(distanceNm(null, { lat: 0, lng: 0 })).toBeNull()
    expect(distanceNm({ lat: 91, lng: 0 }, { lat: 0, lng: 0 })).toBeNull()
  })

  it('compare as straight lines between vectors do', () => {
    fc.assert(
      fc.property(anyPoint, anyPoint, fc.double({ min: 0.1, max: 10_000, noNaN: true }), (one, other, nm) => {
        const exact = distanceNm(one, other)!
        fc.pre(Math.abs(exact - nm) > 0.001)
        expect(squaredChord(unitVector(one), unitVector(other)) <= squaredChordOfNm(nm)).toBe(exact <= nm)
      }),
    )
  })
})
