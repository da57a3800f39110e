import { listText } from '../../text/list-text.ts'
import { tenthsDown, tenthsUp } from '../distance.ts'
import type { ChargerTranslate } from '../../text/charger-translate.ts'
import { usableNm, type Aircraft } from './aircraft.ts'
import type { NoRoute, PlannedRoute, RouteLeg } from './plan-routes.ts'
import type { LeftOut } from './route-network.ts'
import type { ArrivalOpening, RouteStop, StopNote } from './route-stop.ts'
import { windText, type Wind } from './wind.ts'

/** The words for everything about a route, in one language, as the window, the command line and files have them. */
export type RouteWords = ReturnType<typeof routeWords>

const DASH = '–'
/** Keeps a figure and its unit, or a date, on one line. */
const tied = (text: string) => text.replaceAll(' ', '\u00a0').replaceAll('-', '\u2011')
/** For a terminal, which breaks lines by columns, and for files. */
export const untied = (text: string) => text.replaceAll('\u00a0', ' ').replaceAll('\u2011', '-')

/** Joins facts with dots; a line may break after a dot. */
const dotted = (facts: readonly (string | null)[]) =>
  facts.filter((fact) => fact !== null && fact !== '').join('\u00a0· ')

const LEFT_OUT = ['doesNotFit', 'fitNotKnown', 'broken', 'noPosition'] as const

/** `language` is BCP 47: figures are written as there. */
export function routeWords(t: ChargerTranslate, language: string) {
  const figures = figureWords(t, language)
  const { nm, minutes, percent } = figures
  const brief = ({ stops, nm: length, totalMinutes }: PlannedRoute) =>
    dotted([
      t('route.stopCount', { count: stops.length }),
      nm(length),
      totalMinutes === null ? null : minutes(totalMinutes),
    ])
  return {
    ...figures,
    ...legWords(t, figures),
    ...stopWords(t, language, figures),
    ranges: (aircraft: Aircraft, wind: Wind | null) =>
      t(wind === null ? 'route.ranges' : 'route.rangesInAir', {
        range: nm(aircraft.rangeNm),
        reserve: nm(aircraft.rangeNm - (usableNm(aircraft) ?? 0)),
      }),
    inWind: (wind: Wind) => t('route.inWind', { wind: tied(`${windText(wind)} kt`) }),
    startsWith: (share: number) => t('route.startsWith', { share: percent(share) }),
    kinds: ({ kinds }: PlannedRoute) =>
      listText(
        kinds.map((kind) => t(`route.kind.${kind}`)),
        language,
      ),
    brief,
    /** With what the time in all consists of, where it is known. */
    summary: (route: PlannedRoute) => {
      if (route.stops.length === 0 || route.flyingMinutes === null) return brief(route)
      return t(route.waitingMinutes === null || route.waitingMinutes === 0 ? 'route.summary' : 'route.summaryWait', {
        stops: t('route.stopCount', { count: route.stops.length }),
        nm: nm(route.nm),
        flying: minutes(route.flyingMinutes),
        waiting: minutes(route.waitingMinutes),
        charging: minutes(route.chargingMinutes),
        total: minutes(route.totalMinutes),
      })
    },
    /** Why there is no route, and what would make one. */
    none: (answer: NoRoute) => {
      if (answer.kind === 'low_charge')
        return t('route.lowCharge', { share: percent(answer.startPercent), needed: percent(answer.neededPercent) })
      const { nm: gap, from, via, to, usableNm, usableSites, neededRangeNm, reserveNm } = answer
      // As they are shown: what is too long must not look as if it could be flown.
      const up = gap < 100 ? tenthsUp : Math.ceil
      const down = usableNm < 100 ? tenthsDown : Math.floor
      const past = via.length === 0 ? 'none' : from === to ? 'noneBack' : 'noneVia'
      const gapFigures = { gap: nm(up(gap)), from, to, usable: nm(down(usableNm)) }
      const why = t(`route.${usableSites === 0 ? 'noneAtAll' : past}`, { ...gapFigures, via: listText(via, language) })
      if (neededRangeNm === null) return why
      const needed = { range: nm(neededRangeNm), reserve: nm(reserveNm) }
      return `${why} ${t(reserveNm > 0 ? 'route.rangeNeededReserve' : 'route.rangeNeeded', needed)}`
    },
    leftOut: (leftOut: LeftOut) =>
      LEFT_OUT.filter((why) => leftOut[why] > 0).map((why) =>
        t(`route.leftOut.${why}`, { count: leftOut[why], figure: leftOut[why].toLocaleString(language) }),
      ),
  }
}

type FigureWords = ReturnType<typeof figureWords>

