import { SlidersHorizontal } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Popover } from '../../../parts/popover.tsx'
import { AircraftChip } from '../aircraft/aircraft-chip.tsx'
import { changeFilter } from '../store/chargers-actions.ts'
import { useChargers, type ChargersView } from '../store/chargers-store.ts'
import { FilterSheet } from './filter-sheet.tsx'

/** What pilots filter by most, and a sheet with the rest. */
export function FilterBar() {
  const { t } = useTranslation('chargers')
  const { freeNow, current } = useChargers(({ filter }) => filter)
  const more = useChargers(countInSheet)
  const isDirect = current.includes('DC')
  return (
    <div className="chargers-chips" role="group" aria-label={t('filters')}>
      <AircraftChip />
      <button
        type="button"
        className="chargers-chip"
        aria-pressed={freeNow}
        title={t('freeNowHint')}
        onClick={() => changeFilter({ freeNow: !freeNow })}
      >
        {t('filter.freeNow')}
      </button>
      <button
        type="button"
        className="chargers-chip"
        aria-pressed={isDirect}
        onClick={() => changeFilter({ current: isDirect ? current.filter((one) => one !== 'DC') : [...current, 'DC'] })}
      >
        {t('filter.DC')}
      </button>
      <Popover
        label={t('filters')}
        className="chargers-sheet"
        trigger={
          <button type="button" className={more > 0 ? 'chargers-chip on' : 'chargers-chip'}>
            <SlidersHorizontal size={13} aria-hidden />
            {t('filters')}
            {more > 0 ? <span className="secondary figures">{more}</span> : null}
          </button>
        }
      >
        <FilterSheet />
      </Popover>
    </div>
  )
}

/** How many filters of the sheet are set. */
function countInSheet({ filter }: ChargersView): number {
  const { openNow, favouritesOnly, minKw, current, connectors, aircraft, payment, countries, states } = filter
  const set = [openNow, favouritesOnly, minKw !== null, current.includes('AC')]
  const lists = [connectors, aircraft, payment, countries, states]
  return set.filter(Boolean).length + lists.filter(({ length }) => length > 0).length
}
