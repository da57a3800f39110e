import { useEffect, useId, useState } from 'react'
import { t } from 'i18next'
import type { UiRecipe } from '../../shared/contract/places.ts'
import { ask } from '../store/bridge.ts'
import { inBackground } from '../bridge/in-background.ts'
import { useShell } from '../store/shell-store.ts'
import { useEdited } from '../store/use-edited.ts'
import { errorText } from '../store/error-text.ts'
import { Button } from '../parts/button.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { CheckField, Form } from '../parts/field.tsx'
import { useDiscardQuestion } from '../parts/use-discard-question.tsx'
import { finished, freeName, isSameRecipe, problemsOf, type Problem } from './recipe-draft.ts'
import { loadSavedRecipes, saveRecipe, takenNames, useSavedRecipes } from './saved-recipes.ts'
import { recipeName } from './recipe-name.ts'
import { RecipeForm } from './recipe-form.tsx'
import { RecipeExample } from './recipe-example.tsx'
import { RecipeSummary } from './recipe-summary.tsx'
import './recipe-editor.css'
import { makesTexts, priceKind } from '../../shared/recipes/recipe-facts.ts'
import { useAnswer } from '../store/use-answer.ts'

/** `id` is null for a recipe that is not saved. */
interface EditedRecipe {
  id: string | null
  recipe: UiRecipe
}

export interface RecipeDialogProps {
  initial: UiRecipe
  /** The saved recipe to change; null for none. */
  id: string | null
  /** Null when nothing was changed. */
  onDone: (edited: EditedRecipe | null) => void
  /** `use`: returned to the caller, and saved too if the person chooses so. By default `save` with an id, else `use`. */
  purpose?: 'save' | 'default' | 'use'
  /** Real names for the example. */
  names?: readonly string[]
}

export function RecipeDialog(given: RecipeDialogProps) {
  const { initial, id, onDone, names = [] } = given
  const purpose = given.purpose ?? (id === null ? 'use' : 'save')
  const stored = useStored(initial, id, purpose)
  const edited = useEdited(stored, (one, other) => isSameRecipe(finished(one), finished(other)))
  const { draft } = edited
  const form = useId()
  const saving = useSaving(edited, purpose, { id, onDone })
  const { close, stay, question } = useDiscardQuestion(saving.isChanged, () => onDone(null))
  const title = purpose === 'default' ? 'defaultTitle' : purpose === 'save' && id === null ? 'newTitle' : 'editTitle'
  return (
    <Dialog
      title={t(`recipe:${title}`)}
      onClose={close}
      actions={
        question ?? (
          <>
            {purpose === 'use' ? (
              <CheckField label={t('recipe:alsoSave')} checked={saving.alsoSave} onChange={saving.setAlsoSave} />
            ) : null}
            <p className="secondary" aria-live="polite">
              {saving.hindrance === null ? '' : t(`recipe:${saving.hindrance}`)}
            </p>
            <Button onClick={close}>{t('common:cancel')}</Button>
            <Button type="submit" form={form} kind="primary" disabled={!saving.canSave}>
              {t(purpose === 'use' ? 'recipe:use' : 'common:save')}
            </Button>
          </>
        )
      }
    >
      {saving.refused === null ? null : (
        <p className="recipe-refused callout bad" role="alert">
          {saving.refused}
        </p>
      )}
      <Form id={form} className="recipe-form stack loose recipe-editor" onSubmit={() => inBackground(saving.save)}>
        <RecipeForm
          draft={draft}
          onChange={(changed) => {
            edited.set(changed)
            saving.forget()
            stay()
          }}
          problems={saving.problems}
        />
        <div className="stack tight breaks">
          <RecipeSummary recipe={{ ...draft, languages: [] }} />
          <RecipeExample draft={draft} names={names} />
          <RecipeCost recipe={draft} />
        </div>
      </Form>
    </Dialog>
  )
}

