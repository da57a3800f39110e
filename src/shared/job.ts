import { z } from 'zod'
import { ImageType, Operation, OutputType, Recipe } from './recipe.ts'
import { JobState, Note, Reason, ResumeState } from './reasons.ts'

/** One text per language. Both strings come from the service and are untrusted until made safe. */
export const Translation = z.object({
  languageCode: z.string().max(20),
  seoFilename: z.string().max(2000),
  seoAltText: z.string().max(10_000),
})
export type Translation = z.infer<typeof Translation>

/** A completed job as the service told it. Sizes are the service's figures; what is on this disk is in `Output`. */
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

/** `sidecar` is listed too, so that a moved or lost one is noticed. */
export const OutputRole = z.enum(['optimized', 'converted', 'sidecar'])
export type OutputRole = z.infer<typeof OutputRole>

/** A file Hangar wrote, or (planned) is about to write: path and hash are on disk before the name is taken. */
export const Output = z.object({
  role: OutputRole,
  path: z.string(),
  sha256: z.string().length(64),
  sizeBytes: z.number().int().nonnegative(),
  type: z.union([OutputType, z.literal('json')]),
  state: z.enum(['planned', 'published']),
})
export type Output = z.infer<typeof Output>

/** The file a job is about, as it was when it was taken in. */
export const Source = z.object({
  path: z.string(),
  sizeBytes: z.number().int().nonnegative(),
  /** Decimal nanoseconds since the epoch, as text: it does not fit a JSON number. */
  mtimeNs: z.string(),
})
export type Source = z.infer<typeof Source>

/** What one read through one descriptor found in it. */
export const ImageFacts = z.object({
  sha256: z.string().length(64),
  type: ImageType,
  width: z.number().int().positive(),
  height: z.number().int().positive(),
  animated: z.boolean(),
})
export type ImageFacts = z.infer<typeof ImageFacts>

/** A job as every shell sees it and as the journal keeps it. `state` decides which of the nullable parts are there. */
export const Job = z.object({
  id: z.string().length(26),
  batchId: z.string(),
  /** The watched folder it came from, if any. */
  folderId: z.string().nullable(),
  /** The folder under which the tree is kept when `output` is a folder. */
  rootDir: z.string(),
  source: Source,
  /** Null when the picture could not be taken in (too large, cut off, …). */
  image: ImageFacts.nullable(),
  recipe: Recipe,
  /** What makes two orders the same order: recipe parts that change a result or its place. */
  signature: z.string(),
  /** What is really asked for: a GIF under `process` is analyzed. Null when nothing is sent. */
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
  /** Which account's key it was sent with (a random id per account, never anything of the key). */
  accountId: z.string().nullable(),
  result: ServiceResult.nullable(),
  outputs: z.array(Output),
  /** Tries of the present step that failed; a rate limit uses up none. */
  attempts: z.number().int().nonnegative(),
  /** Unix milliseconds; null means now. */
  notBeforeMs: z.number().nullable(),
  sentAtMs: z.number().nullable(),
  /** First and last poll are the planner's business; kept so that a restart goes on. */
  polls: z.number().int().nonnegative(),
  lastPollAtMs: z.number().nullable(),
  /** A person ordered this dispatch although it may be charged again. */
  resendOrdered: z.boolean(),
  /** A person wants it done again although it is done and paid. */
  force: z.boolean(),
  /** The last dispatch of this content when that was ordered: an order does not cover what happened after it. */
  orderCovers: z.number().int().nonnegative(),
  /** Since when (Unix ms) the service says that the result's file is not there; null until it does, and after a new result. */
  missingSinceMs: z.number().nullable().default(null),
  createdAtMs: z.number(),
  updatedAtMs: z.number(),
})
export type Job = z.infer<typeof Job>
