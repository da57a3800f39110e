import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { IntakePreview } from '../../shared/contract/intake.ts'
import type { Place } from '../../shared/contract/places.ts'
import { ask } from '../store/bridge.ts'
import { inBackground } from '../bridge/in-background.ts'
import { usePreview } from '../store/use-preview.ts'
import { goTo, showOverlay, type Overlay } from '../store/view-store.ts'
import { errorText } from '../store/error-text.ts'
import { countText } from '../text/figures.ts'
import { Button } from '../parts/button.tsx'
import { Dialog } from '../parts/dialog.tsx'
import type { RefusedUpload } from '../bridge/connection.ts'
import { ForeignFolders, IntakeFacts, NameExamples } from '../intake/intake-facts.tsx'
import { IntakeHindrance } from '../intake/intake-hindrance.tsx'
import { IntakePrice } from '../intake/intake-price.tsx'
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
  const {
    value: preview,
    isBusy: isInspecting,
    error,
    again,
  } = usePreview({
    paths: places.map(({ token }) => token),
    recipe: choice.recipe,
    insteadOf,
  })
  const [isAdding, setIsAdding] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  const usable = preview === null ? 0 : preview.toSend + preview.free
  // Of very many pictures only a sample is examined.
  const isReady = !isInspecting && !isAdding && (usable > 0 || preview?.estimated === true)
  const add = async () => {
    if (!isReady || preview === null) return
    setIsAdding(true)
    // A person who saw no price has approved none: the spend guard then asks before a large batch is sent.
    const confirmed = preview.price !== null || preview.toSend === 0
    const paths = places.map(({ token }) => token)
    const result = await ask('intake.add', { paths, recipe: choice.recipe, insteadOf, confirmed })
    setIsAdding(false)
    if (result.ok) goTo('jobs', { overlay: null, jobsFilter: null, openJob: null })
    else setFailure(errorText(result.error))
  }
  const cancel = () => {
    showOverlay(null)
    discardUploads(places)
  }
  const figure = countText(usable, i18n.language)
  const shown = preview?.estimated === true ? t('about', { shown: figure }) : figure
  return (
    <Dialog
      title={titleOf(places)}
      onClose={cancel}
      actions={
        <>
          <Button onClick={cancel}>{t('common:cancel')}</Button>
          <Button
            kind="primary"
            data-autofocus
            aria-disabled={!isReady}
            onClick={() => inBackground('intake-dialog.add', add)}
          >
            {preview === null || (usable === 0 && isReady) ? t('start') : t('startCounted', { count: usable, shown })}
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
        {failure === null ? null : (
          <p className="field-error" role="alert">
            {failure}
          </p>
        )}
      </div>
    </Dialog>
  )

  function titleOf(all: readonly Place[]): string {
    const folders = all.filter(({ kind }) => kind === 'folder').length
    if (all.length === 1) return all[0]!.name
    if (folders === 0) return t('titleFiles', { count: all.length, shown: countText(all.length, i18n.language) })
    return t('titleMixed', { count: all.length, shown: countText(all.length, i18n.language) })
  }
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
