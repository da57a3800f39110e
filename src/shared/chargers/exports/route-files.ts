import { csvTable } from '../../text/csv-cell.ts'
import type { Point } from '../distance.ts'
import { cutAtMeridian, greatCircle } from '../route/great-circle.ts'
import type { PlannedRoute, RouteLeg } from '../route/plan-routes.ts'
import type { NamedPlace } from '../route/route-network.ts'
import type { RouteStop } from '../route/route-stop.ts'
import { degreesText, untied, type RouteWords } from '../route/route-words.ts'
import { cupFile } from './cup.ts'
import { SAMPLE_NOTICE } from './sample-notice.ts'
import { jsonText, markupText } from '../../text/safe-characters.ts'
import { xmlDecimal } from './xml.ts'

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
  const notice = noticeOf(options)
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<gpx version="1.1" creator="Hangar" xmlns="http://www.topografix.com/GPX/1/1">',
    '<metadata>',
    `<name>${markupText(titleOf(route))}</name>`,
    `<desc>${markupText(notice)}</desc>`,
    '</metadata>',
    '<rte>',
    `<name>${markupText(titleOf(route))}</name>`,
    `<desc>${markupText(notice)}</desc>`,
    ...pointsOf(route).map(({ name, place, stop }, at) => {
      const lon = xmlDecimal(place.lng) === '180' ? '-180' : xmlDecimal(place.lng)
      return [
        `<rtept lat="${xmlDecimal(place.lat)}" lon="${lon}">`,
        `<name>${markupText(name)}</name>`,
        `<desc>${markupText(pointText(route, at, options))}</desc>`,
        ...(stop === null ? [] : ['<type>Charger</type>']),
        '</rtept>',
      ].join('\n')
    }),
    '</rte>',
    '</gpx>',
    '',
  ].join('\n')
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

/** GeoJSON: each leg as a great circle (cut at the 180th meridian), and a point for each charge stop. */
export function routeGeoJson(route: PlannedRoute, options: RouteFileOptions): object {
  const notice = noticeOf(options)
  const position = ({ lat, lng }: Point) => [lng, lat]
  const legs = route.legs.map((leg, at) => {
    const parts = cutAtMeridian(greatCircle(leg.from.place, leg.to.place)).map((part) => part.map(position))
    const [line] = parts
    return {
      type: 'Feature',
      geometry:
        parts.length === 1
          ? { type: 'LineString', coordinates: line }
          : { type: 'MultiLineString', coordinates: parts },
      properties: {
        leg: at + 1,
        from: leg.from.name,
        to: leg.to.name,
        distance_nm: rounded(leg.nm),
        bearing_true: Math.round(leg.bearing) % 360,
        minutes: roundedOrNull(leg.minutes),
        energy_kwh: roundedOrNull(leg.kwh),
        notice,
      },
    }
  })
  const stops = route.stops.map((stop) => ({
    type: 'Feature',
    geometry: { type: 'Point', coordinates: position(stop.place) },
    properties: {
      name: stop.name,
      icao: stop.icao,
      charger_id: stop.chargers[0]?.id ?? null,
      charger_kw: stop.chargers[0]?.kw ?? null,
      charger_ids: stop.chargers.map(({ id }) => id),
      charge_minutes_ideal: roundedOrNull(stop.chargeMinutes),
      notes: stop.notes,
      notes_text: notesOf(stop, options),
      notice,
    },
  }))
  return { type: 'FeatureCollection', name: titleOf(route), notice, features: [...legs, ...stops] }
}

const CSV_HEAD = [
  'leg',
  'from',
  'to',
  'to_lat',
  'to_lng',
  'distance_nm',
  'bearing_true',
  'minutes',
  'energy_kwh',
  'charge_minutes_ideal',
  'charger_ids',
  'notes',
  'charger_id',
  'charger_kw',
  'notes_text',
  'notice',
]

/** RFC 4180 in UTF-8, for programs: a row for each leg, with the charging at its end. */
export function routeCsv(route: PlannedRoute, options: RouteFileOptions): string {
  const rows = route.legs.map((leg, at) => {
    const stop = stopOf(route.stops, leg.stop)
    return [
      at + 1,
      leg.from.name,
      leg.to.name,
      leg.to.place.lat,
      leg.to.place.lng,
      rounded(leg.nm),
      Math.round(leg.bearing) % 360,
      roundedOrNull(leg.minutes),
      roundedOrNull(leg.kwh),
      roundedOrNull(stop?.chargeMinutes ?? null),
      stop?.chargers.map(({ id }) => id).join('; ') ?? null,
      stop?.notes.join('; ') ?? null,
      stop?.chargers[0]?.id ?? null,
      stop?.chargers[0]?.kw ?? null,
      endNotes(leg, stop, options).join('; ') || null,
      noticeOf(options),
    ]
  })
  return csvTable([CSV_HEAD, ...rows], { guard: false })
}

const rounded = (value: number) => Math.round(value * 10) / 10
const roundedOrNull = (value: number | null) => (value === null ? null : rounded(value))
