import { useState, type ReactNode } from 'react'
import { t } from 'i18next'
import type { FolderRow } from '../../../shared/contract/folders.ts'
import type { ChosenType } from '../../../shared/recipes/recipe.ts'
import type { Place, UiRecipe } from '../../../shared/contract/places.ts'
import { RecipePicker } from '../../recipe/recipe-picker.tsx'
import { UNSAVED, useRecipes, type RecipeChoice } from '../../recipe/recipe-choice.ts'
import { useAttempt } from '../../store/use-attempt.ts'
import { usePreview } from '../../store/use-preview.ts'
import { isSameRecipe } from '../../recipe/recipe-draft.ts'
import { useShell } from '../../store/shell-store.ts'
import { isSameText, useEdited } from '../../store/use-edited.ts'
import { ask } from '../../store/bridge.ts'
import { errorText, sentenceIn } from '../../store/error-text.ts'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { CheckField, FieldError, TextField, TextArea } from '../../parts/field.tsx'
import { PathText } from '../../parts/path-text.tsx'
import { splitPath } from '../../parts/split-path.ts'
import { useDiscardQuestion } from '../../parts/use-discard-question.tsx'
import { ASK_ABOVE, askAboveOf, patternsOf, problemOfPatterns } from './folder-facts.ts'
import { FolderOutlook } from './folder-outlook.tsx'

/** A folder to add, or a watched one to edit. */
export type FolderToSet = { kind: 'new'; place: Place } | { kind: 'watched'; folder: FolderRow }

const TYPING_PAUSE_MS = 400
const CHOSEN_TYPES = ['tiff', 'avif', 'heic'] as const satisfies readonly ChosenType[]

/** What a person sets for a folder, as typed: one pattern per line. */
interface Terms {
  recipe: UiRecipe
  include: string
  exclude: string
  alsoTakes: ChosenType[]
  askText: string
}

function isSameTerms(one: Terms, other: Terms): boolean {
  const isSame = (text: string, than: string) => patternsOf(text).join('\n') === patternsOf(than).join('\n')
  return (
    isSameRecipe(one.recipe, other.recipe) &&
    isSame(one.include, other.include) &&
    isSame(one.exclude, other.exclude) &&
    one.alsoTakes.toSorted().join() === other.alsoTakes.toSorted().join() &&
    isSameText(one.askText, other.askText)
  )
}

/** The folder's current settings, or its last ones once it is no longer watched. */
function useStoredTerms(shown: FolderToSet, standard: UiRecipe): Terms {
  const now = useShell(({ state }) =>
    shown.kind === 'new' ? undefined : state?.folders.find(({ id }) => id === shown.folder.id),
  )
  if (shown.kind === 'new')
    return { recipe: standard, include: '', exclude: '', alsoTakes: [], askText: String(ASK_ABOVE) }
  const { recipe, include, exclude, alsoTakes, askAbove } = now ?? shown.folder
  return { recipe, include: include.join('\n'), exclude: exclude.join('\n'), alsoTakes, askText: String(askAbove) }
}

export function FolderDialog({ shown, onClose }: { shown: FolderToSet; onClose: () => void }) {
  const known = useRecipes()
  const standard = known[0]
  return standard === undefined ? null : (
    <FolderSettings shown={shown} known={known} standard={standard.recipe} onClose={onClose} />
  )
}

/** The form, the preview of its effect, and storing it. `answer` is null while a pattern is wrong. */
function useFolderForm(shown: FolderToSet, standard: UiRecipe, onStored: () => void) {
  const edited = useEdited(useStoredTerms(shown, standard), isSameTerms)
  const { recipe, alsoTakes, askText } = edited.draft
  const [include, exclude] = [patternsOf(edited.draft.include), patternsOf(edited.draft.exclude)]
  const isWrong = problemOfPatterns(include) !== null || problemOfPatterns(exclude) !== null
  const askAbove = askAboveOf(askText)
  /** The box is ticked for the unusual: pictures that are there are left, or of a folder that is watched already taken. */
  const [isUnusual, setUnusual] = useState(false)
  const isNew = shown.kind === 'new'
  const { isBusy, failure, attempt } = useAttempt()
  const { token } = isNew ? shown.place : shown.folder
  const preview = usePreview(isWrong ? null : { paths: [token], recipe, include, exclude, alsoTakes }, TYPING_PAUSE_MS)
  // The button is enabled once the preview, or that there is none, is shown.
  const isSeen = (preview.value !== null && preview.value.progress === null) || preview.error !== null
  const isReady = !isWrong && askAbove !== null && !isBusy && isSeen
  const save = () => {
    if (!isReady) return
    attempt(async () => {
      const terms = { recipe, include, exclude, alsoTakes, askAbove }
      const result = isNew
        ? await ask('folders.add', { path: token, ...terms, ...(isUnusual ? { existing: 'leave' } : {}) })
        : await ask('folders.update', { id: shown.folder.id, changes: terms, reprocess: isUnusual })
      if (result.ok) onStored()
      return result.ok ? null : errorText(result.error)
    })
  }
  return {
    terms: edited.draft,
    setTerms: edited.set,
    isUnusual,
    setUnusual,
    askAbove,
    answer: isWrong ? null : preview,
    names: preview.value?.examples.map(({ source }) => source) ?? [],
    isChanged: isUnusual || edited.isChanged,
    isReady,
    failure,
    save,
  }
}

