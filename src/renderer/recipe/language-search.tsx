import { useEffect, useId, useRef, useState, type KeyboardEvent, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { Language } from '../../shared/recipes/language.ts'
import { chosenLanguage, matchingLanguages, typedCode } from './language-names.ts'

interface Option {
  code: string
  name: string
  nativeName: string
}

interface LanguageSearchProps {
  listed: readonly Language[]
  chosen: readonly string[]
  onAdd: (code: string) => void
  /** The id of the error about the chosen languages; null if there is none. */
  errorId: string | null
}

/** Finds a language by name, native name or code, and accepts a two-letter code that is not listed. */
export function LanguageSearch({ listed, chosen, onAdd, errorId }: LanguageSearchProps) {
  const { t, i18n } = useTranslation('recipe')
  const id = useId()
  const [typed, setTyped] = useState('')
  const options = useOptions(listed, chosen, typed)
  const { isOpen, setOpen, at, setActive, add, onKeyDown } = useChoosing(options, (code) => {
    onAdd(code)
    setTyped('')
  })
  const isChosen = options.length > 0 ? null : chosenLanguage(listed, chosen, typed, i18n.language)
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
      {isOpen && (options.length > 0 || typed !== '') ? (
        <OptionList id={id} options={options} at={at} onChoose={add}>
          {isChosen === null ? t('languages.noMatch') : t('languages.chosenAlready', { name: isChosen })}
        </OptionList>
      ) : null}
    </div>
  )
}

/** What matches, and last the code that was typed if it is not listed. */
function useOptions(listed: readonly Language[], chosen: readonly string[], typed: string): Option[] {
  const { t, i18n } = useTranslation('recipe')
  const matches = matchingLanguages(listed, chosen, typed, i18n.language)
  const code = typedCode(typed)
  const isNew = code !== null && !chosen.includes(code) && !matches.some((match) => match.code === code)
  return [...matches, ...(isNew ? [{ code, name: t('languages.typed', { code }), nativeName: '' }] : [])]
}

/** Going through the options with the arrows, Enter and Escape. `at`: the index of the active one. */
function useChoosing(options: readonly Option[], onAdd: (code: string) => void) {
  const [isOpen, setOpen] = useState(false)
  const [active, setActive] = useState(0)
  const at = Math.min(active, Math.max(0, options.length - 1))
  const add = (option: Option | undefined) => {
    if (option === undefined) return
    onAdd(option.code)
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
  return { isOpen, setOpen, at, setActive, add, onKeyDown }
}

/** The options, or `children` where there are none. */
function OptionList({
  id,
  options,
  at,
  onChoose,
  children,
}: {
  id: string
  options: readonly Option[]
  at: number
  onChoose: (option: Option) => void
  children: ReactNode
}) {
  const list = useRef<HTMLUListElement>(null)
  // The scroll container may end right below the field.
  useEffect(() => {
    // In braces: newer browsers return a promise, which must not end an effect.
    list.current?.scrollIntoView({ block: 'nearest' })
  }, [options.length])
  return (
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
          onClick={() => onChoose(option)}
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
      {options.length === 0 ? <li className="language-none secondary">{children}</li> : null}
    </ul>
  )
}