function figureWords(t: ChargerTranslate, language: string) {
  const decimal = (value: number, digits: number) => value.toLocaleString(language, { maximumFractionDigits: digits })
  return {
    /** In tenths below 100 NM. */
    nm: (value: number) => tied(t('nm', { nm: decimal(value, value < 100 ? 1 : 0) })),
    kt: (value: number) => tied(t('route.overGround', { kt: decimal(value, 0) })),
    kw: (value: number) => tied(t('kw', { kw: decimal(value, 1) })),
    kwh: (value: number | null) => (value === null ? DASH : tied(t('route.kwh', { kwh: decimal(value, 1) }))),
    percent: (value: number) =>
      tied((value / 100).toLocaleString(language, { style: 'percent', maximumFractionDigits: 1 })),
    bearing: (degrees: number) => tied(t('route.trueBearing', { degrees: degreesText(degrees) })),
    /** "1 h 05 min"; a dash if unknown. */
    minutes: (value: number | null) => {
      if (value === null) return DASH
      const whole = Math.round(value)
      if (whole < 60) return tied(t('route.minutes', { minutes: whole }))
      return tied(t('route.hours', { hours: Math.floor(whole / 60), minutes: String(whole % 60).padStart(2, '0') }))
    },
    /** "10:42 UTC", because a route may cross time zones; with the date if it is not that of `fromMs`, or that is null. */
    clock: (ms: number, fromMs: number | null) => {
      const [day, time] = new Date(ms).toISOString().split('T') as [string, string]
      const isSameDay = fromMs !== null && new Date(fromMs).toISOString().startsWith(day)
      return tied(t('route.utc', { time: `${isSameDay ? '' : `${day} `}${time.slice(0, 5)}` }))
    },
  }
}

function legWords(t: ChargerTranslate, { nm, kt, bearing, minutes, kwh, percent, clock }: FigureWords) {
  /** Sunset and twilight at the end of a leg; null when the time of arrival is not known. */
  const daylight = ({ daylight: sun, arriveMs }: RouteLeg) => {
    if (sun === null || arriveMs === null) return null
    const at = (ms: number) => ({ at: clock(ms, arriveMs) })
    return dotted([
      sun.light === 'day' ? null : t(`route.daylight.${sun.light}`),
      sun.sun === 'sets' ? null : t(`route.daylight.${sun.sun}`),
      sun.sunsetMs === null ? null : t('route.daylight.sunset', at(sun.sunsetMs)),
      sun.civilTwilightEndMs === null ? null : t('route.daylight.twilightEnds', at(sun.civilTwilightEndMs)),
      sun.civilTwilightEndMs === null && sun.sun === 'sets' ? t('route.daylight.allNight') : null,
    ])
  }
  return {
    /** In short, without bearing, speed over ground and energy. */
    leg: (leg: RouteLeg, isWhole = true) => {
      const left = t('route.left', { share: percent(Math.floor(leg.left * 100)) })
      if (leg.nm === 0 && leg.stop !== null) return dotted([t('route.chargeFirst'), left])
      return dotted([
        nm(leg.nm),
        isWhole ? bearing(leg.bearing) : null,
        leg.groundSpeedKt === null || !isWhole ? null : kt(leg.groundSpeedKt),
        leg.minutes === null ? null : minutes(leg.minutes),
        leg.kwh === null || !isWhole ? null : kwh(leg.kwh),
        left,
      ])
    },
    daylight,
    /** The same with the time of arrival and its date, for a file. */
    datedDaylight: (leg: RouteLeg) => {
      const what = daylight(leg)
      if (what === null || leg.arriveMs === null) return null
      return t('route.arrivalAt', { at: clock(leg.arriveMs, null), what })
    },
  }
}

function stopWords(t: ChargerTranslate, language: string, { minutes, kw, kwh, clock }: FigureWords) {
  return {
    stop: ({ chargers, liveNow, waitMinutes, chargeKwh, chargeMinutes }: RouteStop) => {
      const [best, ...others] = chargers
      return dotted([
        best?.kw == null ? null : kw(best.kw),
        best === undefined ? null : listText(best.connectors, language),
        others.length === 0 ? null : t('route.moreChargers', { count: others.length }),
        liveNow === null ? null : t('route.stateNow', { state: t(`state.${liveNow}`) }),
        waitMinutes === null || waitMinutes === 0 ? null : t('route.wait', { time: minutes(waitMinutes) }),
        chargeMinutes === null ? null : t('route.charge', { kwh: kwh(chargeKwh), time: minutes(chargeMinutes) }),
      ])
    },
    arrival: ({ state, closesInMinutes, opensInMinutes }: ArrivalOpening) => {
      if (state === 'open')
        return closesInMinutes === null ? t('arrival.open') : t('arrival.closes', { time: minutes(closesInMinutes) })
      if (state === 'unknown') return t('arrival.unknown')
      return opensInMinutes === null ? t('arrival.closed') : t('arrival.opens', { time: minutes(opensInMinutes) })
    },
    /** As it will still be true when a file is read later. */
    note: (note: StopNote, { stateAtMs }: RouteStop) => {
      if (note !== 'was_broken') return t(`route.note.${note}`)
      return stateAtMs === null
        ? t('route.note.was_broken_undated')
        : t('route.note.was_broken', { when: clock(stateAtMs, null) })
    },
  }
}

/** Whole degrees in the notation of bearings: "007°". */
export function degreesText(degrees: number): string {
  return `${String(Math.round(degrees) % 360).padStart(3, '0')}°`
}
