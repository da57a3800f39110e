import { ArrowDown, ArrowUp } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { JobOrder } from '../../../shared/jobs/job-list.ts'
import { moveInRow } from '../../parts/move-in-row.ts'
import { sortJobs, useJobs } from '../../store/jobs-store.ts'
import { nextOrder, orderName, ORDERS, ORDER_NAMES } from './list-order.ts'

type By = JobOrder['by']

/** The column headings, which sort the list; a drop-down where the list is too narrow for columns. */
export function ListHead() {
  const { t } = useTranslation('jobs')
  const order = useJobs((state) => state.order)
  const heading = (by: By) => <Heading by={by} order={order} />
  return (
    <div role="rowgroup" className="jobs-heads">
      <div className="jobs-head caption" role="row" aria-rowindex={1} onKeyDown={moveInRow}>
        <span className="jobs-head-name" role="columnheader" aria-sort={sortOf(order, 'name')}>
          {heading('name')}
        </span>
        <span className="jobs-head-state" role="columnheader" aria-sort={sortOf(order, 'state')}>
          {heading('state')}
        </span>
        <span
          className="jobs-head-size"
          role="columnheader"
          aria-sort={sortOf(order, 'size') ?? sortOf(order, 'saving')}
        >
          {heading('size')}
          {heading('saving')}
        </span>
        <span className="jobs-head-languages" role="columnheader">
          {t('column.languages')}
        </span>
        <span className="jobs-head-when" role="columnheader" aria-sort={sortOf(order, 'changed')}>
          {heading('changed')}
        </span>
      </div>
      <div className="jobs-sort" role="row" aria-rowindex={1}>
        <span role="gridcell">
          <OrderSelect order={order} />
        </span>
      </div>
    </div>
  )
}

function sortOf({ by, descending }: JobOrder, column: By): 'ascending' | 'descending' | undefined {
  return by !== column ? undefined : descending ? 'descending' : 'ascending'
}

function Heading({ by, order }: { by: By; order: JobOrder }) {
  const { t } = useTranslation('jobs')
  const isSorted = order.by === by
  const Arrow = order.descending ? ArrowDown : ArrowUp
  // One of them is the tab stop; arrow keys reach the others.
  const isStop = isSorted || (order.by === 'added' && by === 'name')
  const next = nextOrder(order, by)
  return (
    <button
      type="button"
      className={isSorted ? 'jobs-heading sorted' : 'jobs-heading'}
      tabIndex={isStop ? 0 : -1}
      title={t(`order.${orderName(next)}`)}
      onClick={() => sortJobs(next)}
    >
      <span className="ellipsis">{t(`column.${by}`)}</span>
      {isSorted ? <Arrow size={11} aria-hidden /> : null}
    </button>
  )
}

function OrderSelect({ order }: { order: JobOrder }) {
  const { t } = useTranslation('jobs')
  return (
    <select
      className="select"
      aria-label={t('sortBy')}
      value={orderName(order)}
      onChange={(event) => sortJobs(ORDERS[event.target.value as keyof typeof ORDERS])}
    >
      {ORDER_NAMES.map((name) => (
        <option key={name} value={name}>
          {t(`order.${name}`)}
        </option>
      ))}
    </select>
  )
}
