import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { FolderRow } from '../../../shared/contract/folders.ts'
import type { Place, UiRecipe } from '../../../shared/contract/places.ts'
import { listText } from '../../../shared/text/list-text.ts'
import { RecipePicker } from '../../recipe/recipe-picker.tsx'
import { UNSAVED, useRecipes, type RecipeChoice } from '../../recipe/recipe-choice.ts'
import { inBackground } from '../../bridge/in-background.ts'
import { usePreview } from '../../store/use-preview.ts'
import { isSameRecipe } from '../../recipe/recipe-draft.ts'
import { useShell } from '../../store/shell-store.ts'
import { isSameText, useEdited } from '../../store/use-edited.ts'
import { ask } from '../../store/bridge.ts'
import { errorText } from '../../store/error-text.ts'
import { ChangedElsewhere } from '../../parts/changed-elsewhere.tsx'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { CheckField, TextField } from '../../parts/field.tsx'
import { PathText } from '../../parts/path-text.tsx'
import { splitPath } from '../../parts/split-path.ts'
import { useDiscardQuestion } from '../../parts/use-discard-question.tsx'
import { ASK_ABOVE, askAboveOf } from './folder-facts.ts'
import { FolderOutlook } from './folder-outlook.tsx'
import { patternProblem, patternsOf } from './folder-patterns.ts'
import { PatternFields, type Patterns } from './pattern-fields.tsx'

/** A folder to add, or a watched one to edit. */
export type FolderToSet = { kind: 'new'; place: Place } | { kind: 'watched'; folder: FolderRow }

const TYPING_PAUSE_MS = 400

/** What a person sets for a folder, as typed. */
interface Terms {
  recipe: UiRecipe
  patterns: Patterns
  askText: string
}

const isSameTerms = (one: Terms, other: Terms) => changedTerms(one, other).length === 0

/** The labels of what differs. */
function changedTerms(one: Terms, other: Terms): ('recipe' | 'include' | 'exclude' | 'askAbove')[] {
  const isOther = (text: string, than: string) => patternsOf(text).join('\n') !== patternsOf(than).join('\n')
  const changed = {
    recipe: !isSameRecipe(one.recipe, other.recipe),
    include: isOther(one.patterns.include, other.patterns.include),
    exclude: isOther(one.patterns.exclude, other.patterns.exclude),
    askAbove: !isSameText(one.askText, other.askText),
  }
  return (['recipe', 'include', 'exclude', 'askAbove'] as const).filter((name) => changed[name])
}

/** The folder's current settings; null once it is no longer watched. */
function useStoredTerms(shown: FolderToSet, standard: UiRecipe): Terms | null {
  const folder = useShell(({ state }) =>
    shown.kind === 'new' ? null : (state?.folders.find(({ id }) => id === shown.folder.id) ?? null),
  )
  if (shown.kind === 'new')
    return { recipe: standard, patterns: { include: '', exclude: '' }, askText: String(ASK_ABOVE) }
  if (folder === null) return null
  const { recipe, include, exclude, askAbove } = folder
  return { recipe, patterns: { include: include.join('\n'), exclude: exclude.join('\n') }, askText: String(askAbove) }
}

/** The settings of a folder, with a preview of their effect; nothing is changed before the button is pressed. */
export function FolderDialog({ shown, onClose }: { shown: FolderToSet; onClose: () => void }) {
  const known = useRecipes()
  const standard = known[0]
  return standard === undefined ? null : (
    <FolderSettings shown={shown} known={known} standard={standard.recipe} onClose={onClose} />
  )
}

function FolderSettings(given: {
  shown: FolderToSet
  known: readonly RecipeChoice[]
  standard: UiRecipe
  onClose: () => void
}) {
  const { shown, known, standard, onClose } = given
  const { t, i18n } = useTranslation(['folders', 'common', 'intake'])
  const isNew = shown.kind === 'new'
  const { token, path } = isNew ? shown.place : shown.folder
  const stored = useStoredTerms(shown, standard)
  const [last, setLast] = useState<Terms>(
    () => stored ?? { recipe: standard, patterns: { include: '', exclude: '' }, askText: '' },
  )
  if (stored !== null && !isSameTerms(stored, last)) setLast(stored)
  const edited = useEdited(stored ?? last, isSameTerms)
  const { recipe, patterns, askText } = edited.draft
  const choice = known.find((other) => isSameRecipe(other.recipe, recipe)) ?? { id: UNSAVED, recipe }
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
    stored !== null &&
    edited.theirs === null &&
    ((answer.value !== null && answer.value.progress === null) || answer.error !== null)
  const isChanged = reprocess || onlyNew || !isSameTerms(edited.base, edited.draft)
  const leaving = useDiscardQuestion(isChanged, onClose)
  const save = async () => {
    if (!isReady || askAbove === null) return
    setSaving(true)
    const changes = { recipe: choice.recipe, include, exclude, askAbove }
    const why = await set(shown, changes, { reprocess, onlyNew, seen: edited.base })
    setSaving(false)
    setFailure(why)
    if (why === null) onClose()
  }
  return (
    <Dialog
      wide
      title={t(isNew ? 'addTitle' : 'editTitle', { name: splitPath(path).name })}
      onClose={leaving.close}
      actions={
        leaving.question ?? (
          <>
            <Button onClick={leaving.close}>{t('common:cancel')}</Button>
            <Button
              kind="primary"
              data-autofocus
              aria-disabled={!isReady}
              onClick={() => inBackground('folder-dialog.save', save)}
            >
              {t(isNew ? 'watchThis' : 'common:save')}
            </Button>
          </>
        )
      }
    >
      <div className="folders-set">
        <div className="folders-form">
          <PathText path={path} whole={path} className="secondary" />
          {stored === null ? (
            <p className="field-error" role="alert">
              {t('common:elsewhere.gone')}
            </p>
          ) : null}
          <ChangedElsewhere
            edited={edited}
            theirs={listText(
              changedTerms(edited.base, stored ?? last).map((name) =>
                name === 'recipe' ? t('intake:recipe.label') : t(name),
              ),
              i18n.language,
              'conjunction',
            )}
          />
          <RecipePicker
            choice={choice}
            onChoose={(chosen) => edited.set({ ...edited.draft, recipe: chosen.recipe })}
            names={answer.value?.examples.map(({ source }) => source) ?? []}
          />
          <PatternFields patterns={patterns} onChange={(typed) => edited.set({ ...edited.draft, patterns: typed })} />
          <TextField
            label={t('askAbove')}
            hint={t('askAboveHint')}
            error={askAbove === null ? t('askAboveWrong') : null}
            inputMode="numeric"
            value={askText}
            onChange={(event) => edited.set({ ...edited.draft, askText: event.target.value })}
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
  { reprocess, onlyNew, seen }: { reprocess: boolean; onlyNew: boolean; seen: Terms },
): Promise<string | null> {
  const result =
    shown.kind === 'new'
      ? await ask('folders.add', {
          path: shown.place.token,
          ...changes,
          ...(onlyNew ? { existing: 'leave' } : {}),
        })
      : await ask('folders.update', {
          id: shown.folder.id,
          changes,
          reprocess,
          seen: {
            recipe: seen.recipe,
            include: patternsOf(seen.patterns.include),
            exclude: patternsOf(seen.patterns.exclude),
            askAbove: Number(seen.askText),
          },
        })
  return result.ok ? null : errorText(result.error)
}
