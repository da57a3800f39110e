import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  distanceNm,
  ringPoints,
  squaredChord,
  squaredChordOfNm,
  unitVector,
} from '../../../src/shared/chargers/distance.ts'

const KM_PER_NM = 1.852
const distanceKm = (...places: Parameters<typeof distanceNm>) => distanceNm(...places)! * KM_PER_NM

const point = fc.record({
  lat: fc.double({ min: -90, max: 90, noNaN: true }),
  lng: fc.double({ min: -180, max: 180, noNaN: true }),
})

describe('distances', () => {
  it('agree with known ones', () => {
    const [frankfurt, newYork] = [
      { lat: 50.0333, lng: 8.5706 },
      { lat: 40.6398, lng: -73.7789 },
    ]
    expect(distanceKm(frankfurt, newYork)).toBeCloseTo(6184, -2)
    expect(distanceNm({ lat: 0, lng: 0 }, { lat: 1, lng: 0 })).toBeCloseTo(60.04, 1)
    expect(distanceKm({ lat: 0, lng: 179.9 }, { lat: 0, lng: -179.9 })).toBeCloseTo(22.24, 1)
    expect(distanceKm(newYork, newYork)).toBe(0)
  })

  it('are unknown to what is no place', () => {
    expect(distanceNm(null, { lat: 0, lng: 0 })).toBeNull()
    expect(distanceNm({ lat: 91, lng: 0 }, { lat: 0, lng: 0 })).toBeNull()
  })

  it('are the same both ways', () => {
    fc.assert(
      fc.property(point, point, (one, other) => {
        expect(distanceKm(one, other)).toBeCloseTo(distanceKm(other, one), 6)
        expect(distanceKm(one, other)).toBeLessThanOrEqual(20_016)
      }),
    )
  })

  it('compare as straight lines between vectors do', () => {
    fc.assert(
      fc.property(point, point, fc.double({ min: 0.1, max: 10_000, noNaN: true }), (one, other, nm) => {
        const exact = distanceNm(one, other)!
        fc.pre(Math.abs(exact - nm) > 0.001)
        expect(squaredChord(unitVector(one), unitVector(other)) <= squaredChordOfNm(nm)).toBe(exact <= nm)
      }),
    )
  })
})

describe('ringPoints', () => {
  it('makes a closed circle that never jumps across the map', () => {
    fc.assert(
      fc.property(point, fc.double({ min: 0.1, max: 5000, noNaN: true }), (centre, km) => {
        const ring = ringPoints(centre, km / KM_PER_NM, 72)
        expect(ring.at(-1)).toEqual(ring[0])
        const circle = ring.slice(0, 73)
        for (const { lat, lng } of circle) {
          const wrapped = ((((lng + 180) % 360) + 360) % 360) - 180
          expect(Math.abs(distanceKm(centre, { lat, lng: wrapped }) - km)).toBeLessThan(0.01)
        }
        for (let at = 1; at < circle.length; at += 1)
          expect(Math.abs(circle[at]!.lng - circle[at - 1]!.lng)).toBeLessThanOrEqual(180 + 1e-9)
      }),
    )
  })

  it('runs on beyond 180 degrees where it crosses the antimeridian', () => {
    const ring = ringPoints({ lat: 0, lng: 179.9 }, 54, 72)
    expect(Math.max(...ring.map(({ lng }) => lng))).toBeGreaterThan(180)
    expect(Math.max(...ring.map(({ lng }) => lng)) - Math.min(...ring.map(({ lng }) => lng))).toBeLessThan(3)
  })

  it('is closed along the pole that it goes round', () => {
    const north = ringPoints({ lat: 89, lng: 20 }, 270, 72)
    expect(north.slice(-3, -1).map(({ lat }) => lat)).toEqual([90, 90])
    expect(Math.abs(north.at(-3)!.lng - north.at(-2)!.lng)).toBeCloseTo(360, 6)
    expect(ringPoints({ lat: -89, lng: 20 }, 270, 72).some(({ lat }) => lat === -90)).toBe(true)
  })
})
