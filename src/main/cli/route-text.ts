import { tenthsDown, tenthsUp } from '../../shared/chargers/distance.ts'
import { degreesText, ROUTE_NOTICE } from '../../shared/chargers/exports/route-files.ts'
import { SAMPLE_NOTICE } from '../../shared/chargers/exports/sample-notice.ts'
import { namesNothing, usableNm } from '../../shared/chargers/route/aircraft.ts'
import type { ArrivalOpening } from '../../shared/chargers/route/arrival.ts'
import {
  noRouteCode,
  type LowChargeAnswer,
  type NoRouteAnswer,
  type PlannedRoute,
  type RouteLeg,
} from '../../shared/chargers/route/plan-routes.ts'
import { FULL_PERCENT } from '../../shared/chargers/route/route-plan.ts'
import type { RouteRequest } from '../../shared/chargers/route/route-request.ts'
import type { Alternate, RouteStop } from '../../shared/chargers/route/route-stop.ts'
import type { LeftOut } from '../../shared/chargers/route/route-network.ts'
import { windText, type Wind } from '../../shared/chargers/route/wind.ts'
import { STOP_WARNINGS, type StopNote } from '../../shared/chargers/route/stop-notes.ts'
import texts from '../../shared/text/en/chargers.json' with { type: 'json' }
import { listText } from '../../shared/text/list-text.ts'
import { countText, durationText } from '../core/english-figures.ts'

const { route: WORDS } = texts
const MINUTE_MS = 60_000
const LEFT_OUT = ['doesNotFit', 'fitNotKnown', 'broken', 'noPosition', 'avoided'] as const

interface RouteFacts {
  request: RouteRequest
  leftOut: LeftOut
  sample: boolean
}

/** Routes for people, each with its legs and stops. */
export function routeLines(routes: readonly PlannedRoute[], { request, leftOut, sample }: RouteFacts): string[] {
  const { aircraft, from, to } = request
  const { rangeNm } = aircraft
  const usable = usableNm(aircraft) ?? 0
  return [
    `${from.name} to ${to.name}: at most ${nmText(usable)} between charges (range ${nmText(rangeNm)} less reserve ${nmText(rangeNm - usable)}), ${airText(request.wind)}.`,
    ...startLines(request),
    ...departureLines(routes[0]),
    ...routes.flatMap((route, at) => ['', ...linesOf(route, at, request.nowMs)]),
    '',
    ...(namesNothing(aircraft) ? [WORDS.anyCharger] : []),
    ...leftOutLine(leftOut),
    `${ROUTE_NOTICE}${sample ? `. ${SAMPLE_NOTICE}` : ''}.`,
  ]
}

/** Ranges are those through the air. */
function airText(wind: Wind | null | undefined): string {
  if (wind == null) return 'in still air'
  return `through the air, in a wind of ${windText(wind)} kt`
}

function startLines({ startPercent = FULL_PERCENT }: RouteRequest): string[] {
  return startPercent === FULL_PERCENT ? [] : [filled(WORDS.startsWith, { share: `${startPercent} %` })]
}

function departureLines(route: PlannedRoute | undefined): string[] {
  if (route === undefined || route.departMs === null) return []
  return [
    filled(WORDS.departure, { at: clockText(route.departMs, null) }),
    ...(route.isDepartPast ? [`warning: ${WORDS.departPast}`] : []),
  ]
}

function linesOf(route: PlannedRoute, at: number, nowMs: number): string[] {
  const { kinds, departMs, legs, stops, nm, flyingMinutes, waitingMinutes, chargingMinutes, totalMinutes } = route
  const facts = [
    nmText(nm),
    countText(stops.length, 'charge stop'),
    flyingMinutes === null ? null : `${minutesText(flyingMinutes)} in the air`,
    waitingMinutes === null || waitingMinutes === 0 ? null : `${minutesText(waitingMinutes)} waiting for it to open`,
    stops.length === 0
      ? null
      : chargingMinutes === null
        ? 'charge time not known'
        : `at least ${minutesText(chargingMinutes)} charging`,
    totalMinutes === null ? null : `${minutesText(totalMinutes)} in all`,
  ]
  const lines = [
    `Route ${at + 1} (${kinds.map((kind) => WORDS.kind[kind]).join(', ')}): ${facts.filter((fact) => fact !== null).join(', ')}`,
  ]
  for (const leg of legs) {
    const daylight = daylightText(leg)
    lines.push(`  ${legText(leg, departMs)}`)
    if (daylight !== null) lines.push(`      ${leg.daylight?.light === 'day' ? 'note' : 'warning'}: ${daylight}`)
    const stop = leg.stop === null ? undefined : stops[leg.stop]
    if (stop !== undefined) lines.push(...stopLines(stop, nowMs).map((line) => `      ${line}`))
  }
  return lines
}

