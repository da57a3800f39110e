import { useTranslation } from 'react-i18next'
import { makesTexts, priceKind } from '../../shared/recipes/recipe-facts.ts'
import type { UiRecipe } from '../../shared/contract/places.ts'
import { useShell } from '../store/shell-store.ts'
import { useAnswer } from '../store/use-answer.ts'
import { countText } from '../text/figures.ts'

/** Each request is a call to the service and counts towards its limit of calls a minute. */
const TYPING_PAUSE_MS = 600

/** The service's current price for one picture. */
export function RecipeCost({ recipe }: { recipe: UiRecipe }) {
  const { t, i18n } = useTranslation('recipe')
  const hasService = useShell(({ state }) => state?.service?.hasKey ?? false)
  const kind = priceKind(recipe)
  // Without texts, the price for one language is the tightest upper bound.
  const languages = makesTexts(recipe.operation) ? recipe.languages.length : 1
  const asked = kind !== 'free' && hasService && languages > 0 && languages <= 10
  const { value, error } = useAnswer(
    'credits.afford',
    asked ? { images: 1, languages, format: recipe.format } : null,
    TYPING_PAUSE_MS,
  )
  const text = () => {
    if (kind === 'free') return t('cost.free')
    if (!hasService) return t('cost.noKey')
    if (error !== null) return t('cost.away')
    if (value === null) return ''
    const price = { count: value.required, figure: countText(value.required, i18n.language) }
    return t(kind === 'at_most' ? 'cost.atMost' : 'cost.each', price)
  }
  return <p className="recipe-cost secondary figures">{text()}</p>
}
