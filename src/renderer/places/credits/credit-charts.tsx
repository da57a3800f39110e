import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { CreditHistory } from '../../../shared/contract/credits.ts'
import { countText, exactTimeText } from '../../text/figures.ts'
import { Chart } from './chart.tsx'

const HEIGHT_PX = 180

export function CreditCharts({ history }: { history: CreditHistory }) {
  const { t, i18n } = useTranslation('credits')
  const { balances, days } = history
  const language = i18n.language
  const balance = useMemo(() => {
    // The last known balance extends until now.
    const points = [...balances, ...balances.slice(-1).map(({ credits }) => ({ atMs: Date.now(), credits }))]
    return {
      times: points.map(({ atMs }) => atMs / 1000),
      series: [
        {
          label: t('balance'),
          colour: '--accent',
          kind: 'steps' as const,
          values: points.map(({ credits }) => credits),
        },
      ],
    }
  }, [balances, t])
  const spend = useMemo(
    () => ({
      times: days.map(({ day }) => new Date(`${day}T12:00`).getTime() / 1000),
      series: [
        { label: t('sent'), colour: '--line-strong', kind: 'bars' as const, values: days.map(({ sent }) => sent) },
        {
          label: t('spent'),
          colour: '--accent',
          kind: 'points' as const,
          values: days.map(({ sent, credits }) => (sent === 0 ? null : credits)),
        },
      ],
    }),
    [days, t],
  )
  if (balances.length === 0 && days.every(({ sent }) => sent === 0))
    return <p className="secondary">{t('tooLittle')}</p>
  return (
    <div className="credits-charts">
      <figure>
        <figcaption>
          <h3>{t('balanceChart')}</h3>
          <p className="caption">{t('balanceMeasured')}</p>
        </figcaption>
        <Chart {...balance} timeLabel={t('time')} language={language} daily={false} heightPx={HEIGHT_PX} />
        <Figures
          heads={[t('time'), t('balance')]}
          rows={balances.map(({ atMs, credits }) => [exactTimeText(atMs, language), countText(credits, language)])}
        />
      </figure>
      <figure>
        <figcaption>
          <h3>{t('spendChart')}</h3>
          <p className="caption">{t('spendInferred')}</p>
        </figcaption>
        <Chart {...spend} timeLabel={t('day')} language={language} daily heightPx={HEIGHT_PX} />
        <Figures
          heads={[t('day'), t('sent'), t('spent')]}
          rows={days
            .filter(({ sent }) => sent > 0)
            .map(({ day, sent, credits }) => [
              day,
              countText(sent, language),
              credits === null ? t('unknown') : countText(Math.round(credits), language),
            ])}
        />
      </figure>
    </div>
  )
}

/** The chart's figures as a table for screen readers. */
function Figures({ heads, rows }: { heads: readonly string[]; rows: readonly (readonly string[])[] }) {
  return (
    <table className="unseen">
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
        {rows.slice(-60).map((cells, n) => (
          <tr key={n}>
            {cells.map((cell, column) => (
              <td key={column}>{cell}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
