import { z } from 'zod'

/** What the service is asked to do with a picture (image service document, "Endpoints"). */
export const Operation = z.enum(['process', 'analyze', 'optimize', 'convert'])
export type Operation = z.infer<typeof Operation>

export const ConvertFormat = z.enum(['webp', 'avif'])
export type ConvertFormat = z.infer<typeof ConvertFormat>

/** The four upload types the image service names; everything else is ignored or refused here. */
export const ImageType = z.enum(['jpeg', 'png', 'gif', 'webp'])
export type ImageType = z.infer<typeof ImageType>

/** What Hangar can write: the upload types plus AVIF. */
export const OutputType = z.enum(['jpeg', 'png', 'gif', 'webp', 'avif'])
export type OutputType = z.infer<typeof OutputType>

/** The document gives 10 MB without saying which; 10,485,760 bytes is the larger reading, the service decides below it. */
export const MAX_UPLOAD_BYTES = 10_485_760

/**
 * What a smaller copy is made to fit: under both readings of 10 MB, since here the size is ours to choose.
 */
export const MAX_COPY_BYTES = 10_000_000

/** Larger files are not read at all, also where only a smaller copy of them would be sent. */
export const MAX_SOURCE_BYTES = 209_715_200

/** Our own bound: the document limits languages for `/credits/afford` (1 to 10) and says nothing for uploads. */
export const MAX_LANGUAGES = 10

/** ISO 639-1, lower case. Whether the service knows the language is checked against `GET /languages`. */
export const LanguageCode = z.string().regex(/^[a-z]{2}$/, 'a language is a two-letter ISO 639-1 code such as "en"')

export const OutputPolicy = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('beside') }),
  z.object({ kind: z.literal('replace') }),
  z.object({ kind: z.literal('folder'), dir: z.string().min(1) }),
])
export type OutputPolicy = z.infer<typeof OutputPolicy>

/** What local conversion keeps of the original's metadata. Downloaded bytes are never altered. */
export const MetadataPolicy = z.enum(['keep-without-location', 'keep-all', 'strip'])
export type MetadataPolicy = z.infer<typeof MetadataPolicy>

export const Project = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('id'), id: z.string().regex(/^[0-9A-HJKMNP-TV-Z]{26}$/i, 'a project id is a ULID') }),
  z.object({ kind: z.literal('name'), name: z.string().min(1).max(200) }),
])

/** Everything that decides what is done to a picture and how the results are named and placed. */
export const Recipe = z.object({
  name: z.string().min(1).max(100),
  operation: Operation,
  /** In the order a person gave; the first decides the SEO file name. */
  languages: z.array(LanguageCode).min(1).max(MAX_LANGUAGES),
  format: ConvertFormat,
  /** Only `convert` reads this: on this computer (free, no upload) or on the service (figures only, no file). */
  convertOn: z.enum(['here', 'service']),
  output: OutputPolicy,
  naming: z.enum(['original', 'seo']),
  /** An optimized file is written only when it saves more than this share of the original, 0 to 100. */
  minSavingPercent: z.number().min(0).max(100),
  /** Encoder quality for local WebP/AVIF, 1 to 100. */
  quality: z.number().int().min(1).max(100),
  metadata: MetadataPolicy,
  project: Project.nullable(),
  /** A picture over `MAX_UPLOAD_BYTES`: refused with what to do, or a smaller copy of it is sent instead. */
  oversize: z.enum(['refuse', 'downscale']).default('refuse'),
  /** A converted file is written also when it is no smaller than the compressed one, or else the original. */
  keepLarger: z.boolean().default(true),
})
export type Recipe = z.infer<typeof Recipe>

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
  metadata: 'keep-without-location',
  project: null,
  oversize: 'refuse',
  keepLarger: true,
}

/**
 * What a payment buys: `service|sha256|operation|sorted,languages|format`, with `-` where a part does not matter to the
 * operation, and `sha256+copy` (the original's hash) when a smaller copy is sent. Naming and place are not part of it, so
 * changing them is free.
 */
export type PaidKey = string

/** The practice service has this id at every start, though its port changes; a real one has its origin. */
export const PRACTICE_SERVICE = 'practice'

/** What is taken in before any service was chosen is for this one, and moves to the first that is. */
export const NO_SERVICE = 'none'

/** `practice`, or the scheme, host and port of the base address. One key, one rate budget and one ledger each. */
export type ServiceId = string
