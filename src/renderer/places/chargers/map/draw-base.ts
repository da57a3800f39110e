import { GRID, type BaseMap, type Line } from './base-map.ts'

export const BASE_COLOURS = ['sea', 'land', 'coast', 'border', 'river', 'town', 'country', 'halo'] as const
export type BaseColours = Record<(typeof BASE_COLOURS)[number], string>

/** What of the world a canvas shows: a world is `world` pixels wide, and its corner lies at `left` and `top` of the canvas. */
export interface BaseView {
  zoom: number
  world: number
  left: number
  top: number
  width: number
  height: number
  font: string
  nameOf: (country: string) => string
}

type Canvas = CanvasRenderingContext2D

const NEAR_PX = 0.7
/** Towns of so many thousand people have their names from this zoom on. */
const TOWNS: readonly (readonly [zoom: number, thousands: number])[] = [
  [10, 0],
  [8, 10],
  [7, 80],
  [6, 350],
  [5, 1200],
]
const COUNTRIES_ZOOM = { from: 3, to: 6 }
const NAME_PX = 14

export function drawBase(canvas: Canvas, base: BaseMap, view: BaseView, colours: BaseColours): void {
  canvas.fillStyle = colours.sea
  canvas.fillRect(0, 0, view.width, view.height)
  canvas.lineJoin = 'round'
  const names = new Names(canvas, colours.halo)
  // What crosses the 180th meridian reaches from one world into the next.
  for (let left = (view.left % view.world) - view.world; left < view.width + view.world; left += view.world)
    drawWorld(canvas, base, { ...view, left }, colours, names)
}

function drawWorld(canvas: Canvas, base: BaseMap, view: BaseView, colours: BaseColours, names: Names): void {
  const { zoom, left, top, width, height, font } = view
  const scale = view.world / GRID
  const isSeen = ({ minX, minY, maxX, maxY }: Line) =>
    maxX * scale + left > 0 && minX * scale + left < width && maxY * scale + top > 0 && minY * scale + top < height
  const path = (lines: readonly Line[], isSmooth: boolean) => {
    canvas.beginPath()
    for (const line of lines) if (isSeen(line)) trace(canvas, line, scale, left, top, isSmooth)
  }
  const stroke = (colour: string, px: number) => {
    canvas.strokeStyle = colour
    canvas.lineWidth = px
    canvas.stroke()
  }
  path(base.land, false)
  canvas.fillStyle = colours.land
  canvas.fill('evenodd')
  stroke(colours.coast, 1)
  if (zoom >= 4) {
    path(base.rivers, true)
    stroke(colours.river, zoom < 7 ? 1 : 1.6)
  }
  path(base.lakes, true)
  canvas.fillStyle = colours.sea
  canvas.fill('evenodd')
  stroke(colours.coast, zoom < 6 ? 0.6 : 1)
  path(base.borders, false)
  stroke(colours.border, zoom < 5 ? 0.7 : 1)
  if (zoom >= COUNTRIES_ZOOM.from && zoom <= COUNTRIES_ZOOM.to) {
    canvas.font = `600 12px ${font}`
    for (const [code, x, y, room] of base.countries) {
      const name = view.nameOf(code)
      if (canvas.measureText(name).width < room * scale)
        names.write(name, x * scale + left, y * scale + top, colours.country, view)
    }
  }
  const least = TOWNS.find(([from]) => zoom >= from)?.[1] ?? Infinity
  canvas.font = `11px ${font}`
  for (const [town, x, y, thousands] of base.towns) {
    if (thousands < least) break
    names.town(town, x * scale + left, y * scale + top, colours.town, view)
  }
}

/** Rivers and lakes are coarser than coasts: their corners are rounded. */
function trace(canvas: Canvas, { xy }: Line, scale: number, left: number, top: number, isSmooth: boolean): void {
  const last = xy.length - 2
  let [beforeX, beforeY] = [xy[0]! * scale + left, xy[1]! * scale + top]
  canvas.moveTo(beforeX, beforeY)
  for (let at = 2; at <= last; at += 2) {
    const [x, y] = [xy[at]! * scale + left, xy[at + 1]! * scale + top]
    if (at < last && Math.abs(x - beforeX) < NEAR_PX && Math.abs(y - beforeY) < NEAR_PX) continue
    if (isSmooth && at < last) canvas.quadraticCurveTo(beforeX, beforeY, (beforeX + x) / 2, (beforeY + y) / 2)
    else canvas.lineTo(x, y)
    beforeX = x
    beforeY = y
  }
}

/** Writes names, each unless it would cover one before it. */
class Names {
  readonly #canvas: Canvas
  readonly #halo: string
  readonly #taken: { x: number; y: number; width: number }[] = []

  constructor(canvas: Canvas, halo: string) {
    this.#canvas = canvas
    this.#halo = halo
  }

  write(name: string, x: number, y: number, colour: string, { width, height }: BaseView): boolean {
    if (x < 0 || x > width || y < 0 || y > height) return false
    const box = { x, y, width: this.#canvas.measureText(name).width }
    const isFree = this.#taken.every(
      (other) => Math.abs(other.x - x) * 2 > other.width + box.width + NAME_PX || Math.abs(other.y - y) > NAME_PX,
    )
    if (!isFree) return false
    this.#taken.push(box)
    this.#canvas.textAlign = 'center'
    this.#canvas.textBaseline = 'middle'
    this.#canvas.strokeStyle = this.#halo
    this.#canvas.lineWidth = 3
    this.#canvas.strokeText(name, x, y)
    this.#canvas.fillStyle = colour
    this.#canvas.fillText(name, x, y)
    return true
  }

  /** Above a dot. */
  town(name: string, x: number, y: number, colour: string, view: BaseView): void {
    if (!this.write(name, x, y - 9, colour, view)) return
    this.#canvas.beginPath()
    this.#canvas.arc(x, y, 1.8, 0, 2 * Math.PI)
    this.#canvas.fill()
  }
}
