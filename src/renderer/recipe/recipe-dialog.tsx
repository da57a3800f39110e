import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { UiRecipe } from '../../shared/contract/places.ts'
import { recipeFacts } from '../../shared/recipe-facts.ts'
import { ask } from '../store/bridge.ts'
import { inBackground } from '../store/in-background.ts'
import { useShell } from '../store/shell-store.ts'
import { errorText } from '../text/error-text.ts'
import { Button } from '../parts/button.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { CheckField } from '../parts/field.tsx'
import { finished, isSameRecipe, problemsOf, type Problem } from './recipe-draft.ts'
import { loadSavedRecipes, saveRecipe, takenNames, useSavedRecipes } from './saved-recipes.ts'
import { RecipeForm, type RecipeFormProps } from './recipe-form.tsx'
import { RecipeCost } from './recipe-cost.tsx'
import { RecipeExamples } from './recipe-examples.tsx'
import './recipe-editor.css'

/** `id` is null for a recipe that is not saved. */
export interface EditedRecipe {
  id: string | null
  recipe: UiRecipe
}

export interface RecipeDialogProps {
  initial: UiRecipe
  /** The saved recipe to change; null for none. */
  id: string | null
  /** Null when nothing was changed. */
  onDone: (edited: EditedRecipe | null) => void
  /**
   * `save`: as a saved recipe. `default`: as the default in the settings. `use`: only returned to the caller, and saved too if
   * the person chooses so. By default `save` if there is an id, else `use`.
   */
  purpose?: 'save' | 'default' | 'use'
  /** Real names for the example. */
  names?: readonly string[]
}

export function RecipeDialog({ initial, id, onDone, names = [], ...given }: RecipeDialogProps) {
  const purpose = given.purpose ?? (id === null ? 'use' : 'save')
  const { t } = useTranslation(['recipe', 'common'])
  const [draft, setDraft] = useState(initial)
  const [alsoSave, setAlsoSave] = useState(false)
  const [refused, setRefused] = useState<string | null>(null)
  const [isSaving, setSaving] = useState(false)
  const [isLeaving, setLeaving] = useState(false)
  const saved = useSavedRecipes(({ recipes }) => recipes)
  const fallbackLanguage = useShell(({ state }) => state?.settings.recipe.languages[0] ?? 'en')
  useEffect(() => inBackground('recipe-dialog.loadSavedRecipes', loadSavedRecipes), [])

  const isKept = purpose === 'save' || (purpose === 'use' && alsoSave)
  const problems = problemsOf(draft, isKept ? takenNames(saved, id) : [])
  const isSame = isSameRecipe(initial, draft)
  // A recipe that is new or only used can be confirmed without changes.
  const isIdle = isSame && (purpose === 'default' || (purpose === 'save' && id !== null))
  const canSave = Object.keys(problems).length === 0 && !isSaving && !isIdle
  const firstProblem: Problem | undefined = Object.values(problems)[0]

  const close = () => {
    if (isSame || isLeaving) onDone(null)
    else setLeaving(true)
  }
  const save = async () => {
    setSaving(true)
    const done = await keep(finished(draft), isKept ? 'save' : purpose, id)
    setSaving(false)
    if (typeof done === 'string') setRefused(done)
    else onDone(purpose === 'use' ? { id: done.id, recipe: done.recipe } : done)
  }
  const title = purpose === 'default' ? 'defaultTitle' : purpose === 'save' && id === null ? 'newTitle' : 'editTitle'
  return (
    <Dialog
      wide
      title={t(title)}
      onClose={close}
      actions={
        isLeaving ? (
          <>
            <p className="recipe-why" role="alert">
              {t('discard.question')}
            </p>
            <Button kind="danger" onClick={() => onDone(null)}>
              {t('discard.leave')}
            </Button>
            <Button kind="primary" autoFocus onClick={() => setLeaving(false)}>
              {t('discard.stay')}
            </Button>
          </>
        ) : (
          <>
            {purpose === 'use' ? <CheckField label={t('alsoSave')} checked={alsoSave} onChange={setAlsoSave} /> : null}
            <p className="recipe-why secondary" aria-live="polite">
              {firstProblem !== undefined ? t(`problem.${firstProblem}`) : isIdle ? t('nothingChanged') : ''}
            </p>
            <Button onClick={close}>{t('common:cancel')}</Button>
            <Button kind="primary" disabled={!canSave} onClick={() => inBackground('recipe-dialog.save', save)}>
              {t(purpose === 'use' ? 'use' : 'common:save')}
            </Button>
          </>
        )
      }
    >
      {refused === null ? null : (
        <p className="recipe-refused" role="alert">
          {refused}
        </p>
      )}
      <RecipeEditor
        draft={draft}
        onChange={(changed) => {
          setDraft(changed)
          setRefused(null)
          setLeaving(false)
        }}
        problems={problems}
        fallbackLanguage={fallbackLanguage}
        names={names}
      />
    </Dialog>
  )
}

/** Saves the recipe; returns the error text on failure. */
async function keep(
  recipe: UiRecipe,
  where: 'save' | 'default' | 'use',
  id: string | null,
): Promise<EditedRecipe | string> {
  if (where === 'use') return { id: null, recipe }
  if (where === 'save') {
    const result = await saveRecipe(id, recipe)
    return result.ok ? result.saved : result.message
  }
  const result = await ask('settings.set', { recipe })
  return result.ok ? { id: null, recipe: result.value.recipe } : errorText(result.error)
}

/** A recipe as a form, with its effect beside or below it. `names` are real file names. */
export function RecipeEditor({
  names = [],
  ...form
}: RecipeFormProps & { draft: UiRecipe; names?: readonly string[] }) {
  return (
    <div className="recipe-editor">
      <div className="recipe-columns">
        <RecipeForm {...form} />
        <RecipePreview draft={form.draft} names={names} />
      </div>
    </div>
  )
}

/** What a recipe would do, updated while it is edited: names and credits. `names` are real ones, if there are any. */
function RecipePreview({ draft, names }: { draft: UiRecipe; names: readonly string[] }) {
  const { t } = useTranslation('recipe')
  return (
    <div className="recipe-preview">
      <RecipeExamples draft={draft} names={names} />
      <section>
        <h3>{t('cost.title')}</h3>
        <RecipeCost recipe={draft} />
      </section>
      <section>
        <h3>{t('facts')}</h3>
        <ul className="recipe-facts">
          {recipeFacts(draft).map((fact) => (
            <li key={fact}>{t(`fact.${fact}`)}</li>
          ))}
        </ul>
      </section>
    </div>
  )
}
