import { t } from 'i18next'
import type { IntakePreview } from '../../../shared/contract/intake.ts'
import type { UiRecipe } from '../../../shared/contract/places.ts'
import { IntakeFacts, IntakeNames, PreviewProgress, PriceLine } from '../../intake/intake-facts.tsx'
import { IntakeHindrance } from '../../intake/intake-hindrance.tsx'
import { RecipeExample } from '../../recipe/recipe-example.tsx'
import type { Answer } from '../../store/use-answer.ts'
import { errorText } from '../../store/error-text.ts'
import { Button } from '../../parts/button.tsx'
import '../../intake/intake.css'

const NO_NAMES: readonly string[] = []

/** `names`: only these matter, because existing files stay as they are. A null answer: the settings are invalid. */
export function FolderOutlook(given: {
  answer: Answer<IntakePreview> | null
  recipe: UiRecipe
  about: 'new' | 'all' | 'names'
  /** What becomes of existing files where only names matter. */
  onlyNewText: string
  /** 0: never. */
  askAbove: number
}) {
  const { answer, recipe, about, onlyNewText, askAbove } = given
  const wide = 'folders-outlook'
  if (answer === null) return <p className={`${wide} secondary`}>{t('folders:outlook.wrong')}</p>
  const { value: preview, error, isBusy, again } = answer
  if (error !== null && !isBusy)
    return (
      <div className={`${wide} intake-error`} role="alert">
        <p>{errorText(error)}</p>
        <Button onClick={again}>{t('common:retry')}</Button>
      </div>
    )
  if (preview === null)
    return (
      <p className={`${wide} secondary`} role="status">
        {t('intake:checking')}
      </p>
    )
  const isOld = isBusy && preview.progress === null
  const sends = about === 'names' ? 0 : preview.toSend
  return (
    <div className={isOld ? `${wide} intake-seen stack snug old` : `${wide} intake-seen stack snug`} aria-busy={isBusy}>
      <PreviewProgress preview={preview} />
      {preview.pictures === 0 && preview.progress === null ? <p role="status">{t('folders:outlook.none')}</p> : null}
      <OtherTypes count={preview.otherTypes} />
      {about === 'names' || preview.pictures === 0 ? null : (
        <>
          <IntakeFacts preview={preview} />
          <Price preview={preview} />
        </>
      )}
      {askAbove > 0 && sends > askAbove ? (
        <p className="callout">{t('folders:outlook.waits', { count: askAbove })}</p>
      ) : null}
      {about === 'names' ? null : <IntakeHindrance preview={preview} />}
      {about === 'names' ? <p className="secondary">{onlyNewText}</p> : null}
      {preview.examples.length > 0 ? (
        <IntakeNames preview={preview} />
      ) : (
        <RecipeExample draft={recipe} names={NO_NAMES} />
      )}
    </div>
  )
}

/** Requested once the number of pictures is known; why there is none is said elsewhere. */
function Price({ preview: { toSend, price, progress } }: { preview: IntakePreview }) {
  if (progress !== null) return null
  if (toSend === 0) return <p className="price stack tight">{t('intake:price.free')}</p>
  return price === null ? null : <PriceLine price={price} />
}

function OtherTypes({ count }: { count: number }) {
  if (count === 0) return null
  return <p className="secondary">{t('folders:outlook.otherTypes', { count })}</p>
}
