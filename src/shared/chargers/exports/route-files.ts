import { csvTable } from '../../text/csv-cell.ts'
import type { Point } from '../distance.ts'
import { cutAtMeridian, greatCircle } from '../route/great-circle.ts'
import type { PlannedRoute, RouteLeg } from '../route/plan-routes.ts'
import type { NamedPlace } from '../route/route-network.ts'
import type { RouteStop } from '../route/route-stop.ts'
import { degreesText, untied, type RouteWords } from '../route/route-words.ts'
import { cupFile } from './cup.ts'
import { gpxFile } from './gpx.ts'
import { SAMPLE_NOTICE } from './charger-texts.ts'
import { jsonText } from '../../text/safe-characters.ts'

/**
 * Included in every route file: a route is straight lines between chargers, regardless of weather, terrain, airspace or landing
 * sites.
 */
export const ROUTE_NOTICE = 'Planning aid, not for navigation'

export const ROUTE_FORMATS = ['gpx', 'cup', 'geojson', 'csv'] as const
export type RouteFormat = (typeof ROUTE_FORMATS)[number]

export interface RouteFileOptions {
  /** The chargers are the practice service's. */
  sample: boolean
  words: Pick<RouteWords, 'note' | 'datedDaylight'>
}

/** A route in one of the formats, as text. */
export function routeFile(route: PlannedRoute, format: RouteFormat, options: RouteFileOptions): string {
  switch (format) {
    case 'gpx':
      return routeGpx(route, options)
    case 'cup':
      return routeCup(route, options)
    case 'geojson':
      return `${jsonText(routeGeoJson(route, options))}\n`
    case 'csv':
      return routeCsv(route, options)
  }
}

const noticeOf = ({ sample }: Pick<RouteFileOptions, 'sample'>) =>
  sample ? `${ROUTE_NOTICE}. ${SAMPLE_NOTICE}` : ROUTE_NOTICE

/** Every point in order, with the charge of that visit. */
function pointsOf({ legs, stops }: PlannedRoute): (NamedPlace & { stop: RouteStop | null })[] {
  const [first] = legs
  if (first === undefined) return []
  return [{ ...first.from, stop: null }, ...legs.map(({ to, stop }) => ({ ...to, stop: stopOf(stops, stop) }))]
}

const stopOf = (stops: readonly RouteStop[], at: number | null) => (at === null ? null : (stops[at] ?? null))

const titleOf = (route: PlannedRoute) => {
  const points = pointsOf(route)
  return `${points[0]?.name ?? ''} – ${points.at(-1)?.name ?? ''}`
}

/** GPX 1.1: one route, with a point for each end, charge stop and via point. */
export function routeGpx(route: PlannedRoute, options: RouteFileOptions): string {
  const points = pointsOf(route).map(({ name, place, stop }, at) => ({
    name,
    place,
    description: pointText(route, at, options),
    isCharger: stop !== null,
  }))
  return gpxFile(points, { name: titleOf(route), notice: noticeOf(options), isRoute: true })
}

/** SeeYou waypoints, and a task through them; a place that is passed twice has the text of its first visit. */
export function routeCup(route: PlannedRoute, options: RouteFileOptions): string {
  const points = pointsOf(route).map(({ name, place, icao, stop }, at) => ({
    name,
    icao: stop?.icao ?? icao ?? null,
    place,
    description: pointText(route, at, options),
  }))
  return cupFile(points, titleOf(route))
}

/** All that a file says of a point of the route, and of the leg that begins there. */
function pointText(route: PlannedRoute, at: number, options: RouteFileOptions): string {
  const flown = route.legs[at - 1]
  const stop = flown === undefined ? null : stopOf(route.stops, flown.stop)
  return [
    noticeOf(options),
    stop === null ? null : stopText(stop),
    legText(route, at),
    ...(flown === undefined ? [] : endNotes(flown, stop, options)),
  ]
    .filter((fact) => fact !== null)
    .join('. ')
}

