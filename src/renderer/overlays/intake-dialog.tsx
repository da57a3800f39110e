import { t } from 'i18next'
import { useState } from 'react'
import type { IntakePreview } from '../../shared/contract/intake.ts'
import type { Place } from '../../shared/contract/places.ts'
import { MAX_SEARCH_CHARS } from '../../shared/jobs/job-list.ts'
import { ask, askOrToast } from '../store/bridge.ts'
import { inBackground } from '../bridge/in-background.ts'
import { useAttempt } from '../store/use-attempt.ts'
import { useOpenDialogs } from '../store/open-dialogs.ts'
import { usePreview } from '../store/use-preview.ts'
import { goTo, showOverlay, useView, type Overlay } from '../store/view-store.ts'
import { errorText } from '../store/error-text.ts'
import { Button } from '../parts/button.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { FieldError } from '../parts/field.tsx'
import { splitPath } from '../parts/split-path.ts'
import type { Answer } from '../store/use-answer.ts'
import type { RefusedUpload } from '../bridge/connection.ts'
import { IntakeFacts, IntakeNames, PreviewProgress } from '../intake/intake-facts.tsx'
import { IntakeHindrance, useSendingWaits } from '../intake/intake-hindrance.tsx'
import { openWhenDone } from '../intake/open-when-done.ts'
import { RecipePicker } from '../recipe/recipe-picker.tsx'
import { RecipeSummary } from '../recipe/recipe-summary.tsx'
import { UNSAVED, useRecipes, type RecipeChoice } from '../recipe/recipe-choice.ts'
import { discardUploads } from '../intake/take-files.ts'
import '../intake/intake.css'
import { Image } from 'lucide-react'
import { picturePath } from '../../shared/contract/page-bridge.ts'
import { resourceUrl } from '../bridge/resource-url.ts'

/** The preview of an intake, and the button that starts it. Nothing is sent before. */
export function IntakeDialog({ places, recipe, leftOut, insteadOf = [] }: Extract<Overlay, { kind: 'intake' }>) {
  const known = useRecipes()
  const [chosen, setChosen] = useState<RecipeChoice | null>(() =>
    recipe == null ? null : (known.find((other) => other.recipe.name === recipe.name) ?? { id: UNSAVED, recipe }),
  )
  const choice = chosen ?? known[0]
  if (choice === undefined) return null
  return <Intake places={places} choice={choice} onChoose={setChosen} leftOut={leftOut ?? []} insteadOf={insteadOf} />
}

interface IntakeProps {
  places: readonly Place[]
  choice: RecipeChoice
  onChoose: (choice: RecipeChoice) => void
  leftOut: readonly RefusedUpload[]
  insteadOf: readonly string[]
}

function Intake(given: IntakeProps) {
  const { places, choice, onChoose, leftOut } = given
  const { inspected, repeated, failure, isReady, canRepeat, add } = useIntake(given)
  const { value: preview } = inspected
  const cancel = () => {
    showOverlay(null)
    discardUploads(places)
  }
  return (
    <Dialog
      title={titleOf(places)}
      onClose={cancel}
      actions={
        <>
          <div className="intake-note">
            <Note inspected={inspected} />
            <FieldError text={failure} />
          </div>
          {repeated === null ? null : (
            <Button disabled={!canRepeat} onClick={() => add(repeated.value, true)}>
              <StartText preview={repeated.value} again />
            </Button>
          )}
          <Button
            kind="primary"
            size="large"
            data-autofocus
            disabled={repeated === null && !isReady}
            onClick={() => {
              if (repeated !== null) inBackground(() => showResults(places))
              else add(preview, false)
            }}
          >
            {repeated === null ? <StartText preview={preview} /> : t('intake:showResults')}
          </Button>
        </>
      }
    >
      <div className="stack">
        <IntakeSummary inspected={inspected} expected={places.length} notUploaded={leftOut.length} />
        <p>
          <RecipeSummary recipe={{ ...choice.recipe, languages: [] }} />
        </p>
        <RecipePicker choice={choice} onChoose={onChoose} names={preview?.examples.map(({ source }) => source) ?? []} />
        <IntakeNames preview={preview ?? NOTHING_SEEN} notUploaded={leftOut} />
      </div>
    </Dialog>
  )
}

/** The preview, and starting what it shows. `repeated`: that of processing again, where everything is done already. */
function useIntake({ places, choice, insteadOf }: IntakeProps) {
  const question = { paths: places.map(({ token }) => token), recipe: choice.recipe, insteadOf: [...insteadOf] }
  const inspected = usePreview(question)
  const isDone = isAllDone(inspected)
  const repeated = usePreview(isDone ? { ...question, force: true } : null)
  const { isBusy, failure, attempt } = useAttempt()
  const add = (seen: IntakePreview | null, force: boolean) => {
    if (seen === null) return
    // A person who saw no price has approved none: the spend guard then asks before a large batch is sent.
    const confirmed = seen.price !== null || seen.toSend === 0
    attempt(async () => {
      const result = await ask('intake.add', { ...question, force, confirmed })
      if (!result.ok) return errorText(result.error)
      showAdded(places.length, seen, result.value.batchId)
      return null
    })
  }
  return {
    inspected,
    repeated: isDone ? repeated : null,
    failure,
    isReady: !isBusy && canStart(inspected),
    canRepeat: !isBusy && canStart(repeated),
    add,
  }
}

