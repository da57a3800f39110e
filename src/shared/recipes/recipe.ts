import { z } from 'zod'
import { LanguageCode } from './language.ts'
import { MAX_EDGE_PX, MAX_LANGUAGES, MAX_SIZE_KB, MAX_WIDTHS, MIN_EDGE_PX, MIN_SIZE_KB, ULID } from './limits.ts'
import { englishText } from '../sentences/english-text.ts'
import { isTemplate, MAX_TEMPLATE_CHARS, parseNameTemplate } from './name-template.ts'
import { WordRules } from './word-rules.ts'

/** What the service is asked to do with a picture (image service document, "Endpoints"). */
export const Operation = z.enum(['process', 'analyze', 'optimize', 'convert'])
export type Operation = z.infer<typeof Operation>

export const ConvertFormat = z.enum(['webp', 'avif'])
export type ConvertFormat = z.infer<typeof ConvertFormat>

/** The four upload types the image service names. */
export const UploadType = z.enum(['jpeg', 'png', 'gif', 'webp'])
export type UploadType = z.infer<typeof UploadType>

/** What is taken in: the upload types, and those that a JPEG or PNG is sent in place of. */
export const ImageType = z.enum([...UploadType.options, 'tiff', 'avif', 'heic'])
export type ImageType = z.infer<typeof ImageType>

/** The types that a watched folder takes in only by choice: other programs keep them in numbers, and it spends without being asked. */
export const ChosenType = z.enum(['tiff', 'avif', 'heic'])
export type ChosenType = z.infer<typeof ChosenType>

/** What Hangar can write: the upload types plus AVIF. */
export const OutputType = z.enum(['jpeg', 'png', 'gif', 'webp', 'avif'])
export type OutputType = z.infer<typeof OutputType>

/** The document says 10 MB without defining it; 10,485,760 bytes is the larger reading, and below it the service decides. */
export const MAX_UPLOAD_BYTES = 10_485_760

/** Size limit of a smaller copy: below both readings of 10 MB, since here the size is our choice. */
export const MAX_COPY_BYTES = 10_000_000

/** Larger files are not read at all, even where only a copy would be sent. */
export const MAX_SOURCE_BYTES = 209_715_200

export const OutputPolicy = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('beside') }),
  z.object({ kind: z.literal('replace') }),
  z.object({ kind: z.literal('folder'), dir: z.string().min(1) }),
])
export type OutputPolicy = z.infer<typeof OutputPolicy>

/** Which metadata the results keep. Coded pixels are never altered, and colour profiles that fit stay; credits do, except with `strip`. */
export const MetadataPolicy = z.enum(['keep-without-location', 'keep-all', 'strip'])
export type MetadataPolicy = z.infer<typeof MetadataPolicy>

/** How results are named: like the `original`, as the service suggests (`seo`), or by a template (`name-template.ts`). */
const Naming = z
  .string()
  .max(MAX_TEMPLATE_CHARS)
  .superRefine((naming, context) => {
    const parsed = isTemplate(naming) ? parseNameTemplate(naming) : null
    if (parsed?.ok === false) context.addIssue({ code: 'custom', message: englishText(parsed.problem) })
  })

const Project = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('id'), id: z.string().regex(ULID, 'a project id is a ULID') }),
  z.object({ kind: z.literal('name'), name: z.string().min(1).max(200) }),
])

