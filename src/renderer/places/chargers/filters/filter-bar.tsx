import { SlidersHorizontal } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../../parts/button.tsx'
import { Popover } from '../../../parts/popover.tsx'
import { AircraftChip } from '../aircraft/aircraft-chip.tsx'
import { changeFilter } from '../store/chargers-actions.ts'
import { queryOfFilter, useFilter } from '../store/filter-query.ts'
import { FilterSheet } from './filter-sheet.tsx'

/** What pilots filter by most, and a sheet with the rest. */
export function FilterBar() {
  const { t } = useTranslation('chargers')
  const filter = useFilter()
  const { freeNow, current } = filter
  const others = current.filter((one) => one !== 'DC')
  const isDirect = current.length > others.length
  const inSheet = queryOfFilter({ ...filter, search: '', freeNow: false, fit: [], current: others })
  const { size } = new URLSearchParams(inSheet)
  return (
    <div className="chargers-chips" role="group" aria-label={t('filters')}>
      <AircraftChip />
      <Button
        className="chargers-chip"
        aria-pressed={freeNow}
        title={t('freeNowHint')}
        onClick={() => changeFilter({ freeNow: !freeNow })}
      >
        {t('filter.freeNow')}
      </Button>
      <Button
        className="chargers-chip"
        aria-pressed={isDirect}
        onClick={() => changeFilter({ current: isDirect ? others : [...current, 'DC'] })}
      >
        {t('filter.DC')}
      </Button>
      <Popover
        label={t('filters')}
        className="chargers-sheet"
        trigger={
          <Button className={size > 0 ? 'chargers-chip on' : 'chargers-chip'}>
            <SlidersHorizontal size={13} aria-hidden />
            {t('filters')}
            {size > 0 ? <span className="secondary figures">{size}</span> : null}
          </Button>
        }
      >
        <FilterSheet />
      </Popover>
    </div>
  )
}
