import i18next, { t } from 'i18next'
import { nameOf } from '../../../shared/chargers/group.ts'
import { straightText } from '../../../shared/text/safe-characters.ts'
import { isAhead, liveClassOf, type LiveFacts } from '../../../shared/chargers/live-state.ts'
import type { OpeningStatus } from '../../../shared/chargers/opening-hours.ts'
import { WEEKDAYS } from '../../../shared/chargers/opening-week.ts'
import type { Power } from '../../../shared/chargers/power.ts'
import { countText, decimalText, relativeText, regional } from '../../text/figures.ts'
import { isHollow, lookOf, type Look } from './data/look.ts'
import type { Marker } from './data/sites.ts'
import { routeWords as routeWordsIn, type RouteWords } from '../../../shared/chargers/route/route-words.ts'

/* How chargers are said, in the language of the window. */

const DAY_MS = 86_400_000

const kw = (value: number) => decimalText(value, 1)

export const nm = (value: number) => t('chargers:nm', { nm: decimalText(value, value < 10 ? 1 : 0) })

/** "EDAZ Schönhagen", or the part of it that is known. */
export const name = (one: Parameters<typeof nameOf>[0]) => straightText(nameOf(one)) || t('chargers:map.unnamed')

/** The live state as text, with its age if it is out of date; without one, what the service says. */
export function state(one: LiveFacts): string {
  const { syncedAtMs } = one
  const { liveState } = one.charger
  const nowMs = Date.now()
  const look = lookOf(one, nowMs)
  if (liveState === null) return lookText(look)
  const said = t([`chargers:live.${liveState as 'error'}`, `chargers:state.${liveClassOf(liveState)}`])
  if (!isHollow(look)) return said
  if (syncedAtMs === null || isAhead(syncedAtMs, nowMs)) return t('chargers:lastKnownUndated', { state: said })
  return t('chargers:lastKnown', { state: said, when: relativeText(syncedAtMs, nowMs) })
}

const lookText = (look: Look) =>
  t(`chargers:state.${look === 'unknown' ? 'unclear' : look === 'notLive' ? 'unlinked' : look}`)

export function power(read: Power | null, stored: string | null): string | null {
  if (read === null) return stored
  return read.outlets > 1
    ? t('chargers:outlets', { outlets: read.outlets, kw: kw(read.kw) })
    : t('chargers:kw', { kw: kw(read.kw) })
}

/** "Open until 18:00", by the clock at the airfield. */
export function opening({ state, change, openAllWeek }: OpeningStatus): string {
  if (openAllWeek) return t('chargers:opening.always')
  const words = t(`chargers:opening.${state}`)
  if (change === null) return words
  const { time, weekday, inDays, to } = change
  if (state === 'open' && to === 'closed' && inDays === 0) return t('chargers:opening.until', { time })
  const moment = () => {
    // Midnight at the end of today, not a time tomorrow.
    if (inDays === 1 && time === '00:00' && to !== 'unknown') return t('chargers:opening.midnight')
    if (inDays === 0) return t('chargers:opening.at', { time })
    if (inDays === 1) return t('chargers:opening.tomorrowAt', { time })
    return t('chargers:opening.dayAt', { day: weekdayText(WEEKDAYS.indexOf(weekday), 'short'), time })
  }
  const key = to === 'open' ? 'opens' : to === 'closed' ? 'closes' : 'turnsUnknown'
  return `${words} · ${t(`chargers:opening.${key}`, { at: moment() })}`
}

/** 0 is Monday. */
export function weekdayText(weekday: number, length: 'short' | 'long'): string {
  // 1 January 1970 was a Thursday, so the 5th was a Monday.
  return new Intl.DateTimeFormat(i18next.language, { weekday: length, timeZone: 'UTC' }).format((weekday + 4) * DAY_MS)
}

export function marker(one: Marker): string {
  const facts: string[] = []
  const counts = { count: countText(one.count), free: one.kinds.free }
  if (one.kind === 'cluster') facts.push(t('chargers:map.cluster', { ...counts, sites: one.sites }))
  else if (one.count > 1) facts.push(t('chargers:map.site', { ...counts, name: name(one) }))
  else facts.push(t('chargers:map.one', { name: name(one), state: lookText(one.look) }))
  if (one.kind === 'site' && one.kw !== null) facts.push(t('chargers:kw', { kw: kw(one.kw) }))
  if (one.favourite) facts.push(t('chargers:map.isFavourite'))
  if (one.kinds.broken > 0 && one.count > 1)
    facts.push(t('chargers:map.hasFault', { count: countText(one.kinds.broken) }))
  const words = facts.join(', ')
  return one.kind === 'cluster' ? t('chargers:map.comesApart', { words }) : words
}

export const routeWords = (): RouteWords => routeWordsIn((key, values = {}) => t(`chargers:${key}`, values), regional())
