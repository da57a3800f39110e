import { z } from 'zod'
import type { FolderRow, FolderView } from '../../shared/contract/folders.ts'
import { Place, PlaceToken, UiRecipe, type PlaceForms } from '../../shared/contract/places.ts'
import type { UiSettings } from '../../shared/contract/settings.ts'
import { Recipe } from '../../shared/recipes/recipe.ts'
import type { Settings } from '../../shared/settings/settings.ts'
import type { PlaceRegistry } from './place-registry.ts'

/** Files and folders in the page's form. An unknown token is an issue with its `AppError` in `params.error`. */
export function tokenForms(places: PlaceRegistry): PlaceForms<'page'> {
  const asIssue = <Given, Value>(decode: (given: Given) => Value) =>
    function (given: Given, payload: { value: unknown; issues: z.core.$ZodRawIssue[] }): Value {
      try {
        return decode(given)
      } catch (error) {
        payload.issues.push({ code: 'custom', input: given, params: { error } })
        return z.NEVER
      }
    }
  return {
    path: PlaceToken.transform(asIssue((token) => places.resolve(token))),
    file: z.codec(PlaceToken, z.string(), {
      decode: asIssue((token) => places.resolve(token)),
      encode: (path) => places.register(path, 'file').token,
    }),
    folder: PlaceToken.transform(asIssue((token) => places.resolveFolder(token))),
    // Every page sends even the optional parts of a recipe.
    recipe: z.codec(UiRecipe, Recipe, {
      decode: asIssue((recipe) => fromUiRecipe(places, recipe)),
      encode: (recipe) => toUiRecipe(places, recipe as Recipe),
    }) as unknown as z.ZodType<Recipe, UiRecipe>,
    made: z.codec(Place, z.string(), {
      decode: asIssue(({ token }) => places.resolve(token)),
      encode: (path) => places.register(path, 'folder'),
    }),
  }
}

/** With the path for display. */
export function toUiRecipe(places: PlaceRegistry, recipe: Recipe): UiRecipe {
  const { output } = recipe
  if (output.kind !== 'folder') return { ...recipe, output }
  return { ...recipe, output: { kind: 'folder', dir: places.register(output.dir, 'folder').token, path: output.dir } }
}

/** Throws `not_found` or `bad_request` for what is no folder token of this process; the displayed path is ignored. */
function fromUiRecipe(places: PlaceRegistry, recipe: UiRecipe): Recipe {
  const { output } = recipe
  if (output.kind !== 'folder') return { ...recipe, output }
  return { ...recipe, output: { kind: 'folder', dir: places.resolveFolder(output.dir) } }
}

export function toUiSettings(places: PlaceRegistry, settings: Settings): UiSettings {
  return { ...settings, recipe: toUiRecipe(places, settings.recipe) }
}

export function toFolderRow(places: PlaceRegistry, folder: FolderView, lastEventAtMs: number | null): FolderRow {
  const { token } = places.register(folder.path, 'folder')
  return { ...folder, recipe: toUiRecipe(places, folder.recipe), lastEventAtMs, token }
}
