import { bearingDegrees, distanceNm, type Point } from '../distance.ts'

/** One wind for a whole route: degrees true that it blows from, and knots. */
export interface Wind {
  fromDegrees: number
  knots: number
}

/** A wind in proportion to the airspeed, below 1: the wind triangle needs no more. */
export interface RelativeWind {
  fromDegrees: number
  share: number
}

const RADIANS = Math.PI / 180

/** "270/15"; null for anything else. */
export function readWind(text: string): Wind | null {
  const [, degrees, knots] = /^(\d{1,3})\/(\d{1,3}(?:\.\d+)?)$/.exec(text.trim()) ?? []
  if (degrees === undefined || Number(degrees) > 360) return null
  return { fromDegrees: Number(degrees) % 360, knots: Number(knots) }
}

/** "005/15", as `readWind` reads it. */
export const windText = ({ fromDegrees, knots }: Wind) => `${String(fromDegrees).padStart(3, '0')}/${knots}`
/** Null for still air, and while the airspeed is not above the wind's. */
export function relativeWind(wind: Wind | null | undefined, speedKt: number | null): RelativeWind | null {
  if (wind == null || wind.knots === 0 || speedKt === null || !(wind.knots < speedKt)) return null
  return { fromDegrees: wind.fromDegrees, share: wind.knots / speedKt }
}

/** Ground speed over airspeed on this track: the wind triangle, with the nose turned into the wind. */
export function groundShare({ fromDegrees, share }: RelativeWind, track: number): number {
  const angle = (fromDegrees - track) * RADIANS
  return Math.sqrt(1 - (share * Math.sin(angle)) ** 2) - share * Math.cos(angle)
}

/** The most that `groundShare` can be: with the wind from behind. */
export const mostGroundShare = (wind: RelativeWind | null) => 1 + (wind?.share ?? 0)

/** How far one flies through the air while covering these miles over ground; the track is that at the start of the great circle. */
export function airNm(
  wind: RelativeWind | null,
  from: Point,
  to: Point,
  groundNm = distanceNm(from, to) ?? Infinity,
): number {
  return wind === null ? groundNm : groundNm / groundShare(wind, bearingDegrees(from, to) ?? 0)
}
