import { useState } from 'react'
import { t } from 'i18next'
import type { UiRecipe } from '../../shared/contract/places.ts'
import { isTemplate, parseNameTemplate, SEO_STAND_IN } from '../../shared/recipes/name-template.ts'
import { makesTexts } from '../../shared/recipes/recipe-facts.ts'
import { straightText } from '../../shared/text/safe-characters.ts'
import { ChoiceList, TextField } from '../parts/field.tsx'
import { sentenceIn } from '../store/error-text.ts'
import { useAnswer } from '../store/use-answer.ts'
import { finished, type FieldProps } from './recipe-draft.ts'

type How = 'original' | 'seo' | 'template'

/** What a person starts from. */
const FIRST_TEMPLATE = 'web/{name}'
const TYPING_PAUSE_MS = 250

/** How results are called; by a template with what is wrong with it, and the names that the latest pictures would get. */
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
      <LatestNames draft={draft} isUsable={parsed.ok || isWord} />
    </>
  )
}

/** Nothing where no picture was processed yet: the examples of the recipe show names then. */
function LatestNames({ draft, isUsable }: { draft: UiRecipe; isUsable: boolean }) {
  // The recipe's name does not affect the names, but must not be empty.
  const recipe = { ...finished(draft), name: 'example' }
  const question = isUsable && recipe.languages.length > 0 ? { recipe } : null
  const { value } = useAnswer('recipes.names', question, TYPING_PAUSE_MS)
  const pictures = isUsable ? (value?.pictures ?? []) : []
  if (pictures.length === 0) return null
  const hasStandIn = pictures.some(({ results }) => results.some(({ name }) => name.includes(SEO_STAND_IN)))
  return (
    <section className="latest-names stack snug breaks">
      <h4>{t('recipe:nameTemplate.title')}</h4>
      <ul className="stack snug">
        {pictures.map(({ source, results }) => (
          <li key={source}>
            <bdi className="secondary">{straightText(source)}</bdi>
            <ul>
              {results.map(({ name, why }) => (
                <li key={name}>
                  <bdi dir="ltr">{straightText(name)}</bdi>
                  {why.map((reason) => (
                    <span key={reason} className="secondary">
                      {' '}
                      ({t(`recipe:nameTemplate.${reason}`)})
                    </span>
                  ))}
                </li>
              ))}
            </ul>
          </li>
        ))}
      </ul>
      {hasStandIn ? <p className="secondary">{t('recipe:preview.seoNote', { seo: SEO_STAND_IN })}</p> : null}
    </section>
  )
}
