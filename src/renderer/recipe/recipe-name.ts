import { t } from 'i18next'
import { straightText } from '../../shared/text/safe-characters.ts'

/** The name of `DEFAULT_RECIPE`. A test keeps the two in step: its schema stays out of the page. */
export const SHIPPED_NAME = 'Web default'

/** A recipe's name as a person reads it: the recipe that Hangar comes with has a name in the window's language. */
export function recipeName(name: string): string {
  return name === SHIPPED_NAME ? t('common:shippedRecipe') : straightText(name)
}
