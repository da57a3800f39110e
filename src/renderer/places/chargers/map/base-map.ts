/** The square that positions are in; see scripts/base-map.mjs. */
export const GRID = 2 ** 20

/** Points, one after the other as x and y, and the box around them. */
export interface Line {
  xy: Int32Array
  minX: number
  minY: number
  maxX: number
  maxY: number
}

/** As scripts/base-map.mjs makes it. */
export interface Encoded {
  land: readonly number[][]
  borders: readonly number[][]
  lakes: readonly number[][]
  rivers: readonly number[][]
  /** With thousands of people; the largest first. */
  towns: readonly (readonly [name: string, x: number, y: number, thousands: number])[]
  /** ISO 3166-1 alpha-2, and how wide its largest piece is. */
  countries: readonly (readonly [code: string, x: number, y: number, width: number])[]
}

export interface BaseMap extends Pick<Encoded, 'towns' | 'countries'> {
  /** Rings, as of lakes; of a piece of land with holes, one after the other. */
  land: readonly Line[]
  lakes: readonly Line[]
  borders: readonly Line[]
  rivers: readonly Line[]
}

export function readBaseMap({ land, lakes, borders, rivers, ...places }: Encoded): BaseMap {
  return {
    ...places,
    land: land.map(decoded),
    lakes: lakes.map(decoded),
    borders: borders.map(decoded),
    rivers: rivers.map(decoded),
  }
}

export function decoded(steps: readonly number[]): Line {
  const xy = new Int32Array(steps.length)
  let [x, y, minX, minY, maxX, maxY] = [0, 0, Infinity, Infinity, -Infinity, -Infinity]
  for (let at = 0; at < steps.length; at += 2) {
    x += steps[at]!
    y += steps[at + 1]!
    xy[at] = x
    xy[at + 1] = y
    minX = Math.min(minX, x)
    minY = Math.min(minY, y)
    maxX = Math.max(maxX, x)
    maxY = Math.max(maxY, y)
  }
  return { xy, minX, minY, maxX, maxY }
}