function FolderSettings(given: {
  shown: FolderToSet
  known: readonly RecipeChoice[]
  standard: UiRecipe
  onClose: () => void
}) {
  const { shown, known, standard, onClose } = given
  const isNew = shown.kind === 'new'
  const { path } = isNew ? shown.place : shown.folder
  const { terms, isUnusual, askAbove, ...form } = useFolderForm(shown, standard, onClose)
  const { recipe } = terms
  const choice = known.find((other) => isSameRecipe(other.recipe, recipe)) ?? { id: UNSAVED, recipe }
  const leaving = useDiscardQuestion(form.isChanged, onClose)
  return (
    <Dialog
      wide
      title={t(isNew ? 'folders:addTitle' : 'folders:editTitle', { name: splitPath(path).name })}
      onClose={leaving.close}
      actions={
        leaving.question ?? (
          <>
            <Button onClick={leaving.close}>{t('common:cancel')}</Button>
            <Button kind="primary" data-autofocus aria-disabled={!form.isReady} onClick={form.save}>
              {t(isNew ? 'folders:watchThis' : 'common:save')}
            </Button>
          </>
        )
      }
    >
      <div className="folders-set">
        <div className="folders-form stack loose">
          <PathText path={path} whole={path} className="secondary" />
          <TermsFields
            terms={terms}
            onChange={form.setTerms}
            choice={choice}
            names={form.names}
            askError={askAbove === null ? t('folders:askAboveWrong') : null}
          >
            <CheckField
              label={t(isNew ? 'folders:onlyNew' : 'folders:reprocess')}
              checked={isUnusual}
              onChange={form.setUnusual}
            />
          </TermsFields>
          <FieldError text={form.failure} />
        </div>
        <FolderOutlook
          answer={form.answer}
          recipe={choice.recipe}
          askAbove={askAbove ?? ASK_ABOVE}
          about={isNew === isUnusual ? 'names' : isNew ? 'new' : 'all'}
          onlyNewText={isNew ? t('folders:outlook.fromNowOn') : t('folders:outlook.onlyNew')}
        />
      </div>
    </Dialog>
  )
}

function TermsFields(given: {
  terms: Terms
  onChange: (terms: Terms) => void
  choice: RecipeChoice
  names: readonly string[]
  askError: string | null
  children: ReactNode
}) {
  const { terms, onChange, choice, names, askError, children } = given
  const { include, exclude, alsoTakes, askText } = terms
  const [startsOpen] = useState(
    include !== '' || exclude !== '' || alsoTakes.length > 0 || askText !== String(ASK_ABOVE),
  )
  const change = (part: Partial<Terms>) => onChange({ ...terms, ...part })
  return (
    <>
      <RecipePicker choice={choice} onChoose={({ recipe }) => change({ recipe })} names={names} />
      {children}
      <details className="folders-more" open={startsOpen}>
        <summary>{t('common:more')}</summary>
        <div className="stack">
          {(['include', 'exclude'] as const).map((name) => (
            <PatternField key={name} name={name} text={terms[name]} onChange={(text) => change({ [name]: text })} />
          ))}
          <fieldset className="row">
            <legend>{t('folders:alsoTakes')}</legend>
            {CHOSEN_TYPES.map((type) => (
              <CheckField
                key={type}
                label={type.toUpperCase()}
                checked={alsoTakes.includes(type)}
                onChange={(isTaken) =>
                  change({
                    alsoTakes: CHOSEN_TYPES.filter((one) => (one === type ? isTaken : alsoTakes.includes(one))),
                  })
                }
              />
            ))}
          </fieldset>
          <TextField
            label={t('folders:askAbove')}
            hint={t('folders:askAboveHint')}
            error={askError}
            inputMode="numeric"
            value={askText}
            onChange={(event) => change({ askText: event.target.value })}
          />
        </div>
      </details>
    </>
  )
}

interface PatternFieldProps {
  name: 'include' | 'exclude'
  text: string
  onChange: (text: string) => void
}

function PatternField({ name, text, onChange }: PatternFieldProps) {
  const problem = problemOfPatterns(patternsOf(text))
  return (
    <TextArea
      label={t(`folders:${name}`)}
      hint={t(`folders:${name}Hint`)}
      error={problem === null ? null : sentenceIn(problem)}
      placeholder={t(`folders:${name}Example`)}
      spellCheck={false}
      className="textarea mono"
      value={text}
      onChange={(event) => onChange(event.target.value)}
    />
  )
}
