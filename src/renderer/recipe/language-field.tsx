import { ArrowDown, ArrowUp, X } from 'lucide-react'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { listText } from '../../shared/text/list-text.ts'
import { MAX_LANGUAGES } from '../../shared/recipes/limits.ts'
import { useAnswer } from '../store/use-answer.ts'
import { IconButton } from '../parts/button.tsx'
import { FieldError } from '../parts/field.tsx'
import { LanguageSearch } from './language-search.tsx'
import { languageName, moved, unlistedLanguages } from './language-names.ts'
import './language-field.css'

/** The ordered languages of a recipe. Works without the service, because codes can be typed. */
export function LanguageField(given: {
  languages: readonly string[]
  onChange: (languages: string[]) => void
  /** The first language names the files. */
  namesFiles: boolean
  error: string | null
}) {
  const { languages, onChange, namesFiles, error } = given
  const { t, i18n } = useTranslation('recipe')
  const id = useId()
  const { value, error: listError } = useAnswer('languages.list', {})
  const listed = value?.languages ?? null
  const unlisted = unlistedLanguages(languages, listed)
  const nameOf = (code: string) => languageName(code, i18n.language, listed ?? [])
  const isFull = languages.length >= MAX_LANGUAGES
  return (
    <div className="field" role="group" aria-labelledby={`${id}-label`} aria-describedby={`${id}-hint`}>
      <span className="field-label" id={`${id}-label`}>
        {t('languages.label')}
      </span>
      {languages.length === 0 ? null : (
        <ol className="languages">
          {languages.map((code, index) => (
            <LanguageLine
              key={code}
              code={code}
              name={nameOf(code)}
              tag={unlisted.includes(code) ? 'unlisted' : namesFiles && index === 0 ? 'first' : null}
              onEarlier={index === 0 ? null : () => onChange(moved(languages, index, -1))}
              onLater={index === languages.length - 1 ? null : () => onChange(moved(languages, index, 1))}
              onRemove={() => onChange(languages.filter((other) => other !== code))}
            />
          ))}
        </ol>
      )}
      {isFull ? null : (
        <LanguageSearch
          listed={listed ?? []}
          chosen={languages}
          onAdd={(code) => onChange([...languages, code])}
          errorId={error === null ? null : `${id}-error`}
        />
      )}
      <div className="field-hint" id={`${id}-hint`}>
        {t(isFull ? 'languages.full' : namesFiles ? 'languages.hintFirst' : 'languages.hint', { most: MAX_LANGUAGES })}
        {listError === null ? null : ` ${t('languages.offline')}`}
      </div>
      <UnlistedHint names={unlisted.map(nameOf)} />
      <FieldError id={`${id}-error`} text={error} />
    </div>
  )
}

function UnlistedHint({ names }: { names: readonly string[] }) {
  const { t, i18n } = useTranslation('recipe')
  return names.length === 0 ? null : (
    <div className="languages-warning" role="status">
      {t('languages.unlistedHint', { count: names.length, names: listText(names, i18n.language, 'conjunction') })}
    </div>
  )
}

function LanguageLine(given: {
  code: string
  name: string
  tag: 'unlisted' | 'first' | null
  onEarlier: (() => void) | null
  onLater: (() => void) | null
  onRemove: () => void
}) {
  const { code, name, tag, onEarlier, onLater, onRemove } = given
  const { t } = useTranslation('recipe')
  return (
    <li className="language">
      <span className="language-code mono">{code}</span>
      <span className="language-name ellipsis">{name}</span>
      {tag === null ? null : (
        <span className={tag === 'unlisted' ? 'language-tag bad' : 'language-tag'}>{t(`languages.${tag}`)}</span>
      )}
      <span className="language-buttons">
        <IconButton
          label={t('languages.earlier', { name })}
          disabled={onEarlier === null}
          onClick={onEarlier ?? undefined}
        >
          <ArrowUp size={14} aria-hidden />
        </IconButton>
        <IconButton label={t('languages.later', { name })} disabled={onLater === null} onClick={onLater ?? undefined}>
          <ArrowDown size={14} aria-hidden />
        </IconButton>
        <IconButton label={t('languages.remove', { name })} onClick={onRemove}>
          <X size={14} aria-hidden />
        </IconButton>
      </span>
    </li>
  )
}
