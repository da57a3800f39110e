import { suggestedType } from '../../shared/jobs/picture-name.ts'
import { SIDECAR_SUFFIX } from '../../shared/jobs/sidecar.ts'
import type { Recipe } from '../../shared/recipes/recipe.ts'
import { expectedNames } from './output-names.ts'
import { makesNothing, planWork } from './plan-work.ts'

/** A camera's picture: wider than any variant. */
const EXAMPLE_SIZE = { width: 6000, height: 4000 }
const EXAMPLE_FACTS = { date: '2026-05-17T14:30:00', number: 1, size: EXAMPLE_SIZE }

/** The names that a recipe would give to what it makes of a picture, whose type is read from its name; none where it makes nothing. */
export function recipeExample(recipe: Recipe, name: string): string[] {
  const type = suggestedType(name)
  const plan = type === null ? null : planWork(recipe, { type, animated: false, ...EXAMPLE_SIZE })
  if (type === null || plan === null || 'cannot' in plan || makesNothing(plan)) return []
  const results = expectedNames({ name, type, sizeBytes: 0, facts: EXAMPLE_FACTS }, recipe, plan)
  return [...results.map(({ nth }) => nth(1)), `${name}${SIDECAR_SUFFIX}`]
}
