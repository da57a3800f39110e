import { suggestedType } from '../../shared/jobs/picture-name.ts'
import type { FailReason, NoteCode } from '../../shared/sentences/reasons.ts'
import type { Operation, Recipe } from '../../shared/recipes/recipe.ts'
import { outputNames } from './output-names.ts'
import { makesNothing, planWork } from './plan-work.ts'

/** A camera's picture: wider than any variant. */
const EXAMPLE_SIZE = { width: 6000, height: 4000 }
const EXAMPLE_DATE = '2026-05-17T14:30:00'

interface RecipeExample {
  sent: Operation | null
  outputs: string[]
  notes: NoteCode[]
  refused: FailReason | null
}

/** What a recipe would do to a picture, judged by its name only; `number`: which of them it is. */
export function recipeExample(recipe: Recipe, name: string, number = 1): RecipeExample {
  const refused: RecipeExample = { sent: null, outputs: [], notes: [], refused: 'wrong_type' }
  const type = suggestedType(name)
  if (type === null) return refused
  const plan = planWork(recipe, { type, animated: false, ...EXAMPLE_SIZE })
  if ('cannot' in plan) return refused
  const notes = plan.notes.map(({ code }) => code)
  if (makesNothing(plan)) return { sent: null, outputs: [], notes, refused: null }
  const facts = { date: EXAMPLE_DATE, number, size: EXAMPLE_SIZE }
  return {
    sent: plan.send,
    outputs: outputNames({ name, type, sizeBytes: 0, facts }, recipe, plan),
    notes,
    refused: null,
  }
}
