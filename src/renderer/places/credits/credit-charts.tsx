import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { CreditHistory } from '../../../shared/contract/credits.ts'
import { countText, dayText, exactTimeText } from '../../text/figures.ts'
import { Segmented } from '../../parts/field.tsx'
import { Chart } from './chart.tsx'
import { balanceLine, dailyBars } from './chart-data.ts'

const HEIGHT_PX = 220

const CHARTS = [
  { name: 'balance', kind: 'steps', colour: '--accent', data: balanceLine },
  {
    name: 'spent',
    kind: 'bars',
    colour: '--accent',
    data: (all: CreditHistory) => dailyBars(all, (day) => day.credits),
  },
  { name: 'sent', kind: 'bars', colour: '--waiting', data: (all: CreditHistory) => dailyBars(all, (day) => day.sent) },
] as const

/** One chart at a time; all figures as tables for screen readers. */
export function CreditCharts({ history }: { history: CreditHistory }) {
  const { t, i18n } = useTranslation('credits')
  const [shown, setShown] = useState<(typeof CHARTS)[number]['name']>('balance')
  const { balances, days } = history
  const language = i18n.language
  const { data, kind, colour } = CHARTS.find(({ name }) => name === shown)!
  const drawn = useMemo(() => data(history), [data, history])
  return (
    <>
      <div className="credits-chart-choice" title={t(`how.${shown}`)}>
        <Segmented
          label={t('chart')}
          value={shown}
          onChange={setShown}
          choices={CHARTS.map(({ name }) => ({ value: name, label: t(name) }))}
        />
      </div>
      <Chart
        data={drawn}
        {...{ language, kind, colour }}
        unknown={t('unknown')}
        heightPx={HEIGHT_PX}
        label={t(shown)}
        timeLabel={t(kind === 'bars' ? 'day' : 'time')}
      />
      <div className="unseen">
        <Figures
          name={t('balance')}
          heads={[t('time'), t('balance')]}
          rows={balances.map(({ atMs, credits }) => [exactTimeText(atMs, language), countText(credits, language)])}
        />
        <Figures
          name={t('perDay')}
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
