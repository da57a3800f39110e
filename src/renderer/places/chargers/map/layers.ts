import L from 'leaflet'
import type { Point } from '../../../../shared/chargers/distance.ts'
import { legLines } from '../../../../shared/chargers/route/great-circle.ts'
import type { PlannedRoute } from '../../../../shared/chargers/route/plan-routes.ts'
import { placesOf } from '../route/route-store.ts'
import { nearLng } from './charger-map.ts'

const MARK_PX = 21
/** Styled as `leaflet-route-pane`. */
const PANE = 'route'
/** Offsets in degrees of the copies of the world that the map may show. */
const TURNS = [-360, 0, 360]
const PLAIN = { interactive: false, smoothFactor: 0, opacity: 1 }
const ACCENT = { ...PLAIN, color: 'var(--accent)' }
const LINES = {
  picked: { ...ACCENT, pane: PANE, weight: 3 },
  other: { ...PLAIN, pane: PANE, weight: 1.5, color: 'var(--secondary)', dashArray: '3 5' },
  gap: { ...PLAIN, pane: PANE, weight: 3, color: 'var(--failed)', dashArray: '2 7' },
}
const DOT = { radius: 4, weight: 2, dashArray: '', fill: true, fillColor: 'var(--panel)', fillOpacity: 1 }

/** A ring around a place, also where a cluster hides its marker; `middle` is the longitude that the map shows. */
export const markLayer = ({ lat, lng }: Point, middle: number, isChosen: boolean): L.Layer =>
  L.circleMarker([lat, nearLng(lng, middle)], {
    ...ACCENT,
    className: isChosen ? 'chargers-chosen' : '',
    radius: MARK_PX,
    stroke: isChosen,
    weight: 2,
  })

interface ShownRoutes {
  routes: readonly PlannedRoute[]
  picked: number
  leg: number | null
  /** Without routes, the places of the stretch that is too long. */
  gap: readonly Point[]
}

/** Routes as great circles, the picked one on top with its stops numbered, or the gap. `map` gets a pane for them. */
export function routeLayer(map: L.Map, { routes, picked, leg, gap }: ShownRoutes): L.Layer {
  if (map.getPane(PANE) === undefined) map.createPane(PANE)
  const drawn = L.layerGroup()
  const draw = (places: readonly Point[], kind: keyof typeof LINES) => {
    const legs = legLines(places.slice(1).map((to, at) => [places[at]!, to]))
    legs.forEach((points, at) => {
      const options = { ...LINES[kind], className: `chargers-route-line ${kind}` }
      if (kind === 'picked' && at === leg) options.weight *= 2
      for (const turn of TURNS) new SmoothLine(turned(points, turn), options).addTo(drawn)
    })
    return legs.flatMap((points, at) => (at === 0 ? [points[0]!, points.at(-1)!] : [points.at(-1)!]))
  }
  const dot = (at: Point, kind: 'picked' | 'gap') => {
    const options = { ...LINES[kind], ...DOT, className: `chargers-route-line ${kind} end` }
    for (const to of TURNS.flatMap((turn) => turned([at], turn))) L.circleMarker(to, options).addTo(drawn)
  }
  // It has no stops to number: each of its places has a dot.
  for (const at of draw(gap, 'gap')) dot(at, 'gap')
  const route = routes[picked]
  for (const other of routes) if (other !== route) draw(pointsOf(other), 'other')
  const stops = route === undefined ? [] : draw(pointsOf(route), 'picked')
  stops.forEach((at, stop) => {
    if (stop === 0 || stop === stops.length - 1) dot(at, 'picked')
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
