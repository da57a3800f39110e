import { Search, X } from 'lucide-react'
import { useId, useMemo, useRef, type KeyboardEvent } from 'react'
import { useTranslation } from 'react-i18next'
import type { Site } from '../../../../shared/chargers/group.ts'
import { comboboxOf, SuggestionList, useSuggestions } from '../../../parts/suggestions.tsx'
import { useShortcuts } from '../../../parts/use-shortcut.ts'
import { IconButton } from '../../../parts/button.tsx'
import { shownMap } from '../map/charger-map.ts'
import { changeFilter, choose } from '../store/chargers-actions.ts'
import { chargerSet, useChargers } from '../store/chargers-store.ts'
import { useFilter } from '../store/filter-query.ts'
import { useWords } from '../use-words.ts'

const AIRFIELD_ZOOM = 9
const searchFor = (search: string) => changeFilter({ search })

/** Filters the list while typing, and suggests airfields whose name begins that way; choosing one moves the map there. */
export function SearchBox() {
  const { t } = useTranslation('chargers')
  const id = useId()
  const field = useRef<HTMLInputElement>(null)
  const { search } = useFilter()
  const suggesting = useSuggesting(search)
  const { setActive, setOpen, onKeyDown } = suggesting
  useShortcuts({
    search: () => {
      // What is chosen covers the list of what is found.
      choose(null)
      field.current?.select()
    },
  })
  return (
    <div className="chargers-search" onBlur={() => setOpen(false)}>
      <Search size={14} aria-hidden />
      <input
        ref={field}
        className="input"
        aria-label={t('search')}
        {...comboboxOf(id, suggesting)}
        placeholder={t('search')}
        value={search}
        onChange={(event) => {
          searchFor(event.target.value)
          setOpen(true)
          setActive(null)
        }}
        onKeyDown={onKeyDown}
      />
      {search === '' ? null : (
        <IconButton
          label={t('searchClear')}
          onClick={() => {
            searchFor('')
            field.current?.focus()
          }}
        >
          <X size={14} aria-hidden />
        </IconButton>
      )}
      <SuggestionList id={id} label={t('suggestions')} of={suggesting}>
        {(airfield) => <Suggested airfield={airfield} />}
      </SuggestionList>
    </div>
  )
}

function Suggested({ airfield }: { airfield: Site }) {
  const { t } = useTranslation('chargers')
  const words = useWords()
  const count = airfield.members.length
  return (
    <>
      <span className="ellipsis" dir="auto">
        {words.name(airfield)}
      </span>
      <span className="caption">{t('atAirfield', { count, figure: words.count(count) })}</span>
    </>
  )
}

/** The suggestions for what is searched for; Enter takes the first one, and Escape clears the field. */
function useSuggesting(search: string) {
  const version = useChargers((view) => view.version)
  // A new set may have other airfields.
  const found = useMemo(() => (version === 0 || search === '' ? [] : chargerSet.suggest(search)), [version, search])
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

/** Moves the map there, and shows the airfield's details. */
function goToAirfield({ key, at, members }: Site): void {
  searchFor('')
  if (at !== null) shownMap()?.goTo(at, AIRFIELD_ZOOM, true)
  // An airfield's key is the id of a charger there.
  choose(members.length === 1 ? { kind: 'charger', id: Number(key), fromSite: null } : { kind: 'site', key })
}
