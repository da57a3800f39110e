import L from 'leaflet'
import type { Point } from '../../../../shared/chargers/distance.ts'
import { legLines } from '../../../../shared/chargers/route/great-circle.ts'
import type { PlannedRoute } from '../../../../shared/chargers/route/plan-routes.ts'

/** Styled as `leaflet-route-pane`. */
const LINES = 'route'
const END_RADIUS_PX = 4
/** Offsets in degrees of the copies of the world that the map may show. */
const TURNS = [-360, 0, 360]

export interface ShownRoutes {
  routes: readonly PlannedRoute[]
  picked: number
  /** The highlighted leg. */
  leg: number | null
  /** Without routes, the places of the stretch that is too long. */
  gap: readonly Point[]
}

/** Routes as great circles, the picked one on top, or the gap that keeps a route from being found. */
export class RouteLines {
  readonly #drawn: L.LayerGroup
  #shown: ShownRoutes | null = null
  #legs: L.Polyline[] = []

  constructor(map: L.Map) {
    map.createPane(LINES)
    this.#drawn = L.layerGroup().addTo(map)
  }

  show(shown: ShownRoutes): void {
    const before = this.#shown
    this.#shown = shown
    const isSame = before?.routes === shown.routes && before.picked === shown.picked && before.gap === shown.gap
    if (!isSame) this.#draw(shown)
    this.#legs.forEach((line, at) =>
      line.getElement()?.classList.toggle('highlighted', Math.floor(at / TURNS.length) === shown.leg),
    )
  }

  #draw({ routes, picked, gap }: ShownRoutes): void {
    this.#drawn.clearLayers()
    this.#legs = []
    const gapLegs = gap.slice(1).map((to, at): [Point, Point] => [gap[at]!, to])
    // A gap has no stops to number: each of its places has a dot.
    const { points: dots } = this.#lines(gapLegs, 'chargers-route-line gap')
    this.#dots(dots.slice(1, -1), 'chargers-route-line gap')
    const route = routes[picked]
    for (const other of routes) if (other !== route) this.#lines(endsOf(other), 'chargers-route-line other')
    if (route === undefined) return
    const { lines, points } = this.#lines(endsOf(route), 'chargers-route-line')
    this.#legs = lines
    points.slice(1, -1).forEach((at, stop) => this.#number(at, String(stop + 1)))
  }

  /** The legs as lines, with a dot at each end of all; `points`: where they begin and end. */
  #lines(legs: readonly (readonly [Point, Point])[], className: string): { lines: L.Polyline[]; points: Point[] } {
    const great = legLines(legs)
    const [first] = great
    if (first === undefined) return { lines: [], points: [] }
    const points = [first[0]!, ...great.map((line) => line.at(-1)!)]
    const options = { className, interactive: false, pane: LINES }
    const lines = great.flatMap((line) =>
      TURNS.map((turn) => new SmoothLine(turned(line, turn), { ...options, smoothFactor: 0 }).addTo(this.#drawn)),
    )
    this.#dots(endsIn(points), className)
    return { lines, points }
  }

  /** Beside the stop, whose marker has its own place. */
  #number({ lat, lng }: Point, text: string): void {
    const html = document.createElement('span')
    html.textContent = text
    const icon = L.divIcon({ html, className: 'chargers-stop', iconSize: [18, 18], iconAnchor: [26, 26] })
    L.marker([lat, lng], { icon, interactive: false, keyboard: false, zIndexOffset: 1000 }).addTo(this.#drawn)
  }

  #dots(points: readonly Point[], className: string): void {
    const options = { className: `${className} end`, radius: END_RADIUS_PX, interactive: false, pane: LINES }
    for (const turn of TURNS) for (const at of turned(points, turn)) L.circleMarker(at, options).addTo(this.#drawn)
  }
}

const turned = (points: readonly Point[], turn: number) =>
  points.map(({ lat, lng }): L.LatLngTuple => [lat, lng + turn])
/** Leaflet puts corners on whole pixels, which makes a long and nearly straight line wobble. */
const SmoothLine = L.Polyline.extend({
  _projectLatlngs(this: { _map: L.Map }, line: L.LatLng[], rings: L.Point[][], bounds: L.Bounds) {
    const points = line.map((at) => this._map.project(at).subtract(this._map.getPixelOrigin()))
    for (const point of points) bounds.extend(point)
    rings.push(points)
  },
}) as unknown as new (line: L.LatLngTuple[], options: L.PolylineOptions) => L.Polyline

const endsIn = (points: readonly Point[]) => points.filter((_, at) => at === 0 || at === points.length - 1)

const endsOf = ({ legs }: PlannedRoute) => legs.map(({ from, to }) => [from.place, to.place] as const)
