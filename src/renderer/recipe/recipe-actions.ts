import { t } from 'i18next'
import type { UiRecipe } from '../../shared/contract/places.ts'
import { ask, askOrToast } from '../store/bridge.ts'
import { errorText } from '../store/error-text.ts'
import { toastWithUndo, toast } from '../store/toasts.ts'
import { saveText } from '../store/save-text.ts'
import { freeName } from './recipe-draft.ts'
import { readRecipeFile, recipeFile, type ReadRecipe } from './recipe-file.ts'
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

/**
 * Swaps a saved recipe and the default one. Saves before it removes, so that a failure in between leaves a recipe twice rather
 * than not at all.
 */
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

export async function exportRecipe(recipe: UiRecipe): Promise<void> {
  const { filename, text } = recipeFile(recipe)
  const savedAs = await saveText(filename, 'application/json', text)
  if (savedAs !== null && recipe.output.kind === 'folder') toast(t('recipe:section.exportedBeside'))
}

const MAX_FILE_BYTES = 1_000_000

export async function importRecipe(file: File, taken: readonly string[]): Promise<void> {
  const read: ReadRecipe =
    file.size > MAX_FILE_BYTES ? { ok: false, why: 'too_long' } : readRecipeFile(await file.text())
  if (!read.ok) {
    toast(t(`recipe:section.importProblem.${read.why}`, { file: file.name }), { bad: true })
    return
  }
  const recipe = { ...read.recipe, name: freeName(read.recipe.name, taken) }
  // The engine validates the recipe.
  const result = await ask('recipes.save', { id: null, recipe })
  if (!result.ok) {
    toast(t('recipe:section.importProblem.refused', { file: file.name, why: errorText(result.error) }), { bad: true })
    return
  }
  await loadSavedRecipes()
  if (read.lostFolder) toast(t('recipe:section.importedBeside', { name: recipe.name }))
}
