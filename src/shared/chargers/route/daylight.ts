import type { Point } from '../distance.ts'

/** Daylight at an arrival, at sea level with a free horizon: sunset and the end of civil twilight in Unix milliseconds. */
export interface Daylight {
  light: 'day' | 'civil_twilight' | 'night'
  /** That solar day (noon to noon around the arrival): polar day and polar night have no sunset. */
  sun: 'sets' | 'does_not_set' | 'does_not_rise'
  /** The sunset of the day or, in the dark of the morning, of the evening before; null unless the sun sets. */
  sunsetMs: number | null
  /** Of the same evening; null when the twilight lasts all night, or there is none. */
  civilTwilightEndMs: number | null
}

const DAY_MS = 86_400_000
const DEGREE_MS = DAY_MS / 360
const J2000_MS = Date.UTC(2000, 0, 1, 12)
/** Refraction and half of the sun's disc: the centre is that far below the horizon when its upper edge sets. */
const SUNSET_DEGREES = -0.833
const CIVIL_TWILIGHT_DEGREES = -6
const RADIANS = Math.PI / 180

/** The daylight at a place when one arrives at that time. */
export function daylightAt(place: Point, arriveMs: number): Daylight {
  const { altitude, hourAngle } = sunAt(place, arriveMs)
  const light = altitude > SUNSET_DEGREES ? 'day' : altitude > CIVIL_TWILIGHT_DEGREES ? 'civil_twilight' : 'night'
  const noonMs = arriveMs - hourAngle * DEGREE_MS
  const lastsAllNight = descent(place, noonMs, CIVIL_TWILIGHT_DEGREES) === 'above'
  const isSameNight = light === 'night' || (light === 'civil_twilight' && lastsAllNight)
  const ofMs = isSameNight && hourAngle < 0 ? noonMs - DAY_MS : noonMs
  const sunset = descent(place, ofMs, SUNSET_DEGREES)
  const twilight = descent(place, ofMs, CIVIL_TWILIGHT_DEGREES)
  return {
    light,
    sun: sunset === 'above' ? 'does_not_set' : sunset === 'below' ? 'does_not_rise' : 'sets',
    sunsetMs: typeof sunset === 'number' ? sunset : null,
    civilTwilightEndMs: typeof twilight === 'number' ? twilight : null,
  }
}

/** When the sun sinks to this altitude between that noon and midnight, to a tenth of a second, or on which side of it the sun stays. */
function descent(place: Point, noonMs: number, limit: number): number | 'above' | 'below' {
  const isAbove = (atMs: number) => sunAt(place, atMs).altitude > limit
  let [above, below] = [noonMs, noonMs + DAY_MS / 2]
  if (!isAbove(above)) return 'below'
  if (isAbove(below)) return 'above'
  while (below - above > 100) {
    const middle = (above + below) / 2
    if (isAbove(middle)) above = middle
    else below = middle
  }
  return below
}

/**
 * Altitude and hour angle (from -180 to 180, 0 at solar noon) in degrees, by the low-precision formulas of the Astronomical Almanac:
 * within a hundredth of a degree from 1950 to 2050.
 */
function sunAt({ lat, lng }: Point, atMs: number): { altitude: number; hourAngle: number } {
  const days = (atMs - J2000_MS) / DAY_MS
  const anomaly = (357.528 + 0.9856003 * days) * RADIANS
  const meanLongitude = 280.46 + 0.9856474 * days
  const longitude = (meanLongitude + 1.915 * Math.sin(anomaly) + 0.02 * Math.sin(2 * anomaly)) * RADIANS
  const obliquity = (23.439 - 0.0000004 * days) * RADIANS
  const ascension = Math.atan2(Math.cos(obliquity) * Math.sin(longitude), Math.cos(longitude)) / RADIANS
  const declination = Math.asin(Math.sin(obliquity) * Math.sin(longitude))
  const angle = 280.46062 + 360.98564737 * days + lng - ascension
  const hourAngle = angle - 360 * Math.floor((angle + 180) / 360)
  const [sin, cos] = [Math.sin(lat * RADIANS), Math.cos(lat * RADIANS)]
  const height = sin * Math.sin(declination) + cos * Math.cos(declination) * Math.cos(hourAngle * RADIANS)
  return { altitude: Math.asin(height) / RADIANS, hourAngle }
}
