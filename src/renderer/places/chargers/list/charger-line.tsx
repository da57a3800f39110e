import { Star } from 'lucide-react'
import { t } from 'i18next'
import { distanceNm } from '../../../../shared/chargers/distance.ts'
import { liveStatusOf, type LiveClass } from '../../../../shared/chargers/live-state.ts'
import { openingStatus } from '../../../../shared/chargers/opening-hours.ts'
import type { PreparedCharger } from '../../../../shared/chargers/prepare.ts'
import { lookOf } from '../data/look.ts'
import { MarkIcon } from '../map/mark-icon.tsx'
import { useChargers } from '../store/chargers-store.ts'
import * as words from '../charger-words.ts'

/** They share the mark of another state. */
const UNMARKED: readonly LiveClass[] = ['limited', 'offline']

/** Two short rows. The state is in words where its mark does not tell it. */
export function ChargerLine({ one }: { one: PreparedCharger }) {
  const nowMs = useChargers(({ found }) => found?.atMs ?? 0)
  const origin = useChargers((state) => state.origin)
  const nm = distanceNm(one.place, origin)
  const { icao, airfield, kw, type } = one.charger
  const power = words.power(one.power, kw) ?? type
  const state = words.state(one)
  const isMarked = !UNMARKED.includes(liveStatusOf(one, nowMs).liveClass)
  const opening = openingStatus(one.week, one.zone, nowMs)
  const closed = opening.state === 'open' ? '' : t(`chargers:opening.${opening.state}`)
  return (
    <>
      <MarkIcon look={lookOf(one, nowMs)} size={20} />
      <span className="chargers-line-name ellipsis" dir="auto" title={words.name(one.charger)}>
        {icao === null ? null : <b className="figures">{icao}</b>}{' '}
        {airfield ?? (icao === null ? words.name(one.charger) : '')}
      </span>
      <span className="chargers-line-far secondary figures">
        {one.favourite ? <Star size={13} fill="currentColor" aria-hidden /> : null}
        {one.favourite ? <span className="unseen">{t('chargers:favourite')}</span> : null}
        {nm === null ? t('chargers:noPosition') : words.nm(nm)}
      </span>
      <span className="chargers-line-facts ellipsis" dir="auto" title={state}>
        {power}
        <span className={isMarked ? 'unseen' : ''}>
          {power === null ? '' : ' · '}
          {state}
        </span>
      </span>
      <span className="chargers-line-open ellipsis" title={words.opening(opening)}>
        {closed}
        {one.fit === null ? null : (
          <span className={`chargers-fit ${one.fit}`}>
            {closed === '' ? '' : ' · '}
            {t(`chargers:fit.${one.fit}`)}
          </span>
        )}
      </span>
    </>
  )
}
