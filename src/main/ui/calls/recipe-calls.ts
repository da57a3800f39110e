import { callEngine } from '../../call-engine.ts'
import { fromUiRecipe, toUiSavedRecipe } from '../recipe-tokens.ts'
import type { UiCallDeps, UiHandlers } from './ui-call-deps.ts'

export function recipeCalls({
  engine,
  places,
}: UiCallDeps): Pick<UiHandlers, 'recipes.list' | 'recipes.save' | 'recipes.example'> {
  return {
    'recipes.list': async () => {
      const { recipes } = await callEngine(engine, 'recipes.list', {})
      return { recipes: recipes.map((saved) => toUiSavedRecipe(places, saved)) }
    },
    'recipes.save': async ({ id, recipe }) =>
      toUiSavedRecipe(places, await callEngine(engine, 'recipes.save', { id, recipe: fromUiRecipe(places, recipe) })),
    'recipes.example': ({ recipe, names }) =>
      callEngine(engine, 'recipes.example', { recipe: fromUiRecipe(places, recipe), names }),
  }
}
