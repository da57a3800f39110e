import type { Operation, Recipe } from './recipe.ts'

/* What a recipe means. Pure and without zod, so that it can be bundled into a page. */

/** The parts of a recipe that decide where the work is done. */
type WorkParts = Pick<Recipe, 'operation' | 'convertOn'>

/** Pictures leave this computer. */
export function uploads({ operation, convertOn }: WorkParts): boolean {
  return operation !== 'convert' || convertOn === 'service'
}

/** Alt texts and SEO file names come back. */
export function makesTexts(operation: Operation): boolean {
  return operation === 'process' || operation === 'analyze'
}

/** A compressed file comes back, which may replace the original. */
export function compresses(operation: Operation): boolean {
  return operation === 'process' || operation === 'optimize'
}

/** WebP or AVIF is encoded on this computer. */
export function encodesHere({ operation, convertOn }: WorkParts): boolean {
  return operation === 'process' || (operation === 'convert' && convertOn === 'here')
}

/** The results can have the texts embedded. */
export function canEmbedTexts(operation: Operation): boolean {
  return operation === 'process'
}

export function embedsTexts({ operation, embedTexts }: Pick<Recipe, 'operation' | 'embedTexts'>): boolean {
  return embedTexts && canEmbedTexts(operation)
}

/** A planned file may not be written, because it saves nothing. */
export function mayLeaveOut(recipe: Pick<Recipe, 'operation' | 'convertOn' | 'keepLarger'>): boolean {
  return compresses(recipe.operation) || (encodesHere(recipe) && !recipe.keepLarger)
}

/** The price is known for the full pipeline only (image service document, `GET /credits/afford`). */
export function priceKind(parts: WorkParts): 'known' | 'at_most' | 'free' {
  if (!uploads(parts)) return 'free'
  return parts.operation === 'process' ? 'known' : 'at_most'
}

/** All browsers show files of the type. */
export const isShown = (type: string): boolean => type !== 'tiff' && type !== 'heic'
