import type { ConvertFormat, Operation } from '../shared/recipes/recipe.ts'

/**
 * Every choice the practice service makes where the two interface documents say "not shown", or say too little to act
 * on. A real service may choose otherwise, so nothing in Hangar may rely on anything in this file; it is here so that
 * the choices can be seen, and changed, in one place. Messages are the practice service's own words.
 *
 * Choices that are a way of doing and not a value, and the file that makes each:
 *
 * - `original_size`, `optimized_size` and `converted_size` are bytes (`jobs.ts`).
 * - `image.status` is always the job's. Results appear part by part as the three concurrent jobs end, and none is shown
 *   for a job that failed. A failed job gives no reason (`jobs.ts`).
 * - `job_id` and the image `id` differ (`jobs.ts`). The optimized file can be had as soon as its own part has ended.
 * - A picture that starts well but cannot be decoded to its end is accepted and charged, and its job fails
 *   (`uploads.ts`, `picture-work.ts`).
 * - Compression never makes a file larger: then the upload itself is kept and 0 percent saved. CMYK becomes sRGB (`picture-work.ts`).
 * - `seo_filename` has no extension (`describe-picture.ts`).
 * - Uploads that name the same project share it (`keys.ts`).
 * - Another account's jobs, images and projects are answered like unknown ids (`jobs.ts`).
 * - Credits are charged at dispatch and never given back, also when the job fails (`image-endpoints.ts`).
 * - A rate window starts with the first request after the last one ended, and refused requests do not count in it
 *   (`gate.ts`). Requests with a bad key count against no key.
 * - `icao` and `country` match without regard to case; `country` matches the start of the ICAO code; an empty parameter
 *   is an absent one (`charger-endpoints.ts`).
 * - A page past the last is an empty list; `last_page` is at least 1 (`charger-endpoints.ts`).
 * - There is no GeoJSON: Hangar does not ask for it.
 */

/** Image service document, "Authentication": status and body for a missing or refused key. */
export const REFUSED_KEY = { status: 401, body: { message: 'Unauthenticated' } } as const

/** Which key counts when both headers are sent: the `Authorization` header. */
export const KEY_HEADERS_IN_ORDER = ['authorization', 'x-api-key'] as const

/** Both documents: status and body when a field or parameter is not acceptable. */
export const INVALID_STATUS = 422
export function invalidBody(errors: Record<string, string[]>): { message: string; errors: Record<string, string[]> } {
  const first = Object.values(errors)[0]?.[0]
  return { message: first ?? 'The request is not valid.', errors }
}

/** Image service document: behaviour of the dispatch endpoints when credits do not suffice. Nothing is charged. */
export function tooFewCreditsAnswer(required: number, balance: number): { status: 402; body: { message: string } } {
  return {
    status: 402,
    body: { message: `Not enough credits: this needs ${required}, the balance is ${balance}.` },
  }
}

/** Image service document, "Limits": credit cost per operation or per language. Charged at dispatch, never refunded. */
const CREDIT_COST = { analyzePerLanguage: 1, optimize: 1, convertWebp: 1, convertAvif: 2 } as const

/** Credits of one dispatch. `GET /credits/afford` uses the same function for `process`. */
export function creditCost(operation: Operation, languageCount: number, format: ConvertFormat): number {
  const analyze = CREDIT_COST.analyzePerLanguage * languageCount
  const convert = format === 'avif' ? CREDIT_COST.convertAvif : CREDIT_COST.convertWebp
  if (operation === 'analyze') return analyze
  if (operation === 'optimize') return CREDIT_COST.optimize
  return operation === 'convert' ? convert : analyze + CREDIT_COST.optimize + convert
}

/** Unit of `retry_after`: whole seconds until the fixed window ends, at least 1. */
export const RETRY_AFTER_UNIT_MS = 1000

/** Charger document: body of the 429 answer; no `retry_after`, because that document shows none. */
export const CHARGER_TOO_MANY = { message: 'Too many attempts from this address.' } as const

/** What "10 MB" means: 10 × 1024 × 1024 bytes, and a file of exactly that size is accepted. */
export const MAX_UPLOAD_BYTES = 10_485_760

/** A request that says its body is longer than this is answered 413, and no more of it is read. */
export const MAX_BODY_BYTES = 16 * 1024 * 1024

/** Pictures of more pixels than this are refused like a bad file. */
export const MAX_PIXELS = 120_000_000

/** Maximum number of languages on an upload. */
export const MAX_UPLOAD_LANGUAGES = 10

/** Longest `project_name`. */
export const MAX_PROJECT_NAME_CHARS = 255

/** Accepted file types for optimize and process. Convert is documented as "from PNG/JPEG"; process includes it. */
export const ACCEPTED_TYPES = {
  analyze: ['jpeg', 'png', 'gif', 'webp'],
  optimize: ['jpeg', 'png', 'gif', 'webp'],
  convert: ['jpeg', 'png'],
  process: ['jpeg', 'png'],
} as const

/** Image fields before their part of the job has finished, or when the operation does not make them. */
export const NOT_YET = null
export const NO_TRANSLATIONS_YET: never[] = []

/** Paths and methods the documents do not have. */
export const NO_SUCH_ENDPOINT = { status: 404, body: { message: 'There is no such endpoint.' } } as const

/** Addresses that cannot be decoded. */
export const MALFORMED_URL = { status: 400, body: { message: 'The address is malformed.' } } as const

/** Requests whose Host header is not this server's own loopback address. */
export const WRONG_HOST = { status: 421, body: { message: 'This service answers only to its own address.' } } as const

/** Bodies that are said to be longer than `MAX_BODY_BYTES`. */
export const BODY_TOO_LARGE = { status: 413, body: { message: 'The request body is too large.' } } as const

/** Charger document: mapping of `live_state` to `available` for a linked charger. */
export function availableFor(liveState: string): boolean {
  return liveState === 'available'
}

/** Charger document: a charger without coordinates. The documented object stays, its numbers are null. */
export const NO_COORDINATES = { lat: null, lng: null } as const
