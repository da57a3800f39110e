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

/**
 * The initial true bearing of the great circle to another place, from 0 to below 360. Null when either has invalid
 * coordinates.
 */
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

/**
 * The circle of this radius as a closed polygon (the last point is the first) for a flat map. Longitudes continue beyond ±180
 * instead of wrapping, so that no line crosses the whole map; a circle around a pole is closed along that pole. Empty without
 * a centre or a radius, which is at most a quarter of the earth's circumference.
 */
export function ringPoints(centre: Point | null, nm: number, steps: number): Point[] {
  if (centre === null || !(nm > 0)) return []
  const [angle, lat] = [nm / EARTH_NM, centre.lat * RADIANS]
  const points: Point[] = []
  for (let at = 0; at <= steps; at += 1) {
    const bearing = (2 * Math.PI * (at % steps)) / steps
    const sinLat = Math.sin(lat) * Math.cos(angle) + Math.cos(lat) * Math.sin(angle) * Math.cos(bearing)
    const east = Math.sin(bearing) * Math.sin(angle) * Math.cos(lat)
    const lng = centre.lng + Math.atan2(east, Math.cos(angle) - Math.sin(lat) * sinLat) / RADIANS
    const before = points.at(-1)?.lng ?? lng
    points.push({ lat: Math.asin(Math.min(1, Math.max(-1, sinLat))) / RADIANS, lng: nearest(lng, before) })
  }
  const [first, last] = [points[0]!, points.at(-1)!]
  if (Math.abs(last.lng - first.lng) < 180) return points
  const pole = centre.lat > 0 ? 90 : -90
  return [...points, { lat: pole, lng: last.lng }, { lat: pole, lng: first.lng }, first]
}

/** The same longitude, shifted by whole turns to be nearest to another. */
function nearest(lng: number, to: number): number {
  return lng + 360 * Math.round((to - lng) / 360)
}

/** In tenths of a mile, rounded up or down: what is too long must not look as if it could be flown. */
export const tenthsUp = (nm: number) => Math.ceil(nm * 10 - 1e-6) / 10
export const tenthsDown = (nm: number) => Math.floor(nm * 10 + 1e-6) / 10
