import { embedsTexts } from '../../shared/recipe-facts.ts'
import type { Recipe } from '../../shared/recipe.ts'
import type { OutputShape, Sidecar } from '../../shared/sidecar.ts'

/** What a recipe shapes; the sidecar has a variant as `converted` with its width. */
export type ShapedRole = 'optimized' | 'converted' | 'variant'

/**
 * What shapes a file of this role under a recipe, beside its picture, its type and what the service was asked. `width` in
 * pixels is a variant's, which is made of the original whatever the long edge.
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

/** What an output that says nothing of itself was made with: no earlier version noted it. Only the long edge is told. */
export function shapeOfUnrecorded({ recipe }: Sidecar, role: 'optimized' | 'converted'): Partial<OutputShape> {
  return role === 'converted' && recipe.longEdge !== undefined ? { longEdge: recipe.longEdge } : {}
}

/** What is not told of a file is taken for what is wanted: files of earlier versions are not all made again. */
export function isSameShape(recorded: Partial<OutputShape>, wanted: OutputShape): boolean {
  const { metadata = wanted.metadata, quality = wanted.quality, longEdge, width } = recorded
  if ((recorded.texts ?? false) !== (wanted.texts ?? false)) return false
  const isSameSize = longEdge === wanted.longEdge && width === wanted.width
  return metadata === wanted.metadata && quality === wanted.quality && isSameSize
}

/**
 * Whether files that the last round left out would be left out by this recipe too. A sidecar of an earlier version does not
 * say what it went by, and is believed.
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
