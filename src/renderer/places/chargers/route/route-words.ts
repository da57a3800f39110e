import type { TFunction } from 'i18next'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { tenthsDown, tenthsUp } from '../../../../shared/chargers/distance.ts'
import { degreesText } from '../../../../shared/chargers/exports/route-files.ts'
import type { ArrivalOpening } from '../../../../shared/chargers/route/arrival.ts'
import {
  noRouteCode,
  type LowChargeAnswer,
  type NoRouteAnswer,
  type PlannedRoute,
  type RouteLeg,
} from '../../../../shared/chargers/route/plan-routes.ts'
import type { Alternate, RouteStop } from '../../../../shared/chargers/route/route-stop.ts'
import type { StopNote } from '../../../../shared/chargers/route/stop-notes.ts'
import type { LeftOut } from '../../../../shared/chargers/route/route-network.ts'
import { windText, type Wind } from '../../../../shared/chargers/route/wind.ts'
import { listText } from '../../../../shared/text/list-text.ts'
import { decimalText, relativeText } from '../../../text/figures.ts'
import { useWords, type ChargerWords } from '../use-words.ts'

/** What all words are made with. */
interface Speech {
  t: TFunction<'chargers'>
  language: string
  words: ChargerWords
}

const DASH = '–'
/** Keeps a figure and its unit, or a date, on one line. */
const tied = (text: string) => text.replaceAll(' ', '\u00a0').replaceAll('-', '\u2011')
/** Joins facts with dots; a line may break after a dot. */
const dotted = (facts: readonly (string | null)[]) =>
  facts.filter((fact) => fact !== null && fact !== '').join('\u00a0· ')
const LEFT_OUT = ['doesNotFit', 'fitNotKnown', 'broken', 'noPosition', 'avoided'] as const

type FigureWords = ReturnType<typeof figureWords>
export type RouteWords = ReturnType<typeof routeWordsIn>

/** Formats everything shown about a route, in the window's language. */
export function useRouteWords(): RouteWords {
  const { t, i18n } = useTranslation('chargers')
  const { language } = i18n
  const words = useWords()
  return useMemo(() => routeWordsIn({ t, language, words }), [t, language, words])
}

function routeWordsIn(speech: Speech) {
  const { t, language, words } = speech
  const figures = figureWords(speech)
  return {
    ...figures,
    ...legWords(speech, figures),
    ...stopWords(speech, figures),
    inWind: (wind: Wind) => t('route.inWind', { wind: tied(`${windText(wind)} kt`) }),
    startsWith: (percent: number) => t('route.startsWith', { share: figures.percent(percent) }),
    kinds: ({ kinds }: PlannedRoute) =>
      listText(
        kinds.map((kind) => t(`route.kind.${kind}`)),
        language,
      ),
    /** Why there is no route. */
    none: (answer: NoRouteAnswer) => {
      const { nm: gap, from, via, to, usableNm, neededRangeNm, reserveNm } = answer
      const tenths = (value: number) => tied(t('nm', { nm: decimalText(value, 1, language) }))
      const gapFigures = { gap: tenths(tenthsUp(gap)), from, to, usable: tenths(tenthsDown(usableNm)) }
      const why = t(`route.${noRouteCode(answer)}`, { ...gapFigures, via: listText(via, language) })
      if (neededRangeNm === null) return why
      const needed = { range: figures.nm(neededRangeNm), reserve: figures.nm(reserveNm) }
      return `${why} ${t(reserveNm > 0 ? 'route.rangeNeededReserve' : 'route.rangeNeeded', needed)}`
    },
    lowCharge: ({ startPercent, neededPercent }: LowChargeAnswer) =>
      t('route.lowCharge', { share: figures.percent(startPercent), needed: figures.percent(neededPercent) }),
    leftOut: (leftOut: LeftOut) =>
      LEFT_OUT.filter((why) => leftOut[why] > 0).map((why) =>
        t(`route.leftOut.${why}`, { count: leftOut[why], figure: words.count(leftOut[why]) }),
      ),
  }
}

