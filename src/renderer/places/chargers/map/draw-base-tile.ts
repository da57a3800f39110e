import { worldX, worldY, type BaseShapes, type Line } from './base-shapes.ts'

export interface BaseColours {
  sea: string
  land: string
  coast: string
  border: string
  grid: string
}

/** One tile of the base map. `x` counts from the left edge of a world; sizes are in CSS pixels. */
export interface BaseTile {
  z: number
  x: number
  y: number
  size: number
  ratio: number
}

interface View {
  /** Scale from world units to pixels of the tile. */
  scale: number
  left: number
  top: number
  size: number
}

/** The width of the world at zoom 0, as usual for web maps. */
const WORLD_PX = 256
/** Pixels drawn beyond the tile's edge, so that lines do not end there. */
const MARGIN = 4
/** Points closer than this are merged. */
const NEAR = 0.6

type Canvas = OffscreenCanvasRenderingContext2D

export function drawBaseTile(canvas: Canvas, shapes: BaseShapes, tile: BaseTile, colours: BaseColours): void {
  const { z, x, y, size, ratio } = tile
  const scale = WORLD_PX * 2 ** z
  const view: View = { scale, left: x * size, top: y * size, size }
  canvas.setTransform(ratio, 0, 0, ratio, 0, 0)
  canvas.fillStyle = colours.sea
  canvas.fillRect(0, 0, size, size)
  canvas.fillStyle = colours.land
  for (const polygon of shapes.land) if (isNear(polygon[0]!, view)) fillPolygon(canvas, polygon, view)
  drawGrid(canvas, tile, view, colours.grid)
  canvas.lineJoin = 'round'
  strokeLines(canvas, shapes.borders, view, colours.border, z < 5 ? 0.6 : 1)
  strokeLines(canvas, shapes.coasts, view, colours.coast, z < 5 ? 0.7 : 1)
}

/** Degrees between grid lines by zoom: where the map has no more detail, the grid still gives a sense of scale. */
const GRID_STEPS: readonly (readonly [zoom: number, degrees: number])[] = [
  [11, 0.25],
  [9, 0.5],
  [7, 1],
  [6, 2],
  [4, 10],
  [0, 30],
]

function drawGrid(canvas: Canvas, { z }: BaseTile, { scale, left, top, size }: View, colour: string): void {
  const step = GRID_STEPS.find(([zoom]) => z >= zoom)?.[1] ?? 30
  canvas.beginPath()
  const west = (left / scale) * 360 - 180
  const east = ((left + size) / scale) * 360 - 180
  for (let lng = Math.ceil(west / step) * step; lng <= east; lng += step) {
    const x = Math.round(worldX(lng) * scale - left) + 0.5
    canvas.moveTo(x, 0)
    canvas.lineTo(x, size)
  }
  const north = latitude(top / scale)
  const south = latitude((top + size) / scale)
  for (let lat = Math.ceil(south / step) * step; lat <= north; lat += step) {
    const y = Math.round(worldY(lat) * scale - top) + 0.5
    canvas.moveTo(0, y)
    canvas.lineTo(size, y)
  }
  canvas.lineWidth = 1
  canvas.strokeStyle = colour
  canvas.stroke()
}

/** The latitude at a height in the world square. */
function latitude(worldHeight: number): number {
  return (Math.atan(Math.sinh(Math.PI * (1 - 2 * worldHeight))) * 180) / Math.PI
}

function isNear({ minX, minY, maxX, maxY }: Line, { scale, left, top, size }: View): boolean {
  return (
    maxX * scale >= left - MARGIN &&
    minX * scale <= left + size + MARGIN &&
    maxY * scale >= top - MARGIN &&
    minY * scale <= top + size + MARGIN
  )
}

function fillPolygon(canvas: Canvas, rings: readonly Line[], view: View): void {
  canvas.beginPath()
  for (const ring of rings) {
    if (!isNear(ring, view)) continue
    const corners = clipped(inTile(ring, view), view.size)
    for (let at = 0; at < corners.length; at += 2) {
      if (at === 0) canvas.moveTo(corners[0]!, corners[1]!)
      else canvas.lineTo(corners[at]!, corners[at + 1]!)
    }
    canvas.closePath()
  }
  canvas.fill('evenodd')
}

/** The line's points in pixels of the tile, merged where they coincide. Uses doubles: floats are too coarse at high zoom. */
function inTile({ xy }: Line, { scale, left, top }: View): number[] {
  const corners: number[] = []
  let [lastX, lastY] = [NaN, NaN]
  for (let at = 0; at < xy.length; at += 2) {
    const [x, y] = [xy[at]! * scale - left, xy[at + 1]! * scale - top]
    if (Math.abs(x - lastX) < NEAR && Math.abs(y - lastY) < NEAR) continue
    corners.push(x, y)
    lastX = x
    lastY = y
  }
  return corners
}

/** Sutherland–Hodgman: clips a ring to the tile and its margin. */
function clipped(corners: number[], size: number): number[] {
  const [low, high] = [-MARGIN, size + MARGIN]
  let part = cut(corners, 0, low, 1)
  part = cut(part, 0, high, -1)
  part = cut(part, 1, low, 1)
  return cut(part, 1, high, -1)
}

/** Clips to one side of a line: `axis` 0 is x, 1 is y; `side` 1 keeps what is above `at`. */
function cut(corners: readonly number[], axis: 0 | 1, at: number, side: 1 | -1): number[] {
  const kept: number[] = []
  const { length } = corners
  for (let n = 0; n < length; n += 2) {
    const before = n === 0 ? length - 2 : n - 2
    const [x1, y1, x2, y2] = [corners[before]!, corners[before + 1]!, corners[n]!, corners[n + 1]!]
    const from = ((axis === 0 ? x1 : y1) - at) * side
    const to = ((axis === 0 ? x2 : y2) - at) * side
    if (from < 0 !== to < 0) {
      const share = from / (from - to)
      kept.push(x1 + (x2 - x1) * share, y1 + (y2 - y1) * share)
    }
    if (to >= 0) kept.push(x2, y2)
  }
  return kept
}

function strokeLines(canvas: Canvas, lines: readonly Line[], view: View, colour: string, width: number): void {
  canvas.strokeStyle = colour
  canvas.lineWidth = width
  canvas.beginPath()
  for (const line of lines) if (isNear(line, view)) traceLine(canvas, inTile(line, view), view.size)
  canvas.stroke()
}

/** Omits segments that lie entirely beyond one side of the tile. */
function traceLine(canvas: Canvas, corners: readonly number[], size: number): void {
  const [low, high] = [-MARGIN, size + MARGIN]
  let isDown = false
  for (let at = 2; at < corners.length; at += 2) {
    const [x1, y1, x2, y2] = [corners[at - 2]!, corners[at - 1]!, corners[at]!, corners[at + 1]!]
    const isOut =
      (x1 < low && x2 < low) || (x1 > high && x2 > high) || (y1 < low && y2 < low) || (y1 > high && y2 > high)
    if (isOut) {
      isDown = false
      continue
    }
    if (!isDown) canvas.moveTo(x1, y1)
    canvas.lineTo(x2, y2)
    isDown = true
  }
}
