import { SlidersHorizontal, ChevronDown, Plane } from 'lucide-react'
import { useState } from 'react'
import { t } from 'i18next'
import type { FacetName } from '../../../../shared/chargers/filter.ts'
import { Button } from '../../../parts/button.tsx'
import { CheckField, SelectField } from '../../../parts/field.tsx'
import { Popover } from '../../../parts/popover.tsx'
import { changeFilter, clearFilters } from '../store/chargers-actions.ts'
import { chargerIndex, useChargers } from '../store/chargers-store.ts'
import { isFiltered, queryOfFilter, useFilter } from '../store/filter-query.ts'
import { countText } from '../../../text/figures.ts'
import type { Aircraft } from '../../../../shared/chargers/route/aircraft.ts'
import { AircraftChoice } from '../aircraft/aircraft-choice.tsx'
import { figuresOf, useAircraft } from '../aircraft/use-aircraft.ts'

const STEPS = [11, 22, 40, 50, 100, 150, 300]
const FACETS = ['connectors', 'payment'] as const

export function FilterBar() {
  const filter = useFilter()
  const { freeNow, current } = filter
  const others = current.filter((one) => one !== 'DC')
  const isDirect = current.length > others.length
  const inSheet = queryOfFilter({ ...filter, search: '', freeNow: false, fitting: false, current: others })
  const { size } = new URLSearchParams(inSheet)
  return (
    <div className="chargers-chips row" role="group" aria-label={t('chargers:filters')}>
      <AircraftChip />
      <Button
        className="chip"
        aria-pressed={freeNow}
        title={t('chargers:freeNowHint')}
        onClick={() => changeFilter({ freeNow: !freeNow })}
      >
        {t('chargers:filter.freeNow')}
      </Button>
      <Button
        className="chip"
        aria-pressed={isDirect}
        onClick={() => changeFilter({ current: isDirect ? others : [...current, 'DC'] })}
      >
        {t('chargers:filter.DC')}
      </Button>
      <Popover
        label={t('chargers:filters')}
        className="chargers-sheet"
        trigger={
          <Button className={size > 0 ? 'chip on' : 'chip'}>
            <SlidersHorizontal size={13} aria-hidden />
            {t('chargers:filters')}
            {size > 0 ? <span className="secondary figures">{size}</span> : null}
          </Button>
        }
      >
        <FilterSheet />
      </Popover>
    </div>
  )
}

function FilterSheet() {
  const filter = useFilter()
  const { current, minKw } = filter
  const matches = useChargers(({ found }) => found?.matches ?? 0)
  const steps = minKw === null || STEPS.includes(minKw) ? STEPS : [...STEPS, minKw].sort((one, other) => one - other)
  return (
    <>
      {(['openNow', 'favouritesOnly'] as const).map((name) => (
        <CheckField
          key={name}
          label={t(`chargers:filter.${name}`)}
          checked={filter[name]}
          onChange={(on) => changeFilter({ [name]: on })}
        />
      ))}
      <CheckField
        label={t('chargers:filter.AC')}
        checked={current.includes('AC')}
        onChange={(on) => changeFilter({ current: on ? [...current, 'AC'] : current.filter((one) => one !== 'AC') })}
      />
      <SelectField
        label={t('chargers:filter.power')}
        value={String(minKw ?? '')}
        choices={[
          { value: '', label: t('chargers:filter.anyPower') },
          ...steps.map((kw) => ({ value: String(kw), label: t('chargers:filter.powerAtLeast', { kw }) })),
        ]}
        onChange={(value) => changeFilter({ minKw: value === '' ? null : Number(value) })}
      />
      {FACETS.map((name) => (
        <FacetSection key={name} name={name} />
      ))}
      <div className="row apart">
        <span className="secondary figures" role="status">
          {t('chargers:count', { count: matches })}
        </span>
        <Button kind="quiet" aria-disabled={!isFiltered(filter)} onClick={clearFilters}>
          {t('chargers:clear')}
        </Button>
      </div>
    </>
  )
}

/** The values are counted once it is opened: that takes time. */
function FacetSection({ name }: { name: FacetName }) {
  const chosen = useFilter()[name]
  const [isOpen, setOpen] = useState(chosen.length > 0)
  return (
    <details open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className={chosen.length > 0 ? 'on' : ''}>{t(`chargers:filter.${name}`)}</summary>
      {isOpen ? <FacetValues name={name} chosen={chosen} /> : null}
    </details>
  )
}

/** A charger has to match any of the chosen values, which stay in the list even if no charger has them any more. */
function FacetValues({ name, chosen }: { name: FacetName; chosen: readonly string[] }) {
  // Counted again when something else is found.
  useChargers(({ found }) => found?.mapRound)
  const counted = chargerIndex.facet(name)
  const gone = chosen.filter((key) => counted.every((value) => value.key !== key))
  const values = [...counted, ...gone.map((key) => ({ key, label: key, count: 0 }))]
  const toggle = (key: string) =>
    changeFilter({ [name]: chosen.includes(key) ? chosen.filter((other) => other !== key) : [...chosen, key] })
  return (
    <>
      {values.length === 0 ? <p className="secondary">{t('chargers:filter.none')}</p> : null}
      <ul className="chargers-values">
        {values.map((value) => (
          <li key={value.key}>
            <label className="check">
              <input type="checkbox" checked={chosen.includes(value.key)} onChange={() => toggle(value.key)} />
              <span className="ellipsis" dir="auto">
                {value.label}
              </span>
              <span className="secondary figures">{countText(value.count)}</span>
            </label>
          </li>
        ))}
      </ul>
    </>
  )
}

function AircraftChip() {
  const { chosen } = useAircraft()
  const { fitting } = useFilter()
  const [draft, setDraft] = useState<Aircraft | null>(null)
  return (
    <Popover
      label={t('chargers:aircraft.mine')}
      className="chargers-aircraft-popover"
      onOpenChange={() => setDraft(null)}
      trigger={
        <Button className={chosen !== null && fitting ? 'chip on' : 'chip'}>
          <Plane size={13} aria-hidden />
          <span className="ellipsis" dir="auto">
            {chosen === null ? t('chargers:aircraft.mine') : chosen.name}
          </span>
          <ChevronDown size={12} aria-hidden />
        </Button>
      }
    >
      <AircraftChoice
        mayBeNone
        aircraft={draft ?? (chosen === null ? null : figuresOf(chosen))}
        onAircraft={(aircraft) => {
          setDraft(aircraft)
          if (aircraft === null) changeFilter({ fitting: false })
        }}
      />
      {chosen === null ? (
        <p className="secondary">{t('chargers:aircraft.chooseHint')}</p>
      ) : (
        <CheckField
          label={t('chargers:fit.filter')}
          checked={fitting}
          onChange={(on) => changeFilter({ fitting: on })}
        />
      )}
    </Popover>
  )
}
