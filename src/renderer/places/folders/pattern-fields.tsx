import { useTranslation } from 'react-i18next'
import { TextArea } from '../../parts/field.tsx'
import { patternProblem, patternsOf } from './folder-patterns.ts'

/** As typed, one pattern per line. */
export interface Patterns {
  include: string
  exclude: string
}

/** The patterns of a folder. */
export function PatternFields({ patterns, onChange }: { patterns: Patterns; onChange: (patterns: Patterns) => void }) {
  const { t } = useTranslation('folders')
  const why = (text: string) => {
    const found = patternProblem(patternsOf(text))
    return found === null ? null : t(`pattern.${found.problem}`, { pattern: found.pattern })
  }
  return (
    <>
      <TextArea
        label={t('include')}
        hint={t('includeHint')}
        error={why(patterns.include)}
        placeholder={t('includeExample')}
        spellCheck={false}
        className="textarea mono"
        value={patterns.include}
        onChange={(event) => onChange({ ...patterns, include: event.target.value })}
      />
      <TextArea
        label={t('exclude')}
        hint={t('excludeHint')}
        error={why(patterns.exclude)}
        placeholder={t('excludeExample')}
        spellCheck={false}
        className="textarea mono"
        value={patterns.exclude}
        onChange={(event) => onChange({ ...patterns, exclude: event.target.value })}
      />
    </>
  )
}
