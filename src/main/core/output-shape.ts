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
  const { metadata, quality, longEdge } = recipe
  const texts = embedsTexts(recipe) ? { texts: true } : {}
  switch (role) {
    case 'optimized':
      return { metadata, ...texts }
    case 'converted':
      return { metadata, quality, ...texts, ...(longEdge === null ? {} : { longEdge }) }
    case 'variant':
      return { metadata, quality, ...texts, ...(width === undefined ? {} : { width }) }
  }
}

/** The shape of an output without a record of its own, as written by earlier versions: only the long edge is known. */
export function shapeOfUnrecorded({ recipe }: Sidecar, role: 'optimized' | 'converted'): Partial<OutputShape> {
  return role === 'converted' && recipe.longEdge !== undefined ? { longEdge: recipe.longEdge } : {}
}

/** What is not recorded is assumed to be as wanted, so that files of earlier versions are not all made again. */
export function isSameShape(recorded: Partial<OutputShape>, wanted: OutputShape): boolean {
  const { metadata = wanted.metadata, quality = wanted.quality, longEdge, width } = recorded
  if ((recorded.texts ?? false) !== (wanted.texts ?? false)) return false
  const isSameSize = longEdge === wanted.longEdge && width === wanted.width
  return metadata === wanted.metadata && quality === wanted.quality && isSameSize
}

/**
 * Whether this recipe too would leave out the files that the last run left out. A sidecar of an earlier version does not record
 * the settings, and is assumed to agree.
 */
export function leavesOutAlike(
  { recipe: recorded }: Sidecar,
  recipe: Recipe,
  role: 'optimized' | 'converted',
): boolean {
  const alike = <Value>(before: Value | undefined, now: Value): boolean => before === undefined || before === now
  if (!alike(recorded.metadata, recipe.metadata) || !alike(recorded.minSavingPercent, recipe.minSavingPercent))
    return false
  if (role === 'optimized') return true
  return (
    !recipe.keepLarger && alike(recorded.quality, recipe.quality) && (recorded.longEdge ?? null) === recipe.longEdge
  )
}
