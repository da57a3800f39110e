import type { UiRecipe } from '../../shared/contract/places.ts'
import { compresses } from '../../shared/recipes/recipe-facts.ts'
import type { Operation } from '../../shared/recipes/recipe.ts'

/** Changes the operation and resets what it does not support, so that no hidden field is invalid. */
export function withOperation(draft: UiRecipe, operation: Operation): UiRecipe {
  const output = draft.output.kind === 'replace' && !compresses(operation) ? { kind: 'beside' as const } : draft.output
  return { ...draft, operation, output }
}
