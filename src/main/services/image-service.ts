import { z } from 'zod'
import type { Affordability } from '../../shared/contract/credits.ts'
import { Language } from '../../shared/recipes/language.ts'
import { AppError } from '../../shared/sentences/errors.ts'
import { say, type Sentence } from '../../shared/sentences/sentence.ts'
import type { Clock, HttpOutcome, HttpPort, HttpRequest, MultipartPart } from '../../shared/runtime/ports.ts'
import type { Operation } from '../../shared/recipes/recipe.ts'
import type { Settings } from '../../shared/settings/settings.ts'
import type { Answer } from '../core/answer.ts'
import type { CallOptions, DispatchRequest, ImageService, Slot } from '../core/image-service.ts'
import { authorization, requireKey, type KeySource } from './authorization.ts'
import { imageBaseUrl } from './base-url.ts'
import { followDownload, isRedirect, type FileOutcome } from './download-file.ts'
import { contentEncoding, isSuccess, readAnswer, readStatus, type ReadingContext } from './read-answer.ts'
import type { AffordQuestion } from '../core/spend-guard.ts'
import { isUsableId } from '../core/usable-id.ts'
import { RemoteId, RemoteJobAnswer } from './read-job.ts'

/* Answers, except for the job (read-job.ts). Required members must be as documented, or the answer counts as malformed. */

const JobStartAnswer = z
  .object({ data: z.object({ job_id: RemoteId }) })
  .transform(({ data }) => ({ jobId: data.job_id }))

/** Beyond it no sum is exact. */
const exactCredits = z.number().max(Number.MAX_SAFE_INTEGER)
const credits = exactCredits.min(0)

const BalanceAnswer = z.object({ data: z.object({ balance: credits }) }).transform(({ data }) => data.balance)

const AffordAnswer = z
  .object({
    data: z.object({ can_afford: z.boolean(), required: credits, balance: credits, shortfall: exactCredits }),
  })
  .transform(({ data: { can_afford, ...figures } }): Affordability => ({ canAfford: can_afford, ...figures }))

/** Null for an unusable entry: one without a code or a name. */
const WireLanguage = z
  .object({ code: z.string(), name: z.string(), native_name: z.string().nullable().catch(null) })
  .transform(({ code, name, native_name }) => ({ code, name, nativeName: native_name ?? name }))
  .pipe(Language)
  .nullable()
  .catch(null)

const LanguagesAnswer = z
  .object({ data: z.array(WireLanguage) })
  .transform(({ data }): Language[] => data.filter((language) => language !== null))

/** The document gives `string[]` and no spelling for arrays in multipart. */
const LANGUAGES_FIELD = 'languages[]'

const MAX_JSON_BYTES = 1024 * 1024
/** An optimized file should be smaller than what was sent, 10 MiB at most; this leaves room for what is not shown. */
const MAX_DOWNLOAD_BYTES = 64 * 1024 * 1024
const CONNECT_TIMEOUT_MS = 15_000
const IDLE_TIMEOUT_MS = 60_000
/** Longer: the last megabytes of an upload leave the system's buffers without visible progress. */
const UPLOAD_IDLE_TIMEOUT_MS = 120_000

/** Which optional fields an operation takes (image service document, Endpoints); `image` and the project go with each. */
const TAKES: Record<Operation, { languages: boolean; format: boolean }> = {
  analyze: { languages: true, format: false },
  optimize: { languages: false, format: false },
  convert: { languages: false, format: true },
  process: { languages: true, format: true },
}

/** The settings that only the adapter reads. A change of one takes a new adapter. */
export const IMAGE_SERVICE_SETTINGS = ['keyHeader'] as const satisfies (keyof Settings)[]
type ImageServiceSettings = Pick<Settings, (typeof IMAGE_SERVICE_SETTINGS)[number]>

export interface ImageServiceOptions {
  http: HttpPort
  clock: Clock
  /** With or without `/api/v1`; see `imageBaseUrl`. */
  baseUrl: string
  key: KeySource
  settings: ImageServiceSettings
  connectTimeoutMs?: number
  idleTimeoutMs?: number
  maxDownloadBytes?: number
}

function createCalls(options: ImageServiceOptions) {
  const { http } = options
  const { baseUrl } = imageBaseUrl(options.baseUrl)
  /** Hidden in answers to calls without it too. */
  let lastKey: string | null = null
  const context = (secret = lastKey): ReadingContext => ({ nowMs: options.clock.nowMs(), secret })

  const request = (
    path: string,
    { slot, signal }: Partial<CallOptions> & { signal: AbortSignal },
    headers: Record<string, string>,
  ): HttpRequest => ({
    method: 'GET',
    url: baseUrl + path,
    headers: { accept: 'application/json', ...headers },
    connectTimeoutMs: options.connectTimeoutMs ?? CONNECT_TIMEOUT_MS,
    idleTimeoutMs: options.idleTimeoutMs ?? IDLE_TIMEOUT_MS,
    maxBytes: MAX_JSON_BYTES,
    mayStart: () => slot?.isCurrent?.() ?? true,
    signal,
  })

  /** One call with the key; releases the slot according to the answer, and also when there is no key or no answer. */
  async function spend<Body, Value>(
    slot: Slot,
    ask: (auth: Record<string, string>) => Promise<HttpOutcome<Body>>,
    read: (outcome: HttpOutcome<Body>, context: ReadingContext) => Answer<Value>,
  ): Promise<Answer<Value>> {
    let refused: { retryAfterMs: number | null } | null = null
    try {
      const key = await requireKey(options.key)
      lastKey = key
      const answer = read(await ask(authorization(key, options.settings.keyHeader)), context(key))
      if (answer.kind === 'status' && answer.status === 429) refused = answer
      return answer
    } finally {
      if (refused === null) slot.answered()
      else slot.rateLimited(refused.retryAfterMs)
    }
  }

  const get = <Value>(path: () => string, schema: z.ZodType<Value>, call: CallOptions) =>
    spend(
      call.slot,
      async (auth) => http.request(request(path(), call, auth)),
      (outcome, context) => readAnswer(outcome, schema, context),
    )

  return { context, request, spend, get }
}

