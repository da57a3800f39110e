import { z } from 'zod'
import { Recipe } from '../recipes/recipe.ts'
import { nothing, type Calls } from './call.ts'
import type { PlaceForms, Side } from './places.ts'

const RecipeId = z.string().min(1).max(40)

/** A recipe that was saved under a name. The default recipe is in the settings. */
export const SavedRecipe = z.object({ id: RecipeId, recipe: Recipe })
export type SavedRecipe = z.infer<typeof SavedRecipe>

const saved = <S extends Side>(at: PlaceForms<S>) => SavedRecipe.extend({ recipe: at.recipe })

export const recipeCalls = <S extends Side>(at: PlaceForms<S>) =>
  ({
    'recipes.list': { by: 'both', request: nothing, response: z.object({ recipes: z.array(saved(at)) }) },
    /** Saves under the id, also when it was removed meanwhile, or as a new one for null. Throws `name_taken` if another has the name. */
    'recipes.save': {
      by: 'both',
      request: z.object({ id: RecipeId.nullable(), recipe: at.recipe }),
      response: saved(at),
    },
    'recipes.remove': { by: 'both', request: z.object({ id: RecipeId }), response: nothing },
    /** The names of what a recipe makes of a picture with this name (no file is read; the type is derived from the name). */
    'recipes.example': {
      by: 'both',
      request: z.object({ recipe: at.recipe, name: z.string().min(1).max(1000) }),
      response: z.object({ outputs: z.array(z.string()) }),
    },
  }) as const satisfies Calls
