import { readFile, rm } from 'node:fs/promises'
import type { Clock, Random } from '../shared/runtime/ports.ts'
import type { Operation } from '../shared/recipes/recipe.ts'
import { inBackground } from './in-background.ts'
import { drawJobTimeMs, scheduleParts } from './job-schedule.ts'
import type { Part, PracticeJob } from './job-view.ts'
import type { PictureWork } from './picture-work.ts'
import type { JobTime } from './protocol.ts'
import type { Dispatch } from './validate-upload.ts'

/** Maximum number of jobs kept; beyond it the oldest are dropped, and polls for them answer 404. */
const KEEP_JOBS = 50_000

/** All jobs of all accounts, and the work behind them. */
export class JobBook {
  jobTime: JobTime
  readonly #clock: Clock
  readonly #random: Random
  readonly #newId: () => string
  readonly #work: PictureWork
  readonly #jobs = new Map<string, PracticeJob>()
  readonly #byImageId = new Map<string, PracticeJob>()
  readonly #underWay = new Set<Promise<unknown>>()

  constructor(deps: { clock: Clock; random: Random; newId: () => string; work: PictureWork; jobTime: JobTime }) {
    this.jobTime = deps.jobTime
    this.#clock = deps.clock
    this.#random = deps.random
    this.#newId = deps.newId
    this.#work = deps.work
  }

  get all(): readonly PracticeJob[] {
    return [...this.#jobs.values()]
  }

  find(jobId: string, accountId: string): PracticeJob | null {
    const job = this.#jobs.get(jobId)
    return job?.accountId === accountId ? job : null
  }

  findByImage(imageId: string, accountId: string): PracticeJob | null {
    const job = this.#byImageId.get(imageId)
    return job?.accountId === accountId ? job : null
  }

  /** Starts a job and its work; the upload is removed when the work has ended. */
  start(operation: Operation, dispatch: Dispatch, accountId: string, projectId: string): PracticeJob {
    const totalMs = drawJobTimeMs(this.jobTime, this.#random)
    const parts: Part[] = scheduleParts(operation, totalMs, this.#random).map((times) => ({
      ...times,
      work: { state: 'running' },
    }))
    const job: PracticeJob = {
      id: this.#newId(),
      imageId: this.#newId(),
      accountId,
      operation,
      filename: dispatch.file.filename,
      type: dispatch.type,
      sizeBytes: dispatch.file.sizeBytes,
      projectId,
      languages: dispatch.languages,
      format: dispatch.format,
      dispatchedAtMs: this.#clock.monotonicMs(),
      parts,
      failsAtMs: null,
    }
    this.#remember(job)
    this.#track(this.#workOn(job, dispatch))
    return job
  }

  forget(ids: string[]): void {
    for (const id of ids) {
      const job = this.#jobs.get(id)
      if (job) this.#byImageId.delete(job.imageId)
      this.#jobs.delete(id)
    }
  }

  /** The compressed file of a job's result; null if it is no longer kept. */
  fileOf({ path }: { path: string }): Promise<Buffer | null> {
    return readFile(path).catch(() => null)
  }

  /** Resolves when no work is under way. */
  async settle(): Promise<void> {
    while (this.#underWay.size > 0) await Promise.allSettled(this.#underWay)
  }

  #remember(job: PracticeJob): void {
    this.#jobs.set(job.id, job)
    this.#byImageId.set(job.imageId, job)
    const oldest = this.#jobs.keys().next().value
    if (this.#jobs.size > KEEP_JOBS && oldest !== undefined) this.forget([oldest])
  }

  #track(promise: Promise<unknown>): void {
    this.#underWay.add(promise)
    inBackground('job.work', () => promise.finally(() => this.#underWay.delete(promise)))
  }

  async #workOn(job: PracticeJob, { file, type, languages, format }: Dispatch): Promise<void> {
    await Promise.all(
      job.parts.map(async (part) => {
        try {
          const task = { kind: part.kind, path: file.path, sha256: file.sha256, type, filename: file.filename }
          const result = await this.#work.run({ ...task, languages, format })
          part.work = { state: 'done', result }
        } catch {
          // The documents give a failed job no reason, so the error is not reported.
          part.work = { state: 'failed' }
        }
      }),
    )
    await rm(file.path, { force: true })
  }
}
