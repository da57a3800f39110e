import { useId, useMemo, type KeyboardEvent } from 'react'
import { t } from 'i18next'
import type { Site } from '../../../../shared/chargers/group.ts'
import { comboboxOf, SuggestionList, useSuggestions } from '../../../parts/suggestions.tsx'
import { SearchField } from '../../../parts/search-field.tsx'
import { shownMap } from '../map/charger-map.ts'
import { changeFilter, choose } from '../store/chargers-actions.ts'
import { chargerIndex, useChargers } from '../store/chargers-store.ts'
import { useFilter } from '../store/filter-query.ts'
import * as words from '../charger-words.ts'

const AIRFIELD_ZOOM = 9
const searchFor = (search: string) => changeFilter({ search })

/** Filters the list while typing, and suggests airfields whose name begins that way; choosing one moves the map there. */
export function SearchBox() {
  const id = useId()
  const { search } = useFilter()
  const suggesting = useSuggesting(search)
  const { setActive, setOpen, onKeyDown } = suggesting
  return (
    <SearchField
      {...comboboxOf(id, suggesting)}
      label={t('chargers:search')}
      clearLabel={t('jobs:clearSearch')}
      value={search}
      onChange={(text) => {
        searchFor(text)
        setOpen(text !== '')
        setActive(null)
      }}
      onBlur={() => setOpen(false)}
      onKeyDown={onKeyDown}
      // What is chosen covers the list of what is found.
      onShortcut={() => choose(null)}
    >
      <SuggestionList id={id} label={t('chargers:suggestions')} of={suggesting}>
        {(airfield) => <Suggested airfield={airfield} />}
      </SuggestionList>
    </SearchField>
  )
}

function Suggested({ airfield }: { airfield: Site }) {
  const count = airfield.members.length
  return (
    <>
      <span className="ellipsis" dir="auto">
        {words.name(airfield)}
      </span>
      <span className="caption">{t('chargers:count', { count })}</span>
    </>
  )
}

/** The suggestions for what is searched for; Enter takes the first one, and Escape clears the field. */
function useSuggesting(search: string) {
  const version = useChargers((view) => view.version)
  // A new set may have other airfields.
  const found = useMemo(() => (version === 0 || search === '' ? [] : chargerIndex.suggest(search)), [version, search])
  const list = useSuggestions(found, airfieldKey, goToAirfield)
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing || list.onKeyDown(event)) return
    const [first] = found
    if (event.key === 'Enter' && list.isOpen && first !== undefined) list.take(first)
    else if (event.key === 'Escape' && search !== '') searchFor('')
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return { ...list, onKeyDown }
}

const airfieldKey = ({ key }: Site) => key

function goToAirfield({ key, at, members }: Site): void {
  searchFor('')
  if (at !== null) shownMap()?.goTo(at, AIRFIELD_ZOOM, true)
  // An airfield's key is the id of a charger there.
  choose(members.length === 1 ? { kind: 'charger', id: Number(key), fromSite: null } : { kind: 'site', key })
}
