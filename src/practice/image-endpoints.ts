import { rm } from 'node:fs/promises'
import { parse } from 'node:path'
import { create as contentDisposition } from 'content-disposition'
import type { FastifyRequest } from 'fastify'
import type { Clock } from '../shared/runtime/ports.ts'
import type { UploadType, Operation } from '../shared/recipes/recipe.ts'
import type { Accounts, KnownKey } from './accounts.ts'
import { dataAnswer, invalidAnswer, jsonAnswer } from './answer.ts'
import type { Answer } from './answer.ts'
import type { JobBook } from './job-book.ts'
import { jobView, partResult } from './job-view.ts'
import { LANGUAGE_TEXTS } from './language-texts.ts'
import type { Ledger } from './ledger.ts'
import { creditCost, tooFewCreditsAnswer } from './not-shown.ts'
import { oneOf, wholeNumber } from './query-rules.ts'
import type { Errors, Query } from './query-rules.ts'
import { receiveUpload } from './receive-upload.ts'
import { HAS_FORMAT, validateUpload } from './validate-upload.ts'
import type { Dispatch } from './validate-upload.ts'

export interface ImageEndpointDeps {
  accounts: Accounts
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
  key: KnownKey
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
  return dataAnswer(
    [...LANGUAGE_TEXTS.values()].map(({ code, name, nativeName }) => ({ code, name, native_name: nativeName })),
  )
}

/** `GET /credits/balance`. */
export function showBalance({ key }: Admitted): Answer {
  return dataAnswer({ balance: key.account.credits })
}

/** `GET /credits/afford`: prices the full pipeline. */
export function checkAffordable({ request, key }: Admitted): Answer {
  const query = request.query as Query
  const errors: Errors = {}
  const images = wholeNumber(query, 'images', { min: 1, max: 100, otherwise: null }, errors)
  const languages = wholeNumber(query, 'languages', { min: 1, max: 10, otherwise: 1 }, errors)
  const format = oneOf(query, 'format', ['webp', 'avif'], errors)
  if (Object.keys(errors).length > 0) return invalidAnswer(errors)
  const balance = key.account.credits
  const required = images * creditCost('process', languages, format)
  const shortfall = Math.max(0, required - balance)
  return dataAnswer({ can_afford: shortfall === 0, required, balance, shortfall })
}

/** `GET /jobs/{id}`. */
export function showJob(deps: ImageEndpointDeps, { request, key }: Admitted): Answer {
  const { id } = request.params as { id: string }
  const job = deps.jobs.find(id, key.account.id)
  if (!job) return jsonAnswer(404, { message: `No query results found for image model ${id}` })
  return dataAnswer(jobView(job, deps.clock.monotonicMs()))
}

/** `GET /images/{id}/optimized`. */
export async function sendOptimized(deps: ImageEndpointDeps, { request, key }: Admitted): Promise<Answer> {
  const { id } = request.params as { id: string }
  const job = deps.jobs.findByImage(id, key.account.id)
  const result = job && partResult(job, 'optimize', deps.clock.monotonicMs())
  const body = result && (await deps.jobs.fileOf(result))
  if (!job || !body) {
    return jsonAnswer(404, {
      error: 'The optimized file is unavailable: its optimization job must be completed first.',
    })
  }
  const headers = {
    'content-type': CONTENT_TYPES[job.type],
    'content-disposition': contentDisposition(optimizedName(job.filename)),
  }
  return { status: 200, headers, body }
}

/** The original base name, `-optimized`, the original extension (image service document, `GET /images/{id}/optimized`). */
function optimizedName(original: string): string {
  const { name, ext } = parse(original)
  return `${name}-optimized${ext}`.toWellFormed()
}

/** The four dispatch endpoints. Credits are charged, and the charge is in the ledger, before the answer is sent. */
export async function dispatch(deps: ImageEndpointDeps, operation: Operation, admitted: Admitted): Promise<Answer> {
  const received = await receiveUpload(admitted.request, deps.folder, deps.newId)
  if (!received.ok) return received.answer
  const { image } = received.upload
  let started = false
  try {
    const errors: Errors = {}
    const projects = admitted.key.account.projects
    const wanted = await validateUpload(received.upload, operation, (id) => projects.has(id), errors)
    if (!wanted) return invalidAnswer(errors)
    const answer = charge(deps, operation, wanted, admitted)
    started = answer.status === 202
    return answer
  } finally {
    if (image && !started) await rm(image.path, { force: true })
  }
}

/** Synchronous, so that two dispatches cannot spend the same credits. */
function charge(deps: ImageEndpointDeps, operation: Operation, wanted: Dispatch, { key, seq }: Admitted): Answer {
  const { account, keyId } = key
  const credits = creditCost(operation, wanted.languages.length, wanted.format)
  if (credits > account.credits) {
    const { status, body } = tooFewCreditsAnswer(credits, account.credits)
    return jsonAnswer(status, body)
  }
  account.credits -= credits
  const projectId = deps.accounts.projectFor(account, wanted.projectId, wanted.projectName)
  const job = deps.jobs.start(operation, wanted, account.id, projectId)
  deps.ledger.charged({
    seq,
    atMs: deps.clock.nowMs(),
    keyId,
    accountId: account.id,
    jobId: job.id,
    operation,
    sha256: wanted.file.sha256,
    sizeBytes: wanted.file.sizeBytes,
    filename: wanted.file.filename,
    languages: wanted.languages.toSorted(),
    format: HAS_FORMAT.has(operation) ? wanted.format : null,
    credits,
  })
  const message = `${DISPATCHED[operation]} dispatched. Poll GET /api/v1/jobs/${job.id} for the result.`
  return dataAnswer({ job_id: job.id, status: 'pending', message }, 202)
}
