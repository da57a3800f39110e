import { readFile } from 'node:fs/promises'
import { parse } from 'node:path'
import { create as contentDisposition } from 'content-disposition'
import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { Clock } from '../shared/runtime/ports.ts'
import { ConvertFormat, type UploadType, type Operation } from '../shared/recipes/recipe.ts'
import { LANGUAGE_TEXTS } from './describe-picture.ts'
import { answerOf, dataAnswer, jsonAnswer, type Answer } from './gate.ts'
import { jobView, partResult, type JobBook } from './jobs.ts'
import { makeProject, type Account } from './keys.ts'
import type { Ledger } from './ledger.ts'
import { creditCost, tooFewCreditsAnswer } from './not-shown.ts'
import { byQuery, whole } from './query.ts'
import { HAS_FORMAT, withUpload, type Dispatch } from './uploads.ts'

export interface ImageEndpointDeps {
  jobs: JobBook
  ledger: Ledger
  clock: Clock
  newId: () => string
  /** Uploads are kept here while they are worked on. */
  folder: string
}

/** A request that passed the gate: its account and its number in the ledger. */
export interface Admitted {
  request: FastifyRequest
  account: Account
  keyId: string
  seq: number
}

const CONTENT_TYPES: Record<UploadType, string> = {
  jpeg: 'image/jpeg',
  png: 'image/png',
  gif: 'image/gif',
  webp: 'image/webp',
}

const DISPATCHED: Record<Operation, string> = {
  analyze: 'Analysis',
  optimize: 'Optimization',
  convert: 'Conversion',
  process: 'Processing',
}

/** `GET /languages`. */
export function listLanguages(): Answer {
  return dataAnswer([...LANGUAGE_TEXTS.values()].map(([code, name, native_name]) => ({ code, name, native_name })))
}

/** `GET /credits/balance`. */
export function showBalance({ account }: Admitted): Answer {
  return dataAnswer({ balance: account.credits })
}

const Asked = z.object({
  images: whole(1, 100),
  languages: whole(1, 10).default(1),
  format: ConvertFormat.default('webp'),
})

/** `GET /credits/afford`: prices the full pipeline. */
export function checkAffordable({ request, account: { credits: balance } }: Admitted): Answer {
  return byQuery(request.query, Asked, ({ images, languages, format }) => {
    const required = images * creditCost('process', languages, format)
    const shortfall = Math.max(0, required - balance)
    return dataAnswer({ can_afford: shortfall === 0, required, balance, shortfall })
  })
}

/** `GET /jobs/{id}`. */
export function showJob({ jobs, clock }: ImageEndpointDeps, { request, account }: Admitted): Answer {
  const { id } = request.params as { id: string }
  const job = jobs.find('job', id, account)
  if (!job) return jsonAnswer(404, { message: `No query results found for image model ${id}` })
  return dataAnswer(jobView(job, clock.monotonicMs()))
}

/** `GET /images/{id}/optimized`. */
export async function sendOptimized(
  { jobs, clock }: ImageEndpointDeps,
  { request, account }: Admitted,
): Promise<Answer> {
  const { id } = request.params as { id: string }
  const job = jobs.find('image', id, account)
  const result = job && partResult(job, 'optimize', clock.monotonicMs())
  // It may be no longer kept.
  const body = result && (await readFile(result.path).catch(() => null))
  if (!job || !body) {
    return jsonAnswer(404, {
      error: 'The optimized file is unavailable: its optimization job must be completed first.',
    })
  }
  // The original base name, `-optimized`, the original extension (image service document, `GET /images/{id}/optimized`).
  const { name, ext } = parse(job.filename)
  const headers = {
    'content-type': CONTENT_TYPES[job.type],
    'content-disposition': contentDisposition(`${name}-optimized${ext}`.toWellFormed()),
  }
  return { status: 200, headers, body }
}

/** The four dispatch endpoints. Credits are charged, and the charge is in the ledger, before the answer is sent. */
export function dispatch(deps: ImageEndpointDeps, operation: Operation, admitted: Admitted): Promise<Answer> {
  const { projects } = admitted.account
  return withUpload(admitted.request, operation, { ...deps, projects }, (wanted) =>
    charge(deps, operation, wanted, admitted),
  )
}

/** Synchronous, so that two dispatches cannot spend the same credits. */
function charge(
  { jobs, ledger, clock, newId }: ImageEndpointDeps,
  operation: Operation,
  { file, type, languages, format, projectId, projectName }: Dispatch,
  { account, keyId, seq }: Admitted,
): Answer {
  const credits = creditCost(operation, languages.length, format)
  if (credits > account.credits) return answerOf(tooFewCreditsAnswer(credits, account.credits))
  account.credits -= credits
  if (projectId === null) makeProject(account, projectName, newId)
  const job = jobs.start(operation, { file, type, languages, format }, account.id)
  ledger.charged({
    seq,
    atMs: clock.nowMs(),
    keyId,
    accountId: account.id,
    jobId: job.id,
    operation,
    sha256: file.sha256,
    sizeBytes: file.sizeBytes,
    filename: file.filename,
    languages: languages.toSorted(),
    format: HAS_FORMAT.has(operation) ? format : null,
    credits,
  })
  const message = `${DISPATCHED[operation]} dispatched. Poll GET /api/v1/jobs/${job.id} for the result.`
  return dataAnswer({ job_id: job.id, status: 'pending', message }, 202)
}
