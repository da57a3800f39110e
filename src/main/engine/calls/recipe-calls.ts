import { basename } from 'node:path'
import { SavedRecipe } from '../../../shared/contract/recipes.ts'
import { AppError } from '../../../shared/sentences/errors.ts'
import { say } from '../../../shared/sentences/sentence.ts'
import { collisionKey } from '../../core/naming.ts'
import { recipeExample } from '../../core/recipe-example.ts'
import type { CallsDeps, HandlersOf } from './call-deps.ts'

const KIND = 'recipe'

export function recipeCalls({ documents, makeId, emit }: CallsDeps): HandlersOf<'recipes'> {
  const saved = () => documents.list(KIND, SavedRecipe).map(({ value }) => value)
  return {
    'recipes.list': () => ({ recipes: saved().sort((a, b) => a.recipe.name.localeCompare(b.recipe.name)) }),
    'recipes.save': ({ id, recipe }) => {
      const name = recipe.name.trim()
      if (name === '') throw new AppError('bad_request', say('recipe_without_name'))
      const taken = saved().some((other) => other.id !== id && collisionKey(other.recipe.name) === collisionKey(name))
      if (taken) throw new AppError('name_taken', say('recipe_name_taken', { name }))
      const entry: SavedRecipe = { id: id ?? makeId(), recipe: { ...recipe, name } }
      documents.put(KIND, entry.id, entry)
      emit({ type: 'stored', what: 'recipes' })
      return entry
    },
    'recipes.remove': ({ id }) => {
      documents.remove(KIND, id)
      emit({ type: 'stored', what: 'recipes' })
    },
    'recipes.example': ({ recipe, name }) => ({ outputs: recipeExample(recipe, basename(name)) }),
  }
}
