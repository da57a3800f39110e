import { create } from 'zustand'
import type { Result } from '../../shared/contract/call.ts'
import type { PageResponse } from '../../shared/contract/calls.ts'
import type { UiRecipe } from '../../shared/contract/places.ts'
import { errorText } from '../store/error-text.ts'
import { ask } from '../store/bridge.ts'
import { inBackground } from '../bridge/in-background.ts'
import { useShell } from '../store/shell-store.ts'

export type SavedRecipe = PageResponse<'recipes.list'>['recipes'][number]

/** The saved recipes, by name; null until they are read. The default one is in the settings instead. */
export const useSavedRecipes = create<{ recipes: readonly SavedRecipe[] | null; error: string | null }>(() => ({
  recipes: null,
  error: null,
}))

export async function loadSavedRecipes(): Promise<void> {
  const result = await ask('recipes.list', {})
  if (!result.ok) {
    useSavedRecipes.setState({ error: errorText(result.error) })
    return
  }
  const byName = new Intl.Collator(undefined, { numeric: true })
  const recipes = result.value.recipes.toSorted((one, other) => byName.compare(one.recipe.name, other.recipe.name))
  useSavedRecipes.setState({ recipes, error: null })
}

/** Reads a list that is shown again after any window saved or removed a recipe. */
useShell.subscribe(({ state }, before) => {
  if (state?.versions.recipes === before.state?.versions.recipes || useSavedRecipes.getState().recipes === null) return
  inBackground(loadSavedRecipes)
})

/** Saves under `id`, or as a new recipe if it is null, and reads the list again. */
export async function saveRecipe(id: string | null, recipe: UiRecipe): Promise<Result<SavedRecipe>> {
  const result = await ask('recipes.save', { id, recipe })
  if (result.ok) await loadSavedRecipes()
  return result
}

export function takenNames(recipes: readonly SavedRecipe[] | null, id: string | null): string[] {
  return (recipes ?? []).filter((saved) => saved.id !== id).map(({ recipe }) => recipe.name)
}
