import { useTranslation } from 'react-i18next'
import { straightText } from '../../shared/text/safe-characters.ts'
import { encodesHere, mayLeaveOut, typeFact, type TypeFact } from '../../shared/recipes/recipe-facts.ts'
import { suggestedType } from '../../shared/jobs/picture-name.ts'
import { SEO_STAND_IN } from '../../shared/recipes/name-template.ts'
import type { UiRecipe } from '../../shared/contract/places.ts'
import { useAnswer } from '../store/use-answer.ts'
import { finished, problemsOf } from './recipe-draft.ts'
import './recipe-examples.css'

/** A typical name of each type. */
const SAMPLE_NAMES = ['photo.jpg', 'logo.png', 'animation.gif', 'banner.webp']
const MAX_SHOWN = 4
const TYPING_PAUSE_MS = 250

/** The expected output names for each type, updated while the recipe is edited. `names` are real ones, if there are any. */
export function RecipeExamples({ draft, names }: { draft: UiRecipe; names: readonly string[] }) {
  const { t } = useTranslation('recipe')
  const areOwn = names.length > 0
  // The recipe's name does not affect the example, but must not be empty.
  const recipe = { ...finished(draft), name: 'example' }
  const shown = areOwn ? names.slice(0, MAX_SHOWN) : SAMPLE_NAMES
  const isUsable = recipe.languages.length > 0 && problemsOf(draft, []).naming === undefined
  const question = isUsable ? { recipe, names: shown } : null
  const { value, error } = useAnswer('recipes.example', question, TYPING_PAUSE_MS)
  const facts = shown.map((name) => factOf(recipe, name))
  const isOneFact = new Set(facts).size === 1
  const usesSeoName = value?.examples.some(({ outputs }) => outputs.some((name) => name.includes(SEO_STAND_IN)))
  return (
    <section className="recipe-examples">
      <h3>{t('preview.title')}</h3>
      {error === null ? null : <p className="secondary">{t('preview.failed')}</p>}
      <ul>
        {(value?.examples ?? []).map(({ source, outputs }) => (
          <li key={source}>
            <bdi className="recipe-source ellipsis" title={straightText(source)}>
              {straightText(source)}
            </bdi>
            <Outputs source={source} outputs={outputs} />
            {isOneFact ? null : <FactLine fact={factOf(recipe, source)} />}
          </li>
        ))}
      </ul>
      {isOneFact ? <FactLine fact={facts[0] ?? null} /> : null}
      {mayLeaveOut(recipe) ? <p className="secondary">{t('preview.leftOut')}</p> : null}
      {encodesHere(recipe) && recipe.widths.length > 0 ? <p className="secondary">{t('preview.widths')}</p> : null}
      {areOwn ? <p className="secondary">{t('preview.ownNames')}</p> : null}
      {usesSeoName === true ? <p className="secondary">{t('preview.seoNote', { seo: SEO_STAND_IN })}</p> : null}
    </section>
  )
}

function Outputs({ source, outputs }: { source: string; outputs: readonly string[] }) {
  const { t } = useTranslation('recipe')
  if (outputs.length === 0) return <p className="secondary">{t('preview.nothing')}</p>
  return (
    <ul className="recipe-outputs">
      {outputs.map((output) => (
        <li key={output}>
          <bdi>{straightText(output)}</bdi>
          {output === source ? <span className="secondary"> ({t('preview.replaced')})</span> : null}
        </li>
      ))}
    </ul>
  )
}

function FactLine({ fact }: { fact: TypeFact | null }) {
  const { t } = useTranslation('recipe')
  return fact === null ? null : <p className="secondary">{t(`type.${fact}`)}</p>
}

function factOf(recipe: UiRecipe, name: string): TypeFact | null {
  const type = suggestedType(name)
  return type === null ? null : typeFact(recipe, type)
}
