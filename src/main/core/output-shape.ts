import { embedsTexts } from '../../shared/recipes/recipe-facts.ts'
import { ENCODING, encodingOf, type Recipe } from '../../shared/recipes/recipe.ts'
import { OutputShape, type Sidecar } from '../../shared/jobs/sidecar.ts'
import type { WorkPlan } from './plan-work.ts'

/** Outputs that a recipe shapes. The sidecar lists a variant as `converted` with its width. */
export type ShapedRole = 'optimized' | 'converted' | 'variant'

/** The settings that shape an output of this role, besides its picture, its type and the operation. `width`: of a variant. */
export function shapeOf(recipe: Recipe, role: ShapedRole, width?: number): OutputShape {
  const { metadata } = recipe
  const texts = embedsTexts(recipe) ? { texts: true } : {}
  const { longEdge, ...encoding } = encodingOf(recipe)
  switch (role) {
    case 'optimized':
      return { metadata, ...texts }
    case 'converted':
      return { metadata, ...encoding, ...texts, ...(longEdge === undefined ? {} : { longEdge }) }
    case 'variant':
      return { metadata, ...encoding, ...texts, ...(width === undefined ? {} : { width }) }
  }
}

/** A recipe as a sidecar records it: how files are encoded only if some were. */
export function recordOf(recipe: Recipe, plan: Pick<WorkPlan, 'send' | 'converted' | 'widths'>): Sidecar['recipe'] {
  const { operation, languages, format, naming, metadata, minSavingPercent } = recipe
  const { longEdge, ...encoding } = encodingOf(recipe)
  const { send, converted, widths } = plan
  return {
    operation,
    sent: send,
    languages,
    format,
    naming,
    ...(converted && longEdge !== undefined ? { longEdge } : {}),
    ...(converted || widths.length > 0 ? encoding : {}),
    ...(widths.length > 0 ? { widths } : {}),
    metadata,
    minSavingPercent,
  }
}

const SHAPING = Object.keys(OutputShape.shape) as (keyof typeof OutputShape.shape)[]

/** Whether a file that was made so is as it would be made now. What is absent is off. */
export function isSameShape(made: OutputShape, wanted: OutputShape): boolean {
  return SHAPING.every((name) => (made[name] ?? false) === (wanted[name] ?? false))
}

/** Whether this recipe too would leave out the files that the last run left out. */
export function leavesOutAlike({ recipe: last }: Sidecar, recipe: Recipe, role: 'optimized' | 'converted'): boolean {
  if (last.metadata !== recipe.metadata || last.minSavingPercent !== recipe.minSavingPercent) return false
  if (role === 'optimized') return true
  const encoding = encodingOf(recipe)
  return !recipe.keepLarger && ENCODING.every((name) => last[name] === encoding[name])
}
