import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { UiRecipe } from '../../shared/contract/places.ts'
import { listText } from '../../shared/text/list-text.ts'
import { recipeFacts } from '../../shared/recipes/recipe-facts.ts'
import { ask } from '../store/bridge.ts'
import { inBackground } from '../bridge/in-background.ts'
import { useShell } from '../store/shell-store.ts'
import { useEdited } from '../store/use-edited.ts'
import { errorText } from '../store/error-text.ts'
import { ChangedElsewhere } from '../parts/changed-elsewhere.tsx'
import { Button } from '../parts/button.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { CheckField } from '../parts/field.tsx'
import { useDiscardQuestion } from '../parts/use-discard-question.tsx'
import { changedFields, finished, freeName, isSameRecipe, problemsOf, type Problem } from './recipe-draft.ts'
import { loadSavedRecipes, saveRecipe, takenNames, useSavedRecipes } from './saved-recipes.ts'
import { recipeName } from './recipe-name.ts'
import { RecipeForm, type RecipeFormProps } from './recipe-form.tsx'
import { RecipeCost } from './recipe-cost.tsx'
import { RecipeExamples } from './recipe-examples.tsx'
import './recipe-editor.css'

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
  const { t, i18n } = useTranslation(['recipe', 'common'])
  const [alsoSave, setAlsoSave] = useState(false)
  const [refused, setRefused] = useState<string | null>(null)
  const [takenName, setTakenName] = useState<string | null>(null)
  const [isSaving, setSaving] = useState(false)
  const saved = useSavedRecipes(({ recipes }) => recipes)
  const { stored, isGone } = useStored(initial, id, purpose)
  const edited = useEdited(stored, (one, other) => isSameRecipe(finished(one), finished(other)))
  const { draft, set: setDraft } = edited
  const standardName = useShell(({ state }) => state?.settings.recipe.name ?? null)
  const fallbackLanguage = useShell(({ state }) => state?.settings.recipe.languages[0] ?? 'en')
  useEffect(() => inBackground('recipe-dialog.loadSavedRecipes', loadSavedRecipes), [])

  const isKept = purpose === 'save' || (purpose === 'use' && alsoSave)
  // The default recipe is in the same lists as the saved ones.
  const others = [...takenNames(saved, id), ...(standardName === null ? [] : [standardName])]
  const taken = [...others.flatMap((name) => [name, recipeName(name)]), ...(takenName === null ? [] : [takenName])]
  const problems = problemsOf(draft, isKept ? taken : [])
  const isSame = isSameRecipe(edited.base, draft) && !isGone
  // A recipe that is new or only used can be confirmed without changes.
  const isIdle = isSame && (purpose === 'default' || (purpose === 'save' && id !== null))
  const canSave = Object.keys(problems).length === 0 && !isSaving && !isIdle && edited.theirs === null
  const firstProblem: Problem | undefined = Object.values(problems)[0]

  const { close, stay, question } = useDiscardQuestion(!isSame, () => onDone(null))
  const save = async () => {
    setSaving(true)
    const done = await keep(finished(draft), isKept ? 'save' : purpose, { id: isGone ? null : id, seen: edited.base })
    setSaving(false)
    if (done === 'name_taken') setTakenName(draft.name)
    else if ('refused' in done) setRefused(done.refused)
    else onDone(purpose === 'use' ? { id: done.id, recipe: done.recipe } : done)
  }
  const title = purpose === 'default' ? 'defaultTitle' : purpose === 'save' && id === null ? 'newTitle' : 'editTitle'
  return (
    <Dialog
      wide
      title={t(title)}
      onClose={close}
      actions={
        question ?? (
          <>
            {purpose === 'use' ? (
              <CheckField
                label={t('alsoSave')}
                checked={alsoSave}
                onChange={(checked) => {
                  setAlsoSave(checked)
                  if (checked) setDraft({ ...draft, name: freeName(recipeName(draft.name), taken) })
                }}
              />
            ) : null}
            <p className="secondary" aria-live="polite">
              {edited.theirs !== null
                ? t('common:elsewhere.decide')
                : firstProblem !== undefined
                  ? t(`problem.${firstProblem}`)
                  : isIdle
                    ? t('nothingChanged')
                    : ''}
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
      {isGone ? (
        <p className="recipe-refused" role="alert">
          {t('goneElsewhere')}
        </p>
      ) : null}
      <ChangedElsewhere
        edited={edited}
        theirs={listText(
          changedFields(edited.base, stored).map((field) => t(FIELD_LABELS[field])),
          i18n.language,
          'conjunction',
        )}
      />
      <RecipeEditor
        draft={draft}
        onChange={(changed) => {
          setDraft(changed)
          setRefused(null)
          stay()
        }}
        problems={problems}
        fallbackLanguage={fallbackLanguage}
        names={names}
      />
    </Dialog>
  )
}

/** The stored version of what is being edited; a recipe that is not stored stays as given. */
function useStored(initial: UiRecipe, id: string | null, purpose: NonNullable<RecipeDialogProps['purpose']>) {
  const standard = useShell(({ state }) => state?.settings.recipe ?? null)
  const saved = useSavedRecipes(({ recipes }) => recipes)
  const [last, setLast] = useState(initial)
  if (purpose === 'default') return { stored: standard ?? initial, isGone: false }
  if (purpose === 'use' || id === null || saved === null) return { stored: initial, isGone: false }
  const now = saved.find((one) => one.id === id)?.recipe
  if (now !== undefined && now !== last) setLast(now)
  return { stored: now ?? last, isGone: now === undefined }
}

/** Saves the recipe. */
async function keep(
  recipe: UiRecipe,
  where: 'save' | 'default' | 'use',
  { id, seen }: { id: string | null; seen: UiRecipe },
): Promise<EditedRecipe | 'name_taken' | { refused: string }> {
  if (where === 'use') return { id: null, recipe }
  if (where === 'save') {
    const result = await saveRecipe(id, recipe, seen)
    if (result.ok) return result.saved
    return result.code === 'name_taken' ? 'name_taken' : { refused: result.message }
  }
  const result = await ask('settings.set', { recipe, seen: { recipe: seen } })
  return result.ok ? { id: null, recipe: result.value.recipe } : { refused: errorText(result.error) }
}

const FIELD_LABELS = {
  name: 'name',
  operation: 'operation.label',
  convertOn: 'convertOn.label',
  languages: 'languages.label',
  format: 'format',
  quality: 'quality.label',
  longEdge: 'longEdge.label',
  widths: 'widths.label',
  maxSizeKb: 'maxSize.label',
  metadata: 'metadata.label',
  output: 'output.label',
  naming: 'naming.label',
  keepLarger: 'keepLarger.label',
  embedTexts: 'embedTexts.label',
  rules: 'rules.label',
  minSavingPercent: 'minSaving.label',
  project: 'project.label',
  oversize: 'oversize.label',
  replaceLosesExtras: 'extras.label',
} as const satisfies Record<keyof UiRecipe, string>

/** A recipe as a form, with its effect beside or below it. `names` are real file names. */
function RecipeEditor({ names = [], ...form }: RecipeFormProps & { draft: UiRecipe; names?: readonly string[] }) {
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
