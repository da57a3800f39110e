import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { KM_PER_NM } from '../../../shared/chargers/distance.ts'
import type { OpeningChange, OpeningStatus } from '../../../shared/chargers/opening-hours.ts'
import { WEEK } from '../../../shared/chargers/opening-week.ts'
import type { Power } from '../../../shared/chargers/power.ts'
import { straightText } from '../../../shared/text/safe-characters.ts'
import { useShell } from '../../store/shell-store.ts'
import { countText, decimalText, relativeText } from '../../text/figures.ts'
import { isHollow } from './data/look.ts'
import type { ChargerRow } from './data/row.ts'
import type { Marker } from './data/sites.ts'

export type HoursIn = 'airfield' | 'utc'

export interface ChargerWords {
  language: string
  count: (count: number) => string
  /** "EDAZ Schönhagen", or the part of it that is known. */
  name: (place: { icao: string | null; airfield: string | null }) => string
  /** The live state as text, with its age if it is out of date; without one, what the service says. */
  state: (row: Pick<ChargerRow, 'look' | 'liveState' | 'syncedAtMs'>) => string
  power: (power: Power | null, stored: string | null) => string | null
  /** "Open until 18:00". */
  opening: (opening: OpeningStatus) => string
  nm: (nm: number) => string
  km: (nm: number) => string
  marker: (marker: Marker) => string
  country: (code: string) => string
}

const DAY_MS = 86_400_000

export function useHoursIn(): HoursIn {
  return useShell(({ state }) => state?.settings.chargers.hoursIn ?? 'airfield')
}

/** Formats everything about chargers that several parts of the view show. */
export function useWords(): ChargerWords {
  const { t, i18n } = useTranslation('chargers')
  const { language } = i18n
  const hoursIn = useHoursIn()
  return useMemo(() => {
    const count = (value: number) => countText(value, language)
    const figure = (value: number) => decimalText(value, value < 10 ? 1 : 0, language)
    const kw = (value: number) => decimalText(value, 1, language)
    const name: ChargerWords['name'] = ({ icao, airfield }) =>
      straightText([icao, airfield].filter((text) => text !== null && text.trim() !== '').join(' ')) || t('map.unnamed')
    const live = t('live', { returnObjects: true }) as Record<string, string>
    const knownLive = (state: string) => (Object.hasOwn(live, state) ? live[state] : undefined)
    const state: ChargerWords['state'] = ({ look, liveState, syncedAtMs }) => {
      if (liveState === null) return t(`look.${look}`)
      const state = knownLive(liveState) ?? t('live.other')
      if (!isHollow(look)) return state
      if (syncedAtMs === null) return t('lastKnownUndated', { state })
      return t('lastKnown', { state, when: relativeText(syncedAtMs, Date.now(), language) })
    }
    const power: ChargerWords['power'] = (read, stored) => {
      if (read === null) return stored
      return read.outlets > 1 ? t('outlets', { outlets: read.outlets, kw: kw(read.kw) }) : t('kw', { kw: kw(read.kw) })
    }
    const regions = new Intl.DisplayNames(language, { type: 'region' })
    return {
      language,
      count,
      name,
      state,
      power,
      opening: (opening) => openingWords(opening, hoursIn, language, t),
      nm: (nm) => t('nm', { nm: figure(nm) }),
      km: (nm) => t('km', { km: figure(nm * KM_PER_NM) }),
      marker: (marker) => markerWords(marker, { t, count, name, kw }),
      country: (code) => (code === 'ZZ' ? t('filter.unknownCountry') : (regions.of(code) ?? code)),
    }
  }, [t, language, hoursIn])
}

type Translate = ReturnType<typeof useTranslation<'chargers'>>['t']

function openingWords(
  { state, change, openAllWeek }: OpeningStatus,
  hoursIn: HoursIn,
  language: string,
  t: Translate,
): string {
  if (openAllWeek) return t('opening.always')
  const words = t(`opening.${state}`)
  if (change === null) return words
  if (state === 'open' && change.to === 'closed' && change.inDays === 0 && hoursIn === 'airfield')
    return t('opening.until', { time: change.time })
  const at = momentWords(change, hoursIn, language, t)
  const key = change.to === 'open' ? 'opens' : change.to === 'closed' ? 'closes' : 'turnsUnknown'
  return `${words} · ${t(`opening.${key}`, { at })}`
}

/** Weekdays in the time zone that the hours are given in: the airfield's, or UTC. */
function momentWords(change: OpeningChange, hoursIn: HoursIn, language: string, t: Translate) {
  const { atMs, time, weekday, inDays } = change
  const words = { language, t, hasMidnight: change.to !== 'unknown' }
  if (hoursIn === 'airfield') return dayWords(time, WEEK.indexOf(weekday), inDays, words)
  const days = Math.floor(atMs / DAY_MS)
  const at = new Date(atMs).toISOString().slice(11, 16)
  return t('opening.utcAt', { at: dayWords(at, (days + 3) % 7, days - Math.floor(Date.now() / DAY_MS), words) })
}

function dayWords(
  time: string,
  weekday: number,
  inDays: number,
  { language, t, hasMidnight }: { language: string; t: Translate; hasMidnight: boolean },
): string {
  // Midnight at the end of today, not a time tomorrow.
  if (inDays === 1 && time === '00:00' && hasMidnight) return t('opening.midnight')
  if (inDays === 0) return t('opening.at', { time })
  if (inDays === 1) return t('opening.tomorrowAt', { time })
  return t('opening.dayAt', { day: weekdayText(weekday, 'short', language), time })
}

/** 0 is Monday. */
export function weekdayText(weekday: number, length: 'short' | 'long', language: string): string {
  // 1 January 1970 was a Thursday, so the 5th was a Monday.
  return new Intl.DateTimeFormat(language, { weekday: length, timeZone: 'UTC' }).format((weekday + 4) * DAY_MS)
}

function markerWords(
  marker: Marker,
  {
    t,
    count,
    name,
    kw,
  }: { t: Translate; count: (count: number) => string; name: ChargerWords['name']; kw: (kw: number) => string },
): string {
  const facts: string[] = []
  if (marker.kind === 'cluster')
    facts.push(
      t('map.cluster', { count: count(marker.count), sites: count(marker.sites), free: count(marker.kinds.free) }),
    )
  else if (marker.count > 1)
    facts.push(t('map.site', { name: name(marker), count: count(marker.count), free: count(marker.kinds.free) }))
  else facts.push(t('map.one', { name: name(marker), state: t(`look.${marker.look}`) }))
  if (marker.kind === 'site' && marker.kw !== null) facts.push(t('map.power', { kw: kw(marker.kw) }))
  if (marker.favourite) facts.push(t('map.isFavourite'))
  if (marker.kinds.broken > 0 && marker.count > 1) facts.push(t('map.hasFault', { count: count(marker.kinds.broken) }))
  const words = facts.join(', ')
  return marker.kind === 'cluster' ? t('map.comesApart', { words }) : words
}
