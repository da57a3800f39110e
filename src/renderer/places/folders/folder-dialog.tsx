import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { FolderRow } from '../../../shared/contract/folders.ts'
import type { Place, UiRecipe } from '../../../shared/contract/places.ts'
import { RecipePicker } from '../../overlays/recipe-picker.tsx'
import { UNSAVED, useRecipes, type RecipeChoice } from '../../overlays/recipes.ts'
import { inBackground } from '../../store/in-background.ts'
import { usePreview } from '../../store/use-preview.ts'
import { isSameRecipe } from '../../recipe/recipe-draft.ts'
import { ask } from '../../store/bridge.ts'
import { errorText } from '../../text/error-text.ts'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { CheckField, TextField } from '../../parts/field.tsx'
import { PathText } from '../../parts/path-text.tsx'
import { splitPath } from '../../parts/split-path.ts'
import { ASK_ABOVE, askAboveOf } from './folder-facts.ts'
import { FolderOutlook } from './folder-outlook.tsx'
import { patternProblem, patternsOf } from './folder-patterns.ts'
import { PatternFields, type Patterns } from './pattern-fields.tsx'

/** A folder to add, or a watched one to edit. */
export type FolderToSet = { kind: 'new'; place: Place } | { kind: 'watched'; folder: FolderRow }

const TYPING_PAUSE_MS = 400

/** The settings of a folder, with a preview of their effect; nothing is changed before the button is pressed. */
export function FolderDialog({ shown, onClose }: { shown: FolderToSet; onClose: () => void }) {
  const known = useRecipes()
  const [chosen, setChosen] = useState<RecipeChoice | null>(null)
  const choice = chosen ?? firstChoice(shown, known)
  if (choice === undefined) return null
  return <FolderSettings shown={shown} choice={choice} onChoose={setChosen} onClose={onClose} />
}

function firstChoice(shown: FolderToSet, known: readonly RecipeChoice[]): RecipeChoice | undefined {
  if (shown.kind === 'new') return known[0]
  const { recipe } = shown.folder
  return known.find((other) => isSameRecipe(other.recipe, recipe)) ?? { id: UNSAVED, recipe }
}

function FolderSettings(given: {
  shown: FolderToSet
  choice: RecipeChoice
  onChoose: (choice: RecipeChoice) => void
  onClose: () => void
}) {
  const { shown, choice, onChoose, onClose } = given
  const { t } = useTranslation(['folders', 'common'])
  const isNew = shown.kind === 'new'
  const { token, path } = isNew ? shown.place : shown.folder
  const [patterns, setPatterns] = useState<Patterns>(() =>
    isNew
      ? { include: '', exclude: '' }
      : { include: shown.folder.include.join('\n'), exclude: shown.folder.exclude.join('\n') },
  )
  const [askText, setAskText] = useState(String(isNew ? ASK_ABOVE : shown.folder.askAbove))
  const [reprocess, setReprocess] = useState(false)
  const [onlyNew, setOnlyNew] = useState(false)
  const [isSaving, setSaving] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  const include = patternsOf(patterns.include)
  const exclude = patternsOf(patterns.exclude)
  const askAbove = askAboveOf(askText)
  const isWrong = patternProblem(include) !== null || patternProblem(exclude) !== null
  const question = isWrong ? null : { paths: [token], recipe: choice.recipe, include, exclude }
  const answer = usePreview(question, TYPING_PAUSE_MS)
  // The button is enabled once the preview, or that there is none, is shown.
  const isReady =
    !isWrong &&
    askAbove !== null &&
    !isSaving &&
    ((answer.value !== null && answer.value.progress === null) || answer.error !== null)
  const save = async () => {
    if (!isReady || askAbove === null) return
    setSaving(true)
    const why = await set(shown, { recipe: choice.recipe, include, exclude, askAbove }, { reprocess, onlyNew })
    setSaving(false)
    setFailure(why)
    if (why === null) onClose()
  }
  return (
    <Dialog
      wide
      title={t(isNew ? 'addTitle' : 'editTitle', { name: splitPath(path).name })}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{t('common:cancel')}</Button>
          <Button
            kind="primary"
            data-autofocus
            aria-disabled={!isReady}
            onClick={() => inBackground('folder-dialog.save', save)}
          >
            {t(isNew ? 'watchThis' : 'common:save')}
          </Button>
        </>
      }
    >
      <div className="folders-set">
        <div className="folders-form">
          <PathText path={path} whole={path} className="secondary" />
          <RecipePicker
            choice={choice}
            onChoose={onChoose}
            names={answer.value?.examples.map(({ source }) => source) ?? []}
          />
          <PatternFields patterns={patterns} onChange={setPatterns} />
          <TextField
            label={t('askAbove')}
            hint={t('askAboveHint')}
            error={askAbove === null ? t('askAboveWrong') : null}
            inputMode="numeric"
            value={askText}
            onChange={(event) => setAskText(event.target.value)}
          />
          {isNew ? (
            <CheckField label={t('onlyNew')} hint={t('onlyNewMeans')} checked={onlyNew} onChange={setOnlyNew} />
          ) : (
            <CheckField label={t('reprocess')} hint={t('reprocessMeans')} checked={reprocess} onChange={setReprocess} />
          )}
          {failure === null ? null : (
            <p className="field-error" role="alert">
              {failure}
            </p>
          )}
        </div>
        <FolderOutlook
          answer={question === null ? null : answer}
          recipe={choice.recipe}
          askAbove={askAbove ?? ASK_ABOVE}
          about={isNew ? (onlyNew ? 'names' : 'new') : reprocess ? 'all' : 'names'}
          onlyNewText={isNew ? t('outlook.fromNowOn') : t('outlook.onlyNew')}
        />
      </div>
    </Dialog>
  )
}

/** Adds or changes the folder; returns the error text on failure. */
async function set(
  shown: FolderToSet,
  changes: { recipe: UiRecipe; include: string[]; exclude: string[]; askAbove: number },
  { reprocess, onlyNew }: { reprocess: boolean; onlyNew: boolean },
): Promise<string | null> {
  const result =
    shown.kind === 'new'
      ? await ask('folders.add', {
          path: shown.place.token,
          ...changes,
          ...(onlyNew ? { existing: 'leave' } : {}),
        })
      : await ask('folders.update', { id: shown.folder.id, changes, reprocess })
  return result.ok ? null : errorText(result.error)
}
