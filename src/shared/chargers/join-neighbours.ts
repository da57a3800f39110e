import type { ChargePoint } from './charger.ts'
import { distanceKm, isPoint, type Point } from './distance.ts'

const TOGETHER_KM = 0.05
/** Over 100 m. */
const CELL_DEGREES = 0.001
/** Beyond this many different places in one cell, further chargers join existing places but add no new ones. */
const MAX_PLACES_IN_CELL = 64

interface Place {
  at: number
  point: Point
}

/** Calls `join` with indices of chargers that stand within 50 m of each other, in time linear in their number. */
export function joinNeighbours(
  chargers: readonly Pick<ChargePoint, 'location'>[],
  join: (one: number, other: number) => void,
): void {
  const cells = new Map<number, Place[]>()
  chargers.forEach(({ location }, at) => {
    if (!isPoint(location)) return
    let isNewPlace = true
    for (const key of keysAround(location))
      for (const { at: other, point } of cells.get(key) ?? []) {
        const isSame = point.lat === location.lat && point.lng === location.lng
        if (isSame) isNewPlace = false
        if (isSame || (distanceKm(point, location) ?? Infinity) <= TOGETHER_KM) join(other, at)
      }
    if (!isNewPlace) return
    const row = Math.floor(location.lat / CELL_DEGREES)
    const columns = columnsIn(row)
    const key = cellKey(row, Math.floor(columnOf(location.lng, columns)) % columns)
    const cell = cells.get(key)
    if (cell === undefined) cells.set(key, [{ at, point: location }])
    else if (cell.length < MAX_PLACES_IN_CELL) cell.push({ at, point: location })
  })
}

/** The one to four cells that cover everything within half a cell, which is more than 50 m. */
function keysAround({ lat, lng }: Point): number[] {
  const keys: number[] = []
  const row = lat / CELL_DEGREES
  for (let beside = Math.floor(row - 0.5); beside <= Math.floor(row + 0.5); beside += 1) {
    const columns = columnsIn(beside)
    const column = columnOf(lng, columns)
    const [first, last] = [Math.floor(column - 0.5), Math.floor(column + 0.5)]
    for (let across = first; across <= last; across += 1) {
      const key = cellKey(beside, (across + columns) % columns)
      if (!keys.includes(key)) keys.push(key)
    }
  }
  return keys
}

/** How many cells, each as wide as it is high, go around the earth in this row, measured at its edge nearer to the pole. */
function columnsIn(row: number): number {
  const farthest = Math.min(90, Math.max(Math.abs(row), Math.abs(row + 1)) * CELL_DEGREES)
  return Math.max(1, Math.floor((360 / CELL_DEGREES) * Math.cos((farthest * Math.PI) / 180)))
}

/** Fractional: the fraction is the position within the cell. */
function columnOf(lng: number, columns: number): number {
  return ((lng + 180) / 360) * columns
}

function cellKey(row: number, column: number): number {
  return (row + 90 / CELL_DEGREES + 1) * (360 / CELL_DEGREES + 1) + column
}
