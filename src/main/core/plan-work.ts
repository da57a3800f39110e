import { namesUse } from '../../shared/recipes/name-template.ts'
import { say, type Sentence } from '../../shared/sentences/sentence.ts'
import { MAX_SOURCE_BYTES, MAX_UPLOAD_BYTES, encodingOf } from '../../shared/recipes/recipe.ts'
import type { ImageType, Operation, PaidKey, Recipe, ServiceId, UploadType } from '../../shared/recipes/recipe.ts'
import { embedsTexts, encodesHere, uploads } from '../../shared/recipes/recipe-facts.ts'
import { variantWidths } from '../../shared/recipes/scaled-size.ts'
import type { FailReason, Note } from '../../shared/sentences/reasons.ts'
import type { ImageFacts, Job } from '../../shared/jobs/job.ts'

/** What a recipe means for a picture. */
export interface WorkPlan {
  /** The operation that is dispatched; null when everything happens on this computer. */
  send: Operation | null
  /** The service's compressed file is downloaded and written. */
  optimized: boolean
  /** WebP or AVIF is encoded here from the original's snapshot. */
  converted: boolean
  /** Widths in pixels at which it is encoded here as well, widest first. */
  widths: number[]
  notes: Note[]
}

const note = (code: Note['code'], detail: string | null = null): Note => ({ code, detail })

/** The least calls: dispatch, one poll, and a download where there is one (docs/decisions/0015-calls-of-each-operation.md). */
export const CALLS: Readonly<Record<Operation, 2 | 3>> = { process: 3, optimize: 3, analyze: 2, convert: 2 }

/** The image service document ("POST /images/convert") gives conversion for these types only. */
const CONVERTIBLE: readonly ImageType[] = ['jpeg', 'png']
/** Of a TIFF or HEIC a smaller file is made of the JPEG or PNG that is sent; what the service could give for an AVIF is larger. */
const COMPRESSIBLE: readonly ImageType[] = [...CONVERTIBLE, 'tiff', 'heic']

/** Larger still pictures are not encoded as AVIF: that takes 40 to 64 bytes of memory per pixel (bench/results/memory.md). */
export const MAX_AVIF_PIXELS = 50_000_000

/** The longest side that WebP can express (VP8 bitstream guide, "Frame Header"); the AVIF encoder's limit is one more. */
const MAX_SIDE = 16_383

const FORMAT_NAMES: Readonly<Record<Recipe['format'], string>> = { webp: 'WebP', avif: 'AVIF' }

/** What a plan depends on. */
export type PlannedImage = Pick<ImageFacts, 'type' | 'animated' | 'width' | 'height'>

/**
 * Decides what is sent and what is made here (docs/pictures.md, "What a recipe does to each type"). `cannot`: nothing is done, also if only a
 * step after the payment would fail.
 */
export function planWork(recipe: Recipe, image: PlannedImage): WorkPlan | CannotPlan {
  const made = planFor(recipe, image)
  if ('cannot' in made) return made
  const plan = { ...made, widths: widthsHere(recipe, image) }
  if (!plan.converted) return plan
  const side = Math.min(Math.max(image.width, image.height), recipe.longEdge ?? Infinity)
  const format = FORMAT_NAMES[recipe.format]
  if (side > MAX_SIDE)
    return { reason: 'too_many_pixels', cannot: say('over_side_limit', { side, format, limit: MAX_SIDE }) }
  const pixels = image.width * image.height
  if (recipe.format !== 'avif' || pixels <= MAX_AVIF_PIXELS) return plan
  return { reason: 'too_many_pixels', cannot: say('over_avif_limit', { pixels, limit: MAX_AVIF_PIXELS }) }
}

interface CannotPlan {
  reason: FailReason
  cannot: Sentence
}

/** Variants are made even of a picture that has the format already, since a page needs them too. No AVIF of an animation. */
function widthsHere(recipe: Recipe, image: PlannedImage): number[] {
  if (!encodesHere(recipe) || (image.animated && recipe.format === 'avif')) return []
  return variantWidths(image, recipe)
}

