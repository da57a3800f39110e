import type { FailReason, HoldReason, UnknownReason, WaitReason } from '../../shared/reasons.ts'
import type { Answer } from './answer.ts'
import type { Download, DownloadAnswer } from './image-service.ts'

/**
 * What an answer means: the one table. Everything the image service document leaves open ("not shown") is decided here
 * and nowhere else.
 */
export type DispatchVerdict =
  | { kind: 'waiting'; jobId: string }
  /** It may have been charged: never sent again on its own, and no further dispatch until a free call was answered. */
  | { kind: 'unknown'; reason: UnknownReason; detail: string | null }
  /** No byte reached the service: ready again, with backoff. */
  | { kind: 'notSent'; reason: Doubt; detail: string }
  | { kind: 'rateLimited'; retryAfterMs: number | null }
  | { kind: 'addressWrong'; detail: string }
  /** Asks `GET /credits/balance`: refused too means the key, accepted means this picture. */
  | { kind: 'probeKey'; detail: string | null; status: number }
  /** Asks `GET /credits/afford`: a shortfall means the credits, otherwise this picture. */
  | { kind: 'probeCredits'; detail: string | null; status: number }
  | { kind: 'failed'; reason: FailReason; detail: string }

export function classifyDispatch(answer: Answer<{ jobId: string }>): DispatchVerdict {
  switch (answer.kind) {
    case 'ok':
      return { kind: 'waiting', jobId: answer.value.jobId }
    case 'malformed':
      return { kind: 'unknown', reason: 'no_job_id', detail: answer.message }
    case 'maybeSent':
      return { kind: 'unknown', reason: 'answer_lost', detail: answer.error.code }
    case 'notSent':
      return { kind: 'notSent', reason: 'service_unreachable', detail: answer.error.code }
    case 'status':
      return classifyDispatchStatus(answer.status, answer.message, answer.retryAfterMs)
  }
}

/** The answerer is not the image service, or will not pass a request on to it: nothing was taken. */
const WRONG_ADDRESS: ReadonlySet<number> = new Set([301, 307, 308, 404, 405, 407])
/** The picture was looked at and not taken. */
const REFUSES_PICTURE: ReadonlySet<number> = new Set([413, 415, 422])
/** The request was refused before anything was done for it, for a reason that the status does not name. */
const REFUSES_REQUEST: ReadonlySet<number> = new Set([400, 402, 410, 411, 412, 414, 417, 421, 426, 428, 431, 451])

/**
 * The document shows 202 and 429 alone. A status is taken for a refusal only if HTTP defines it as one; any other may come
 * after the service has the picture: 302 and 303 answer what was taken, 406 and 424 come after the work, 408 and 425 from
 * something in between, 409 when it is there already.
 */
function classifyDispatchStatus(status: number, message: string | null, retryAfterMs: number | null): DispatchVerdict {
  const words = `${status}${message === null ? '' : `: ${message}`}`
  if (status >= 500) return { kind: 'unknown', reason: 'server_error', detail: words }
  if (status === 429) return { kind: 'rateLimited', retryAfterMs }
  if (status === 401 || status === 403) return { kind: 'probeKey', detail: message, status }
  if (WRONG_ADDRESS.has(status)) return { kind: 'addressWrong', detail: words }
  if (REFUSES_PICTURE.has(status)) return { kind: 'failed', reason: 'rejected_by_service', detail: words }
  if (REFUSES_REQUEST.has(status)) return { kind: 'probeCredits', detail: message, status }
  return { kind: 'unknown', reason: 'unclear_answer', detail: words }
}

const isRedirect = (status: number) => status >= 300 && status < 400
const isAddressWrong = (status: number) => isRedirect(status) || status === 405 || status === 407

/** Whether the service could not be reached, or said something that makes no sense. */
type Doubt = Extract<WaitReason, 'service_unreachable' | 'service_doubtful'>

