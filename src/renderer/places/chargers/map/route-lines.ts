import L from 'leaflet'
import type { Point } from '../../../../shared/chargers/distance.ts'
import { legLines } from '../../../../shared/chargers/route/great-circle.ts'
import type { PlannedRoute } from '../../../../shared/chargers/route/plan-routes.ts'
import { TURNS } from './mark.ts'

/** Styled as `leaflet-route-pane`. */
const LINES = 'route'
const END_RADIUS_PX = 4

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
  #points: readonly Point[] = []

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

  /** Where the legs of the picked route, or of the gap, begin and end. */
  get points(): readonly Point[] {
    return this.#points
  }

  #draw({ routes, picked, gap }: ShownRoutes): void {
    this.#drawn.clearLayers()
    this.#legs = []
    const gapLegs = gap.slice(1).map((to, at): [Point, Point] => [gap[at]!, to])
    // A gap has no stops to number: each of its places has a dot.
    const { points: dots } = this.#lines(gapLegs, 'chargers-route-line gap')
    this.#dots(dots.slice(1, -1), 'chargers-route-line gap')
    this.#points = endsIn(dots)
    const route = routes[picked]
    for (const other of routes) if (other !== route) this.#lines(endsOf(other), 'chargers-route-line other')
    if (route === undefined) return
    const { lines, points } = this.#lines(endsOf(route), 'chargers-route-line')
    this.#legs = lines
    this.#points = points
  }

  /** The legs as lines, with a dot at each end of all; `points`: where they begin and end. */
  #lines(legs: readonly (readonly [Point, Point])[], className: string): { lines: L.Polyline[]; points: Point[] } {
    const great = legLines(legs)
    const [first] = great
    if (first === undefined) return { lines: [], points: [] }
    const points = [first[0]!, ...great.map((line) => line.at(-1)!)]
    const options = { className, interactive: false, pane: LINES }
    const lines = great.flatMap((line) =>
      TURNS.map((turn) => L.polyline(turned(line, turn), { ...options, smoothFactor: 1 }).addTo(this.#drawn)),
    )
    this.#dots(endsIn(points), className)
    return { lines, points }
  }

  #dots(points: readonly Point[], className: string): void {
    const options = { className: `${className} end`, radius: END_RADIUS_PX, interactive: false, pane: LINES }
    for (const turn of TURNS) for (const at of turned(points, turn)) L.circleMarker(at, options).addTo(this.#drawn)
  }
}

const turned = (points: readonly Point[], turn: number) =>
  points.map(({ lat, lng }): L.LatLngTuple => [lat, lng + turn])
const endsIn = (points: readonly Point[]) => points.filter((_, at) => at === 0 || at === points.length - 1)

const endsOf = ({ legs }: PlannedRoute) => legs.map(({ from, to }) => [from.place, to.place] as const)