function planFor(recipe: Recipe, image: PlannedImage): Omit<WorkPlan, 'widths'> | CannotPlan {
  const { operation, format } = recipe
  const localConversion = conversionHere(format, image)
  switch (operation) {
    case 'analyze':
      return { send: 'analyze', optimized: false, converted: false, notes: [] }
    case 'optimize':
      if (image.type === 'avif') return { send: null, optimized: false, converted: false, notes: [] }
      return {
        send: 'optimize',
        optimized: true,
        converted: false,
        notes: image.animated ? [note('animation_may_be_lost')] : [],
      }
    case 'process':
      if (COMPRESSIBLE.includes(image.type)) return { send: 'process', optimized: true, converted: true, notes: [] }
      return {
        send: 'analyze',
        optimized: false,
        converted: localConversion.possible,
        notes: [note('analyzed_only', image.type), ...localConversion.notes],
      }
    case 'convert':
      if (recipe.convertOn === 'service') {
        if (!CONVERTIBLE.includes(image.type))
          return { reason: 'wrong_type', cannot: say('service_converts', { type: image.type.toUpperCase() }) }
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

export function makesNothing({ send, converted, widths }: WorkPlan): boolean {
  return send === null && !converted && widths.length === 0
}

/** Why a plan makes nothing, as a sentence. */
export function whyNothing({ operation, format }: Recipe, image: PlannedImage): Sentence {
  if (operation === 'optimize') return say('avif_is_smallest')
  return image.type === format
    ? say('has_wanted_format', { format: FORMAT_NAMES[format] })
    : say('no_avif_of_animation')
}

/** The largest file that this recipe takes in, of a type that the service takes. */
export function maxSourceBytes(recipe: Recipe): number {
  return recipe.oversize === 'downscale' ? MAX_SOURCE_BYTES : MAX_UPLOAD_BYTES
}

/** Whether the service takes no file of this type, and gets a JPEG or PNG. */
export const isSentConverted = (type: ImageType): type is Exclude<ImageType, UploadType> =>
  type === 'tiff' || type === 'avif' || type === 'heic'

/** The type of the file that is sent, and so of the compressed file. */
export function uploadTypeOf({ type, transparent }: Pick<ImageFacts, 'type' | 'transparent'>): UploadType {
  if (!isSentConverted(type)) return type
  return transparent === true ? 'png' : 'jpeg'
}

/** Whether a copy is sent in place of a file of this type and size. */
export function sendsCopy(recipe: Recipe, type: ImageType, sizeBytes: number): boolean {
  return uploads(recipe) && (isSentConverted(type) || isSentSmaller(recipe, sizeBytes))
}

/** Whether what is sent of a file of this size may have fewer pixels. */
export function isSentSmaller(recipe: Recipe, sizeBytes: number): boolean {
  return recipe.oversize === 'downscale' && sizeBytes > MAX_UPLOAD_BYTES && uploads(recipe)
}

/** A copy never replaces the original: pixels would be lost that nobody meant to give up, or another type have its name. */
export function wantsReplace({ recipe, image, source }: Job): boolean {
  return recipe.output.kind === 'replace' && !(image !== null && sendsCopy(recipe, image.type, source.sizeBytes))
}

/** See `PaidKey`. Languages count as a set; parts that the operation does not use are `-`. */
export function paidKeyOf(
  serviceId: ServiceId,
  source: { sha256: string; type: ImageType; sizeBytes: number },
  send: Operation,
  recipe: Recipe,
): PaidKey {
  const speaks = send === 'process' || send === 'analyze'
  const converts = send === 'process' || send === 'convert'
  const languages = speaks ? [...new Set(recipe.languages)].sort().join(',') : '-'
  const content = sendsCopy(recipe, source.type, source.sizeBytes) ? `${source.sha256}+copy` : source.sha256
  return [serviceId, content, send, languages, converts ? recipe.format : '-'].join('|')
}

/** Two recipes with the same signature produce the same files, for one of `sizeBytes` that may be sent with fewer pixels. */
export function recipeSignature(recipe: Recipe, sizeBytes: number): string {
  const { operation, languages, format, convertOn, output, naming, minSavingPercent, metadata } = recipe
  const { quality, ...encoding } = encodingOf(recipe)
  const place = output.kind === 'folder' ? `folder:${output.dir}` : output.kind
  const sorted = [...new Set(languages)].sort()
  const first = namesFollowLanguage(recipe) ? languages[0] : '-'
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
    ...(encodesHere(recipe) ? Object.entries(encoding).map((option) => option.join(' ')) : []),
    ...(isSentSmaller(recipe, sizeBytes) ? ['copy'] : []),
    ...(recipe.keepLarger || !encodesHere(recipe) ? [] : ['smaller only']),
    ...(recipe.widths.length === 0 || !encodesHere(recipe) ? [] : [`widths ${sortedWidths(recipe)}`]),
    ...(recipe.replaceLosesExtras && output.kind === 'replace' ? ['replace whatever is lost'] : []),
    ...(embedsTexts(recipe) ? ['texts inside'] : []),
  ])
}

/** The first language decides how files are called. */
export const namesFollowLanguage = ({ naming }: Pick<Recipe, 'naming'>): boolean =>
  namesUse(naming, 'seo') || namesUse(naming, 'lang')

const sortedWidths = ({ widths }: Recipe): string => widths.toSorted((a, b) => a - b).join(',')

/** Whether the job's results include the service's compressed file. */
export function needsDownload(job: Job): boolean {
  if (job.image === null || job.paidKey === null) return false
  const plan = planWork(job.recipe, job.image)
  return !('cannot' in plan) && plan.optimized
}

/** Total calls that a picture takes; jobs that are not sent take none and must not be passed in. */
export function callsOf({ operation }: Job): number {
  return operation === null ? 0 : CALLS[operation]
}
