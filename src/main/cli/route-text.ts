import { degreesText, ROUTE_NOTICE } from '../../shared/chargers/exports/route-files.ts'
import { SAMPLE_NOTICE } from '../../shared/chargers/exports/sample-notice.ts'
import type { ArrivalOpening } from '../../shared/chargers/route/arrival.ts'
import type {
  Alternate,
  PlannedRoute,
  RouteAnswer,
  RouteKind,
  RouteLeg,
  RouteRequest,
  RouteStop,
  StopNote,
} from '../../shared/chargers/route/plan-routes.ts'
import type { LeftOut } from '../../shared/chargers/route/route-network.ts'
import { countText } from './figures.ts'

const NOTE: Readonly<Record<StopNote, string>> = {
  fit_not_known: 'lists no connectors or aircraft: whether it fits is not known',
  hours_not_known: 'opening hours are not known',
  closed_at_arrival: 'CLOSED when one arrives',
  closes_before_charged: 'CLOSES before charging ends',
  power_not_known: 'power is not known, nor is the charge time',
  state_not_known: 'no live state of now',
  busy_now: 'in use or reserved at this moment',
  offline_now: 'not connected at this moment',
  single_charger: 'a single charger',
  reference_point_only: 'position is that of the airfield, or not said of what',
  no_alternate: 'NO alternate in range',
}
const KIND: Readonly<Record<RouteKind, string>> = {
  stops: 'fewest stops',
  distance: 'shortest',
  time: 'quickest',
  apart: 'with none of the stops of route 1',
}
const LEFT_OUT: readonly [keyof LeftOut, string][] = [
  ['doesNotFit', 'that do not fit the aircraft'],
  ['fitNotKnown', 'that list no connectors or aircraft (--allow-unknown takes them)'],
  ['broken', 'out of order'],
  ['noPosition', 'without a position'],
  ['doubtfulPosition', 'that cannot be where the service says'],
  ['avoided', 'avoided'],
]

interface RouteFacts {
  request: RouteRequest
  leftOut: LeftOut
  sample: boolean
}

/** Routes for people, each with its legs and stops. */
export function routeLines(routes: readonly PlannedRoute[], { request, leftOut, sample }: RouteFacts): string[] {
  const { aircraft, from, to } = request
  const usable = aircraft.rangeNm - aircraft.reserveNm
  return [
    `${from.name} to ${to.name}: at most ${nmText(usable)} between charges (range ${nmText(aircraft.rangeNm)} less reserve ${nmText(aircraft.reserveNm)}), in still air.`,
    ...routes.flatMap((route, at) => ['', ...linesOf(route, at)]),
    '',
    ...leftOutLine(leftOut),
    `${ROUTE_NOTICE}${sample ? `. ${SAMPLE_NOTICE}` : ''}.`,
  ]
}

function linesOf(route: PlannedRoute, at: number): string[] {
  const { kinds, legs, stops, nm, flyingMinutes, chargingMinutes, totalMinutes } = route
  const facts = [
    nmText(nm),
    countText(stops.length, 'charge stop'),
    flyingMinutes === null ? null : `${minutesText(flyingMinutes)} in the air`,
    stops.length === 0
      ? null
      : chargingMinutes === null
        ? 'charge time not known'
        : `at least ${minutesText(chargingMinutes)} charging`,
    totalMinutes === null ? null : `${minutesText(totalMinutes)} in all`,
  ]
  const lines = [
    `Route ${at + 1} (${kinds.map((kind) => KIND[kind]).join(', ')}): ${facts.filter((fact) => fact !== null).join(', ')}`,
  ]
  let next = 0
  for (const leg of legs) {
    lines.push(`  ${legText(leg)}`)
    const stop = stops[next]
    if (stop === undefined || stop.place.lat !== leg.to.place.lat || stop.place.lng !== leg.to.place.lng) continue
    next += 1
    lines.push(...stopLines(stop).map((line) => `      ${line}`))
  }
  return lines
}

function legText({ to, nm, bearing, minutes, kwh, arriveMs }: RouteLeg): string {
  const facts = [
    `${nmText(nm).padStart(8)}  ${degreesText(bearing)}T`,
    minutes === null ? null : minutesText(minutes),
    kwh === null ? null : `${kwh.toFixed(1)} kWh`,
  ]
  const when = arriveMs === null || minutes === null ? '' : `, ${clockText(arriveMs)}`
  return `${facts.filter((fact) => fact !== null).join('  ')}  to ${to.name}${when}`
}

function stopLines({ chargers, chargeMinutes, chargeKwh, opening, notes, alternates }: RouteStop): string[] {
  const [best] = chargers
  const charger = [
    `charger ${best?.id ?? ''}`,
    best?.kw == null ? null : `${best.kw} kW`,
    best?.connectors.join(', ') || null,
    chargers.length > 1 ? `${chargers.length - 1} more fit` : null,
  ].filter((fact) => fact !== null)
  const charging =
    chargeMinutes === null
      ? []
      : [`charge ${chargeKwh === null ? '' : `${chargeKwh.toFixed(1)} kWh, `}ideally in ${minutesText(chargeMinutes)}`]
  return [
    [...charging, ...charger].join(', '),
    ...(opening === null ? [] : openingLines(opening)),
    ...(notes.length === 0 ? [] : [`note: ${notes.map((note) => NOTE[note]).join('; ')}`]),
    ...(alternates.length === 0 ? [] : [`alternates: ${alternates.map(alternateText).join('; ')}`]),
  ]
}

function openingLines({ state, closesInMinutes, opensInMinutes }: ArrivalOpening): string[] {
  if (state === 'open')
    return [`open when one arrives${closesInMinutes === null ? '' : `, closes ${minutesText(closesInMinutes)} after`}`]
  return state === 'closed' && opensInMinutes !== null ? [`opens ${minutesText(opensInMinutes)} after one arrives`] : []
}

function alternateText({ name, nm, bearing, usesReserve }: Alternate): string {
  return `${name} ${nmText(nm)} ${degreesText(bearing)}T${usesReserve ? ' (into the reserve)' : ''}`
}

/** Why there is no route, and what would make one. */
export function noRouteText(
  { usableNm, nm, from, to }: Extract<RouteAnswer, { kind: 'no_route' }>,
  leftOut: LeftOut,
): string {
  const why = `There is no route: the longest gap is ${nmText(nm)}, between ${from} and ${to}, and ${nmText(usableNm)} can be flown between charges.`
  return [why, ...leftOutLine(leftOut)].join(' ')
}

function leftOutLine(leftOut: LeftOut): string[] {
  const parts = LEFT_OUT.filter(([reason]) => leftOut[reason] > 0).map(
    ([reason, words]) => `${countText(leftOut[reason], 'charger')} ${words}`,
  )
  return parts.length === 0 ? [] : [`Left out: ${parts.join('; ')}.`]
}

function nmText(nm: number): string {
  return `${nm < 100 ? Math.round(nm * 10) / 10 : Math.round(nm)} NM`
}

function minutesText(minutes: number): string {
  const whole = Math.round(minutes)
  return whole < 60 ? `${whole} min` : `${Math.floor(whole / 60)} h ${String(whole % 60).padStart(2, '0')} min`
}

/** In UTC, because a route may cross time zones. */
function clockText(ms: number): string {
  return `${new Date(ms).toISOString().slice(11, 16)} UTC`
}
