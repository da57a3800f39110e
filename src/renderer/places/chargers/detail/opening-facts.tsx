import { useTranslation } from 'react-i18next'
import { listText } from '../../../../shared/text/list-text.ts'
import { wallClock } from '../../../../shared/chargers/zone-days.ts'
import { useNow } from '../../../parts/use-now.ts'
import { askOrToast } from '../../../store/bridge.ts'
import { inBackground } from '../../../bridge/in-background.ts'
import type { ChargerDetail } from '../data/row.ts'
import { useHoursIn, useWords, weekdayText, type HoursIn } from '../use-words.ts'
import { shownWeek, type ShownDay } from './shown-week.ts'

const NOW_EVERY_MS = 60_000

const CLOCKS = ['airfield', 'utc'] as const

/** Whether it is open; folded, the hours of the whole week, and in which time zone they are given. */
export function OpeningFacts({ detail: { row, prepared, offsetMs } }: { detail: ChargerDetail }) {
  const { week, zone } = prepared
  const { t } = useTranslation('chargers')
  const words = useWords()
  const hoursIn = useHoursIn()
  const nowMs = useNow(NOW_EVERY_MS)
  const shiftMs = hoursIn === 'utc' ? -(offsetMs ?? 0) : 0
  const today = wallClock(zone === null || hoursIn === 'utc' ? 'UTC' : zone, nowMs)?.weekday
  return (
    <details className="chargers-fold chargers-opening">
      <summary className={`chargers-line-open ${row.opening.state}`}>{words.opening(row.opening)}</summary>
      {zone === null ? null : <ClockChoice hoursIn={hoursIn} />}
      <table className="chargers-week figures" aria-label={t('opening.title')}>
        <tbody>
          {shownWeek(week, shiftMs / 60_000).map((day) => (
            <tr key={day.weekday} className={day.weekday === today ? 'today' : ''}>
              <th scope="row">{weekdayText(day.weekday, 'long', words.language)}</th>
              <td>
                <Hours day={day} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className="caption">{zone === null ? t('opening.noZone') : t('opening.assumed', { zone })}</p>
    </details>
  )
}

function Hours({ day: { spans, kind } }: { day: ShownDay }) {
  const { t, i18n } = useTranslation('chargers')
  if (kind === 'allDay') return t('opening.allDay')
  if (spans.length === 0) return kind === 'closed' ? t('opening.closedDay') : t('opening.unknownDay')
  const texts = spans.map(({ from, to }) => t('opening.span', { from, to }))
  // Browsers break a line after a dash as well.
  return listText(texts, i18n.language)
    .split(' ')
    .flatMap((word, n) => [
      n === 0 ? '' : ' ',
      <span key={n} className="chargers-span">
        {word}
      </span>,
    ])
}

function ClockChoice({ hoursIn }: { hoursIn: HoursIn }) {
  const { t } = useTranslation('chargers')
  return (
    <div className="segmented" role="radiogroup" aria-label={t('opening.clock')}>
      {CLOCKS.map((clock) => (
        <label key={clock}>
          <input
            type="radio"
            name="chargers-clock"
            checked={clock === hoursIn}
            onChange={() =>
              inBackground('settings.set', () => askOrToast('settings.set', { chargers: { hoursIn: clock } }))
            }
          />
          {t(`opening.${clock}`)}
        </label>
      ))}
    </div>
  )
}
