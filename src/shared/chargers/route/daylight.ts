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
const MINUTE_MS = 60_000
const J2000_MS = Date.UTC(2000, 0, 1, 12)
const CENTURY_MS = 36_525 * DAY_MS
/** Refraction and half of the sun's disc: the centre is that far below the horizon when its upper edge sets. */
const SUNSET_DEGREES = -0.833
const CIVIL_TWILIGHT_DEGREES = -6
/** Each round calculates the sun at the time that the last one gave. */
const ROUNDS = 5

const radians = (degrees: number) => (degrees * Math.PI) / 180
const degrees = (angle: number) => (angle * 180) / Math.PI
const sin = (angle: number) => Math.sin(radians(angle))
const cos = (angle: number) => Math.cos(radians(angle))

/** The daylight at a place when one arrives at that time. */
export function daylightAt(place: Point, arriveMs: number): Daylight {
  const hourAngle = hourAngleAt(place, arriveMs)
  const altitude = altitudeAt(place, arriveMs, hourAngle)
  const light = altitude > SUNSET_DEGREES ? 'day' : altitude > CIVIL_TWILIGHT_DEGREES ? 'civil_twilight' : 'night'
  const noonMs = arriveMs - hourAngle * 4 * MINUTE_MS
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

/** When the sun sinks to this altitude after that noon, or on which side of it the sun stays. */
function descent(place: Point, noonMs: number, altitude: number): number | 'above' | 'below' {
  let [atMs, cosine] = [noonMs + DAY_MS / 4, 0]
  for (let round = 0; round < ROUNDS; round += 1) {
    const { declination } = sunAt(atMs)
    cosine = (sin(altitude) - sin(place.lat) * sin(declination)) / (cos(place.lat) * cos(declination))
    const wanted = degrees(Math.acos(Math.min(1, Math.max(-1, cosine))))
    atMs += halfTurn(wanted - hourAngleAt(place, atMs)) * 4 * MINUTE_MS
  }
  return cosine < -1 ? 'above' : cosine > 1 ? 'below' : atMs
}

/** Degrees, from -180 to 180; 0 at solar noon. */
function hourAngleAt({ lng }: Point, atMs: number): number {
  const minutes = (atMs % DAY_MS) / MINUTE_MS + sunAt(atMs).equationOfTime + 4 * lng
  return halfTurn(minutes / 4 - 180)
}

/** The same angle from -180 to below 180 degrees. */
function halfTurn(angle: number): number {
  return angle - 360 * Math.floor((angle + 180) / 360)
}

function altitudeAt({ lat }: Point, atMs: number, hourAngle: number): number {
  const { declination } = sunAt(atMs)
  return degrees(Math.asin(sin(lat) * sin(declination) + cos(lat) * cos(declination) * cos(hourAngle)))
}

/**
 * Declination in degrees and equation of time in minutes, as in NOAA's Solar Calculator (gml.noaa.gov/grad/solcalc), after
 * Jean Meeus, "Astronomical Algorithms": sunsets within a minute below 72° of latitude.
 */
function sunAt(atMs: number): { declination: number; equationOfTime: number } {
  const t = (atMs - J2000_MS) / CENTURY_MS
  const longitude = 280.46646 + t * (36_000.76983 + t * 0.0003032)
  const anomaly = 357.52911 + t * (35_999.05029 - t * 0.0001537)
  const eccentricity = 0.016708634 - t * (0.000042037 + t * 0.0000001267)
  const centre =
    sin(anomaly) * (1.914602 - t * (0.004817 + t * 0.000014)) +
    sin(2 * anomaly) * (0.019993 - t * 0.000101) +
    sin(3 * anomaly) * 0.000289
  const node = 125.04 - 1934.136 * t
  const apparent = longitude + centre - 0.00569 - 0.00478 * sin(node)
  const arcSeconds = 21.448 - t * (46.815 + t * (0.00059 - t * 0.001813))
  const obliquity = 23 + 26 / 60 + arcSeconds / 3600 + 0.00256 * cos(node)
  const y = Math.tan(radians(obliquity / 2)) ** 2
  const equation =
    y * sin(2 * longitude) -
    2 * eccentricity * sin(anomaly) +
    4 * eccentricity * y * sin(anomaly) * cos(2 * longitude) -
    0.5 * y * y * sin(4 * longitude) -
    1.25 * eccentricity * eccentricity * sin(2 * anomaly)
  return {
    declination: degrees(Math.asin(sin(obliquity) * sin(apparent))),
    equationOfTime: 4 * degrees(equation),
  }
}
