import { t } from 'i18next'
import type { UiRecipe } from '../../shared/contract/places.ts'
import { askOrToast } from '../store/bridge.ts'
import { toastWithUndo, toast } from '../store/toasts.ts'
import { freeName } from './recipe-draft.ts'
import { loadSavedRecipes, saveRecipe, type SavedRecipe } from './saved-recipes.ts'
import { recipeName } from './recipe-name.ts'

export async function removeRecipe({ id, recipe }: SavedRecipe): Promise<void> {
  const removed = await askOrToast('recipes.remove', { id })
  await loadSavedRecipes()
  if (removed === null) return
  const undo = async () => {
    const back = await saveRecipe(null, recipe)
    if (!back.ok) toast(back.message, { bad: true })
  }
  toastWithUndo(t('recipe:section.removed', { name: recipeName(recipe.name) }), undo)
}

/** Swaps them. Saves before it removes: a failure in between leaves a recipe twice rather than not at all. */
export async function makeDefault(saved: SavedRecipe, before: UiRecipe, taken: readonly string[]): Promise<void> {
  const others = taken.filter((name) => name !== before.name)
  const kept = await saveRecipe(null, { ...before, name: freeName(before.name, others) })
  if (!kept.ok) {
    toast(kept.message, { bad: true })
    return
  }
  const done = await askOrToast('settings.set', { recipe: saved.recipe })
  await askOrToast('recipes.remove', { id: done === null ? kept.saved.id : saved.id })
  await loadSavedRecipes()
}
