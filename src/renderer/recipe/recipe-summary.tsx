import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import { listText } from '../../shared/text/list-text.ts'
import { straightText } from '../../shared/text/safe-characters.ts'
import { compresses, encodesHere, makesTexts } from '../../shared/recipes/recipe-facts.ts'
import type { UiRecipe } from '../../shared/contract/places.ts'
import { splitPath } from '../parts/split-path.ts'
import { languageName } from './language-names.ts'

/** A recipe in one sentence: what is made, in which languages if there are any, and where it goes. */
export function RecipeSummary({ recipe }: { recipe: UiRecipe }) {
  const { t, i18n } = useTranslation('intake')
  return <span className="secondary">{sentenceOf(recipe, t, i18n.language)}</span>
}

function sentenceOf(recipe: UiRecipe, t: TFunction<'intake'>, language: string): string {
  const { output } = recipe
  const made = partsOf(recipe, t, language)
  const list = (parts: readonly string[]) => listText(parts, language, 'conjunction')
  if (output.kind === 'folder')
    return t('summary.folder', { made: list(made), folder: straightText(splitPath(output.path).name) })
  if (output.kind === 'beside' || !compresses(recipe.operation)) return t('summary.beside', { made: list(made) })
  return made.length === 1 ? t('summary.replace') : t('summary.replaceAndAdd', { made: list(made.slice(1)) })
}

/** What is made of a picture, the compressed copy first. */
function partsOf(recipe: UiRecipe, t: TFunction<'intake'>, language: string): string[] {
  const { operation, languages, format } = recipe
  const names = languages.map((code) => languageName(code, language))
  const texts =
    names.length > 3 ? t('summary.languages', { count: names.length }) : listText(names, language, 'conjunction')
  return [
    ...(compresses(operation) ? [t('summary.copy')] : []),
    ...(encodesHere(recipe) || operation === 'convert' ? [t(`summary.${format}`)] : []),
    ...(makesTexts(operation)
      ? [names.length === 0 ? t('summary.alt') : t('summary.texts', { languages: texts })]
      : []),
  ]
}
