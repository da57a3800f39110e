import { rm } from 'node:fs/promises'
import type { Clock, Random } from '../shared/runtime/ports.ts'
import type { ConvertFormat, UploadType, Operation } from '../shared/recipes/recipe.ts'
import { inBackground } from './in-background.ts'
import { NO_TRANSLATIONS_YET, NOT_YET } from './not-shown.ts'
import type { PartKind, PartResult, PictureWork, Upload } from './picture-work.ts'
import type { JobTime } from './protocol.ts'
import { normal } from './seeded-random.ts'

/** When one of the concurrent jobs sets its status and when it ends, in milliseconds after dispatch. */
interface PartTimes {
  kind: PartKind
  setsAtMs: number[]
  endsAtMs: number
}

/** The real work of a part runs in parallel with its simulated duration; the part ends when both have. */
interface Part extends PartTimes {
  work: { state: 'running' } | { state: 'failed' } | { state: 'done'; result: PartResult }
}

/** One dispatched job. Times are monotonic milliseconds; the status follows from them and is stored nowhere. */
interface PracticeJob {
  id: string
  imageId: string
  accountId: string
  operation: Operation
  filename: string
  type: UploadType
  sizeBytes: number
  format: ConvertFormat
  dispatchedAtMs: number
  parts: Part[]
  /** Made to fail this many milliseconds after dispatch. */
  failsAtMs: number | null
}

const PARTS: Record<Operation, readonly PartKind[]> = {
  process: ['analyze', 'optimize', 'convert'],
  analyze: ['analyze'],
  optimize: ['optimize'],
  convert: ['convert'],
}

const RUNNING = { analyze: 'analyzing', optimize: 'optimizing', convert: 'converting' } as const

/**
 * Lays out the concurrent jobs of one dispatch so that the last ends after exactly `totalMs` (image service document, "States and transitions",
 * rule 3). Each sets the status when it starts and perhaps later, so the intermediate values come in any order.
 */
function scheduleParts(operation: Operation, totalMs: number, random: Random): PartTimes[] {
  const kinds = PARTS[operation]
  const last = Math.floor(random() * kinds.length)
  return kinds.map((kind, index) => {
    const endsAtMs = index === last ? totalMs : totalMs * (0.3 + 0.7 * random())
    const startsAtMs = endsAtMs * (0.02 + 0.3 * random())
    const setsAtMs = [startsAtMs]
    if (kinds.length > 1 && random() < 0.5) setsAtMs.push(startsAtMs + (endsAtMs - startsAtMs) * random())
    return { kind, setsAtMs, endsAtMs }
  })
}

/** Image service document, "States and transitions". */
function jobStatus(job: PracticeJob, nowMs: number): string {
  const sinceMs = nowMs - job.dispatchedAtMs
  const ended = job.parts.filter((part) => sinceMs >= part.endsAtMs && part.work.state !== 'running')
  if (job.failsAtMs !== null && sinceMs >= job.failsAtMs) return 'failed'
  if (ended.some((part) => part.work.state === 'failed')) return 'failed'
  if (ended.length === job.parts.length) return 'completed'
  const sets = job.parts.flatMap(({ kind, setsAtMs }) => setsAtMs.map((atMs) => ({ kind, atMs })))
  const [latest] = sets.filter(({ atMs }) => atMs <= sinceMs).sort((one, other) => other.atMs - one.atMs)
  return latest === undefined ? 'pending' : RUNNING[latest.kind]
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
      compression_percentage: optimized ? Math.round((1 - optimized.sizeBytes / job.sizeBytes) * 100) : NOT_YET,
      translations: partResult(job, 'analyze', nowMs)?.translations ?? NO_TRANSLATIONS_YET,
    },
  }
}

/** Maximum number of jobs kept; beyond it the oldest are dropped, and polls for them answer 404. */
const KEEP_JOBS = 50_000

interface JobBookDeps {
  clock: Clock
  random: Random
  newId: () => string
  work: PictureWork
  jobTime: JobTime
}

/** All jobs of all accounts, and the work behind them. */
export class JobBook {
  jobTime: JobTime
  readonly #deps: JobBookDeps
  readonly #jobs = new Map<string, PracticeJob>()
  readonly #byImageId = new Map<string, PracticeJob>()
  readonly #underWay = new Set<Promise<unknown>>()

  constructor(deps: JobBookDeps) {
    this.jobTime = deps.jobTime
    this.#deps = deps
  }

  get all(): readonly PracticeJob[] {
    return [...this.#jobs.values()]
  }

  /** By the id of a job or of its image, of the account that dispatched it. */
  find(by: 'job' | 'image', id: string, { id: accountId }: { id: string }): PracticeJob | null {
    const job = (by === 'job' ? this.#jobs : this.#byImageId).get(id)
    return job?.accountId === accountId ? job : null
  }

  /** Starts a job and its work; the upload is removed when the work has ended. */
  start(operation: Operation, upload: Upload, accountId: string): PracticeJob {
    const { clock, random, newId } = this.#deps
    const { jobTime } = this
    const totalMs = jobTime.kind === 'fixed' ? jobTime.ms : jobTime.medianMs * Math.exp(jobTime.sigma * normal(random))
    const { file, type, format } = upload
    const job: PracticeJob = {
      id: newId(),
      imageId: newId(),
      accountId,
      operation,
      filename: file.filename,
      type,
      sizeBytes: file.sizeBytes,
      format,
      dispatchedAtMs: clock.monotonicMs(),
      parts: scheduleParts(operation, totalMs, random).map((times) => ({ ...times, work: { state: 'running' } })),
      failsAtMs: null,
    }
    this.#jobs.set(job.id, job)
    this.#byImageId.set(job.imageId, job)
    const [oldest] = this.#jobs.keys()
    if (this.#jobs.size > KEEP_JOBS && oldest !== undefined) this.forget([oldest])
    const working = this.#workOn(job, upload)
    this.#underWay.add(working)
    inBackground('job.work', () => working.finally(() => this.#underWay.delete(working)))
    return job
  }

  forget(ids: string[]): void {
    for (const id of ids) {
      const job = this.#jobs.get(id)
      if (job) this.#byImageId.delete(job.imageId)
      this.#jobs.delete(id)
    }
  }

  /** Resolves when no work is under way. */
  async settle(): Promise<void> {
    while (this.#underWay.size > 0) await Promise.allSettled(this.#underWay)
  }

  async #workOn(job: PracticeJob, upload: Upload): Promise<void> {
    await Promise.all(
      job.parts.map(async (part) => {
        try {
          part.work = { state: 'done', result: await this.#deps.work.run(part.kind, upload) }
        } catch {
          // The documents give a failed job no reason, so the error is not reported.
          part.work = { state: 'failed' }
        }
      }),
    )
    await rm(upload.file.path, { force: true })
  }
}
