import type { Affordability } from '../../shared/contract/credits.ts'
import type { ServiceResult } from '../../shared/jobs/job.ts'
import type { Language } from '../../shared/recipes/language.ts'
import type { ConvertFormat, Operation, Recipe } from '../../shared/recipes/recipe.ts'
import type { Answer } from './answer.ts'
import type { AffordQuestion } from './spend-guard.ts'

/** A slot of the key's rate budget. Exactly one of `answered` and `rateLimited` is called, once the outcome is certain. */
export interface Slot {
  /** Whether a call may still leave with it; absent if it may at any time. */
  isCurrent?(): boolean
  answered(): void
  rateLimited(retryAfterMs: number | null): void
}

/** A slot that may still be given back, because no call was made with it. */
export interface TakenSlot extends Slot {
  unused(): void
}

export interface CallOptions {
  slot: Slot
  signal: AbortSignal
}

/** A job as the service reports it (image service document, "Job" and "Image"). What is absent or of another type is null. */
export interface RemoteJob {
  jobId: string
  /** The only thing that decides; see `readJobStatus`. */
  status: string
  image: RemoteImage | null
}

/** Translations without a language or without any text are left out; texts beyond our limits are truncated. */
export interface RemoteImage extends Omit<ServiceResult, 'imageId'> {
  id: string | null
}

export interface DispatchRequest {
  operation: Operation
  bytes: Uint8Array
  filename: string
  contentType: string
  languages: string[]
  format: ConvertFormat
  project: Recipe['project']
}

/** Of the service itself, of the storage it redirected to, or a redirect that is not followed. */
export type DownloadAnswer = { from: 'service' | 'storage'; answer: Answer<null> } | { from: 'redirect' }

/** Calls use up their slot in any case, and reject only before anything was sent, with `AppError`, or as the `sink` of `optimized` did. */
export interface ImageService {
  dispatch(request: DispatchRequest, options: CallOptions): Promise<Answer<{ jobId: string }>>
  job(id: string, options: CallOptions): Promise<Answer<RemoteJob>>
  /** Streams the file. `ok`: the body is complete as far as HTTP can tell. The slot is released with the service's own answer. */
  optimized(imageId: string, sink: (chunk: Uint8Array) => Promise<void>, options: CallOptions): Promise<DownloadAnswer>
  balance(options: CallOptions): Promise<Answer<number>>
  afford(request: AffordQuestion, options: CallOptions): Promise<Answer<Affordability>>
  /** Needs neither key nor slot. */
  languages(options: { signal: AbortSignal }): Promise<Answer<Language[]>>
}