/** What a free call's answer means apart from its value. */
export type FreeVerdict<Value> =
  | { kind: 'ok'; value: Value }
  | { kind: 'retry'; reason: Doubt; detail: string }
  /** A portal that wants a sign-in first, most often, and over in a minute; or the address is wrong. Never followed. */
  | { kind: 'redirected'; detail: string }
  | { kind: 'rateLimited'; retryAfterMs: number | null }
  | { kind: 'hold'; reason: Extract<HoldReason, 'key_refused' | 'address_wrong'>; detail: string }
  | { kind: 'notFound'; detail: string | null }
  | { kind: 'refused'; detail: string }

/** Free calls cost nothing, so every doubt is settled by asking again. */
export function classifyFree<Value>(answer: Answer<Value>): FreeVerdict<Value> {
  switch (answer.kind) {
    case 'ok':
      return { kind: 'ok', value: answer.value }
    case 'malformed':
      return { kind: 'retry', reason: 'service_doubtful', detail: answer.message }
    case 'notSent':
    case 'maybeSent':
      return { kind: 'retry', reason: 'service_unreachable', detail: answer.error.code }
    case 'status': {
      const { status, message } = answer
      const words = `${status}${message === null ? '' : `: ${message}`}`
      if (status >= 500) return { kind: 'retry', reason: 'service_doubtful', detail: words }
      if (status === 429) return { kind: 'rateLimited', retryAfterMs: answer.retryAfterMs }
      if (isRedirect(status)) return { kind: 'redirected', detail: words }
      if (isAddressWrong(status)) return { kind: 'hold', reason: 'address_wrong', detail: words }
      if (status === 401 || status === 403) return { kind: 'hold', reason: 'key_refused', detail: words }
      if (status === 404) return { kind: 'notFound', detail: message }
      return { kind: 'refused', detail: words }
    }
  }
}

/** What the answer to a download means. What storage says concerns this file alone, never the service or its key. */
export type DownloadVerdict =
  | Extract<FreeVerdict<Download>, { kind: 'ok' | 'rateLimited' | 'hold' | 'notFound' }>
  /** The service was not reached: neither will other calls be. */
  | { kind: 'unreachable'; detail: string }
  /** No answer, or one that promises a better one later: fetched again for an hour. */
  | { kind: 'unanswered'; detail: string }
  /** Something else than the file: fetched again a few times. */
  | { kind: 'broken'; detail: string }

export function classifyDownload(given: DownloadAnswer): DownloadVerdict {
  if (given.from === 'redirect') return { kind: 'broken', detail: given.refusal }
  const verdict = classifyFree(given.answer)
  if (verdict.kind === 'ok') return verdict
  if (given.from === 'storage') {
    if (verdict.kind === 'rateLimited') return { kind: 'unanswered', detail: '429' }
    return { kind: isUnanswered(given.answer) ? 'unanswered' : 'broken', detail: verdict.detail ?? '404' }
  }
  switch (verdict.kind) {
    case 'rateLimited':
    case 'hold':
    case 'notFound':
      return verdict
    case 'retry':
      if (given.answer.kind === 'notSent') return { kind: 'unreachable', detail: verdict.detail }
      return { kind: isUnanswered(given.answer) ? 'unanswered' : 'broken', detail: verdict.detail }
    case 'redirected':
    case 'refused':
      return { kind: 'broken', detail: verdict.detail }
  }
}

/** A connection or a server that failed; a file that comes cut, or too long, was answered. */
function isUnanswered(answer: Answer<unknown>): boolean {
  if (answer.kind === 'status') return answer.status >= 500
  if (answer.kind === 'notSent') return answer.error.code !== 'forbidden'
  return answer.kind === 'maybeSent' && ['reset', 'timeout'].includes(answer.error.code)
}

/** Only `job.status` decides; a value the document does not list means not yet (document, "States and transitions"). */
export function readJobStatus(status: string): 'completed' | 'failed' | 'notYet' {
  return status === 'completed' || status === 'failed' ? status : 'notYet'
}
