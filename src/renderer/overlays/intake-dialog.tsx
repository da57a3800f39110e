import type { TFunction } from 'i18next'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { IntakePreview } from '../../shared/contract/intake.ts'
import type { Place } from '../../shared/contract/places.ts'
import { ask } from '../store/bridge.ts'
import { useAttempt } from '../store/use-attempt.ts'
import { useOpenDialogs } from '../store/open-dialogs.ts'
import { usePreview } from '../store/use-preview.ts'
import { goTo, showOverlay, useView, type Overlay } from '../store/view-store.ts'
import { errorText } from '../store/error-text.ts'
import { countText } from '../text/figures.ts'
import { Button } from '../parts/button.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { FieldError } from '../parts/field.tsx'
import type { RefusedUpload } from '../bridge/connection.ts'
import { ForeignFolders, IntakeFacts, NameExamples } from '../intake/intake-facts.tsx'
import { IntakeHindrance, useSendingWaits } from '../intake/intake-hindrance.tsx'
import { IntakePrice } from '../intake/intake-price.tsx'
import { openWhenDone } from '../intake/open-when-done.ts'
import { LeftOut } from './left-out.tsx'
import { PreviewProgress } from '../intake/preview-progress.tsx'
import { RecipePicker } from '../recipe/recipe-picker.tsx'
import { UNSAVED, useRecipes, type RecipeChoice } from '../recipe/recipe-choice.ts'
import { discardUploads } from '../intake/take-files.ts'
import '../intake/intake.css'

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

function Intake(given: {
  places: readonly Place[]
  choice: RecipeChoice
  onChoose: (choice: RecipeChoice) => void
  leftOut: readonly RefusedUpload[]
  insteadOf: readonly string[]
}) {
  const { places, choice, onChoose, leftOut } = given
  const insteadOf = [...given.insteadOf]
  const { t, i18n } = useTranslation(['intake', 'common'])
  const paths = places.map(({ token }) => token)
  const question = { paths, recipe: choice.recipe, insteadOf }
  const { value: preview, isBusy: isInspecting, error, again } = usePreview(question)
  const { isBusy: isAdding, failure, attempt } = useAttempt('intake-dialog.add')
  // Of very many pictures only a sample is examined.
  const isReady = !isInspecting && !isAdding && (usableIn(preview) > 0 || preview?.estimated === true)
  const add = () => {
    if (!isReady || preview === null) return
    // A person who saw no price has approved none: the spend guard then asks before a large batch is sent.
    const confirmed = preview.price !== null || preview.toSend === 0
    attempt(async () => {
      const result = await ask('intake.add', { paths, recipe: choice.recipe, insteadOf, confirmed })
      if (!result.ok) return errorText(result.error)
      showAdded(places.length, preview, result.value.batchId)
      return null
    })
  }
  const cancel = () => {
    showOverlay(null)
    discardUploads(places)
  }
  return (
    <Dialog
      title={titleOf(places, t, i18n.language)}
      onClose={cancel}
      actions={
        <>
          <Button onClick={cancel}>{t('common:cancel')}</Button>
          <Button kind="primary" data-autofocus aria-disabled={!isReady} onClick={add}>
            <StartText preview={preview} isReady={isReady} />
          </Button>
        </>
      }
    >
      <div className="intake">
        <RecipePicker choice={choice} onChoose={onChoose} names={preview?.examples.map(({ source }) => source) ?? []} />
        {error === null ? (
          <IntakeSeen preview={preview} isInspecting={isInspecting} recipe={choice.recipe} />
        ) : (
          <div className="intake-error" role="alert">
            <p>{errorText(error)}</p>
            <Button onClick={again}>{t('common:retry')}</Button>
          </div>
        )}
        <LeftOut files={leftOut} />
        <FieldError text={failure} />
      </div>
    </Dialog>
  )
}

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

function StartText({ preview, isReady }: { preview: IntakePreview | null; isReady: boolean }) {
  const { t, i18n } = useTranslation('intake')
  const waits = useSendingWaits()
  const usable = usableIn(preview)
  if (preview === null || (usable === 0 && isReady)) return t('start')
  const figure = countText(usable, i18n.language)
  return t(waits && preview.toSend > 0 ? 'queueCounted' : 'startCounted', {
    count: usable,
    shown: preview.estimated ? t('about', { shown: figure }) : figure,
  })
}

function titleOf(all: readonly Place[], t: TFunction<'intake'>, language: string): string {
  if (all.length === 1) return all[0]!.name
  const areFiles = all.every(({ kind }) => kind !== 'folder')
  return t(areFiles ? 'titleFiles' : 'titleMixed', { count: all.length, shown: countText(all.length, language) })
}

function IntakeSeen(given: { preview: IntakePreview | null; isInspecting: boolean } & Pick<RecipeChoice, 'recipe'>) {
  const { t } = useTranslation('intake')
  const { preview, isInspecting, recipe } = given
  if (preview === null)
    return (
      <p className="intake-looking secondary" role="status">
        {t('checking')}
      </p>
    )
  const isOld = isInspecting && preview.progress === null
  if (preview.pictures === 0 && preview.progress === null)
    return (
      <>
        <p role="status">{t('nothing')}</p>
        <ForeignFolders preview={preview} />
      </>
    )
  return (
    <div className={isOld ? 'intake-seen old' : 'intake-seen'} aria-busy={isInspecting}>
      <PreviewProgress preview={preview} />
      <IntakeFacts preview={preview} />
      <IntakePrice preview={preview} />
      <IntakeHindrance preview={preview} />
      <NameExamples examples={preview.examples} recipe={recipe} />
    </div>
  )
}
