import { callEngine } from '../../call-engine.ts'
import { fromUiRecipe } from '../recipe-tokens.ts'
import type { UiCallDeps, UiHandlers } from './ui-call-deps.ts'

export function intakeCalls(
  deps: UiCallDeps,
): Pick<UiHandlers, 'intake.preview' | 'intake.add' | 'intake.samples' | 'folders.add' | 'folders.update'> {
  const { engine, places } = deps
  return {
    'intake.preview': ({ tokens, recipe, include, exclude }) =>
      callEngine(engine, 'intake.preview', {
        paths: tokens.map((token) => places.resolve(token)),
        recipe: fromUiRecipe(places, recipe),
        ...{ include, exclude },
      }),
    'intake.add': ({ tokens, recipe, force, confirmed }) =>
      callEngine(engine, 'intake.add', {
        paths: tokens.map((token) => places.resolve(token)),
        recipe: fromUiRecipe(places, recipe),
        ...{ force, confirmed },
      }),
    'intake.samples': async () => {
      const { batchId, dir } = await callEngine(engine, 'intake.samples', {})
      return { batchId, place: places.register(dir, 'folder') }
    },
    'folders.add': ({ token, recipe, include, exclude, askAbove }) =>
      callEngine(engine, 'folders.add', {
        path: places.resolveFolder(token),
        recipe: fromUiRecipe(places, recipe),
        ...{ include, exclude, askAbove },
      }),
    'folders.update': ({ id, changes, reprocess }) => {
      const { recipe, ...rest } = changes
      const recipeChange = recipe === undefined ? {} : { recipe: fromUiRecipe(places, recipe) }
      return callEngine(engine, 'folders.update', { id, changes: { ...rest, ...recipeChange }, reprocess })
    },
  }
}
