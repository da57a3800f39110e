import L from 'leaflet'
import address from 'virtual:base-map'
import { readColour } from '../../../parts/colours.ts'

/** As scripts/base-map.mjs makes it: positions in a square of `GRID` units, lines as the steps from each point to the next. */
interface Encoded {
  /** Rings; of a piece of land with holes, one after the other. */
  land: readonly number[][]
  lakes: readonly number[][]
  borders: readonly number[][]
  rivers: readonly number[][]
  /** With thousands of people; the largest first. */
  towns: readonly (readonly [name: string, x: number, y: number, thousands: number])[]
  /** ISO 3166-1 alpha-2, and how wide its largest piece is. */
  countries: readonly (readonly [code: string, x: number, y: number, width: number])[]
}

/** Points, one after the other as x and y. */
interface Line {
  xy: Int32Array
  box: L.Bounds
}

const LINES = ['land', 'rivers', 'lakes', 'borders'] as const
export type BaseMap = Pick<Encoded, 'towns' | 'countries'> & Record<(typeof LINES)[number], readonly Line[]>

const GRID = 2 ** 20
/** Corners closer than this cannot be told apart, and are left out. */
const NEAR_PX = 0.7
const WORLD_PX = 256
/** Drawn beyond each edge of the window, as a share of its size, so that a drag does not lay open what is not drawn. */
const BEYOND = 0.15
/** Styled as `leaflet-base-pane`. */
const PANE = 'base'
/** Towns of so many thousand people have their names from this zoom on. */
const TOWNS: readonly (readonly [zoom: number, thousands: number])[] = [
  [10, 0],
  [8, 10],
  [7, 80],
  [6, 350],
  [5, 1200],
]
const COUNTRIES_ZOOM = { from: 3, to: 6 }
const RIVERS_ZOOM = 4
const NAME_PX = 14
const TOWN_PX = 9
const DOT_PX = 1.8
const COLOURS = ['map-sea', 'panel', 'map-water', 'line-strong', 'text', 'secondary'] as const

interface Sheet {
  canvas: CanvasRenderingContext2D
  colours: Record<(typeof COLOURS)[number], string>
  font: string
  names: Intl.DisplayNames
}

/** Part of Hangar: nothing is asked for elsewhere. */
export async function loadBaseMap(): Promise<BaseMap> {
  const encoded = (await (await fetch(address)).json()) as Encoded
  const lines = LINES.map((name) => [name, encoded[name].map(lineOf)] as const)
  return { ...encoded, ...(Object.fromEntries(lines) as Record<(typeof LINES)[number], Line[]>) }
}

function lineOf(steps: readonly number[]): Line {
  const xy = Int32Array.from(steps)
  const box = L.bounds([])
  for (let at = 0; at < xy.length; at += 1) {
    if (at >= 2) xy[at]! += xy[at - 2]!
    if (at % 2 === 1) box.extend([xy[at - 1]!, xy[at]!])
  }
  return { xy, box }
}

/** Shows the world on one canvas, drawn again wherever the map comes to rest, until what is returned is called. */
export function showBaseMap(map: L.Map, base: BaseMap, language: string): () => void {
  if (map.getPane(PANE) === undefined) map.createPane(PANE)
  const element = document.createElement('canvas')
  // An overlay takes any element, and keeps it in place while the map moves and zooms.
  const overlay = L.svgOverlay(element as unknown as SVGElement, map.getBounds(), { pane: PANE }).addTo(map)
  const sheet = {
    canvas: element.getContext('2d', { alpha: false })!,
    ...styleIn(map.getContainer()),
    names: new Intl.DisplayNames(language, { type: 'region' }),
  }
  let drawn = L.bounds([])
  const area = (beyond: number) => {
    const size = map.getSize()
    const first = map.containerPointToLayerPoint(size.multiplyBy(-beyond)).floor()
    return L.bounds(first, first.add(size.multiplyBy(1 + 2 * beyond).ceil()))
  }
  const rest = () => {
    if (!Number.isInteger(map.getZoom())) return
    drawn = area(BEYOND)
    const [first, last] = [drawn.getTopLeft(), drawn.getBottomRight()]
    const origin = map.getPixelOrigin()
    draw(base, L.bounds(first.add(origin), last.add(origin)), map.getZoom(), sheet)
    overlay.setBounds(L.latLngBounds(map.layerPointToLatLng(first), map.layerPointToLatLng(last)))
  }
  const move = () => {
    if (!drawn.contains(area(0))) rest()
  }
  map.on('moveend resize', rest).on('move', move)
  rest()
  return () => {
    map.off('moveend resize', rest).off('move', move)
    overlay.remove()
  }
}

function styleIn(container: HTMLElement): Pick<Sheet, 'colours' | 'font'> {
  const probe = container.appendChild(document.createElement('span'))
  const colour = readColour(probe)
  const colours = COLOURS.map((name) => [name, colour(`var(--${name})`)] as const)
  const { fontFamily: font } = getComputedStyle(probe)
  probe.remove()
  return { colours: Object.fromEntries(colours) as Sheet['colours'], font }
}

