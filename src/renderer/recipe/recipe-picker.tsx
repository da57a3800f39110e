import { lazy, Suspense, useState } from 'react'
import { t } from 'i18next'
import type { UiRecipe } from '../../shared/contract/places.ts'
import { Button } from '../parts/button.tsx'
import { Chip, LanguagesChip, OutputChip } from './recipe-chips.tsx'
import { choiceName, inCardOrder, UNSAVED, useRecipes, type RecipeChoice } from './recipe-choice.ts'
import { withOperation } from './recipe-draft.ts'
import { RecipeSummary } from './recipe-summary.tsx'

const RecipeDialog = lazy(async () => ({ default: (await import('./recipe-dialog.tsx')).RecipeDialog }))

/** Chooses a recipe, and changes its languages and where results go for this time only. */
export function RecipePicker(given: {
  choice: RecipeChoice
  onChoose: (choice: RecipeChoice) => void
  names: readonly string[]
}) {
  const { choice, onChoose, names } = given
  const [isEditing, setIsEditing] = useState(false)
  // What a person chose stays when another recipe is chosen.
  const [kept, setKept] = useState<Pick<Partial<UiRecipe>, 'languages' | 'output'>>({})
  const change = (part: typeof kept) => {
    setKept({ ...kept, ...part })
    onChoose({ ...choice, recipe: { ...choice.recipe, ...part } })
  }
  const choose = ({ id, recipe }: RecipeChoice) =>
    onChoose({ id, recipe: withOperation({ ...recipe, ...kept }, recipe.operation) })
  return (
    <div className="row">
      <FormatChip choice={choice} onChoose={choose} onEdit={() => setIsEditing(true)} />
      <LanguagesChip recipe={choice.recipe} onChange={change} />
      <OutputChip recipe={choice.recipe} onChange={change} />
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

function FormatChip(given: { choice: RecipeChoice; onChoose: (choice: RecipeChoice) => void; onEdit: () => void }) {
  const { choice, onChoose, onEdit } = given
  const cards = inCardOrder(useRecipes())
  return (
    <Chip label={t('recipe:format.label')} value={choiceName(choice.recipe)} className="recipe-cards">
      {(close) => (
        <>
          <ul className="cards columns">
            {cards.map((card) => (
              <li key={card.id ?? ''}>
                <button
                  type="button"
                  className="card"
                  aria-pressed={card.recipe.name === choice.recipe.name}
                  onClick={() => {
                    onChoose(card)
                    close()
                  }}
                >
                  <span className="card-name ellipsis" dir="auto">
                    {choiceName(card.recipe)}
                  </span>
                  <RecipeSummary recipe={card.recipe} />
                </button>
              </li>
            ))}
          </ul>
          <Button
            onClick={() => {
              close()
              onEdit()
            }}
          >
            {t('intake:recipe.edit')}
          </Button>
        </>
      )}
    </Chip>
  )
}
