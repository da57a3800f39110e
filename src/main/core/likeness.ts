/** A small picture: rows of cells with red, green, blue and alpha between 0 and 255, not premultiplied. */
export interface Raster {
  columns: number
  rows: number
  cells: Uint8Array
}

export interface Size {
  width: number
  height: number
}

/** A cell covers at least this many pixels in each direction: its average survives what compressors do to them. */
const CELL_PIXELS = 4
const MAX_CELLS_ALONG = 32

/** How many cells a picture is compared by. */
export function gridOf({ width, height }: Size): { columns: number; rows: number } {
  const along = (pixels: number): number => Math.max(1, Math.min(MAX_CELLS_ALONG, Math.round(pixels / CELL_PIXELS)))
  return { columns: along(width), rows: along(height) }
}

/** The raster as it looks with this EXIF orientation, 1 to 8. */
export function turned({ columns, rows, cells }: Raster, orientation: number): Raster {
  const isAcross = orientation >= 5
  const made: Raster = {
    columns: isAcross ? rows : columns,
    rows: isAcross ? columns : rows,
    cells: new Uint8Array(cells.length),
  }
  for (let y = 0; y < made.rows; y += 1)
    for (let x = 0; x < made.columns; x += 1) {
      const [u, v] = isAcross ? [y, x] : [x, y]
      const fromRight = [2, 3, 7, 8].includes(orientation)
      const fromBelow = [3, 4, 6, 7].includes(orientation)
      const from = (fromBelow ? rows - 1 - v : v) * columns + (fromRight ? columns - 1 - u : u)
      made.cells.set(cells.subarray(from * 4, from * 4 + 4), (y * made.columns + x) * 4)
    }
  return made
}

/** Below this spread, in levels of 255, a picture is so flat that its own compression would count for too much. */
const MIN_SPREAD = 16

/** The root of the mean square of their differences, divided by how much the first varies in itself. 0 is the same, about 1.4 unrelated. */
export function distance(one: Raster, other: Raster): number {
  const count = one.columns * one.rows
  if (other.columns !== one.columns || other.rows !== one.rows) return Number.POSITIVE_INFINITY
  let squares = 0
  for (let cell = 0; cell < count; cell += 1)
    for (const channel of CHANNELS)
      squares += (visible(one.cells, cell, channel) - visible(other.cells, cell, channel)) ** 2
  return Math.sqrt(squares / count) / spreadOf(one)
}

function spreadOf({ columns, rows, cells }: Raster): number {
  const count = columns * rows
  let variance = 0
  for (const channel of CHANNELS) {
    let [sum, sumOfSquares] = [0, 0]
    for (let cell = 0; cell < count; cell += 1) {
      const value = visible(cells, cell, channel)
      sum += value
      sumOfSquares += value * value
    }
    variance += sumOfSquares / count - (sum / count) ** 2
  }
  return Math.max(MIN_SPREAD, Math.sqrt(Math.max(0, variance)))
}

/**
 * How far the colours of a picture in few colours are from what they stand for in the first: the root of the mean square of the difference
 * between a colour and the mean of the pixels that got it. Taking colours away keeps those means; another picture does not have them.
 */
export function paletteShift(one: Raster, reduced: Raster): number {
  const count = one.columns * one.rows
  if (reduced.columns !== one.columns || reduced.rows !== one.rows) return Number.POSITIVE_INFINITY
  const groups = new Map<string, { cells: number; colour: number[]; sum: number[] }>()
  for (let cell = 0; cell < count; cell += 1) {
    const colour = CHANNELS.map((channel) => visible(reduced.cells, cell, channel))
    const key = colour.join()
    const group = groups.get(key) ?? { cells: 0, colour, sum: [0, 0, 0, 0] }
    group.cells += 1
    for (const channel of CHANNELS) group.sum[channel]! += visible(one.cells, cell, channel)
    groups.set(key, group)
  }
  let squares = 0
  for (const { cells, colour, sum } of groups.values())
    for (const channel of CHANNELS) squares += cells * (sum[channel]! / cells - colour[channel]!) ** 2
  return Math.sqrt(squares / count) / spreadOf(one)
}

const CHANNELS = [0, 1, 2, 3] as const

/** What is under full transparency is seen by nobody. */
function visible(cells: Uint8Array, cell: number, channel: number): number {
  const alpha = cells[cell * 4 + 3]!
  return channel === 3 ? alpha : (cells[cell * 4 + channel]! * alpha) / 255
}