/** "Charge stop: charger 12, 50 kW, CCS2", of the charger that is proposed. */
function stopText({ chargers }: RouteStop): string {
  const [best] = chargers
  if (best === undefined) return 'Charge stop'
  const facts = [`charger ${best.id}`, best.kw === null ? null : `${best.kw} kW`, ...best.connectors]
  return `Charge stop: ${facts.filter((fact) => fact !== null).join(', ')}`
}

/** What is known of the end of a leg, to be joined. */
function endNotes(leg: RouteLeg, stop: RouteStop | null, options: RouteFileOptions): string[] {
  const daylight = options.words.datedDaylight(leg)
  return [...(stop === null ? [] : notesOf(stop, options)), ...(daylight === null ? [] : [untied(daylight)])]
}

/** Sentences without their full stops, to be joined. */
function notesOf(stop: RouteStop, { words }: RouteFileOptions): string[] {
  return stop.notes.map((note) => untied(words.note(note, stop)).replace(/\.$/, ''))
}

function legText({ legs }: PlannedRoute, at: number): string | null {
  const leg = legs[at]
  return leg === undefined ? null : `${leg.nm.toFixed(1)} NM at ${degreesText(leg.bearing)} true to ${leg.to.name}`
}

/** What is known of a leg in files for programs; the units are in the names. */
const legMembers = ({ from, to, nm, bearing, minutes, kwh }: RouteLeg, at: number) => ({
  leg: at + 1,
  from: from.name,
  to: to.name,
  to_lat: to.place.lat,
  to_lng: to.place.lng,
  distance_nm: rounded(nm),
  bearing_true: Math.round(bearing) % 360,
  minutes: rounded(minutes),
  energy_kwh: rounded(kwh),
})

/** The same of the stop at its end. */
const stopMembers = (leg: RouteLeg, stop: RouteStop | null, options: RouteFileOptions) => ({
  charge_minutes_ideal: rounded(stop?.chargeMinutes ?? null),
  charger_ids: stop?.chargers.map(({ id }) => id) ?? [],
  notes: stop?.notes ?? [],
  charger_id: stop?.chargers[0]?.id ?? null,
  charger_kw: stop?.chargers[0]?.kw ?? null,
  notes_text: endNotes(leg, stop, options),
  notice: noticeOf(options),
})

/** GeoJSON: each leg as a great circle (cut at the 180th meridian), and a point for each charge stop. */
export function routeGeoJson(route: PlannedRoute, options: RouteFileOptions): object {
  const notice = noticeOf(options)
  const position = ({ lat, lng }: Point) => [lng, lat]
  const legs = route.legs.map((leg, at) => {
    const parts = cutAtMeridian(greatCircle(leg.from.place, leg.to.place)).map((part) => part.map(position))
    const [line] = parts
    const geometry =
      parts.length === 1 ? { type: 'LineString', coordinates: line } : { type: 'MultiLineString', coordinates: parts }
    return { type: 'Feature', geometry, properties: { ...legMembers(leg, at), notice } }
  })
  const stops = route.legs.flatMap((leg) => {
    const stop = stopOf(route.stops, leg.stop)
    if (stop === null) return []
    const { name, icao, place } = stop
    const geometry = { type: 'Point', coordinates: position(place) }
    return [{ type: 'Feature', geometry, properties: { name, icao, ...stopMembers(leg, stop, options) } }]
  })
  return { type: 'FeatureCollection', name: titleOf(route), notice, features: [...legs, ...stops] }
}

/** RFC 4180 in UTF-8, for programs: a row for each leg, with the charging at its end. */
export function routeCsv({ legs, stops }: PlannedRoute, options: RouteFileOptions): string {
  const rows = legs.map((leg, at) => ({
    ...legMembers(leg, at),
    ...stopMembers(leg, stopOf(stops, leg.stop), options),
  }))
  const cells = rows.map((row) =>
    Object.values(row).map((value) => (value !== null && typeof value === 'object' ? value.join('; ') : value)),
  )
  return csvTable([Object.keys(rows[0] ?? {}), ...cells], { guard: false })
}

const rounded = (value: number | null) => (value === null ? null : Math.round(value * 10) / 10)