export function createImageService(options: ImageServiceOptions): ImageService {
  const { http } = options
  const { context, request, spend, get } = createCalls(options)
  return {
    dispatch: (wanted, call) =>
      spend(
        call.slot,
        (auth) =>
          http.request({
            ...request(`/images/${wanted.operation}`, call, auth),
            method: 'POST',
            multipart: dispatchFields(wanted),
            freshConnection: true,
            idleTimeoutMs: options.idleTimeoutMs ?? UPLOAD_IDLE_TIMEOUT_MS,
          }),
        (outcome, context) => readAnswer(outcome, JobStartAnswer, context),
      ),

    job: async (id, call) => {
      const answer = await get(() => `/jobs/${pathPart(id)}`, RemoteJobAnswer, call)
      if (answer.kind !== 'ok' || answer.value.jobId === id) return answer
      return { kind: 'malformed', status: answer.status, why: say('answer_undocumented', { where: 'data.job_id' }) }
    },

    optimized: async (imageId, sink, call) => {
      let asked: HttpRequest | null = null
      let first: FileOutcome | null = null
      const ask = async (auth: Record<string, string>): Promise<FileOutcome> => {
        const headers = { ...auth, accept: 'image/*, application/json' }
        const maxBytes = options.maxDownloadBytes ?? MAX_DOWNLOAD_BYTES
        asked = { ...request(`/images/${pathPart(imageId)}/optimized`, call, headers), maxBytes }
        return (first = await http.download(asked, sink))
      }
      const answer = await spend(call.slot, ask, readDownload)
      if (asked === null || first === null || answer.kind !== 'status' || !isRedirect(answer.status))
        return { from: 'service', answer }
      const followed = await followDownload(http, asked, first, sink)
      return followed === null ? { from: 'redirect' } : { from: 'storage', answer: readDownload(followed, context()) }
    },

    balance: (call) => get(() => '/credits/balance', BalanceAnswer, call),

    afford: (batch, call) => get(() => `/credits/afford?${affordQuery(batch)}`, AffordAnswer, call),

    languages: async (call) =>
      readAnswer(await http.request(request('/languages', call, {})), LanguagesAnswer, context()),
  }
}

const unfit = (where: string) => say('request_invalid', { where, why: say('value_unfit') })

/** `encodeURIComponent` does not escape `..`, which would change the path. */
function pathPart(id: string): string {
  if (!isUsableId(id)) throw new AppError('bad_request', unfit('id'))
  return encodeURIComponent(id)
}

function affordQuery({ images, languages, format }: AffordQuestion): string {
  const within = (value: number, most: number) => Number.isInteger(value) && value >= 1 && value <= most
  if (!within(images, 100) || !within(languages, 10)) throw new AppError('bad_request', unfit('images'))
  return new URLSearchParams({ images: String(images), languages: String(languages), format }).toString()
}

function dispatchFields(wanted: DispatchRequest): MultipartPart[] {
  const { bytes, filename, contentType, project } = wanted
  const takes = TAKES[wanted.operation]
  const fields: MultipartPart[] = [{ name: 'image', value: { bytes, filename, contentType } }]
  if (takes.languages) for (const code of wanted.languages) fields.push({ name: LANGUAGES_FIELD, value: code })
  if (takes.format) fields.push({ name: 'format', value: wanted.format })
  if (project?.kind === 'id') fields.push({ name: 'project_id', value: project.id })
  if (project?.kind === 'name') fields.push({ name: 'project_name', value: project.name })
  return fields
}

/** Only 200 carries the file (image service document, `GET /images/{id}/optimized`). */
function readDownload(outcome: FileOutcome, context: ReadingContext): Answer<null> {
  if (outcome.kind !== 'response') return outcome
  const { response, body } = outcome
  if (!isSuccess(response.status)) return readStatus(response, body ?? '', context)
  const malformed = (why: Sentence): Answer<null> => ({ kind: 'malformed', status: response.status, why })
  if (response.status !== 200) return malformed(say('answer_undocumented', { where: String(response.status) }))
  if (contentEncoding(response) !== null) return malformed(say('answer_undocumented', { where: 'Content-Encoding' }))
  return { kind: 'ok', status: 200, value: null }
}
