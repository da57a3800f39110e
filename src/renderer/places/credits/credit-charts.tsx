import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { CreditHistory } from '../../../shared/contract/credits.ts'
import { countText, dayText, exactTimeText } from '../../text/figures.ts'
import { Chart } from './chart.tsx'
import { balanceLine, dailyBars } from './chart-data.ts'

const HEIGHT_PX = 180

export function CreditCharts({ history }: { history: CreditHistory }) {
  const { t, i18n } = useTranslation('credits')
  const { balances, days } = history
  const language = i18n.language
  const balance = useMemo(() => balanceLine(history), [history])
  const spend = useMemo(() => dailyBars(history, ({ credits }) => credits), [history])
  const sent = useMemo(() => dailyBars(history, (day) => day.sent), [history])
  if (balances.length === 0 && days.every((day) => day.sent === 0)) return <p className="secondary">{t('tooLittle')}</p>
  const common = { language, unknown: t('unknown'), heightPx: HEIGHT_PX }
  return (
    <>
      <div className="credits-charts">
        <figure>
          <figcaption>
            <h3>{t('balanceChart')}</h3>
            <p className="caption">{t('balanceMeasured')}</p>
          </figcaption>
          <Chart data={balance} {...common} kind="steps" label={t('balance')} timeLabel={t('time')} colour="--accent" />
        </figure>
        <figure>
          <figcaption>
            <h3>{t('spendChart')}</h3>
            <p className="caption">{t('spendByBalance')}</p>
          </figcaption>
          <Chart data={spend} {...common} kind="bars" label={t('spent')} timeLabel={t('day')} colour="--accent" />
        </figure>
        <figure>
          <figcaption>
            <h3>{t('sentChart')}</h3>
            <p className="caption">{t('sentCounted')}</p>
          </figcaption>
          <Chart data={sent} {...common} kind="bars" label={t('sent')} timeLabel={t('day')} colour="--waiting" />
        </figure>
      </div>
      <div className="unseen">
        <Figures
          name={t('balanceChart')}
          heads={[t('time'), t('balance')]}
          rows={balances.map(({ atMs, credits }) => [exactTimeText(atMs, language), countText(credits, language)])}
        />
        <Figures
          name={t('spendChart')}
          heads={[t('day'), t('sent'), t('spent')]}
          rows={days
            .filter((day) => day.sent > 0)
            .map((day) => [
              dayText(day.day, language),
              countText(day.sent, language),
              day.credits === null ? t('unknown') : countText(Math.round(day.credits), language),
            ])}
        />
      </div>
    </>
  )
}

/** The figures of the charts as tables for screen readers. */
function Figures({
  name,
  heads,
  rows,
}: {
  name: string
  heads: readonly string[]
  rows: readonly (readonly string[])[]
}) {
  return (
    <table>
      <caption>{name}</caption>
      <thead>
        <tr>
          {heads.map((head) => (
            <th key={head} scope="col">
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.slice(-60).map(([head, ...cells], n) => (
          <tr key={n}>
            <th scope="row">{head}</th>
            {cells.map((cell, column) => (
              <td key={column}>{cell}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