const NOTHING_SEEN = { examples: [], refusals: [], refused: 0, foreign: { count: 0, first: [] } }

/** Closes the preview of that many places, unless more were dropped meanwhile, and shows the list; one picture opens when it is done. */
function showAdded(count: number, preview: IntakePreview, batchId: string): void {
  const { overlay } = useView.getState()
  const more = overlay?.kind === 'intake' ? overlay.places.slice(count) : []
  showOverlay(more.length > 0 ? { kind: 'intake', places: more } : null)
  // What is typed in a dialog below stays.
  if (useOpenDialogs.getState().open.length === 1) goTo('jobs', { jobsFilter: {}, openJob: null })
  if (usableIn(preview) === 1 && !preview.estimated) openWhenDone(batchId)
}

const usableIn = (preview: IntakePreview | null) => (preview === null ? 0 : preview.toSend + preview.free)

/** Of very many pictures only a sample is examined. */
const canStart = ({ value, isBusy }: Answer<IntakePreview>) =>
  !isBusy && (usableIn(value) > 0 || value?.estimated === true)

const isAllDone = ({ value, isBusy }: Answer<IntakePreview>) =>
  value !== null && !isBusy && usableIn(value) === 0 && value.done > 0

function StartText({ preview, again = false }: { preview: IntakePreview | null; again?: boolean }) {
  const waits = useSendingWaits(preview)
  if (preview === null) return t(again ? 'intake:again' : 'intake:start')
  const { toSend, price, estimated, progress } = preview
  const usable = usableIn(preview)
  const counted = { count: usable, shown: estimated ? t('intake:about', { count: usable }) : usable }
  const what = again
    ? t('intake:again')
    : t(waits && toSend > 0 ? 'intake:queueCounted' : 'intake:startCounted', counted)
  if (usable === 0 || progress !== null) return what
  if (toSend === 0) return `${what} · ${t('intake:price.nothing')}`
  if (price === null) return what
  const credits = t('frame:balance.credits', { count: price.required })
  return `${what} · ${price.atMost ? t('intake:price.upTo', { credits }) : credits}`
}

function titleOf(all: readonly Place[]): string {
  if (all.length === 1) return all[0]!.name
  const areFiles = all.every(({ kind }) => kind !== 'folder')
  return t(areFiles ? 'intake:titleFiles' : 'intake:titleMixed', { count: all.length })
}

function IntakeSummary(given: { inspected: Answer<IntakePreview>; expected: number; notUploaded: number }) {
  const { inspected, expected, notUploaded } = given
  const { value: preview, error, isBusy, again } = inspected
  if (error !== null)
    return (
      <div className="intake-pictures intake-error" role="alert">
        <p>{errorText(error)}</p>
        <Button onClick={again}>{t('common:retry')}</Button>
      </div>
    )
  if (preview?.pictures === 0 && preview.progress === null)
    return (
      <p className="intake-pictures" role="status">
        {t('intake:nothing')}
      </p>
    )
  return (
    <div
      className={isBusy && preview?.progress === null ? 'intake-seen stack snug old' : 'intake-seen stack snug'}
      aria-busy={isBusy}
    >
      <IntakePictures tokens={preview?.first ?? []} expected={expected} />
      {preview === null ? (
        <p className="secondary">{t('intake:checking')}</p>
      ) : (
        <IntakeFacts preview={preview} notUploaded={notUploaded} />
      )}
    </div>
  )
}

function Note({ inspected: { value } }: { inspected: Answer<IntakePreview> }) {
  if (value === null) return null
  return value.progress === null ? <IntakeHindrance preview={value} /> : <PreviewProgress preview={value} />
}

async function showResults(places: readonly Place[]): Promise<void> {
  const [first] = places
  if (first === undefined) return
  const path = places.length === 1 ? first.path : splitPath(first.path).parent
  const search = path.slice(-MAX_SEARCH_CHARS)
  const index = await askOrToast('jobs.index', { filter: { search } })
  const ids = index?.sections.flatMap((section) => section.ids) ?? []
  goTo('jobs', { overlay: null, jobsFilter: { search }, openJob: ids.length === 1 ? ids[0]! : null })
}

/** The first pictures of an intake, by their tokens; what cannot be shown has an icon, and what is not known yet an empty frame. */
function IntakePictures({ tokens, expected }: { tokens: readonly string[]; expected: number }) {
  const frames = tokens.length > 0 ? tokens : Array.from({ length: Math.min(6, Math.max(1, expected)) }, () => null)
  return (
    <ul className={`intake-pictures of-${frames.length}`} aria-hidden>
      {frames.map((token, n) => (
        <li key={token ?? n}>{token === null ? null : <Picture token={token} />}</li>
      ))}
    </ul>
  )
}

function Picture({ token }: { token: string }) {
  // The file may have changed since it was shown the last time.
  const [version] = useState(Date.now)
  const [isLacking, setLacking] = useState(false)
  return isLacking ? (
    <Image size={20} aria-hidden />
  ) : (
    <img
      src={resourceUrl(picturePath(token, 'file', version))}
      alt=""
      decoding="async"
      onError={() => setLacking(true)}
    />
  )
}
