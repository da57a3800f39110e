import { create } from 'zustand'
import type { PageResponse } from '../../shared/contract/calls.ts'
import type { UiRecipe } from '../../shared/contract/places.ts'
import { errorText } from '../text/error-text.ts'
import { ask } from '../store/bridge.ts'

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

/** Saves under `id`, or as a new recipe if it is null, and reads the list again. */
export async function saveRecipe(
  id: string | null,
  recipe: UiRecipe,
): Promise<{ ok: true; saved: SavedRecipe } | { ok: false; message: string }> {
  const result = await ask('recipes.save', { id, recipe })
  if (!result.ok) return { ok: false, message: errorText(result.error) }
  await loadSavedRecipes()
  return { ok: true, saved: result.value }
}

/** The names of all recipes other than `id`. */
export function takenNames(recipes: readonly SavedRecipe[] | null, id: string | null): string[] {
  return (recipes ?? []).filter((saved) => saved.id !== id).map(({ recipe }) => recipe.name)
}
