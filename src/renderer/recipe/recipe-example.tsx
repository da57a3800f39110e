import { listText } from '../text/figures.ts'
import { t } from 'i18next'
import { straightText } from '../../shared/text/safe-characters.ts'
import { SEO_STAND_IN } from '../../shared/recipes/name-template.ts'
import type { UiRecipe } from '../../shared/contract/places.ts'
import { useAnswer } from '../store/use-answer.ts'
import { finished, problemsOf } from './recipe-draft.ts'

const SAMPLE_NAME = 'photo.jpg'
const TYPING_PAUSE_MS = 250

/** The expected names for one picture, updated while the recipe is edited. `names` are real ones, if there are any. */
export function RecipeExample({ draft, names }: { draft: UiRecipe; names: readonly string[] }) {
  // The recipe's name does not affect the example, but must not be empty.
  const recipe = { ...finished(draft), name: 'example' }
  const isUsable = problemsOf(draft, []).naming === undefined
  const name = names[0] ?? SAMPLE_NAME
  const { value } = useAnswer('recipes.example', isUsable ? { recipe, name } : null, TYPING_PAUSE_MS)
  const outputs = value?.outputs ?? []
  if (outputs.length === 0) return null
  const usesSeoName = outputs.some((output) => output.includes(SEO_STAND_IN))
  return (
    <p className="recipe-example secondary">
      <bdi>{straightText(name)}</bdi> → <bdi>{listText(outputs.map(straightText))}</bdi>
      {usesSeoName ? ` ${t('recipe:preview.seoNote', { seo: SEO_STAND_IN })}` : null}
    </p>
  )
}
