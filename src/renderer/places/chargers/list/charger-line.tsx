import { Star } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { distanceNm } from '../../../../shared/chargers/distance.ts'
import { openingStatus } from '../../../../shared/chargers/opening-hours.ts'
import { listText } from '../../../../shared/text/list-text.ts'
import type { Member } from '../data/charger-set.ts'
import { lookOf } from '../data/look.ts'
import { MarkIcon } from '../map/mark-icon.tsx'
import { useChargers } from '../store/chargers-store.ts'
import type { ChargerWords } from '../use-words.ts'

/** A charger in three short rows: name and distance, type, and opening hours. */
export function ChargerLine({ one, words }: { one: Member; words: ChargerWords }) {
  const { t, i18n } = useTranslation('chargers')
  const nowMs = useChargers(({ found }) => found?.atMs ?? 0)
  const nm = distanceNm(
    one.place,
    useChargers(({ origin }) => origin),
  )
  const { icao, airfield, kw, type, connectors } = one.charger
  const facts = [words.power(one.power, kw) ?? type, listText(connectors, i18n.language)].filter(Boolean).join(' · ')
  const opening = openingStatus(one.week, one.zone, nowMs)
  const open = words.opening(opening)
  const fit = one.fit === null ? null : t(`fit.${one.fit.fit}`)
  return (
    <>
      <MarkIcon look={lookOf(one, nowMs)} size={20} />
      <span className="ellipsis" dir="auto" title={words.name(one.charger)}>
        {icao === null ? null : <b className="figures">{icao}</b>}{' '}
        {airfield ?? (icao === null ? words.name(one.charger) : '')}
      </span>
      <span className="chargers-line-far secondary figures">{nm === null ? t('noPosition') : words.nm(nm)}</span>
      <span className="chargers-line-facts ellipsis" dir="auto" title={facts}>
        <span>{words.state(one)}</span>
        {facts === '' ? null : ` · ${facts}`}
      </span>
      {one.favourite ? (
        <span className="chargers-line-star">
          <Star size={13} fill="currentColor" aria-hidden />
          <span className="unseen">{t('favourite')}</span>
        </span>
      ) : null}
      <span className={`chargers-line-open ${opening.state}`} title={[open, fit].filter(Boolean).join(' · ')}>
        <span className="ellipsis">{open}</span>
        {one.fit === null ? null : <span className={`chargers-fit ${one.fit.fit}`}>{` · ${fit}`}</span>}
      </span>
    </>
  )
}
