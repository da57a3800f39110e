import { useTranslation } from 'react-i18next'
import type { QuickFilter } from '../data/protocol.ts'
import { useShell } from '../../../store/shell-store.ts'
import { changeFilter } from '../store/chargers-actions.ts'
import { useChargers } from '../store/chargers-store.ts'
import { useWords } from '../use-words.ts'
import { AircraftChip } from '../aircraft/aircraft-chip.tsx'
import { ArrivalChip } from './arrival-chip.tsx'
import { FacetChip } from './facet-chip.tsx'
import { PowerChip } from './power-chip.tsx'
import { SavedSets } from './saved-sets.tsx'
import './filters.css'

const QUICK: readonly QuickFilter[] = ['freeNow', 'openNow', 'DC', 'AC', 'favouritesOnly']
const FACETS = ['connectors', 'aircraft', 'payment', 'countries', 'states'] as const

/** The filters as a row of chips, each with the number of chargers it would leave. */
export function FilterBar() {
  const { t } = useTranslation('chargers')
  return (
    <div className="chargers-chips" role="group" aria-label={t('filters')}>
      {QUICK.map((name) => (
        <QuickChip key={name} name={name} />
      ))}
      <ArrivalChip />
      <AircraftChip />
      <PowerChip />
      {FACETS.map((name) => (
        <FacetChip key={name} name={name} />
      ))}
      <SavedSets />
    </div>
  )
}

function QuickChip({ name }: { name: QuickFilter }) {
  const { t } = useTranslation('chargers')
  const words = useWords()
  const filter = useChargers((view) => view.filter)
  const count = useChargers(({ quick }) => quick[name])
  const all = useShell(({ state }) => state?.chargers.status.count ?? 0)
  const isCurrent = name === 'DC' || name === 'AC'
  const isOn = isCurrent ? filter.current.includes(name) : filter[name]
  const toggle = () => changeFilter(isCurrent ? { current: isOn ? [] : [name] } : { [name]: !isOn })
  const hint = name === 'freeNow' ? t('freeNowHint') : name === 'openNow' ? t('openNowHint') : undefined
  return (
    <button type="button" className="chargers-chip" aria-pressed={isOn} title={hint} onClick={toggle}>
      {t(`filter.${name}`)}
      {/* Counts arrive late and change: reserving room for the largest keeps the chips from moving under the pointer. */}
      <span className="chargers-chip-count figures" style={{ minInlineSize: `${words.count(all).length}ch` }}>
        {count === undefined ? null : words.count(count)}
      </span>
    </button>
  )
}
