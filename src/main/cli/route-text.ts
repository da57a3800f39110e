import { namesNothing } from '../../shared/chargers/route/aircraft.ts'
import type { NoRoute, PlannedRoute } from '../../shared/chargers/route/plan-routes.ts'
import type { LeftOut } from '../../shared/chargers/route/route-network.ts'
import { FULL_PERCENT, type RouteRequest } from '../../shared/chargers/route/route-plan.ts'
import { routeWords, untied } from '../../shared/chargers/route/route-words.ts'
import { isWarning, type RouteStop } from '../../shared/chargers/route/route-stop.ts'
import { englishCharger as t } from '../core/english-charger.ts'

/** Of a route, in English. */
export const ROUTE_WORDS = routeWords(t, 'en')

interface RouteFacts {
  request: RouteRequest
  leftOut: LeftOut
  sample: boolean
}

/** Routes for people, each with its legs and stops. */
export function routeLines(routes: readonly PlannedRoute[], { request, leftOut, sample }: RouteFacts): string[] {
  const { aircraft, from, via, to, wind, startPercent } = request
  const [first] = routes
  const departMs = first?.departMs ?? null
  return [
    [from, ...via, to].map(({ name }) => name).join(' → '),
    ROUTE_WORDS.ranges(aircraft, wind),
    ...(wind === null ? [] : [ROUTE_WORDS.inWind(wind)]),
    ...(startPercent === FULL_PERCENT ? [] : [ROUTE_WORDS.startsWith(startPercent)]),
    ...(departMs === null ? [] : [t('route.departure', { at: ROUTE_WORDS.clock(departMs, null) })]),
    ...routes.flatMap((route, at) => ['', ...linesOf(route, at)]),
    '',
    ...(namesNothing(aircraft) ? [t('route.anyCharger')] : []),
    ...leftOutLine(leftOut),
    `${t('route.notForNavigation')} ${t('route.notInData')}`,
    ...(sample ? [`${t('sample')}.`] : []),
  ].map(untied)
}

/** Why there is no route, and what would make one. */
export function noRouteText(answer: NoRoute, leftOut: LeftOut, { wind }: RouteRequest): string {
  const air = wind === null ? [] : [ROUTE_WORDS.inWind(wind)]
  return untied([ROUTE_WORDS.none(answer), ...air, ...leftOutLine(leftOut)].join(' '))
}

function linesOf(route: PlannedRoute, at: number): string[] {
  const lines = [`Route ${at + 1} (${ROUTE_WORDS.kinds(route)}): ${ROUTE_WORDS.summary(route)}`]
  for (const leg of route.legs) {
    const arrival = leg.arriveMs === null ? '' : `, ${ROUTE_WORDS.clock(leg.arriveMs, route.departMs)}`
    lines.push(`  ${leg.from.name} → ${leg.to.name}${arrival}`, `    ${ROUTE_WORDS.leg(leg)}`)
    const daylight = ROUTE_WORDS.daylight(leg)
    if (daylight !== null) lines.push(`    ${leg.daylight?.light === 'day' ? 'note' : 'warning'}: ${daylight}`)
    const stop = leg.stop === null ? undefined : route.stops[leg.stop]
    if (stop !== undefined) lines.push(...stopLines(stop).map((line) => `      ${line}`))
  }
  return lines
}

function stopLines(stop: RouteStop): string[] {
  const { chargers, opening, notes } = stop
  return [
    `${t('route.charger', { id: chargers[0]?.id ?? '' })}: ${ROUTE_WORDS.stop(stop)}`,
    ...(opening === null ? [] : [ROUTE_WORDS.arrival(opening)]),
    ...notes.map((note) => `${isWarning(note) ? 'warning' : 'note'}: ${ROUTE_WORDS.note(note, stop)}`),
  ]
}

function leftOutLine(leftOut: LeftOut): string[] {
  const parts = ROUTE_WORDS.leftOut(leftOut)
  const hint = leftOut.fitNotKnown > 0 ? ' With --allow-unknown, those that list nothing are used too.' : ''
  return parts.length === 0 ? [] : [`${t('route.leftOutTitle')}: ${parts.join('; ')}.${hint}`]
}
