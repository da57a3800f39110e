import { useMemo, useState } from 'react'
import { t } from 'i18next'
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
  const [shown, setShown] = useState<(typeof CHARTS)[number]['name']>('balance')
  const { balances, days } = history
  const { data, kind, colour } = CHARTS.find(({ name }) => name === shown)!
  const drawn = useMemo(() => data(history), [data, history])
  return (
    <>
      <div title={t(`credits:how.${shown}`)}>
        <Segmented
          label={t('credits:chart')}
          value={shown}
          onChange={setShown}
          choices={CHARTS.map(({ name }) => ({ value: name, label: t(`credits:${name}`) }))}
        />
      </div>
      <Chart
        data={drawn}
        {...{ kind, colour }}
        unknown={t('credits:unknown')}
        heightPx={HEIGHT_PX}
        label={t(`credits:${shown}`)}
        timeLabel={t(kind === 'bars' ? 'credits:day' : 'credits:time')}
      />
      <div className="unseen">
        <Figures
          name={t('credits:balance')}
          heads={[t('credits:time'), t('credits:balance')]}
          rows={balances.map(({ atMs, credits }) => [exactTimeText(atMs), countText(credits)])}
        />
        <Figures
          name={t('credits:perDay')}
          heads={[t('credits:day'), t('credits:sent'), t('credits:spent')]}
          rows={days
            .filter((day) => day.sent > 0)
            .map((day) => [
              dayText(day.day),
              countText(day.sent),
              day.credits === null ? t('credits:unknown') : countText(Math.round(day.credits)),
            ])}
        />
      </div>
    </>
  )
}

function Figures(given: { name: string; heads: readonly string[]; rows: readonly (readonly string[])[] }) {
  const { name, heads, rows } = given
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
