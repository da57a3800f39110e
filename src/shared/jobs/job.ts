import { z } from 'zod'
import { ImageType, Operation, OutputType, Recipe } from '../recipes/recipe.ts'
import { JobState, Note, Reason, ResumeState } from '../sentences/reasons.ts'

/** One text per language. Both strings come from the service and are untrusted until sanitised. */
export const Translation = z.object({
  languageCode: z.string().max(20),
  seoFilename: z.string().max(2000),
  seoAltText: z.string().max(10_000),
})
export type Translation = z.infer<typeof Translation>

/** The service's answer for a completed job. Sizes are the service's figures; those of the files on disk are in `Output`. */
export const ServiceResult = z.object({
  imageId: z.string().min(1).max(200),
  originalSize: z.number().nullable(),
  optimizedSize: z.number().nullable(),
  convertedFormat: z.string().nullable(),
  convertedSize: z.number().nullable(),
  compressionPercentage: z.number().nullable(),
  translations: z.array(Translation),
})
export type ServiceResult = z.infer<typeof ServiceResult>

/** `variant`: converted at one of the recipe's widths. `sidecar` is listed too, so that a moved or lost one is noticed. */
export const OutputRole = z.enum(['optimized', 'converted', 'variant', 'sidecar'])
export type OutputRole = z.infer<typeof OutputRole>

/** An alt text in one language (BCP 47), or `x-default`. */
export const AltText = z.object({ language: z.string().max(100), text: z.string().max(10_000) })
export type AltText = z.infer<typeof AltText>

/** What decides which texts a file carries: the original's own, and the languages whose text reveals a place that the recipe removes. */
export const EmbeddedTexts = z.object({ own: z.array(AltText), withheld: z.array(z.string()) })
export type EmbeddedTexts = z.infer<typeof EmbeddedTexts>

/** A file that Hangar wrote, or (`planned`) is about to write: path and hash are in the journal before the file gets its name. */
export const Output = z.object({
  role: OutputRole,
  path: z.string(),
  sha256: z.string().length(64),
  sizeBytes: z.number().int().nonnegative(),
  type: z.union([OutputType, z.literal('json')]),
  state: z.enum(['planned', 'published']),
  /** Only for a file that embeds its alt texts: it is updated when they change. */
  texts: EmbeddedTexts.optional(),
  /** In pixels, for files encoded on this computer. */
  width: z.number().int().positive().optional(),
  height: z.number().int().positive().optional(),
})
export type Output = z.infer<typeof Output>

/** The original of a job, as it was when it was taken in. */
const Source = z.object({
  path: z.string(),
  sizeBytes: z.number().int().nonnegative(),
  /** Decimal nanoseconds since the epoch, as text: it does not fit a JSON number. */
  mtimeNs: z.string(),
})
type Source = z.infer<typeof Source>

/** Data in a file beyond the picture that every program shows. `other_views` were taken with it; `live_photo`: the link to its video. */
export const Extra = z.enum(['gain_map', 'depth', 'motion', 'other_views', 'live_photo', 'other_data'])
export type Extra = z.infer<typeof Extra>

const LocalTime = z.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/)

/** Facts of a picture, all from one read through one file descriptor. */
export const ImageFacts = z.object({
  sha256: z.string().length(64),
  type: ImageType,
  width: z.number().int().positive(),
  height: z.number().int().positive(),
  animated: z.boolean(),
  /** As many as are played; 1 for a still picture. */
  frames: z.number().int().positive(),
  extras: z.array(Extra),
  /** When it was taken, by its camera's clock (`YYYY-MM-DDTHH:mm:ss`); absent where it does not say. */
  takenAt: LocalTime.optional(),
  /** Of a type that the service does not take: whether any of it can be seen through. */
  transparent: z.boolean().optional(),
})
export type ImageFacts = z.infer<typeof ImageFacts>

/** A job as every shell sees it and as the journal stores it. `state` decides which of the nullable members are set. */
export const Job = z.object({
  id: z.string().length(26),
  batchId: z.string(),
  /** The watched folder it came from, if any. */
  folderId: z.string().nullable(),
  /** The folder whose tree is mirrored when `output` is a folder. */
  rootDir: z.string(),
  source: Source,
  /** Null when the picture could not be taken in (too large, cut off, …). */
  image: ImageFacts.nullable(),
  recipe: Recipe,
  /** The recipe parts that change a result or its place: two jobs of one content with equal signatures ask for the same work. */
  signature: z.string(),
  /** The operation that is really requested: a GIF under `process` is analyzed. Null when nothing is sent. */
  operation: Operation.nullable(),
  serviceId: z.string(),
  /** Null when nothing is sent. */
  paidKey: z.string().nullable(),
  state: JobState,
  resume: ResumeState.nullable(),
  reason: Reason.nullable(),
  notes: z.array(Note),
  /** The service's job id, from the dispatch answer. */
  remoteJobId: z.string().nullable(),
  /** The account whose key it was sent with (a random id per account, never derived from the key). */
  accountId: z.string().nullable(),
  result: ServiceResult.nullable(),
  outputs: z.array(Output),
  /** Failed attempts of the current step; a rate limit does not count as one. */
  attempts: z.number().int().nonnegative(),
  /** Those in which the service gave something else than what was asked for. */
  oddAnswers: z.number().int().nonnegative(),
  /** Failed attempts to write the results, over all their fetches: each try fetches again, and a fetch that works resets `attempts`. */
  writeAttempts: z.number().int().nonnegative(),
  /** Earliest time of the next step in Unix milliseconds; null means now. */
  notBeforeMs: z.number().nullable(),
  sentAtMs: z.number().nullable(),
  /** Number of polls so far, stored so that the poll schedule continues after a restart. */
  polls: z.number().int().nonnegative(),
  lastPollAtMs: z.number().nullable(),
  /** A person approved this dispatch although it may be charged again. */
  resendApproved: z.boolean(),
  /** A person asked to process it again although it is done and paid. */
  force: z.boolean(),
  /** The last dispatch of this content when that was approved: the approval does not cover later dispatches. */
  approvalCovers: z.number().int().nonnegative(),
  /** Since when the service has reported the result's file as missing; null until it does, and after a new result. */
  missingSinceMs: z.number().nullable(),
  /** Of a picture that was done before: its sidecar says that it is decoration. A mark in the journal takes precedence. */
  decorative: z.boolean().optional(),
  /** What a template for names needs and only intake knows; absent where the template uses neither. */
  named: z.object({ number: z.number().int().positive().nullable(), date: LocalTime.nullable() }).optional(),
  createdAtMs: z.number(),
  updatedAtMs: z.number(),
})
export type Job = z.infer<typeof Job>
