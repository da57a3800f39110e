import L from 'leaflet'
import type { Point } from '../../../../shared/chargers/distance.ts'
import { legLines } from '../../../../shared/chargers/route/great-circle.ts'
import type { PlannedRoute } from '../../../../shared/chargers/route/plan-routes.ts'
import { placesOf } from '../route/route-store.ts'
import { nearLng } from './charger-map.ts'

const MARK_PX = 21
const METRES_PER_NM = 1852
const END_RADIUS_PX = 4
/** Styled as `leaflet-route-pane`. */
const PANE = 'route'
const LINE = { interactive: false, pane: PANE, smoothFactor: 0 }
/** Offsets in degrees of the copies of the world that the map may show. */
const TURNS = [-360, 0, 360]

/** A ring around a place, also where a cluster hides its marker; `middle` is the longitude that the map shows. */
export const markLayer = ({ lat, lng }: Point, middle: number, className: string): L.Layer =>
  L.circleMarker([lat, nearLng(lng, middle)], { className, radius: MARK_PX, interactive: false })

/** A circle around what can be reached. */
export const reachLayer = ({ lat, lng }: Point, nm: number): L.Layer =>
  L.circle([lat, lng], { radius: nm * METRES_PER_NM, className: 'chargers-reach', interactive: false })

/**
 * Routes as great circles, the picked one on top with its stops numbered; without routes, the stretch that is too long. `leg` of the
 * picked one is highlighted. `map` gets the pane for them.
 */
export function routeLayer(
  map: L.Map,
  {
    routes,
    picked,
    leg,
    gap,
  }: { routes: readonly PlannedRoute[]; picked: number; leg: number | null; gap: readonly Point[] },
): L.Layer {
  if (map.getPane(PANE) === undefined) map.createPane(PANE)
  const drawn = L.layerGroup()
  const draw = (places: readonly Point[], kind: '' | 'other' | 'gap') => {
    const className = `chargers-route-line ${kind}`
    const legs = legLines(places.slice(1).map((to, at) => [places[at]!, to]))
    legs.forEach((points, at) => {
      const options = { ...LINE, className: kind === '' && at === leg ? `${className} highlighted` : className }
      for (const turn of TURNS) new SmoothLine(turned(points, turn), options).addTo(drawn)
    })
    return legs.flatMap((points, at) => (at === 0 ? [points[0]!, points.at(-1)!] : [points.at(-1)!]))
  }
  const dot = (at: Point, className: string) => {
    const options = { ...LINE, className: `chargers-route-line end ${className}`, radius: END_RADIUS_PX }
    for (const turn of TURNS) for (const to of turned([at], turn)) L.circleMarker(to, options).addTo(drawn)
  }
  // It has no stops to number: each of its places has a dot.
  for (const at of draw(gap, 'gap')) dot(at, 'gap')
  const route = routes[picked]
  for (const other of routes) if (other !== route) draw(pointsOf(other), 'other')
  if (route === undefined) return drawn
  const stops = draw(pointsOf(route), '')
  stops.forEach((at, stop) => {
    if (stop === 0 || stop === stops.length - 1) dot(at, '')
    else numberAt(at, String(stop)).addTo(drawn)
  })
  return drawn
}

/** Beside the stop, whose marker has its own place. */
function numberAt({ lat, lng }: Point, text: string): L.Layer {
  const html = document.createElement('span')
  html.textContent = text
  const icon = L.divIcon({ html, className: 'chargers-stop', iconSize: [18, 18], iconAnchor: [26, 26] })
  return L.marker([lat, lng], { icon, interactive: false, keyboard: false, zIndexOffset: 1000 })
}

const pointsOf = (route: PlannedRoute) => placesOf(route).map(({ place }) => place)

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
