import { csvTable } from '../../text/csv-cell.ts'
import type { Point } from '../distance.ts'
import { cutAtMeridian, greatCircle } from '../route/great-circle.ts'
import type { PlannedRoute, RouteLeg } from '../route/plan-routes.ts'
import type { RouteStop } from '../route/route-stop.ts'
import { degreesText, untied, type RouteWords } from '../route/route-words.ts'
import type { FileFormat } from './charger-files.ts'
import { cupFile } from './cup.ts'
import { gpxFile } from './gpx.ts'
import { SAMPLE_NOTICE, type FilePoint } from './charger-texts.ts'
import { jsonText } from '../../text/safe-characters.ts'

/** In every route file: a route regards neither weather nor terrain, airspace or landing sites. */
export const ROUTE_NOTICE = 'Planning aid, not for navigation'

interface RouteFileOptions {
  /** The chargers are the practice service's. */
  sample: boolean
  words: Pick<RouteWords, 'note' | 'datedDaylight'>
}

/** A route in one of the formats, as text. */
export function routeFile(route: PlannedRoute, format: FileFormat, options: RouteFileOptions): string {
  switch (format) {
    case 'gpx':
      return gpxFile(pointsOf(route, options), { name: titleOf(route), notice: noticeOf(options), isRoute: true })
    case 'cup':
      return cupFile(pointsOf(route, options), titleOf(route))
    case 'geojson':
      return `${jsonText(routeGeoJson(route, options))}\n`
    case 'csv':
      return routeCsv(route, options)
  }
}

const noticeOf = ({ sample }: Pick<RouteFileOptions, 'sample'>) =>
  sample ? `${ROUTE_NOTICE}. ${SAMPLE_NOTICE}` : ROUTE_NOTICE

const stopOf = (stops: readonly RouteStop[], { stop }: RouteLeg) => (stop === null ? null : (stops[stop] ?? null))

const titleOf = ({ legs }: PlannedRoute) => `${legs[0]?.from.name ?? ''} – ${legs.at(-1)?.to.name ?? ''}`

/** Each end, charge stop and via point in order, with the charge of that visit and the leg that begins there. */
function pointsOf({ legs, stops }: PlannedRoute, options: RouteFileOptions): FilePoint[] {
  return [...legs.slice(0, 1).map(({ from }) => from), ...legs.map(({ to }) => to)].map(({ name, place, icao }, at) => {
    const flown = legs[at - 1]
    const stop = flown === undefined ? null : stopOf(stops, flown)
    const facts = [
      noticeOf(options),
      ...(stop === null ? [] : [stopText(stop)]),
      ...legs.slice(at, at + 1).map(legText),
      ...(flown === undefined ? [] : endNotes(flown, stop, options)),
    ]
    return { name, place, icao: stop?.icao ?? icao ?? null, description: facts.join('. '), isCharger: stop !== null }
  })
}

/** "Charge stop: charger 12, 50 kW, CCS2", of the charger that is proposed. */
function stopText({ chargers }: RouteStop): string {
  const [best] = chargers
  if (best === undefined) return 'Charge stop'
  const facts = [`charger ${best.id}`, best.kw === null ? null : `${best.kw} kW`, ...best.connectors]
  return `Charge stop: ${facts.filter((fact) => fact !== null).join(', ')}`
}

/** What is known of the end of a leg: sentences without their full stops, to be joined. */
function endNotes(leg: RouteLeg, stop: RouteStop | null, { words }: RouteFileOptions): string[] {
  const notes = stop?.notes.map((note) => words.note(note, stop).replace(/\.$/, '')) ?? []
  return [...notes, words.datedDaylight(leg)].filter((note) => note !== null).map(untied)
}

const legText = ({ nm, bearing, to }: RouteLeg) => `${nm.toFixed(1)} NM at ${degreesText(bearing)} true to ${to.name}`

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
function routeGeoJson(route: PlannedRoute, options: RouteFileOptions): object {
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
    const stop = stopOf(route.stops, leg)
    if (stop === null) return []
    const { name, icao, place } = stop
    const geometry = { type: 'Point', coordinates: position(place) }
    return [{ type: 'Feature', geometry, properties: { name, icao, ...stopMembers(leg, stop, options) } }]
  })
  return { type: 'FeatureCollection', name: titleOf(route), notice, features: [...legs, ...stops] }
}

/** RFC 4180 in UTF-8, for programs: a row for each leg, with the charging at its end. */
function routeCsv({ legs, stops }: PlannedRoute, options: RouteFileOptions): string {
  const rows = legs.map((leg, at) => ({
    ...legMembers(leg, at),
    ...stopMembers(leg, stopOf(stops, leg), options),
  }))
  const cells = rows.map((row) =>
    Object.values(row).map((value) => (value !== null && typeof value === 'object' ? value.join('; ') : value)),
  )
  return csvTable([Object.keys(rows[0] ?? {}), ...cells], { guard: false })
}

const rounded = (value: number | null) => (value === null ? null : Math.round(value * 10) / 10)
