import { listText } from '../text/figures.ts'
import { t } from 'i18next'
import { straightText } from '../../shared/text/safe-characters.ts'
import { compresses, encodesHere, makesTexts } from '../../shared/recipes/recipe-facts.ts'
import type { UiRecipe } from '../../shared/contract/places.ts'
import { splitPath } from '../parts/split-path.ts'
import { languageName } from './language-names.ts'

export function RecipeSummary({ recipe }: { recipe: UiRecipe }) {
  return <span className="secondary">{sentenceOf(recipe)}</span>
}

function sentenceOf(recipe: UiRecipe): string {
  const { output } = recipe
  const made = partsOf(recipe)
  const list = (parts: readonly string[]) => listText(parts, 'conjunction')
  if (output.kind === 'folder')
    return t('intake:summary.folder', { made: list(made), folder: straightText(splitPath(output.path).name) })
  if (output.kind === 'beside' || !compresses(recipe.operation)) return t('intake:summary.beside', { made: list(made) })
  return made.length === 1
    ? t('intake:summary.replace')
    : t('intake:summary.replaceAndAdd', { made: list(made.slice(1)) })
}

function partsOf(recipe: UiRecipe): string[] {
  const { operation, languages, format } = recipe
  const names = languages.map((code) => languageName(code))
  const texts =
    names.length > 3 ? t('intake:summary.languages', { count: names.length }) : listText(names, 'conjunction')
  return [
    ...(compresses(operation) ? [t('intake:summary.copy')] : []),
    ...(encodesHere(recipe) || operation === 'convert' ? [t(`intake:summary.${format}`)] : []),
    ...(makesTexts(operation)
      ? [names.length === 0 ? t('intake:summary.alt') : t('intake:summary.texts', { languages: texts })]
      : []),
  ]
}