/** Everything that decides what is done with a picture and how the results are named and placed. */
export const Recipe = z.object({
  name: z.string().min(1).max(100),
  operation: Operation,
  /** In the person's order; the first decides the SEO file name. */
  languages: z.array(LanguageCode).min(1).max(MAX_LANGUAGES),
  format: ConvertFormat,
  /** Only `convert` reads this: on this computer (free, no upload) or on the service (figures only, no file). */
  convertOn: z.enum(['here', 'service']),
  output: OutputPolicy,
  naming: Naming,
  /** An optimized file is written only when it saves more than this share of the original, 0 to 100. */
  minSavingPercent: z.number().min(0).max(100),
  /** Quality of local WebP/AVIF, 1 to 100: the value for the WebP encoder; AVIF is encoded to look about the same. */
  quality: z.number().int().min(1).max(100),
  /** Maximum of the longer side of local WebP/AVIF in pixels; null keeps the size of the picture. Nothing is enlarged. */
  longEdge: z.number().int().min(MIN_EDGE_PX).max(MAX_EDGE_PX).nullable().default(null),
  /** Additional widths in pixels, for `srcset`. Only those narrower than the converted file, or than a picture in the format, are made. */
  widths: z
    .array(z.number().int().min(MIN_EDGE_PX).max(MAX_EDGE_PX))
    .max(MAX_WIDTHS)
    .refine((widths) => new Set(widths).size === widths.length, 'each width once')
    .default([]),
  /** Of each converted file, in kilobytes of 1000 bytes; where it is larger, its quality falls to a floor (`images/fit-quality.ts`). */
  maxSizeKb: z.number().int().min(MIN_SIZE_KB).max(MAX_SIZE_KB).nullable().default(null),
  metadata: MetadataPolicy,
  project: Project.nullable(),
  /** What happens to a picture above `MAX_UPLOAD_BYTES`: it is refused with advice, or a smaller copy is sent instead. */
  oversize: z.enum(['refuse', 'downscale']).default('refuse'),
  /** Also write a converted file that is no smaller. Recipes stored before this option existed keep writing them. */
  keepLarger: z.boolean().default(true),
  /** With `replace`: also replace an original whose gain map, depth, video or other views the new file lacks. */
  replaceLosesExtras: z.boolean().default(false),
  /** Embed the alt texts of a described picture in the metadata of its results, and update them when the texts change. */
  embedTexts: z.boolean().default(false),
  /** What alt texts have to keep to. Applied when texts come; part neither of what a payment buys nor of what makes a picture done. */
  rules: WordRules.default([]),
})
export type Recipe = z.infer<typeof Recipe>

/** How files are encoded on this computer; null or false is off. Signatures, sidecars and the encoder follow from this list. */
export const ENCODING = ['quality', 'longEdge', 'maxSizeKb'] as const satisfies (keyof Recipe)[]
export type Encoding = Pick<Recipe, 'quality'> & { [Name in (typeof ENCODING)[number]]?: NonNullable<Recipe[Name]> }

/** Without what is off. */
export function encodingOf(recipe: Recipe): Encoding {
  const members = ENCODING.map((name) => [name, recipe[name]] as const)
  return Object.fromEntries(members.filter(([, value]) => (value ?? false) !== false)) as Encoding
}

export const DEFAULT_RECIPE: Recipe = {
  name: 'Web default',
  operation: 'process',
  languages: ['en'],
  format: 'webp',
  convertOn: 'here',
  output: { kind: 'beside' },
  naming: 'original',
  minSavingPercent: 0,
  quality: 80,
  longEdge: null,
  widths: [],
  maxSizeKb: null,
  metadata: 'keep-without-location',
  project: null,
  oversize: 'refuse',
  keepLarger: false,
  replaceLosesExtras: false,
  embedTexts: false,
  rules: [],
}

/**
 * What a payment buys: `service|sha256|operation|sorted,languages|format`, with `-` where a part does not matter, and `sha256+copy` (the
 * original's hash) when a copy is sent. Naming and placement are not part of it.
 */
export type PaidKey = string

/** The practice service has this id at every start, though its port changes; a real one has its origin. */
export const PRACTICE_SERVICE = 'practice'

/** The service of jobs taken in before any service was chosen; they move to the first one that is. */
export const NO_SERVICE = 'none'

/** `practice`, or the scheme, host and port of the base address. One key, one rate budget and one ledger each. */
export type ServiceId = string
