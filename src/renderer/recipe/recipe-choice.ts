import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import type { UiRecipe } from '../../shared/contract/places.ts'
import { withOperation } from './with-operation.ts'
import { loadSavedRecipes, useSavedRecipes } from './saved-recipes.ts'
import { inBackground } from '../bridge/in-background.ts'
import { useShell } from '../store/shell-store.ts'

export interface RecipeChoice {
  /** Null for the default one, which is in the settings; the name of a preset; `UNSAVED` for one that is for this time only. */
  id: string | null
  recipe: UiRecipe
}

export const UNSAVED = ''

/** What Hangar offers beside the default recipe: that one, but for what is made. */
const PRESETS = {
  smaller: { operation: 'optimize' },
  texts: { operation: 'analyze' },
  avif: { operation: 'process', format: 'avif' },
  web: { operation: 'process', format: 'webp' },
} as const

export const isPreset = ({ id }: RecipeChoice): boolean => id !== null && id in PRESETS

/**
 * The default recipe, the saved ones, fetched again whenever a component mounts, and the presets that make something else than the
 * default one.
 */
export function useRecipes(): readonly RecipeChoice[] {
  const { t } = useTranslation('common')
  const standard = useShell(({ state }) => state?.settings.recipe)
  const saved = useSavedRecipes(({ recipes }) => recipes) ?? []
  useEffect(() => inBackground('recipes.loadSavedRecipes', loadSavedRecipes), [])
  if (standard === undefined) return saved
  const presets = Object.entries(PRESETS).map(([id, made]) => {
    const draft = withOperation({ ...standard, ...made }, made.operation, 'en')
    return { id, recipe: { ...draft, name: t(`presets.${id as keyof typeof PRESETS}`) } }
  })
  const differs = ({ recipe: { operation, format } }: RecipeChoice) =>
    operation !== standard.operation || (operation === 'process' && format !== standard.format)
  return [{ id: null, recipe: standard }, ...saved, ...presets.filter(differs)]
}
