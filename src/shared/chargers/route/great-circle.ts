import { distanceNm, unitVector, type Point } from '../distance.ts'

/** Fine enough for straight lines between the points to look like the great circle on any route map. */
const STEP_NM = 20
const RADIANS = Math.PI / 180

/** The great circle between two places as points, both ends included. Longitudes are within ±180 and wrap at the meridian. */
export function greatCircle(from: Point, to: Point): Point[] {
  const nm = distanceNm(from, to) ?? 0
  const steps = Math.max(1, Math.ceil(nm / STEP_NM))
  const [one, other] = [unitVector(from), unitVector(to)]
  const cosine = Math.max(-1, Math.min(1, one[0] * other[0] + one[1] * other[1] + one[2] * other[2]))
  const angle = Math.acos(cosine)
  if (steps === 1 || Math.sin(angle) < 1e-9) return [from, to]
  const points: Point[] = [from]
  for (let at = 1; at < steps; at += 1) {
    const [a, b] = [Math.sin((1 - at / steps) * angle), Math.sin((at / steps) * angle)]
    const [x, y, z] = [a * one[0] + b * other[0], a * one[1] + b * other[1], a * one[2] + b * other[2]]
    points.push({ lat: Math.atan2(z, Math.hypot(x, y)) / RADIANS, lng: Math.atan2(y, x) / RADIANS })
  }
  return [...points, to]
}

/** Longitudes continue beyond ±180 instead of wrapping, so that on a flat map no line crosses all of it. */
export function legLines(legs: readonly (readonly [Point, Point])[]): Point[][] {
  let before: number | null = null
  return legs.map(([from, to]) =>
    greatCircle(from, to).map(({ lat, lng }) => {
      before = before === null ? lng : lng + 360 * Math.round((before - lng) / 360)
      return { lat, lng: before }
    }),
  )
}

/** The same line, cut where it crosses the 180th meridian (RFC 7946, section 3.1.9). */
export function cutAtMeridian(points: readonly Point[]): Point[][] {
  const parts: Point[][] = [[]]
  points.forEach((point, at) => {
    const before = points[at - 1]
    if (before !== undefined && Math.abs(point.lng - before.lng) > 180) {
      const edge = before.lng > 0 ? 180 : -180
      const beyond = point.lng + 2 * edge
      const share = beyond === before.lng ? 0 : (edge - before.lng) / (beyond - before.lng)
      const lat = before.lat + (point.lat - before.lat) * share
      parts.at(-1)!.push({ lat, lng: edge })
      parts.push([{ lat, lng: -edge }])
    }
    parts.at(-1)!.push(point)
  })
  return parts
}
