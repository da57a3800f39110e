/** Degrees. */
export interface Point {
  lat: number
  lng: number
}

/** Mean radius of the earth (IUGG): accurate to half a percent, as great circles on a sphere are. */
const EARTH_NM = 6371.0088 / 1.852
const RADIANS = Math.PI / 180

export function isPoint(point: Point | null | undefined): point is Point {
  return (
    typeof point === 'object' &&
    point !== null &&
    Number.isFinite(point.lat) &&
    Number.isFinite(point.lng) &&
    Math.abs(point.lat) <= 90 &&
    Math.abs(point.lng) <= 180
  )
}

/** Along the great circle; null when either has invalid coordinates. */
export function distanceNm(one: Point | null, other: Point | null): number | null {
  if (!isPoint(one) || !isPoint(other)) return null
  return nmOfSquaredChord(squaredChord(unitVector(one), unitVector(other)))
}

/** A place as a vector of length 1, for comparing many distances with a single one. */
export type UnitVector = readonly [number, number, number]

export function unitVector({ lat, lng }: Point): UnitVector {
  const ring = Math.cos(lat * RADIANS)
  return [ring * Math.cos(lng * RADIANS), ring * Math.sin(lng * RADIANS), Math.sin(lat * RADIANS)]
}

/** Squared chord between two unit vectors at this great-circle distance, to compare with `squaredChord`. */
export function squaredChordOfNm(nm: number): number {
  const angle = Math.min(Math.max(0, nm / EARTH_NM), Math.PI)
  return (2 * Math.sin(angle / 2)) ** 2
}

export function squaredChord(one: UnitVector, other: UnitVector): number {
  return (one[0] - other[0]) ** 2 + (one[1] - other[1]) ** 2 + (one[2] - other[2]) ** 2
}

/** The initial true bearing of the great circle to another place, from 0 to below 360; null for invalid coordinates. */
export function bearingDegrees(from: Point | null, to: Point | null): number | null {
  if (!isPoint(from) || !isPoint(to)) return null
  const [lat, otherLat, east] = [from.lat * RADIANS, to.lat * RADIANS, (to.lng - from.lng) * RADIANS]
  const y = Math.sin(east) * Math.cos(otherLat)
  const x = Math.cos(lat) * Math.sin(otherLat) - Math.sin(lat) * Math.cos(otherLat) * Math.cos(east)
  return (Math.atan2(y, x) / RADIANS + 360) % 360
}

/** The great-circle distance for a squared chord between unit vectors. */
export function nmOfSquaredChord(square: number): number {
  return 2 * EARTH_NM * Math.asin(Math.min(1, Math.sqrt(square) / 2))
}

/** In tenths of a mile, rounded up or down: what is too long must not look as if it could be flown. */
export const tenthsUp = (nm: number) => Math.ceil(nm * 10 - 1e-6) / 10
export const tenthsDown = (nm: number) => Math.floor(nm * 10 + 1e-6) / 10
