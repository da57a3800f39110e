import { Star } from 'lucide-react'
import { memo } from 'react'
import { useTranslation } from 'react-i18next'
import { closesSoon } from '../../../../shared/chargers/route/arrival.ts'
import type { RouteWords } from '../../../../shared/chargers/route/route-words.ts'
import { listText } from '../../../../shared/text/list-text.ts'
import type { ChargerRow } from '../data/row.ts'
import { useRouteWords } from '../route/route-words.ts'
import { MarkIcon } from '../map/mark-icon.tsx'
import type { ChargerWords } from '../use-words.ts'

/** A charger in three short rows: name and distance, type, and opening hours. */
export const ChargerLine = memo(function ChargerLine({ row, words }: { row: ChargerRow; words: ChargerWords }) {
  const { t, i18n } = useTranslation('chargers')
  const routeWords = useRouteWords()
  const facts = [words.power(row.power, row.kw) ?? row.type, listText(row.connectors, i18n.language)]
    .filter(Boolean)
    .join(' · ')
  const open = [...hoursTexts(row, words, routeWords, t), row.unseen ? t('notSeen') : null].filter(Boolean).join(' · ')
  const fit = row.fit === null ? null : t(`fit.${row.fit.fit}`)
  const far = row.at === null ? t('noPosition') : row.distanceNm === null ? '' : words.nm(row.distanceNm)
  return (
    <>
      <MarkIcon look={row.look} size={20} />
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
        className={`chargers-line-open ${row.arrival === null ? row.opening.state : closesSoon(row.arrival) ? 'soon' : row.arrival.state}`}
        title={[open, fit].filter(Boolean).join(' · ')}
      >
        <span className="ellipsis">{open}</span>
        {row.fit === null ? null : <span className={`chargers-fit ${row.fit.fit}`}>{` · ${fit}`}</span>}
      </span>
    </>
  )
})

/** The opening hours now, or where an arrival is planned, those then. */
function hoursTexts(
  { opening, arrival }: ChargerRow,
  words: ChargerWords,
  routeWords: RouteWords,
  t: ReturnType<typeof useTranslation<'chargers'>>['t'],
): string[] {
  if (arrival === null) return [words.opening(opening)]
  const opensBefore = arrival.state === 'open' && opening.state === 'closed'
  return [routeWords.arrival(arrival), ...(opensBefore ? [t('arrival.opensBefore')] : [])]
}
