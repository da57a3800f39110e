import { Search, X } from 'lucide-react'
import { useId, useMemo, useRef, useState, type KeyboardEvent } from 'react'
import { flushSync } from 'react-dom'
import { useTranslation } from 'react-i18next'
import type { Site } from '../../../../shared/chargers/group.ts'
import { useShortcuts } from '../../../parts/use-shortcut.ts'
import { IconButton } from '../../../parts/button.tsx'
import { shownMap } from '../map/charger-map.ts'
import { changeFilter, choose, measureFrom } from '../store/chargers-actions.ts'
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
  const { isShown, active, setActive, setOpen, onKeyDown } = suggesting
  useShortcuts({
    search: () => {
      // A dialog over the field, or one that hides it, has to close first.
      flushSync(() => {
        choose(null)
        useChargers.setState({ isListShown: true })
      })
      field.current?.select()
    },
  })
  return (
    <div className="chargers-search" onBlur={() => setOpen(false)}>
      <Search size={14} aria-hidden />
      <input
        ref={field}
        className="input"
        role="combobox"
        aria-label={t('search')}
        aria-expanded={isShown}
        aria-controls={`${id}-list`}
        aria-autocomplete="list"
        aria-activedescendant={isShown && active >= 0 ? `${id}-${active}` : undefined}
        placeholder={t('search')}
        value={search}
        spellCheck={false}
        autoComplete="off"
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
      <Suggestions id={id} of={suggesting} />
    </div>
  )
}

/** The list below the field, which keeps the focus. */
function Suggestions({ id, of }: { id: string; of: ReturnType<typeof useSuggesting> }) {
  const { t } = useTranslation('chargers')
  const words = useWords()
  return (
    <ul
      className="menu chargers-suggestions"
      id={`${id}-list`}
      role="listbox"
      aria-label={t('suggestions')}
      hidden={!of.isShown}
    >
      {of.found.map((airfield, at) => (
        <li
          key={airfield.key}
          id={`${id}-${at}`}
          role="option"
          aria-selected={at === of.active}
          className="menu-item"
          data-highlighted={at === of.active ? '' : undefined}
          onMouseDown={(event) => event.preventDefault()}
          onMouseEnter={() => of.setActive(airfield)}
          onClick={() => of.take(airfield)}
        >
          <span className="ellipsis" dir="auto">
            {words.name(airfield)}
          </span>
          <span className="caption">
            {t('atAirfield', { count: airfield.members.length, figure: words.count(airfield.members.length) })}
          </span>
        </li>
      ))}
    </ul>
  )
}

/** The suggestions for what is searched for, and going through them with the arrows, Enter and Escape. */
function useSuggesting(search: string) {
  const words = useWords()
  const [isOpen, setOpen] = useState(false)
  const [activeKey, setActiveKey] = useState<string | null>(null)
  const version = useChargers((view) => view.version)
  // A new set may have other airfields.
  const found = useMemo(() => (version === 0 || search === '' ? [] : chargerSet.suggest(search)), [version, search])
  const isShown = isOpen && found.length > 0
  // By the airfield's key: after an update, other suggestions may be at the same index.
  const active = found.findIndex(({ key }) => key === activeKey)
  const setActive = (airfield: Site | null) => setActiveKey(airfield?.key ?? null)
  const take = (airfield: Site) => {
    setOpen(false)
    goToAirfield(airfield, words.name(airfield))
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    const airfield = found[Math.max(0, active)]
    if (step !== 0 && found.length > 0) {
      setOpen(true)
      // Wraps around: from the text down to the first suggestion, and from the last back to the text.
      setActive(found[((active + 1 + step + found.length + 1) % (found.length + 1)) - 1] ?? null)
    } else if (event.key === 'Enter' && isOpen && airfield !== undefined) take(airfield)
    else if (event.key === 'Escape' && (isShown || search !== '')) {
      if (isShown) setOpen(false)
      else searchFor('')
    } else return
    event.preventDefault()
    event.stopPropagation()
  }
  return { found, isShown, active, setActive, setOpen, take, onKeyDown }
}

/** Moves the map there, measures distances from there, and shows the airfield's details. */
function goToAirfield({ key, at, members }: Site, name: string): void {
  searchFor('')
  if (at !== null) {
    measureFrom({ ...at, name })
    shownMap()?.goTo(at, AIRFIELD_ZOOM, true)
  }
  // An airfield's key is the id of a charger there.
  choose(members.length === 1 ? { kind: 'charger', id: Number(key), fromSite: null } : { kind: 'site', key })
}
