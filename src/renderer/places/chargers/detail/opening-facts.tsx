import { useTranslation } from 'react-i18next'
import { openingStatus, zoneDays } from '../../../../shared/chargers/opening-hours.ts'
import { isAllDay, timeText, type DayHours } from '../../../../shared/chargers/opening-week.ts'
import { useNow } from '../../../parts/use-now.ts'
import type { Member } from '../data/charger-set.ts'
import { useWords, weekdayText } from '../use-words.ts'

const NOW_EVERY_MS = 60_000

/** Whether it is open; folded, the hours of the whole week by the clock at the airfield. */
export function OpeningFacts({ one: { week, zone } }: { one: Member }) {
  const { t } = useTranslation('chargers')
  const words = useWords()
  const nowMs = useNow(NOW_EVERY_MS)
  const opening = openingStatus(week, zone, nowMs)
  const today = zoneDays(zone ?? 'UTC', nowMs)?.weekday
  const hours = (day: DayHours) => {
    if (isAllDay(day)) return t('opening.allDay')
    if (day.kind === 'open') return t('opening.span', { from: timeText(day.from), to: timeText(day.to) })
    return t(day.kind === 'closed' ? 'opening.closedDay' : 'opening.unknownDay')
  }
  return (
    <details className="chargers-fold">
      <summary className={`chargers-line-open ${opening.state}`}>{words.opening(opening)}</summary>
      <table className="chargers-week figures" aria-label={t('opening.title')}>
        <tbody>
          {week.map((day, at) => (
            <tr key={at} className={at === today ? 'today' : ''}>
              <th scope="row">{weekdayText(at, 'long', words.language)}</th>
              <td>{hours(day)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className="caption">{zone === null ? t('opening.noZone') : t('opening.assumed', { zone })}</p>
    </details>
  )
}
