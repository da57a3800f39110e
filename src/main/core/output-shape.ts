import { embedsTexts } from '../../shared/recipes/recipe-facts.ts'
import type { Recipe } from '../../shared/recipes/recipe.ts'
import type { OutputShape, Sidecar } from '../../shared/jobs/sidecar.ts'

/** Outputs that a recipe shapes. The sidecar lists a variant as `converted` with its width. */
export type ShapedRole = 'optimized' | 'converted' | 'variant'

/**
 * The settings of a recipe that shape an output of this role, besides its picture, its type and the service's operation.
 * `width` in pixels is a variant's, which is made from the original regardless of the long edge.
 */
export function shapeOf(recipe: Recipe, role: ShapedRole, width?: number): OutputShape {
  const { metadata, quality, longEdge, maxSizeKb } = recipe
  const limit = maxSizeKb === null ? {} : { maxSizeKb }
  const texts = embedsTexts(recipe) ? { texts: true } : {}
  switch (role) {
    case 'optimized':
      return { metadata, ...texts }
    case 'converted':
      return { metadata, quality, ...limit, ...texts, ...(longEdge === null ? {} : { longEdge }) }
    case 'variant':
      return { metadata, quality, ...limit, ...texts, ...(width === undefined ? {} : { width }) }
  }
}

/** Whether a file that was made so is as it would be made now. */
export function isSameShape(made: OutputShape, wanted: OutputShape): boolean {
  if ((made.texts ?? false) !== (wanted.texts ?? false)) return false
  const isSameSize = made.longEdge === wanted.longEdge && made.width === wanted.width
  const isSameQuality = made.quality === wanted.quality && made.maxSizeKb === wanted.maxSizeKb
  return made.metadata === wanted.metadata && isSameQuality && isSameSize
}

/** Whether this recipe too would leave out the files that the last run left out. */
export function leavesOutAlike({ recipe: last }: Sidecar, recipe: Recipe, role: 'optimized' | 'converted'): boolean {
  if (last.metadata !== recipe.metadata || last.minSavingPercent !== recipe.minSavingPercent) return false
  if (role === 'optimized') return true
  const isSameSize = (last.longEdge ?? null) === recipe.longEdge && (last.maxSizeKb ?? null) === recipe.maxSizeKb
  return !recipe.keepLarger && last.quality === recipe.quality && isSameSize
}
