import type { FolderView, SavedRecipe } from '../../shared/contract.ts'
import type { Recipe } from '../../shared/recipe.ts'
import type { Settings, SettingsChange } from '../../shared/settings.ts'
import type { FolderRow, UiRecipe, UiSettings, UiSettingsChange } from '../../shared/ui-contract.ts'
import type { PlaceRegistry } from './place-registry.ts'

/** The recipe as the page sees it: the output folder is an id of this session, with its path in words. */
export function toUiRecipe(places: PlaceRegistry, recipe: Recipe): UiRecipe {
  const { output } = recipe
  if (output.kind !== 'folder') return { ...recipe, output }
  return { ...recipe, output: { kind: 'folder', dir: places.register(output.dir, 'folder').token, path: output.dir } }
}

/** Throws `not_found` or `bad_request` when the output folder is no folder of this session; its words do not count. */
export function fromUiRecipe(places: PlaceRegistry, recipe: UiRecipe): Recipe {
  const { output } = recipe
  if (output.kind !== 'folder') return { ...recipe, output }
  return { ...recipe, output: { kind: 'folder', dir: places.resolveFolder(output.dir) } }
}

export function toUiSettings(places: PlaceRegistry, settings: Settings): UiSettings {
  return { ...settings, recipe: toUiRecipe(places, settings.recipe) }
}

export function fromUiSettingsChange(places: PlaceRegistry, change: UiSettingsChange): SettingsChange {
  const { recipe, ...rest } = change
  return recipe === undefined ? rest : { ...rest, recipe: fromUiRecipe(places, recipe) }
}

export function toUiSavedRecipe(places: PlaceRegistry, { id, recipe }: SavedRecipe): { id: string; recipe: UiRecipe } {
  return { id, recipe: toUiRecipe(places, recipe) }
}

export function toFolderRow(places: PlaceRegistry, folder: FolderView, lastEventAtMs: number | null): FolderRow {
  const { token } = places.register(folder.path, 'folder')
  return { ...folder, recipe: toUiRecipe(places, folder.recipe), lastEventAtMs, token }
}
