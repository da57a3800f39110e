import L from 'leaflet'
import { legLines } from '../../../../shared/chargers/route/great-circle.ts'
import type { PlannedRoute } from '../../../../shared/chargers/route/plan-routes.ts'
import type { Box } from './place-labels.ts'

/** Styled as `leaflet-route-pane` and `leaflet-route-stops-pane`. */
const LINES = 'route'
const STOPS = 'route-stops'
/** Offsets of the copies of the world that the map may show. */
const TURNS = [-360, 0, 360]
/** A stop's number, beside the marker of its airfield. */
const NUMBER: Box = { left: 6, top: -24, right: 24, bottom: -6 }

export interface ShownRoutes {
  routes: readonly PlannedRoute[]
  picked: number
  /** The highlighted leg. */
  leg: number | null
}

/** Routes as great circles, the picked one on top, with numbered stops. */
export class RouteLines {
  readonly #drawn: L.LayerGroup
  #shown: ShownRoutes | null = null
  #legs: L.Polyline[] = []
  #numbers: [lat: number, lng: number, box: Box][] = []

  constructor(map: L.Map) {
    map.createPane(LINES)
    // The list beside the map has the same as text.
    map.createPane(STOPS).setAttribute('aria-hidden', 'true')
    this.#drawn = L.layerGroup().addTo(map)
  }

  show(shown: ShownRoutes): void {
    const before = this.#shown
    this.#shown = shown
    if (before?.routes !== shown.routes || before.picked !== shown.picked) this.#draw(shown)
    this.#legs.forEach((line, at) =>
      line.getElement()?.classList.toggle('highlighted', Math.floor(at / TURNS.length) === shown.leg),
    )
  }

  /** Where the numbers of stops are. */
  get numbers(): readonly (readonly [lat: number, lng: number, box: Box])[] {
    return this.#numbers
  }

  #draw({ routes, picked }: ShownRoutes): void {
    this.#drawn.clearLayers()
    this.#legs = []
    this.#numbers = []
    const route = routes[picked]
    for (const other of routes) if (other !== route) this.#line(other, 'chargers-route-line other')
    if (route === undefined) return
    this.#legs = this.#line(route, 'chargers-route-line')
    const stops = linesOf(route).flatMap((line, at) => (at < route.legs.length - 1 ? [line.at(-1)!] : []))
    stops.forEach((place, at) => this.#stop(place, at + 1))
  }

  #line(route: PlannedRoute, className: string): L.Polyline[] {
    return linesOf(route).flatMap((points) =>
      TURNS.map((turn) =>
        L.polyline(
          points.map(([lat, lng]): L.LatLngTuple => [lat, lng + turn]),
          { className, interactive: false, pane: LINES, smoothFactor: 1 },
        ).addTo(this.#drawn),
      ),
    )
  }

  #stop([lat, lng]: L.LatLngTuple, number: number): void {
    for (const turn of TURNS) {
      const html = document.createElement('span')
      html.textContent = String(number)
      const { left, top, right, bottom } = NUMBER
      const size: L.PointTuple = [right - left, bottom - top]
      const icon = L.divIcon({ className: 'chargers-route-number', html, iconSize: size, iconAnchor: [-left, -top] })
      this.#numbers.push([lat, lng + turn, NUMBER])
      L.marker([lat, lng + turn], { icon, pane: STOPS, interactive: false, keyboard: false }).addTo(this.#drawn)
    }
  }
}

function linesOf({ legs }: PlannedRoute): L.LatLngTuple[][] {
  return legLines(legs.map(({ from, to }) => [from.place, to.place])).map((line) =>
    line.map(({ lat, lng }): L.LatLngTuple => [lat, lng]),
  )
}
