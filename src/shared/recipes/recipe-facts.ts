import type { ImageType, Operation, Recipe } from './recipe.ts'

/*
 * What a recipe means, as codes that the page has texts for. Pure and without zod, so that it can be bundled into a page. The
 * facts about types follow `core/plan-work.ts`, and a test keeps the two in step.
 */

/** The parts of a recipe that decide what happens to a picture; `project` only where a function names it. */
type WorkParts = Pick<Recipe, 'operation' | 'convertOn' | 'format'>

/** Pictures leave this computer. */
export function uploads({ operation, convertOn }: Pick<WorkParts, 'operation' | 'convertOn'>): boolean {
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
export function encodesHere({ operation, convertOn }: Pick<WorkParts, 'operation' | 'convertOn'>): boolean {
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
export function priceKind(parts: Pick<WorkParts, 'operation' | 'convertOn'>): 'known' | 'at_most' | 'free' {
  if (!uploads(parts)) return 'free'
  return parts.operation === 'process' ? 'known' : 'at_most'
}

/**
 * What happens to a picture of one type.
 * - full: compressed, described and converted
 * - described_converted: only described, and converted here; `_still`: unless it is animated
 * - described: only described
 * - compressed; `_maybe`: it is sent, and the service decides whether it takes this type
 * - converted; `_still`: unless it is animated
 * - figures: the service converts it and tells sizes, but gives no file
 * - left_alone: it has the wanted format already
 * - no_gain: an AVIF, which what the service gives would be larger than
 * - refused: the service converts JPEG and PNG only
 */
export type TypeFact =
  | 'full'
  | 'described_converted'
  | 'described_converted_still'
  | 'described'
  | 'compressed'
  | 'compressed_maybe'
  | 'converted'
  | 'converted_still'
  | 'figures'
  | 'left_alone'
  | 'no_gain'
  | 'refused'

const isConvertible = (type: ImageType) => type === 'jpeg' || type === 'png'
const isCompressible = (type: ImageType) => isConvertible(type) || type === 'tiff' || type === 'heic'
/** All browsers show files of the type. */
export const isShown = (type: string): boolean => type !== 'tiff' && type !== 'heic'
/** TIFF, AVIF and HEIC are taken in without animation. */
const mayMove = (type: ImageType) => type === 'gif' || type === 'webp'

export function typeFact({ operation, convertOn, format }: WorkParts, type: ImageType): TypeFact {
  switch (operation) {
    case 'analyze':
      return 'described'
    case 'optimize':
      if (type === 'avif') return 'no_gain'
      return isCompressible(type) ? 'compressed' : 'compressed_maybe'
    case 'process':
      if (isCompressible(type)) return 'full'
      if (type === format) return 'described'
      return format === 'avif' && mayMove(type) ? 'described_converted_still' : 'described_converted'
    case 'convert':
      if (convertOn === 'service') return isConvertible(type) ? 'figures' : 'refused'
      if (type === format) return 'left_alone'
      return mayMove(type) && format === 'avif' ? 'converted_still' : 'converted'
  }
}

/**
 * Facts of a recipe that hold for every picture: what is uploaded, what comes back, what it costs, and what remains at the
 * service.
 */
type RecipeFact =
  | 'uploaded'
  | 'stays_here'
  | 'file_comes_back'
  | 'texts_come_back'
  | 'figures_come_back'
  | 'encoded_here'
  | 'no_converted_download'
  | 'price_known'
  | 'price_at_most'
  | 'free'
  | 'project_each'
  | 'project_named'
  | 'project_given'

export function recipeFacts(recipe: WorkParts & Pick<Recipe, 'project'>): RecipeFact[] {
  const { operation } = recipe
  const facts: RecipeFact[] = []
  const add = (when: boolean, fact: RecipeFact) => {
    if (when) facts.push(fact)
  }
  const areSent = uploads(recipe)
  add(areSent, 'uploaded')
  add(!areSent, 'stays_here')
  add(compresses(operation), 'file_comes_back')
  add(makesTexts(operation), 'texts_come_back')
  add(operation === 'process', 'no_converted_download')
  add(operation === 'convert' && areSent, 'figures_come_back')
  add(operation === 'convert' && !areSent, 'encoded_here')
  const price = priceKind(recipe)
  facts.push(price === 'free' ? 'free' : price === 'known' ? 'price_known' : 'price_at_most')
  add(areSent && recipe.project === null, 'project_each')
  add(areSent && recipe.project?.kind === 'name', 'project_named')
  add(areSent && recipe.project?.kind === 'id', 'project_given')
  return facts
}
