import { useTranslation } from 'react-i18next'
import { recipeFacts } from '../../shared/recipe-facts.ts'
import type { UiRecipe } from '../../shared/contract/places.ts'
import { RecipeCost } from './recipe-cost.tsx'
import { RecipeExamples } from './recipe-examples.tsx'

/** What a recipe would do, updated while it is edited: names and credits. `names` are real ones, if there are any. */
export function RecipePreview({ draft, names }: { draft: UiRecipe; names: readonly string[] }) {
  const { t } = useTranslation('recipe')
  return (
    <div className="recipe-preview">
      <RecipeExamples draft={draft} names={names} />
      <section>
        <h3>{t('cost.title')}</h3>
        <RecipeCost recipe={draft} />
      </section>
      <section>
        <h3>{t('facts')}</h3>
        <ul className="recipe-facts">
          {recipeFacts(draft).map((fact) => (
            <li key={fact}>{t(`fact.${fact}`)}</li>
          ))}
        </ul>
      </section>
    </div>
  )
}
