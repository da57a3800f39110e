import { listText } from '../text/figures.ts'
import { useId, useState } from 'react'
import i18next, { t } from 'i18next'
import { MAX_LANGUAGES } from '../../shared/recipes/limits.ts'
import type { Language } from '../../shared/recipes/language.ts'
import { LANGUAGES } from '../../shared/text/languages.ts'
import { useAnswer } from '../store/use-answer.ts'
import { Button } from '../parts/button.tsx'
import { languageName, matchingLanguages, typedCode, unlistedLanguages } from './language-names.ts'
import './language-list.css'

const NONE: readonly Language[] = []

/** In order. Works without the service, because codes of two letters can be typed. */
export function LanguageList(given: { languages: readonly string[]; onChange: (languages: string[]) => void }) {
  const { languages, onChange } = given
  const { value, error } = useAnswer('languages.list', {})
  const listed = value?.languages ?? NONE
  const nameOf = (code: string) => languageName(code, listed)
  // Nothing moves away under a pointer: those that were chosen at the beginning stay on top.
  const [first] = useState(languages)
  const [typed, setTyped] = useState('')
  const options = useOptions(listed, [...first, ...languages], typed)
  const isFull = languages.length >= MAX_LANGUAGES
  return (
    <div className="languages stack snug">
      <input
        className="input"
        aria-label={t('recipe:languages.add')}
        placeholder={t('recipe:languages.add')}
        autoComplete="off"
        spellCheck={false}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        onKeyDown={(event) => {
          const found = options.find((code) => !languages.includes(code))
          if (event.key !== 'Enter' || found === undefined || typed === '' || isFull) return
          onChange([...languages, found])
          setTyped('')
        }}
      />
      <ul>
        {options.map((code) => (
          <LanguageLine key={code} code={code} name={nameOf(code)} languages={languages} onChange={onChange} />
        ))}
      </ul>
      <p className="field-hint" role="status">
        {options.length === 0 ? t('recipe:languages.noMatch') : null}
        {isFull ? t('recipe:languages.full', { most: MAX_LANGUAGES }) : null}
        {error === null ? null : t('recipe:languages.offline')}
        <Unlisted names={unlistedLanguages(languages, listed).map(nameOf)} />
      </p>
    </div>
  )
}

function Unlisted({ names }: { names: readonly string[] }) {
  if (names.length === 0) return null
  return t('recipe:languages.unlistedHint', { count: names.length, names: listText(names, 'conjunction') })
}

function LanguageLine(given: {
  code: string
  name: string
  languages: readonly string[]
  onChange: (languages: string[]) => void
}) {
  const { code, name, languages, onChange } = given
  const id = useId()
  const isChosen = languages.includes(code)
  const others = languages.filter((other) => other !== code)
  return (
    <li className="check">
      <input
        type="checkbox"
        id={id}
        checked={isChosen}
        // A recipe has at least one.
        disabled={isChosen ? others.length === 0 : languages.length >= MAX_LANGUAGES}
        onChange={() => onChange(isChosen ? others : [...languages, code])}
      />
      <label htmlFor={id} className="ellipsis">
        {name}
      </label>
      {/* The first language decides the suggested file name. */}
      {!isChosen || others.length === 0 ? null : languages[0] === code ? (
        <span className="secondary">{t('recipe:languages.first')}</span>
      ) : (
        <Button
          kind="quiet"
          aria-label={t('recipe:languages.putFirst', { name })}
          onClick={() => onChange([code, ...others])}
        >
          {t('recipe:languages.toFirst')}
        </Button>
      )}
    </li>
  )
}

/** On top what is chosen, then the languages of Hangar and of the service; once something is typed, what matches. */
function useOptions(listed: readonly Language[], chosen: readonly string[], typed: string): string[] {
  const usual = [...chosen, ...LANGUAGES].map((code) => listed.find((one) => one.code === code) ?? asListed(code))
  const found = matchingLanguages([...usual, ...listed], typed, i18next.language)
  const byName = found.map(({ code }) => code)
  const code = typedCode(typed)
  return [
    ...new Set(
      typed === '' ? [...usual.map((one) => one.code), ...byName] : [...byName, ...(code === null ? [] : [code])],
    ),
  ]
}

const asListed = (code: string): Language => ({ code, name: code, nativeName: languageName(code, [], code) })