function figureWords({ t, language, words }: Speech) {
  return {
    nm: (value: number) => tied(words.nm(value)),
    /** "1 h 05 min"; a dash if unknown. */
    minutes: (value: number | null) => {
      if (value === null) return DASH
      const whole = Math.round(value)
      if (whole < 60) return tied(t('route.minutes', { minutes: whole }))
      return tied(t('route.hours', { hours: Math.floor(whole / 60), minutes: String(whole % 60).padStart(2, '0') }))
    },
    kwh: (value: number | null) =>
      value === null ? DASH : tied(t('route.kwh', { kwh: decimalText(value, 1, language) })),
    percent: (value: number) =>
      tied(new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 1 }).format(value / 100)),
    bearing: (degrees: number) => tied(t('route.trueBearing', { degrees: degreesText(degrees) })),
    /** "10:42 UTC", with the date if it is not that of `fromMs`, or that is null. */
    clock: (ms: number, fromMs: number | null) => {
      const [day, time] = new Date(ms).toISOString().split('T') as [string, string]
      const isSameDay = fromMs !== null && new Date(fromMs).toISOString().startsWith(day)
      return tied(t('route.utc', { time: `${isSameDay ? '' : `${day} `}${time.slice(0, 5)}` }))
    },
  }
}

function legWords({ t, language }: Speech, { nm, bearing, minutes, kwh, percent, clock }: FigureWords) {
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
    leg: (leg: RouteLeg) => {
      const left = t('route.left', { share: percent(Math.floor(leg.left * 100)) })
      if (leg.nm === 0) return dotted([t('route.chargeFirst'), left])
      const { groundSpeedKt } = leg
      return dotted([
        nm(leg.nm),
        bearing(leg.bearing),
        groundSpeedKt === null ? null : tied(t('route.overGround', { kt: decimalText(groundSpeedKt, 0, language) })),
        leg.minutes === null ? null : minutes(leg.minutes),
        leg.kwh === null ? null : kwh(leg.kwh),
        left,
      ])
    },
    daylight,
    /** The same with the time of arrival, for a file. */
    datedDaylight: (leg: RouteLeg) => {
      const text = daylight(leg)
      return text === null || leg.arriveMs === null
        ? null
        : t('route.arrivalAt', { at: clock(leg.arriveMs, null), what: text })
    },
  }
}

function stopWords({ t, language }: Speech, { nm, bearing, minutes, kwh, clock }: FigureWords) {
  const noteText = (note: StopNote, { stateAtMs }: RouteStop, when: (atMs: number) => string) => {
    if (note !== 'was_broken') return t(`route.note.${note}`)
    if (stateAtMs === null) return t('route.note.was_broken_undated')
    return t('route.note.was_broken', { when: when(stateAtMs) })
  }
  const more = (others: RouteStop['chargers']) => {
    const fit = others.filter((one) => one.fit === 'fits').length
    const mayFit = others.length - fit
    return [
      fit === 0 ? null : t('route.moreFit', { count: fit }),
      mayFit === 0 ? null : t('route.moreMayFit', { count: mayFit }),
    ]
  }
  return {
    stop: ({ chargers, liveNow, waitMinutes, chargeKwh, chargeMinutes }: RouteStop) => {
      const [best, ...others] = chargers
      return dotted([
        best?.kw == null ? null : tied(t('kw', { kw: decimalText(best.kw, 1, language) })),
        best === undefined ? null : listText(best.connectors, language),
        ...more(others),
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
    note: (note: StopNote, stop: RouteStop) => noteText(note, stop, (atMs) => relativeText(atMs, Date.now(), language)),
    /** The same with the time in place of the age, for a file. */
    datedNote: (note: StopNote, stop: RouteStop) => noteText(note, stop, (atMs) => clock(atMs, null)),
    alternate: ({ name, nm: far, bearing: degrees, usesReserve, opening, liveNow, fit }: Alternate) => {
      const facts = dotted([
        opening === null ? null : t(`route.alternateHours.${opening.state}`),
        liveNow === null ? null : t('route.stateNow', { state: t(`state.${liveNow}`) }),
        fit === null ? null : t(`fit.${fit}`),
      ])
      const where = t(usesReserve ? 'route.alternateOnReserve' : 'route.alternate', {
        name,
        nm: nm(far),
        bearing: bearing(degrees),
      })
      return facts === '' ? where : `${where} (${facts})`
    },
  }
}