function legText(
  { to, nm, bearing, groundSpeedKt, minutes, kwh, left, arriveMs }: RouteLeg,
  departMs: number | null,
): string {
  const share = `${Math.floor(left * 100)} %`
  if (nm === 0) return `${to.name}: ${WORDS.chargeFirst}, with ${share} left`
  const facts = [
    `${nmText(nm).padStart(8)}  ${degreesText(bearing)}T`,
    groundSpeedKt === null ? null : `${Math.round(groundSpeedKt)} kt over ground`,
    minutes === null ? null : minutesText(minutes),
    kwh === null ? null : `${kwh.toFixed(1)} kWh`,
  ]
  const when = arriveMs === null || minutes === null ? '' : `, ${clockText(arriveMs, departMs)}`
  return `${facts.filter((fact) => fact !== null).join('  ')}  to ${to.name}${when}, with ${share} left`
}

function stopLines(stop: RouteStop, nowMs: number): string[] {
  const { chargers, liveNow, waitMinutes, chargeMinutes, chargeKwh, opening, notes, alternates } = stop
  const [best, ...others] = chargers
  const charger = [
    `charger ${best?.id ?? ''}`,
    best?.kw == null ? null : `${best.kw} kW`,
    best?.connectors.join(', ') || null,
    ...moreTexts(others),
    liveNow === null ? null : filled(WORDS.stateNow, { state: texts.state[liveNow] }),
  ].filter((fact) => fact !== null)
  const waiting =
    waitMinutes === null || waitMinutes === 0 ? [] : [filled(WORDS.wait, { time: minutesText(waitMinutes) })]
  const charging =
    chargeMinutes === null
      ? []
      : [`charge ${chargeKwh === null ? '' : `${chargeKwh.toFixed(1)} kWh, `}ideally in ${minutesText(chargeMinutes)}`]
  return [
    [...waiting, ...charging, ...charger].join(', '),
    ...(opening === null ? [] : openingLines(opening)),
    ...notes.map(
      (note) =>
        `${STOP_WARNINGS.includes(note) ? 'warning' : 'note'}: ${noteText(note, stop, (atMs) => `${durationText(nowMs - atMs)} ago`)}`,
    ),
    ...(alternates.length === 0 ? [] : [`alternates: ${alternates.map(alternateText).join('; ')}`]),
  ]
}

function moreTexts(others: RouteStop['chargers']): (string | null)[] {
  const fit = others.filter((one) => one.fit === 'fits').length
  const text = (count: number, words: { one: string; other: string }) =>
    count === 0 ? null : filled(count === 1 ? words.one : words.other, { count: String(count) })
  return [
    text(fit, { one: WORDS.moreFit_one, other: WORDS.moreFit_other }),
    text(others.length - fit, { one: WORDS.moreMayFit_one, other: WORDS.moreMayFit_other }),
  ]
}

/** With the time in place of the age, for a file. */
export function datedNote(note: StopNote, stop: RouteStop): string {
  return noteText(note, stop, (atMs) => clockText(atMs, null))
}

function noteText(note: StopNote, { stateAtMs }: RouteStop, when: (atMs: number) => string): string {
  if (note !== 'was_broken') return WORDS.note[note]
  if (stateAtMs === null) return WORDS.note.was_broken_undated
  return filled(WORDS.note.was_broken, { when: when(stateAtMs) })
}

/** The same with the date of the arrival, for a file. */
export function datedDaylight(leg: RouteLeg): string | null {
  const text = daylightText(leg)
  return text === null || leg.arriveMs === null ? null : `Arrival ${clockText(leg.arriveMs, null)}: ${text}`
}

/** "sunset 17:42Z, 12 min before arrival; end of civil twilight 18:15Z, 21 min after arrival"; null without a time of arrival. */
function daylightText({ daylight, arriveMs }: RouteLeg): string | null {
  if (daylight === null || arriveMs === null) return null
  const { light, sun, sunsetMs, civilTwilightEndMs } = daylight
  const when = (what: string, atMs: number) =>
    `${what} ${zuluText(atMs)}, ${minutesText(Math.abs(arriveMs - atMs) / MINUTE_MS)} ${atMs < arriveMs ? 'before' : 'after'} arrival`
  const facts = [
    light === 'day' ? null : light === 'night' ? 'night on arrival' : 'civil twilight on arrival',
    sunsetMs === null ? `the sun does not ${sun === 'does_not_set' ? 'set' : 'rise'}` : when('sunset', sunsetMs),
    civilTwilightEndMs === null ? null : when('end of civil twilight', civilTwilightEndMs),
    civilTwilightEndMs === null && sun === 'sets' ? 'civil twilight all night' : null,
  ]
  return facts.filter((fact) => fact !== null).join('; ')
}

