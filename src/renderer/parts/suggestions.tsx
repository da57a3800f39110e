import { useState, type KeyboardEvent, type ReactNode } from 'react'

/** Below a field that keeps the focus. The active one is kept by its key, because others may come; `onKeyDown`: the key was for them. */
export function useSuggestions<One>(found: readonly One[], keyOf: (one: One) => string, onTake: (one: One) => void) {
  const [isOpen, setOpen] = useState(false)
  const [activeKey, setActiveKey] = useState<string | null>(null)
  const isShown = isOpen && found.length > 0
  const active = found.findIndex((one) => keyOf(one) === activeKey)
  const setActive = (one: One | null) => setActiveKey(one === null ? null : keyOf(one))
  const take = (one: One) => {
    setOpen(false)
    setActive(null)
    onTake(one)
  }
  const onKeyDown = (event: KeyboardEvent): boolean => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    const one = found[active]
    if (step !== 0 && found.length > 0) {
      setOpen(true)
      // Wraps around: from the text down to the first suggestion, and from the last back to the text.
      setActive(found[((active + 1 + step + found.length + 1) % (found.length + 1)) - 1] ?? null)
    } else if (event.key === 'Enter' && isShown && one !== undefined) take(one)
    else if (event.key === 'Escape' && isShown) setOpen(false)
    else return false
    event.preventDefault()
    event.stopPropagation()
    return true
  }
  return { found, keyOf, isOpen, isShown, active, setActive, setOpen, take, onKeyDown }
}

export const comboboxOf = (id: string, { isShown, active }: { isShown: boolean; active: number }) => ({
  role: 'combobox',
  'aria-expanded': isShown,
  'aria-controls': `${id}-list`,
  'aria-autocomplete': 'list' as const,
  'aria-activedescendant': isShown && active >= 0 ? `${id}-${active}` : undefined,
  spellCheck: false,
  autoComplete: 'off',
})

export function SuggestionList<One>(given: {
  id: string
  label: string
  of: Pick<ReturnType<typeof useSuggestions<One>>, 'found' | 'keyOf' | 'isShown' | 'active' | 'setActive' | 'take'>
  children: (one: One) => ReactNode
}) {
  const { id, label, of, children } = given
  return (
    <ul className="menu suggestions" id={`${id}-list`} role="listbox" aria-label={label} hidden={!of.isShown}>
      {of.found.map((one, at) => (
        <li
          key={of.keyOf(one)}
          id={`${id}-${at}`}
          role="option"
          aria-selected={at === of.active}
          className="menu-item"
          data-highlighted={at === of.active ? '' : undefined}
          onMouseDown={(event) => event.preventDefault()}
          onMouseEnter={() => of.setActive(one)}
          onClick={() => of.take(one)}
        >
          {children(one)}
        </li>
      ))}
    </ul>
  )
}
