import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { daylightAt } from '../../../../src/shared/chargers/route/daylight.ts'

const MINUTE_MS = 60_000
const at = (lat: number, lng: number, time: string) => daylightAt({ lat, lng }, Date.parse(time))

describe('Daylight at an arrival', () => {
  // The U.S. Naval Observatory's "Complete Sun and Moon Data for One Day", and for New Zealand sunrise-sunset.org.
  it.each([
    ['Los Angeles', 34.05, -118.25, '2026-06-10T20:04-07:00', '2026-06-10T20:33-07:00'],
    ['Arizona', 36.08695, -111.86464, '2025-05-15T19:27-07:00', '2025-05-15T19:56-07:00'],
    ['Michigan', 42.2, -86.3, '2022-07-30T01:07Z', '2022-07-30T01:39Z'],
    ['Auckland', -36.8484437, 174.7600023, '2020-03-20T06:32:06Z', '2020-03-20T06:57:52Z'],
  ])('has the published sunset and twilight: %s', (_, lat, lng, sunset, twilight) => {
    for (const hoursBefore of [-2, 0, 2, 8]) {
      const arriveMs = Date.parse(sunset) - hoursBefore * 60 * MINUTE_MS
      const { sun, sunsetMs, civilTwilightEndMs } = daylightAt({ lat, lng }, arriveMs)
      expect(sun).toBe('sets')
      expect(Math.abs(sunsetMs! - Date.parse(sunset))).toBeLessThan(2 * MINUTE_MS)
      expect(Math.abs(civilTwilightEndMs! - Date.parse(twilight))).toBeLessThan(2 * MINUTE_MS)
    }
  })

  it('is day, civil twilight or night, and of the evening before in the dark of a morning', () => {
    const light = (time: string) => at(34.05, -118.25, `2026-06-10T${time}-07:00`).light
    // Twilight begins at 05:12, and the sun rises at 05:41.
    const lights = ['05:08', '05:16', '05:37', '05:45', '20:00', '20:08', '20:29', '20:37'].map(light)
    expect(lights.join(' ')).toBe('night civil_twilight civil_twilight day day civil_twilight civil_twilight night')
    const day = (time: string) => new Date(at(34.05, -118.25, time).sunsetMs! - 7 * 60 * MINUTE_MS).getUTCDate()
    expect([day('2026-06-10T03:00-07:00'), day('2026-06-10T05:30-07:00'), day('2026-06-10T23:00-07:00')]).toEqual([
      9, 10, 10,
    ])
  })

  it('knows days on which the sun does not set or rise, and nights of twilight', () => {
    // The Naval Observatory: continuously above the horizon.
    const without = { sunsetMs: null, civilTwilightEndMs: null }
    expect(at(70, -150, '2026-06-21T22:00-09:00')).toEqual({ light: 'day', sun: 'does_not_set', ...without })
    // Longyearbyen and Tromsø in December; Trondheim in June.
    expect(at(78.22, 15.65, '2026-12-21T11:00Z')).toEqual({ light: 'night', sun: 'does_not_rise', ...without })
    expect(at(69.65, 18.96, '2026-12-21T11:00Z')).toMatchObject({
      light: 'civil_twilight',
      sun: 'does_not_rise',
      sunsetMs: null,
      civilTwilightEndMs: expect.any(Number) as number,
    })
    expect(at(63.43, 10.4, '2026-06-21T23:00Z')).toMatchObject({
      light: 'civil_twilight',
      sun: 'sets',
      sunsetMs: expect.any(Number) as number,
      civilTwilightEndMs: null,
    })
  })

  it('tells the sunset before, not the one 20 hours later, after midnight in a twilight that lasts all night', () => {
    const { light, sunsetMs } = at(62.5, 25, '2026-06-21T23:30Z')
    expect(light).toBe('civil_twilight')
    expect(new Date(sunsetMs!).toISOString()).toMatch(/^2026-06-21T20:2/)
  })

  it('agrees with itself anywhere at any time, the poles included', () => {
    const point = {
      lat: fc.double({ min: -90, max: 90, noNaN: true }),
      lng: fc.double({ min: -180, max: 180, noNaN: true }),
    }
    const ms = fc.integer({ min: 0, max: Date.UTC(2999, 11, 31) })
    fc.assert(
      fc.property(fc.record(point), ms, (place, arriveMs) => {
        const { light, sun, sunsetMs, civilTwilightEndMs } = daylightAt(place, arriveMs)
        expect(sunsetMs !== null).toBe(sun === 'sets')
        if (sun === 'does_not_set') expect(civilTwilightEndMs).toBeNull()
        if (sunsetMs !== null) expect(Math.abs(sunsetMs - arriveMs)).toBeLessThan(36 * 60 * MINUTE_MS)
        if (sunsetMs !== null && civilTwilightEndMs !== null) expect(civilTwilightEndMs).toBeGreaterThan(sunsetMs)
        if (Math.abs(place.lat) < 60 && light === 'day') expect(sunsetMs).toBeGreaterThan(arriveMs - 1000)
      }),
      { seed: 1, numRuns: 2000 },
    )
  })
})
