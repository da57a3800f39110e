import { useEffect, useId, useRef, useState, type KeyboardEvent } from 'react'
import { useTranslation } from 'react-i18next'
import type { Language } from '../../shared/recipes/language.ts'
import { chosenLanguage, matchingLanguages, typedCode } from './language-names.ts'

/** Finds a language by name, native name or code, and accepts a two-letter code that is not listed. */
export function LanguageSearch(given: {
  listed: readonly Language[]
  chosen: readonly string[]
  onAdd: (code: string) => void
  /** The id of the error about the chosen languages; null if there is none. */
  errorId: string | null
}) {
  const { listed, chosen, onAdd, errorId } = given
  const { t, i18n } = useTranslation('recipe')
  const id = useId()
  const [typed, setTyped] = useState('')
  const [isOpen, setOpen] = useState(false)
  const [active, setActive] = useState(0)
  const matches = matchingLanguages(listed, chosen, typed, i18n.language)
  const code = typedCode(typed)
  const isNew = code !== null && !chosen.includes(code) && !matches.some((match) => match.code === code)
  const options: { code: string; name: string; nativeName: string }[] = [
    ...matches,
    ...(isNew ? [{ code, name: t('languages.typed', { code }), nativeName: '' }] : []),
  ]
  const isChosen = options.length > 0 ? null : chosenLanguage(listed, chosen, typed, i18n.language)
  const at = Math.min(active, Math.max(0, options.length - 1))

  const list = useRef<HTMLUListElement>(null)
  const hasList = isOpen && (options.length > 0 || typed !== '')
  // The scroll container may end right below the field.
  useEffect(() => {
    // In braces: newer browsers return a promise, which must not end an effect.
    list.current?.scrollIntoView({ block: 'nearest' })
  }, [hasList, options.length])

  const add = (option: { code: string } | undefined) => {
    if (option === undefined) return
    onAdd(option.code)
    setTyped('')
    setActive(0)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      setOpen(true)
      if (isOpen) setActive(Math.max(0, Math.min(options.length - 1, at + (event.key === 'ArrowDown' ? 1 : -1))))
    } else if (event.key === 'Enter') {
      if (isOpen) add(options[at])
    } else if (event.key === 'Escape' && isOpen) {
      event.stopPropagation()
      setOpen(false)
    } else return
    event.preventDefault()
  }

  return (
    <div className="language-search" onBlur={() => setOpen(false)}>
      <input
        className="input"
        role="combobox"
        aria-expanded={isOpen}
        aria-controls={`${id}-list`}
        aria-autocomplete="list"
        aria-activedescendant={isOpen && options.length > 0 ? `${id}-${at}` : undefined}
        aria-label={t('languages.add')}
        aria-invalid={errorId !== null}
        aria-describedby={errorId ?? undefined}
        placeholder={t('languages.add')}
        autoComplete="off"
        spellCheck={false}
        value={typed}
        onFocus={() => setOpen(true)}
        onClick={() => setOpen(true)}
        onChange={(event) => {
          setTyped(event.target.value)
          setActive(0)
          setOpen(true)
        }}
        onKeyDown={onKeyDown}
      />
      {hasList ? (
        // A press must not take the focus, because leaving the field closes the list.
        <ul
          ref={list}
          className="language-list"
          id={`${id}-list`}
          role="listbox"
          onPointerDown={(event) => event.preventDefault()}
        >
          {options.map((option, index) => (
            <li
              key={option.code}
              id={`${id}-${index}`}
              role="option"
              aria-selected={index === at}
              ref={index === at ? (line) => line?.scrollIntoView({ block: 'nearest' }) : null}
              onClick={() => add(option)}
            >
              <span className="language-code mono">{option.code}</span>
              <span className="ellipsis">{option.name}</span>
              {option.nativeName === option.name ? null : (
                <span className="secondary ellipsis" dir="auto">
                  {option.nativeName}
                </span>
              )}
            </li>
          ))}
          {options.length === 0 ? (
            <li className="language-none secondary">
              {isChosen === null ? t('languages.noMatch') : t('languages.chosenAlready', { name: isChosen })}
            </li>
          ) : null}
        </ul>
      ) : null}
    </div>
  )
}
