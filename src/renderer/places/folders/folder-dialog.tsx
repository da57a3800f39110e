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
import { ASK_ABOVE, askAboveOf } from './folder-facts.ts'
import { FolderOutlook } from './folder-outlook.tsx'
import { patternsOf, problemOfPatterns } from './folder-patterns.ts'

/** A folder to add, or a watched one to edit. */
export type FolderToSet = { kind: 'new'; place: Place } | { kind: 'watched'; folder: FolderRow }

const TYPING_PAUSE_MS = 400
const CHOSEN_TYPES = ['tiff', 'avif', 'heic'] as const satisfies readonly ChosenType[]

/** What a person sets for a folder, as typed. */
interface Terms {
  recipe: UiRecipe
  patterns: Patterns
  alsoTakes: ChosenType[]
  askText: string
}

function isSameTerms(one: Terms, other: Terms): boolean {
  const isSame = (text: string, than: string) => patternsOf(text).join('\n') === patternsOf(than).join('\n')
  return (
    isSameRecipe(one.recipe, other.recipe) &&
    isSame(one.patterns.include, other.patterns.include) &&
    isSame(one.patterns.exclude, other.patterns.exclude) &&
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
    return { recipe: standard, patterns: { include: '', exclude: '' }, alsoTakes: [], askText: String(ASK_ABOVE) }
  const { recipe, include, exclude, alsoTakes, askAbove } = now ?? shown.folder
  const patterns = { include: include.join('\n'), exclude: exclude.join('\n') }
  return { recipe, patterns, alsoTakes, askText: String(askAbove) }
}

/** The settings of a folder, with a preview of their effect; nothing is changed before the button is pressed. */
export function FolderDialog({ shown, onClose }: { shown: FolderToSet; onClose: () => void }) {
  const known = useRecipes()
  const standard = known[0]
  return standard === undefined ? null : (
    <FolderSettings shown={shown} known={known} standard={standard.recipe} onClose={onClose} />
  )
}

/** The terms as they are sent. */
function readTerms({ recipe, patterns, alsoTakes, askText }: Terms) {
  const include = patternsOf(patterns.include)
  const exclude = patternsOf(patterns.exclude)
  const isWrong = problemOfPatterns(include) !== null || problemOfPatterns(exclude) !== null
  return { recipe, include, exclude, alsoTakes, askAbove: askAboveOf(askText), isWrong }
}

/** The form, the preview of its effect, and storing it. `answer` is null while a pattern is wrong. */
function useFolderForm(shown: FolderToSet, standard: UiRecipe, onStored: () => void) {
  const edited = useEdited(useStoredTerms(shown, standard), isSameTerms)
  const { recipe, include, exclude, alsoTakes, askAbove, isWrong } = readTerms(edited.draft)
  const [existing, setExisting] = useState<Existing>(usualFor(shown))
  const { isBusy, failure, attempt } = useAttempt()
  const { token } = shown.kind === 'new' ? shown.place : shown.folder
  const preview = usePreview(isWrong ? null : { paths: [token], recipe, include, exclude, alsoTakes }, TYPING_PAUSE_MS)
  // The button is enabled once the preview, or that there is none, is shown.
  const isSeen = (preview.value !== null && preview.value.progress === null) || preview.error !== null
  const isReady = !isWrong && askAbove !== null && !isBusy && isSeen
  const save = () => {
    if (!isReady) return
    attempt(async () => {
      const why = await set(shown, { recipe, include, exclude, alsoTakes, askAbove }, existing)
      if (why === null) onStored()
      return why
    })
  }
  return {
    terms: edited.draft,
    setTerms: edited.set,
    existing,
    setExisting,
    askAbove,
    answer: isWrong ? null : preview,
    names: preview.value?.examples.map(({ source }) => source) ?? [],
    isChanged: existing !== usualFor(shown) || edited.isChanged,
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
  const { terms, existing, setExisting, askAbove, ...form } = useFolderForm(shown, standard, onClose)
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
            <ExistingField isNew={isNew} existing={existing} onChange={setExisting} />
          </TermsFields>
          <FieldError text={form.failure} />
        </div>
        <FolderOutlook
          answer={form.answer}
          recipe={choice.recipe}
          askAbove={askAbove ?? ASK_ABOVE}
          about={existing === 'leave' ? 'names' : isNew ? 'new' : 'all'}
          onlyNewText={isNew ? t('folders:outlook.fromNowOn') : t('folders:outlook.onlyNew')}
        />
      </div>
    </Dialog>
  )
}

function TermsFields({
  terms,
  onChange,
  choice,
  names,
  askError,
  children,
}: {
  terms: Terms
  onChange: (terms: Terms) => void
  choice: RecipeChoice
  /** Real ones for the examples of the recipe. */
  names: readonly string[]
  askError: string | null
  /** After the recipe. */
  children: ReactNode
}) {
  const { patterns, alsoTakes, askText } = terms
  const [startsOpen] = useState(
    patterns.include !== '' || patterns.exclude !== '' || alsoTakes.length > 0 || askText !== String(ASK_ABOVE),
  )
  const change = (part: Partial<Terms>) => onChange({ ...terms, ...part })
  return (
    <>
      <RecipePicker choice={choice} onChoose={({ recipe }) => change({ recipe })} names={names} />
      {children}
      <details className="folders-more" open={startsOpen}>
        <summary>{t('common:more')}</summary>
        <div className="stack">
          <PatternFields patterns={patterns} onChange={(typed) => change({ patterns: typed })} />
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

/** What happens to the pictures that are there when the settings take effect; a folder that is watched already leaves them. */
type Existing = 'take' | 'leave'

const usualFor = ({ kind }: FolderToSet): Existing => (kind === 'new' ? 'take' : 'leave')

function ExistingField({
  isNew,
  existing,
  onChange,
}: {
  isNew: boolean
  existing: Existing
  onChange: (existing: Existing) => void
}) {
  const checked = isNew ? 'leave' : 'take'
  return (
    <CheckField
      label={t(isNew ? 'folders:onlyNew' : 'folders:reprocess')}
      checked={existing === checked}
      onChange={() => onChange(existing === 'take' ? 'leave' : 'take')}
    />
  )
}

/** Adds or changes the folder; returns the error text on failure. */
async function set(
  shown: FolderToSet,
  changes: { recipe: UiRecipe; include: string[]; exclude: string[]; alsoTakes: ChosenType[]; askAbove: number },
  existing: Existing,
): Promise<string | null> {
  const result =
    shown.kind === 'new'
      ? await ask('folders.add', {
          path: shown.place.token,
          ...changes,
          ...(existing === 'leave' ? { existing } : {}),
        })
      : await ask('folders.update', {
          id: shown.folder.id,
          changes,
          reprocess: existing === 'take',
        })
  return result.ok ? null : errorText(result.error)
}

/** As typed, one pattern per line. */
interface Patterns {
  include: string
  exclude: string
}

/** The patterns of a folder. */
function PatternFields({ patterns, onChange }: { patterns: Patterns; onChange: (patterns: Patterns) => void }) {
  const why = (text: string) => {
    const problem = problemOfPatterns(patternsOf(text))
    return problem === null ? null : sentenceIn(problem)
  }
  return (
    <>
      {(['include', 'exclude'] as const).map((name) => (
        <TextArea
          key={name}
          label={t(`folders:${name}`)}
          hint={t(`folders:${name}Hint`)}
          error={why(patterns[name])}
          placeholder={t(`folders:${name}Example`)}
          spellCheck={false}
          className="textarea mono"
          value={patterns[name]}
          onChange={(event) => onChange({ ...patterns, [name]: event.target.value })}
        />
      ))}
    </>
  )
}
