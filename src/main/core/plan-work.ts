import { ownSentence } from '../../shared/own-sentences.ts'
import {
  MAX_SOURCE_BYTES,
  MAX_UPLOAD_BYTES,
  type ImageType,
  type Operation,
  type PaidKey,
  type Recipe,
  type ServiceId,
} from '../../shared/recipe.ts'
import { encodesHere } from '../../shared/recipe-facts.ts'
import type { FailReason, Note } from '../../shared/reasons.ts'

/** What a picture of this type needs under this recipe. */
export interface WorkPlan {
  /** The operation that is dispatched; null when everything happens on this computer. */
  send: Operation | null
  /** The service's compressed file is downloaded and written. */
  optimized: boolean
  /** WebP or AVIF is encoded here from the original's snapshot. */
  converted: boolean
  notes: Note[]
}

const note = (code: Note['code'], detail: string | null = null): Note => ({ code, detail })

/** The image service document ("POST /images/convert") gives conversion for these types only. */
const CONVERTIBLE: readonly ImageType[] = ['jpeg', 'png']

/**
 * A still picture with more is not made into AVIF here: encoding it takes 40 to 64 bytes of memory for each pixel
 * (docs/benchmarks.md). WebP takes a third.
 */
export const MAX_AVIF_PIXELS = 50_000_000

/** What a plan depends on. */
export interface PlannedImage {
  type: ImageType
  animated: boolean
  width: number
  height: number
}

/**
 * Decides what is sent and what is made here (docs/architecture.md, "What a recipe does to each type").
 * A GIF or WebP under `process` is analyzed only; a picture that already has the wanted format is not converted; an
 * animation cannot become AVIF here. `cannot` says why nothing can be done at all: also when
 * a part of it that comes after the payment could not.
 */
export function planWork(recipe: Recipe, image: PlannedImage): WorkPlan | CannotPlan {
  const plan = planFor(recipe, image)
  const pixels = image.width * image.height
  if ('cannot' in plan || !plan.converted || recipe.format !== 'avif' || pixels <= MAX_AVIF_PIXELS) return plan
  return { reason: 'too_many_pixels', cannot: ownSentence('over_avif_limit', { pixels, limit: MAX_AVIF_PIXELS }) }
}

export interface CannotPlan {
  reason: FailReason
  /** One of Hangar's own sentences. */
  cannot: string
}

function planFor(recipe: Recipe, image: PlannedImage): WorkPlan | CannotPlan {
  const { operation, format } = recipe
  const convertible = CONVERTIBLE.includes(image.type)
  const localConversion = conversionHere(format, image)
  switch (operation) {
    case 'analyze':
      return { send: 'analyze', optimized: false, converted: false, notes: [] }
    case 'optimize':
      return { send: 'optimize', optimized: true, converted: false, notes: [] }
    case 'process':
      if (convertible) return { send: 'process', optimized: true, converted: true, notes: [] }
      return {
        send: 'analyze',
        optimized: false,
        converted: localConversion.possible,
        notes: [note('analyzed_only', image.type), ...localConversion.notes],
      }
    case 'convert':
      if (recipe.convertOn === 'service') {
        if (!convertible)
          return { reason: 'wrong_type', cannot: ownSentence('service_converts', { type: image.type.toUpperCase() }) }
        return { send: 'convert', optimized: false, converted: false, notes: [note('figures_only')] }
      }
      return { send: null, optimized: false, converted: localConversion.possible, notes: localConversion.notes }
  }
}

function conversionHere(format: Recipe['format'], image: PlannedImage): { possible: boolean; notes: Note[] } {
  if (image.type === format) return { possible: false, notes: [note('nothing_to_convert', format)] }
  if (!image.animated) return { possible: true, notes: [] }
  if (format === 'avif') return { possible: false, notes: [note('nothing_to_convert', 'animation')] }
  return { possible: true, notes: [note('animation_kept')] }
}

/** How large a file may be to be taken in under this recipe. */
export function maxSourceBytes(recipe: Recipe): number {
  return recipe.oversize === 'downscale' ? MAX_SOURCE_BYTES : MAX_UPLOAD_BYTES
}

/** Whether what is sent of a file of this size is not the file itself but a smaller copy of it. */
export function sendsCopy(recipe: Recipe, sizeBytes: number): boolean {
  const sendsNothing = recipe.operation === 'convert' && recipe.convertOn === 'here'
  return recipe.oversize === 'downscale' && sizeBytes > MAX_UPLOAD_BYTES && !sendsNothing
}

/** See `PaidKey`. Languages count as a set; parts that the operation does not use are `-`. */
export function paidKeyOf(
  serviceId: ServiceId,
  source: { sha256: string; sizeBytes: number },
  send: Operation,
  recipe: Recipe,
): PaidKey {
  const speaks = send === 'process' || send === 'analyze'
  const converts = send === 'process' || send === 'convert'
  const languages = speaks ? [...new Set(recipe.languages)].sort().join(',') : '-'
  const content = sendsCopy(recipe, source.sizeBytes) ? `${source.sha256}+copy` : source.sha256
  return [serviceId, content, send, languages, converts ? recipe.format : '-'].join('|')
}

/**
 * What makes an order the same order: two recipes with the same signature leave the same files behind. The name of the
 * recipe and the project are not part of it; the first language is, because it names the files. That a copy is sent is
 * only part of it where one is, for a file of `sizeBytes`.
 */
export function recipeSignature(recipe: Recipe, sizeBytes: number): string {
  const { operation, languages, format, convertOn, output, naming, minSavingPercent, quality, metadata } = recipe
  const place = output.kind === 'folder' ? `folder:${output.dir}` : output.kind
  const sorted = [...new Set(languages)].sort()
  const first = naming === 'seo' ? languages[0] : '-'
  return JSON.stringify([
    operation,
    sorted,
    first,
    format,
    convertOn,
    place,
    naming,
    minSavingPercent,
    quality,
    metadata,
    ...(sendsCopy(recipe, sizeBytes) ? ['copy'] : []),
    // Only said where it makes a difference, so that orders of before are still the same.
    ...(recipe.keepLarger || !encodesHere(recipe) ? [] : ['smaller only']),
  ])
}
