import { assertNever } from '../shared/sentences/errors.ts'
import type { ConvertFormat, UploadType, Operation } from '../shared/recipes/recipe.ts'
import type { PartKind, PartTimes } from './job-schedule.ts'
import { NO_TRANSLATIONS_YET, NOT_YET } from './not-shown.ts'

export interface PracticeTranslation {
  language_code: string
  seo_filename: string
  seo_alt_text: string
}

export type PartResult =
  | { kind: 'analyze'; translations: PracticeTranslation[] }
  | { kind: 'optimize'; sizeBytes: number; path: string }
  | { kind: 'convert'; sizeBytes: number }

/** The real work of a part runs in parallel with its simulated duration; the part ends when both have. */
type Work = { state: 'running' } | { state: 'failed' } | { state: 'done'; result: PartResult }

export interface Part extends PartTimes {
  work: Work
}

/** One dispatched job. Times are monotonic milliseconds; the status follows from them and is stored nowhere. */
export interface PracticeJob {
  id: string
  imageId: string
  accountId: string
  operation: Operation
  filename: string
  type: UploadType
  sizeBytes: number
  projectId: string
  languages: string[]
  format: ConvertFormat
  dispatchedAtMs: number
  parts: Part[]
  /** Made to fail this many milliseconds after dispatch. */
  failsAtMs: number | null
}

/** Image service document, "States and transitions". */
type JobStatus = 'pending' | 'analyzing' | 'optimizing' | 'converting' | 'completed' | 'failed'

function runningStatus(kind: PartKind): JobStatus {
  switch (kind) {
    case 'analyze':
      return 'analyzing'
    case 'optimize':
      return 'optimizing'
    case 'convert':
      return 'converting'
    default:
      return assertNever(kind)
  }
}

export function jobStatus(job: PracticeJob, nowMs: number): JobStatus {
  const sinceMs = nowMs - job.dispatchedAtMs
  const ended = job.parts.filter((part) => sinceMs >= part.endsAtMs && part.work.state !== 'running')
  if (job.failsAtMs !== null && sinceMs >= job.failsAtMs) return 'failed'
  if (ended.some((part) => part.work.state === 'failed')) return 'failed'
  if (ended.length === job.parts.length) return 'completed'
  let status: JobStatus = 'pending'
  let setAtMs = -1
  for (const part of job.parts) {
    for (const atMs of part.setsAtMs) {
      if (atMs <= sinceMs && atMs > setAtMs) {
        status = runningStatus(part.kind)
        setAtMs = atMs
      }
    }
  }
  return status
}

/** The result of one part, once that part has succeeded and the job has not failed. */
export function partResult<Kind extends PartKind>(
  job: PracticeJob,
  kind: Kind,
  nowMs: number,
): Extract<PartResult, { kind: Kind }> | null {
  if (jobStatus(job, nowMs) === 'failed') return null
  const part = job.parts.find((candidate) => candidate.kind === kind)
  if (!part || part.work.state !== 'done' || nowMs - job.dispatchedAtMs < part.endsAtMs) return null
  return part.work.result as Extract<PartResult, { kind: Kind }>
}

/** Percentage saved by compression, as a whole number (image service document, "Image"). */
function savedPercent(originalBytes: number, optimizedBytes: number): number {
  return Math.max(0, Math.round((1 - optimizedBytes / originalBytes) * 100))
}

/** The `data` of `GET /jobs/{id}` (image service document, "Job", "Image" and "Translation"). */
export function jobView(job: PracticeJob, nowMs: number): object {
  const status = jobStatus(job, nowMs)
  const optimized = partResult(job, 'optimize', nowMs)
  const converted = partResult(job, 'convert', nowMs)
  return {
    job_id: job.id,
    status,
    image: {
      id: job.imageId,
      status,
      original_filename: job.filename,
      original_size: job.sizeBytes,
      optimized_size: optimized?.sizeBytes ?? NOT_YET,
      converted_format: converted ? job.format : NOT_YET,
      converted_size: converted?.sizeBytes ?? NOT_YET,
      compression_percentage: optimized ? savedPercent(job.sizeBytes, optimized.sizeBytes) : NOT_YET,
      translations: partResult(job, 'analyze', nowMs)?.translations ?? NO_TRANSLATIONS_YET,
    },
  }
}
