import { useEffect } from 'react'
import type { UiRecipe } from '../../shared/contract/places.ts'
import { loadSavedRecipes, useSavedRecipes } from './saved-recipes.ts'
import { inBackground } from '../bridge/in-background.ts'
import { useShell } from '../store/shell-store.ts'

export interface RecipeChoice {
  /** Null for the default one, which is in the settings; `UNSAVED` for one that is for this time only. */
  id: string | null
  recipe: UiRecipe
}

export const UNSAVED = ''

/** The default recipe and the saved ones, fetched again whenever a component mounts. */
export function useRecipes(): readonly RecipeChoice[] {
  const standard = useShell(({ state }) => state?.settings.recipe)
  const saved = useSavedRecipes(({ recipes }) => recipes) ?? []
  useEffect(() => inBackground('recipes.loadSavedRecipes', loadSavedRecipes), [])
  return standard === undefined ? saved : [{ id: null, recipe: standard }, ...saved]
}
