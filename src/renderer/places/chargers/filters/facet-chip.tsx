import { ChevronDown } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Facet } from '../../../../shared/chargers/facets.ts'
import type { LiveClass } from '../../../../shared/chargers/live-state.ts'
import { inBackground } from '../../../bridge/in-background.ts'
import { Button } from '../../../parts/button.tsx'
import { Popover } from '../../../parts/popover.tsx'
import type { FacetName } from '../data/protocol.ts'
import { changeFilter } from '../store/chargers-actions.ts'
import { useChargers } from '../store/chargers-store.ts'
import { useWords } from '../use-words.ts'

/** The number of values from which a search field is shown. */
const FIND_FROM = 9

/** A chip that opens the values of one filter. A charger has to match any of the chosen values. */
export function FacetChip({ name }: { name: FacetName }) {
  const { t } = useTranslation('chargers')
  const chosen = useChargers(({ filter }) => filter[name])
  const label = t(`filter.${name}`)
  return (
    <Popover
      label={label}
      className="chargers-facet"
      trigger={
        <button type="button" className={chosen.length > 0 ? 'chargers-chip on' : 'chargers-chip'}>
          {label}
          {chosen.length > 0 ? <span className="chargers-chip-count figures">{chosen.length}</span> : null}
          <ChevronDown size={12} aria-hidden />
        </button>
      }
    >
      <FacetValues name={name} chosen={chosen} />
    </Popover>
  )
}

function FacetValues({ name, chosen }: { name: FacetName; chosen: readonly string[] }) {
  const { t } = useTranslation('chargers')
  const words = useWords()
  const [typed, setTyped] = useState('')
  const values = useFacet(name, chosen)
  const labelOf = ({ key, label }: Facet) =>
    name === 'countries' ? words.country(key) : name === 'states' ? t(`state.${key as LiveClass}`) : label
  const shown = values.filter((value) => labelOf(value).toLocaleLowerCase().includes(typed.toLocaleLowerCase()))
  const toggle = (key: string) =>
    changeFilter({ [name]: chosen.includes(key) ? chosen.filter((other) => other !== key) : [...chosen, key] })
  return (
    <>
      {values.length < FIND_FROM ? null : (
        <input
          type="search"
          className="input"
          aria-label={t('filter.find')}
          placeholder={t('filter.find')}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
      )}
      {values.length === 0 ? <p className="secondary">{t('filter.none')}</p> : null}
      <ul className="chargers-facet-values">
        {shown.map((value) => (
          <li key={value.key}>
            <label className="check">
              <input type="checkbox" checked={chosen.includes(value.key)} onChange={() => toggle(value.key)} />
              <span className="ellipsis" dir="auto">
                {labelOf(value)}
              </span>
              <span className="secondary figures">{words.count(value.count)}</span>
            </label>
          </li>
        ))}
      </ul>
      {chosen.length === 0 ? null : (
        <Button kind="quiet" onClick={() => changeFilter({ [name]: [] })}>
          {t('filter.reset')}
        </Button>
      )}
    </>
  )
}

/** The available values; chosen ones stay in the list even if no charger has them any more. */
function useFacet(name: FacetName, chosen: readonly string[]): readonly Facet[] {
  const client = useChargers((view) => view.client)
  const round = useChargers(({ found }) => found?.mapRound ?? 0)
  const [values, setValues] = useState<readonly Facet[]>([])
  useEffect(() => {
    if (client === null || round === 0) return
    let isCurrent = true
    inBackground('chargers.facet', () => client.ask('facet', { name }).then((answer) => isCurrent && setValues(answer)))
    return () => {
      isCurrent = false
    }
  }, [client, round, name])
  const missing = chosen.filter((key) => values.every((value) => value.key !== key))
  return [...values, ...missing.map((key) => ({ key, label: key, count: 0 }))]
}
