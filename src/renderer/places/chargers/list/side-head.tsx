import { X } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../../parts/button.tsx'
import { clearFilters } from '../store/chargers-actions.ts'
import { SORTS, useChargers, type Sort } from '../store/chargers-store.ts'
import { queryOfFilter, useFilter } from '../store/filter-query.ts'
import { useWords } from '../use-words.ts'

/** The head of the list: the number of matches and of all chargers, the order, and where distances are measured from. */
export function SideHead() {
  const { t } = useTranslation('chargers')
  const words = useWords()
  const found = useChargers((view) => view.found)
  const sort = useChargers((view) => view.sort)
  const isOn = queryOfFilter(useFilter()) !== ''
  const { matches = 0, total = 0 } = found ?? {}
  return (
    <div className="chargers-side-head">
      <div className="chargers-row">
        <span className="figures" role="status">
          {found === null || total === 0
            ? null
            : matches === total
              ? t('count', { count: total, figure: words.count(total) })
              : t('countOf', { shown: words.count(matches), figure: words.count(total) })}
        </span>
        <select
          className="select"
          aria-label={t('sort.label')}
          title={sort === 'distance' ? t('fromMiddle') : undefined}
          value={sort}
          onChange={(event) => useChargers.setState({ sort: event.target.value as Sort })}
        >
          {SORTS.map((name) => (
            <option key={name} value={name}>
              {t(`sort.${name}`)}
            </option>
          ))}
        </select>
      </div>
      {isOn ? (
        <Button kind="quiet" onClick={clearFilters}>
          <X size={12} aria-hidden />
          {t('clear')}
        </Button>
      ) : null}
    </div>
  )
}
