import { useTranslation } from 'react-i18next'
import { makesTexts, priceKind } from '../../shared/recipes/recipe-facts.ts'
import type { UiRecipe } from '../../shared/contract/places.ts'
import { useShell } from '../store/shell-store.ts'
import { useAnswer } from '../store/use-answer.ts'
import { countText } from '../text/figures.ts'

/** Each request is a call to the service and counts towards its limit of calls a minute. */
const TYPING_PAUSE_MS = 600

/** The service's current price for one and for a hundred pictures. */
export function RecipeCost({ recipe }: { recipe: UiRecipe }) {
  const { t, i18n } = useTranslation('recipe')
  const hasService = useShell(({ state }) => state?.service?.hasKey ?? false)
  const kind = priceKind(recipe)
  // Without texts, the price for one language is the tightest upper bound.
  const languages = makesTexts(recipe.operation) ? recipe.languages.length : 1
  const asked = kind !== 'free' && hasService && languages > 0 && languages <= 10
  const question = (images: number) => (asked ? { images, languages, format: recipe.format } : null)
  const one = useAnswer('credits.afford', question(1), TYPING_PAUSE_MS)
  const hundred = useAnswer('credits.afford', question(100), TYPING_PAUSE_MS)
  if (kind === 'free') return <p>{t('cost.free')}</p>
  if (!hasService) return <p className="secondary">{t('cost.noKey')}</p>
  if (one.error !== null || hundred.error !== null) return <p className="secondary">{t('cost.away')}</p>
  const figure = (required: number | undefined) => {
    if (required === undefined) return '–'
    const text = countText(required, i18n.language)
    return kind === 'at_most' ? t('cost.atMost', { figure: text }) : text
  }
  const isOld = one.isBusy || hundred.isBusy
  return (
    <>
      <dl className={isOld ? 'recipe-cost figures old' : 'recipe-cost figures'} aria-busy={isOld}>
        <dt>{t('cost.one')}</dt>
        <dd>{figure(one.value?.required)}</dd>
        <dt>{t('cost.hundred')}</dt>
        <dd>{figure(hundred.value?.required)}</dd>
      </dl>
      {hundred.value === null ? null : (
        <p className="secondary figures">
          {t('cost.balance', { figure: countText(hundred.value.balance, i18n.language) })}
          {hundred.value.shortfall > 0
            ? `. ${t('cost.short', { figure: countText(hundred.value.shortfall, i18n.language) })}`
            : ''}
        </p>
      )}
    </>
  )
}
