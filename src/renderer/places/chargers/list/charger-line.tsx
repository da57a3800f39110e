import { Star } from 'lucide-react'
import { memo } from 'react'
import { useTranslation } from 'react-i18next'
import { listText } from '../../../../shared/text/list-text.ts'
import type { ChargerRow } from '../data/protocol.ts'
import { MarkerIcon } from '../marker-icon.tsx'
import type { ChargerWords } from '../use-words.ts'

/** A charger in three short rows: who and how far, what it is, and when it is open. */
export const ChargerLine = memo(function ChargerLine({ row, words }: { row: ChargerRow; words: ChargerWords }) {
  const { t, i18n } = useTranslation('chargers')
  const opening = words.opening(row.opening)
  const facts = [words.power(row.power, row.kw) ?? row.type, listText(row.connectors, i18n.language)]
    .filter(Boolean)
    .join(' · ')
  const open = [opening.state, opening.change, row.unseen ? t('notSeen') : null].filter(Boolean).join(' · ')
  const fit = row.fit === null ? null : t(`fit.${row.fit.fit}`)
  const far = row.at === null ? t('noPosition') : row.distanceNm === null ? '' : words.nm(row.distanceNm)
  return (
    <>
      <MarkerIcon look={row.look} size={18} />
      <span className="chargers-line-name ellipsis" dir="auto" title={words.name(row)}>
        {row.icao === null ? null : <b className="figures">{row.icao}</b>}{' '}
        {row.airfield ?? (row.icao === null ? words.name(row) : '')}
      </span>
      <span className={row.at === null ? 'chargers-line-far missing' : 'chargers-line-far figures'}>{far}</span>
      <span className="chargers-line-facts ellipsis" dir="auto" title={facts}>
        <span>{words.state(row)}</span>
        {facts === '' ? null : ` · ${facts}`}
      </span>
      {row.favourite ? (
        <span className="chargers-line-star">
          <Star size={13} fill="currentColor" aria-hidden />
          <span className="unseen">{t('favourite')}</span>
        </span>
      ) : null}
      <span
        className={`chargers-line-open ellipsis ${row.opening.state}`}
        title={[open, fit].filter(Boolean).join(' · ')}
      >
        {open}
        {row.fit === null ? null : <span className={`chargers-fit ${row.fit.fit}`}>{` · ${fit}`}</span>}
      </span>
    </>
  )
})
