import { useState } from 'react'
import { t } from 'i18next'
import { isTemplate, parseNameTemplate } from '../../shared/recipes/name-template.ts'
import { makesTexts } from '../../shared/recipes/recipe-facts.ts'
import { ChoiceList, TextField } from '../parts/field.tsx'
import { sentenceIn } from '../store/error-text.ts'
import type { FieldProps } from './recipe-draft.ts'

type How = 'original' | 'seo' | 'template'

/** What a person starts from. */
const FIRST_TEMPLATE = 'web/{name}'

export function NamesField({ draft, change }: FieldProps) {
  const { naming } = draft
  // While a template is typed, it may be one of the two words for a moment.
  const [isTyping, setTyping] = useState(isTemplate(naming))
  const how: How = isTyping || isTemplate(naming) ? 'template' : naming === 'seo' ? 'seo' : 'original'
  const choose = (value: How) => {
    setTyping(value === 'template')
    change({ naming: value === 'template' ? FIRST_TEMPLATE : value })
  }
  const choices: readonly How[] = makesTexts(draft.operation)
    ? ['original', 'seo', 'template']
    : ['original', 'template']
  return (
    <>
      <ChoiceList
        label={t('recipe:naming.label')}
        value={how}
        onChange={choose}
        choices={choices.map((value) => ({
          value,
          label: t(`recipe:naming.${value}`),
          hint: t(`recipe:naming.hint.${value}`),
        }))}
      />
      {how === 'template' ? <TemplateField draft={draft} change={change} /> : null}
    </>
  )
}

function TemplateField({ draft, change }: Pick<FieldProps, 'draft' | 'change'>) {
  const parsed = parseNameTemplate(draft.naming)
  const isWord = !isTemplate(draft.naming)
  return (
    <>
      <TextField
        label={t('recipe:nameTemplate.label')}
        hint={t('recipe:nameTemplate.fields')}
        value={draft.naming}
        error={parsed.ok || isWord ? null : sentenceIn(parsed.problem)}
        dir="ltr"
        spellCheck={false}
        autoCapitalize="off"
        autoComplete="off"
        onChange={(event) => change({ naming: event.target.value })}
      />
    </>
  )
}
