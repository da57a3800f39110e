import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { nameOf } from '../../../shared/chargers/group.ts'
import { straightText } from '../../../shared/text/safe-characters.ts'
import { isAhead, type LiveFacts } from '../../../shared/chargers/live-state.ts'
import type { OpeningStatus } from '../../../shared/chargers/opening-hours.ts'
import { WEEKDAYS } from '../../../shared/chargers/opening-week.ts'
import type { Power } from '../../../shared/chargers/power.ts'
import { countText, decimalText, relativeText, regional } from '../../text/figures.ts'
import { isHollow, lookOf } from './data/look.ts'
import type { Marker, SiteMarker } from './data/sites.ts'
import { routeWords, type RouteWords } from '../../../shared/chargers/route/route-words.ts'

export type ChargerWords = ReturnType<typeof useWords>

const DAY_MS = 86_400_000

/** Formats everything about chargers that several parts of the view show. */
export function useWords() {
  const { t, i18n } = useTranslation('chargers')
  const { language } = i18n
  return useMemo(() => {
    const count = (value: number) => countText(value, language)
    const kw = (value: number) => decimalText(value, 1, language)
    /** "EDAZ Schönhagen", or the part of it that is known. */
    const name = (one: Parameters<typeof nameOf>[0]) => straightText(nameOf(one)) || t('map.unnamed')
    const live = new Map(Object.entries(t('live', { returnObjects: true })))
    /** The live state as text, with its age if it is out of date; without one, what the service says. */
    const state = (one: LiveFacts) => {
      const { syncedAtMs } = one
      const { liveState } = one.charger
      const nowMs = Date.now()
      const look = lookOf(one, nowMs)
      if (liveState === null) return t(`look.${look}`)
      const state = live.get(liveState) ?? t('live.other')
      if (!isHollow(look)) return state
      if (syncedAtMs === null || isAhead(syncedAtMs, nowMs)) return t('lastKnownUndated', { state })
      return t('lastKnown', { state, when: relativeText(syncedAtMs, nowMs, language) })
    }
    const power = (read: Power | null, stored: string | null) => {
      if (read === null) return stored
      return read.outlets > 1 ? t('outlets', { outlets: read.outlets, kw: kw(read.kw) }) : t('kw', { kw: kw(read.kw) })
    }
    return {
      language,
      count,
      name,
      state,
      power,
      /** "Open until 18:00", by the clock at the airfield. */
      opening: (opening: OpeningStatus) => openingWords(opening, language, t),
      nm: (nm: number) => t('nm', { nm: decimalText(nm, nm < 10 ? 1 : 0, language) }),
      marker: (marker: Marker) => markerWords(marker, { t, count, name, kw }),
    }
  }, [t, language])
}

type Translate = ReturnType<typeof useTranslation<'chargers'>>['t']

function openingWords({ state, change, openAllWeek }: OpeningStatus, language: string, t: Translate): string {
  if (openAllWeek) return t('opening.always')
  const words = t(`opening.${state}`)
  if (change === null) return words
  const { time, weekday, inDays, to } = change
  if (state === 'open' && to === 'closed' && inDays === 0) return t('opening.until', { time })
  const moment = () => {
    // Midnight at the end of today, not a time tomorrow.
    if (inDays === 1 && time === '00:00' && to !== 'unknown') return t('opening.midnight')
    if (inDays === 0) return t('opening.at', { time })
    if (inDays === 1) return t('opening.tomorrowAt', { time })
    return t('opening.dayAt', { day: weekdayText(WEEKDAYS.indexOf(weekday), 'short', language), time })
  }
  const key = to === 'open' ? 'opens' : to === 'closed' ? 'closes' : 'turnsUnknown'
  return `${words} · ${t(`opening.${key}`, { at: moment() })}`
}

/** 0 is Monday. */
export function weekdayText(weekday: number, length: 'short' | 'long', language: string): string {
  // 1 January 1970 was a Thursday, so the 5th was a Monday.
  return new Intl.DateTimeFormat(language, { weekday: length, timeZone: 'UTC' }).format((weekday + 4) * DAY_MS)
}

interface Figures {
  t: Translate
  count: (count: number) => string
  name: (marker: SiteMarker) => string
  kw: (kw: number) => string
}

function markerWords(marker: Marker, { t, count, name, kw }: Figures): string {
  const facts: string[] = []
  const counts = { count: count(marker.count), free: marker.kinds.free }
  if (marker.kind === 'cluster') facts.push(t('map.cluster', { ...counts, sites: marker.sites }))
  else if (marker.count > 1) facts.push(t('map.site', { ...counts, name: name(marker) }))
  else facts.push(t('map.one', { name: name(marker), state: t(`look.${marker.look}`) }))
  if (marker.kind === 'site' && marker.kw !== null) facts.push(t('map.power', { kw: kw(marker.kw) }))
  if (marker.favourite) facts.push(t('map.isFavourite'))
  if (marker.kinds.broken > 0 && marker.count > 1) facts.push(t('map.hasFault', { count: count(marker.kinds.broken) }))
  const words = facts.join(', ')
  return marker.kind === 'cluster' ? t('map.comesApart', { words }) : words
}

/** The words for everything about a route, in the window's language. */
export function useRouteWords(): RouteWords {
  const { t, i18n } = useTranslation('chargers')
  const { language } = i18n
  return useMemo(() => routeWords((key, values = {}) => t(key, values), regional(language)), [t, language])
}
