import { Star } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { distanceNm } from '../../../../shared/chargers/distance.ts'
import { openingStatus } from '../../../../shared/chargers/opening-hours.ts'
import type { Member } from '../data/charger-set.ts'
import { lookOf } from '../data/look.ts'
import { MarkIcon } from '../map/mark-icon.tsx'
import { useChargers } from '../store/chargers-store.ts'
import type { ChargerWords } from '../use-words.ts'

/** A charger in two short rows: name and distance, and power, state and whether it is closed. The rest is in its details. */
export function ChargerLine({ one, words }: { one: Member; words: ChargerWords }) {
  const { t } = useTranslation('chargers')
  const nowMs = useChargers(({ found }) => found?.atMs ?? 0)
  const nm = distanceNm(
    one.place,
    useChargers(({ origin }) => origin),
  )
  const { icao, airfield, kw, type } = one.charger
  const facts = [words.power(one.power, kw) ?? type, words.state(one)].filter(Boolean).join(' · ')
  const opening = openingStatus(one.week, one.zone, nowMs)
  const closed = opening.state === 'open' ? '' : t(`opening.${opening.state}`)
  return (
    <>
      <MarkIcon look={lookOf(one, nowMs)} size={20} />
      <span className="ellipsis" dir="auto" title={words.name(one.charger)}>
        {icao === null ? null : <b className="figures">{icao}</b>}{' '}
        {airfield ?? (icao === null ? words.name(one.charger) : '')}
      </span>
      <span className="chargers-line-far secondary figures">
        {one.favourite ? <Star size={13} fill="currentColor" aria-hidden /> : null}
        {one.favourite ? <span className="unseen">{t('favourite')}</span> : null}
        {nm === null ? t('noPosition') : words.nm(nm)}
      </span>
      <span className="chargers-line-facts ellipsis" dir="auto" title={facts}>
        {facts}
      </span>
      <span className="chargers-line-open" title={words.opening(opening)}>
        {closed}
        {one.fit === null ? null : (
          <span className={`chargers-fit ${one.fit.fit}`}>
            {closed === '' ? '' : ' · '}
            {t(`fit.${one.fit.fit}`)}
          </span>
        )}
      </span>
    </>
  )
}