/** `area`: in pixels of the whole world at this zoom. */
function draw(base: BaseMap, area: L.Bounds, zoom: number, { canvas, colours, font, names }: Sheet): void {
  const ratio = Math.min(devicePixelRatio, 2)
  const { x: width, y: height } = area.getSize()
  canvas.canvas.width = width * ratio
  canvas.canvas.height = height * ratio
  canvas.setTransform(ratio, 0, 0, ratio, 0, 0)
  canvas.fillStyle = colours['map-sea']
  canvas.fillRect(0, 0, width, height)
  canvas.lineJoin = 'round'
  const worlds = worldsIn(area, WORLD_PX * 2 ** zoom)
  const pathOf = (lines: readonly Line[], isSmooth = false) => {
    const path = new Path2D()
    for (const world of worlds)
      for (const line of lines) if (line.box.overlaps(world.seen)) trace(path, line, world, isSmooth)
    return path
  }
  const stroke = (path: Path2D, colour: string, px: number) => {
    canvas.strokeStyle = colour
    canvas.lineWidth = px
    canvas.stroke(path)
  }
  const fill = (path: Path2D, colour: string) => {
    canvas.fillStyle = colour
    canvas.fill(path, 'evenodd')
  }
  const [land, lakes] = [pathOf(base.land), pathOf(base.lakes, true)]
  fill(land, colours.panel)
  stroke(land, colours['map-water'], 1)
  if (zoom >= RIVERS_ZOOM) stroke(pathOf(base.rivers, true), colours['map-water'], zoom < 7 ? 1 : 1.6)
  fill(lakes, colours['map-sea'])
  stroke(lakes, colours['map-water'], zoom < 6 ? 0.6 : 1)
  stroke(pathOf(base.borders), colours['line-strong'], zoom < 5 ? 0.7 : 1)
  const write = writer(canvas, colours.panel)
  for (const { scale, left, top } of worlds) {
    const place = (x: number, y: number) => L.point(x * scale + left, y * scale + top)
    canvas.font = `600 12px ${font}`
    if (zoom >= COUNTRIES_ZOOM.from && zoom <= COUNTRIES_ZOOM.to)
      for (const [code, x, y, room] of base.countries)
        write(names.of(code) ?? code, place(x, y), colours.secondary, room * scale)
    canvas.font = `11px ${font}`
    const least = TOWNS.find(([from]) => zoom >= from)?.[1] ?? Infinity
    for (const [town, x, y, thousands] of base.towns) {
      if (thousands < least) break
      const at = place(x, y)
      if (!write(town, at.subtract([0, TOWN_PX]), colours.text)) continue
      canvas.beginPath()
      canvas.arc(at.x, at.y, DOT_PX, 0, 2 * Math.PI)
      canvas.fill()
    }
  }
}

/** Rivers and lakes are coarser than coasts: their corners are rounded. */
function trace(path: Path2D, { xy }: Line, { scale, left, top }: World, isSmooth: boolean): void {
  const last = xy.length - 2
  let [beforeX, beforeY] = [NaN, NaN]
  for (let at = 0; at <= last; at += 2) {
    const [x, y] = [xy[at]! * scale + left, xy[at + 1]! * scale + top]
    if (at < last && Math.abs(x - beforeX) < NEAR_PX && Math.abs(y - beforeY) < NEAR_PX) continue
    if (at === 0) path.moveTo(x, y)
    else if (isSmooth && at < last) path.quadraticCurveTo(beforeX, beforeY, (beforeX + x) / 2, (beforeY + y) / 2)
    else path.lineTo(x, y)
    beforeX = x
    beforeY = y
  }
}

/** How one copy of the world lies on the canvas, and what of the grid can be seen of it. */
interface World {
  scale: number
  left: number
  top: number
  seen: L.Bounds
}

/** Those that reach into the area. What crosses the 180th meridian goes on into the next. */
function worldsIn({ min, max }: L.Bounds, world: number): World[] {
  const scale = world / GRID
  const first = Math.floor(min!.x / world) - 1
  return Array.from({ length: Math.floor(max!.x / world) - first + 2 }, (_, turn) => {
    const corner = L.point((first + turn) * world, 0)
    const seen = L.bounds(min!.subtract(corner).divideBy(scale), max!.subtract(corner).divideBy(scale))
    return { scale, left: corner.x - min!.x, top: -min!.y, seen }
  })
}

/** Writes names within the canvas, each unless it would cover one before it or is wider than its room. */
function writer(canvas: CanvasRenderingContext2D, halo: string) {
  const taken: L.Bounds[] = []
  const sheet = L.bounds([0, 0], [canvas.canvas.width, canvas.canvas.height])
  return (name: string, at: L.Point, colour: string, room = Infinity): boolean => {
    if (!sheet.contains(at)) return false
    const { width } = canvas.measureText(name)
    const half = L.point(width / 2, NAME_PX / 2)
    const box = L.bounds(at.subtract(half), at.add(half))
    if (width >= room || taken.some((other) => other.overlaps(box))) return false
    taken.push(box)
    canvas.textAlign = 'center'
    canvas.textBaseline = 'middle'
    canvas.strokeStyle = halo
    canvas.lineWidth = 3
    canvas.strokeText(name, at.x, at.y)
    canvas.fillStyle = colour
    canvas.fillText(name, at.x, at.y)
    return true
  }
}