/** Whether the draft can be stored or used as `purpose` says, what hinders it, and doing it. */
function useSaving(
  edited: ReturnType<typeof useEdited<UiRecipe>>,
  purpose: NonNullable<RecipeDialogProps['purpose']>,
  { id, onDone }: Pick<RecipeDialogProps, 'id' | 'onDone'>,
) {
  const { draft } = edited
  const [alsoSave, setAlsoSave] = useState(false)
  const [refused, setRefused] = useState<string | null>(null)
  const [takenName, setTakenName] = useState<string | null>(null)
  const [isSaving, setSaving] = useState(false)
  const isKept = purpose === 'save' || (purpose === 'use' && alsoSave)
  const taken = [...useTakenNames(id), ...(takenName === null ? [] : [takenName])]
  const problems = problemsOf(draft, isKept ? taken : [])
  const firstProblem: Problem | undefined = Object.values(problems)[0]
  const isChanged = !isSameRecipe(edited.base, draft)
  // A recipe that is new or only used can be confirmed without changes.
  const isIdle = !isChanged && (purpose === 'default' || (purpose === 'save' && id !== null))
  const save = async () => {
    setSaving(true)
    const done = await keep(finished(draft), isKept ? 'save' : purpose, id)
    setSaving(false)
    if (done === 'name_taken') setTakenName(draft.name)
    else if ('refused' in done) setRefused(done.refused)
    else onDone(purpose === 'use' ? { id: done.id, recipe: done.recipe } : done)
  }
  return {
    problems,
    isChanged,
    canSave: firstProblem === undefined && !isSaving && !isIdle,
    hindrance: hindranceOf(firstProblem, isIdle),
    refused,
    forget: () => setRefused(null),
    alsoSave,
    setAlsoSave: (isOn: boolean) => {
      setAlsoSave(isOn)
      if (isOn) edited.set({ ...draft, name: freeName(recipeName(draft.name), taken) })
    },
    save,
  }
}

function hindranceOf(problem: Problem | undefined, isIdle: boolean) {
  if (problem !== undefined) return `problem.${problem}` as const
  return isIdle ? ('nothingChanged' as const) : null
}

/** The names of the other recipes; the default one is in the same lists as those that are saved. */
function useTakenNames(id: string | null): string[] {
  const saved = useSavedRecipes(({ recipes }) => recipes)
  const standardName = useShell(({ state }) => state?.settings.recipe.name ?? null)
  useEffect(() => inBackground(loadSavedRecipes), [])
  const others = [...takenNames(saved, id), ...(standardName === null ? [] : [standardName])]
  return others.flatMap((name) => [name, recipeName(name)])
}

/** The stored version of what is being edited; a recipe that is not stored stays as given. */
function useStored(initial: UiRecipe, id: string | null, purpose: NonNullable<RecipeDialogProps['purpose']>): UiRecipe {
  const standard = useShell(({ state }) => state?.settings.recipe)
  const saved = useSavedRecipes(({ recipes }) => recipes?.find((one) => one.id === id)?.recipe)
  return (purpose === 'default' ? standard : purpose === 'save' ? saved : undefined) ?? initial
}

async function keep(
  recipe: UiRecipe,
  where: 'save' | 'default' | 'use',
  id: string | null,
): Promise<EditedRecipe | 'name_taken' | { refused: string }> {
  if (where === 'use') return { id: null, recipe }
  if (where === 'save') {
    const result = await saveRecipe(id, recipe)
    if (result.ok) return result.value
    return result.error.code === 'name_taken' ? 'name_taken' : { refused: errorText(result.error) }
  }
  const result = await ask('settings.set', { recipe })
  return result.ok ? { id: null, recipe: result.value.recipe } : { refused: errorText(result.error) }
}

/** Each request is a call to the service and counts towards its limit of calls a minute. */
const TYPING_PAUSE_MS = 600

function RecipeCost({ recipe }: { recipe: UiRecipe }) {
  const hasService = useShell(({ state }) => state?.service?.hasKey ?? false)
  const kind = priceKind(recipe)
  // Without texts, the price for one language is the tightest upper bound.
  const languages = makesTexts(recipe.operation) ? recipe.languages.length : 1
  const asked = kind !== 'free' && hasService
  const { value, error } = useAnswer(
    'credits.afford',
    asked ? { images: 1, languages, format: recipe.format } : null,
    TYPING_PAUSE_MS,
  )
  const text = () => {
    if (kind === 'free') return t('recipe:cost.free')
    if (!hasService) return t('recipe:cost.noKey')
    if (error !== null) return t('recipe:cost.away')
    if (value === null) return ''
    const credits = t('frame:balance.credits', { count: value.required })
    return t(kind === 'at_most' ? 'recipe:cost.atMost' : 'recipe:cost.each', { credits })
  }
  return <p className="recipe-cost secondary figures">{text()}</p>
}