function openingLines({ state, closesInMinutes, opensInMinutes }: ArrivalOpening): string[] {
  if (state === 'open')
    return [`open on arrival${closesInMinutes === null ? '' : `, closes ${minutesText(closesInMinutes)} later`}`]
  return state === 'closed' && opensInMinutes !== null ? [`opens ${minutesText(opensInMinutes)} after arrival`] : []
}

function alternateText({ name, nm, bearing, usesReserve, opening, liveNow, fit }: Alternate): string {
  const facts = [
    usesReserve ? 'into the reserve' : null,
    opening === null ? null : WORDS.alternateHours[opening.state],
    liveNow === null ? null : filled(WORDS.stateNow, { state: texts.state[liveNow] }),
    fit === null ? null : texts.fit[fit],
  ].filter((fact) => fact !== null)
  return `${name} ${nmText(nm)} ${degreesText(bearing)}T${facts.length === 0 ? '' : ` (${facts.join(', ')})`}`
}

/** Up to which charge at the start there is none, and from which there is one. */
export function lowChargeText({ startPercent, neededPercent }: LowChargeAnswer): string {
  return filled(WORDS.lowCharge, { share: `${startPercent} %`, needed: `${neededPercent} %` })
}

/** Why there is no route, and what would make one. */
export function noRouteText(answer: NoRouteAnswer, leftOut: LeftOut, wind: Wind | null | undefined): string {
  const { usableNm, nm, from, via, to, reserveNm, neededRangeNm } = answer
  const figures = { gap: nmText(tenthsUp(nm), 1), from, to, usable: nmText(tenthsDown(usableNm), 1) }
  const why = filled(WORDS[noRouteCode(answer)], { ...figures, via: listText(via, 'en') })
  const needed = neededRangeNm === null ? [] : [rangeNeededText(neededRangeNm, reserveNm)]
  const air = wind == null ? [] : [`Distances are ${airText(wind)}.`]
  return [why, ...needed, ...air, ...leftOutLine(leftOut)].join(' ')
}

function rangeNeededText(rangeNm: number, reserveNm: number): string {
  const words = reserveNm > 0 ? WORDS.rangeNeededReserve : WORDS.rangeNeeded
  return filled(words, { range: nmText(rangeNm), reserve: nmText(reserveNm) })
}

function leftOutLine(leftOut: LeftOut): string[] {
  const parts = LEFT_OUT.filter((reason) => leftOut[reason] > 0).map((reason) => {
    const count = leftOut[reason]
    const words = WORDS.leftOut[`${reason}_${count === 1 ? 'one' : 'other'}`]
    return `${filled(words, { figure: String(count) })}${reason === 'fitNotKnown' ? ' (see --allow-unknown)' : ''}`
  })
  return parts.length === 0 ? [] : [`${WORDS.leftOutTitle} ${parts.join('; ')}.`]
}

function filled(words: string, values: Readonly<Record<string, string>>): string {
  return words.replace(/\{\{(\w+)\}\}/g, (_, name: string) => values[name] ?? '')
}

function nmText(nm: number, decimals = nm < 100 ? 1 : 0): string {
  return `${Number(nm.toFixed(decimals))} NM`
}

function minutesText(minutes: number): string {
  const whole = Math.round(minutes)
  return whole < 60 ? `${whole} min` : `${Math.floor(whole / 60)} h ${String(whole % 60).padStart(2, '0')} min`
}

/** "17:42Z", to the nearest minute, as in almanacs. */
function zuluText(ms: number): string {
  return `${new Date(Math.round(ms / MINUTE_MS) * MINUTE_MS).toISOString().slice(11, 16)}Z`
}

/** In UTC, because a route may cross time zones; with the date if it is not that of `fromMs`, or that is null. */
function clockText(ms: number, fromMs: number | null): string {
  const [day, time] = new Date(ms).toISOString().split('T') as [string, string]
  const isSameDay = fromMs !== null && new Date(fromMs).toISOString().startsWith(day)
  return `${isSameDay ? '' : `${day} `}${time.slice(0, 5)} UTC`
}
