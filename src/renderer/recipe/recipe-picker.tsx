import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { listText } from '../../shared/text/list-text.ts'
import { Button } from '../parts/button.tsx'
import { SelectField } from '../parts/field.tsx'
import { UNSAVED, useRecipes, type RecipeChoice } from './recipe-choice.ts'
import type { UiRecipe } from '../../shared/contract/places.ts'
import { recipeName } from './recipe-name.ts'

const RecipeDialog = lazy(async () => ({ default: (await import('./recipe-dialog.tsx')).RecipeDialog }))

const STANDARD = 'default'
const valueOf = (id: string | null) => id ?? STANDARD

/** Chooses a recipe: the default one, a saved one, or one edited for this time only. */
export function RecipePicker(given: {
  choice: RecipeChoice
  onChoose: (choice: RecipeChoice) => void
  /** File names for the editor's example. */
  names: readonly string[]
}) {
  const { choice, onChoose, names } = given
  const { t } = useTranslation('intake')
  const known = useRecipes()
  const [isEditing, setIsEditing] = useState(false)
  const choices = known.map(({ id, recipe }) => ({ value: valueOf(id), label: recipeName(recipe.name) }))
  if (choice.id === UNSAVED)
    choices.push({ value: UNSAVED, label: t('recipe.changed', { name: recipeName(choice.recipe.name) }) })
  return (
    <div className="intake-recipe">
      <SelectField
        label={t('recipe.label')}
        hint={<RecipeSummary recipe={choice.recipe} />}
        choices={choices}
        value={valueOf(choice.id)}
        onChange={(value) => {
          const picked = known.find(({ id }) => valueOf(id) === value)
          if (picked !== undefined) onChoose(picked)
        }}
      />
      <Button onClick={() => setIsEditing(true)}>{t('recipe.edit')}</Button>
      {isEditing ? (
        <Suspense fallback={null}>
          <RecipeDialog
            initial={choice.recipe}
            id={null}
            purpose="use"
            names={names}
            onDone={(edited) => {
              setIsEditing(false)
              if (edited !== null) onChoose({ id: edited.id ?? UNSAVED, recipe: edited.recipe })
            }}
          />
        </Suspense>
      ) : null}
    </div>
  )
}

/** A recipe in one line: what is made, in which languages, and where it goes. */
export function RecipeSummary({ recipe }: { recipe: UiRecipe }) {
  const { t, i18n } = useTranslation('intake')
  const { operation, languages, format, output } = recipe
  const names = new Intl.DisplayNames(i18n.language, { type: 'language', fallback: 'code' })
  const makesTexts = operation === 'process' || operation === 'analyze'
  const shown = languages.length > 3 ? null : languages.map((code) => names.of(code) ?? code)
  const texts = makesTexts
    ? t('summary.texts', {
        languages:
          shown === null ? t('summary.languages', { count: languages.length }) : listText(shown, i18n.language),
      })
    : null
  const parts = [
    operation === 'process' || operation === 'optimize' ? t('summary.optimized') : null,
    operation === 'process' || operation === 'convert' ? t(`summary.${format}`) : null,
    texts,
    t(`summary.${output.kind}`),
  ]
  return <span className="secondary">{parts.filter((part) => part !== null).join(' · ')}</span>
}
