import { z } from 'zod'
import { say, type Sentence } from '../../shared/sentences/sentence.ts'
import type { HttpOutcome, HttpResponse } from '../../shared/runtime/ports.ts'
import type { Answer } from '../core/answer.ts'
import { hideInside, hideSecret } from '../core/hide-secret.ts'
import { jsonIn } from '../core/read-json.ts'
import { retryAfterMs, secondsToMs } from '../core/retries.ts'

const MAX_MESSAGE_CHARS = 500
const MAX_SUCCESS_STATUS = 299

/** Wall time for a date in `Retry-After`, and the secret that must not be repeated. */
export interface ReadingContext {
  nowMs: number
  secret: string | null
}

/** Reads `{"data": …}`, the shape of both services' JSON answers. The key is taken out of all texts first. */
export function readAnswer<Value>(
  outcome: HttpOutcome<Uint8Array>,
  schema: z.ZodType<Value>,
  context: ReadingContext,
): Answer<Value> {
  if (outcome.kind !== 'response') return outcome
  const { response } = outcome
  const text = new TextDecoder().decode(outcome.body)
  if (!isSuccess(response.status)) return readStatus(response, text, context)
  const malformed = (why: Sentence): Answer<Value> => ({ kind: 'malformed', status: response.status, why })
  const encoding = contentEncoding(response)
  if (encoding !== null) return malformed(say('answer_undocumented', { where: 'Content-Encoding' }))
  const json = jsonIn(text)
  if (json === undefined) return malformed(say('answer_undocumented', { where: 'JSON' }))
  const parsed = schema.safeParse(hideInside(json, context.secret))
  if (parsed.success) return { kind: 'ok', status: response.status, value: parsed.data }
  return malformed(say('answer_undocumented', { where: whereOf(parsed.error) }))
}

/** Any answer that is not a success: the status, the service's message if any, and how long it asks to wait. */
export function readStatus<Value>(
  { status, headers }: HttpResponse,
  text: string,
  context: ReadingContext,
): Answer<Value> {
  const json = ErrorBody.safeParse(jsonIn(text))
  const body = json.success ? json.data : { message: null, error: null, retry_after: null }
  const words = body.message ?? body.error
  const message = words === null ? null : readableText(words, context.secret)
  const waitMs = retryAfterMs(headers['retry-after'], context.nowMs) ?? secondsToMs(body.retry_after)
  return { kind: 'status', status, message: message === '' ? null : message, retryAfterMs: waitMs }
}

export const isSuccess = (status: number) => status >= 200 && status <= MAX_SUCCESS_STATUS

/** Null unless the body is encoded although we asked for none. */
export function contentEncoding({ headers }: HttpResponse): string | null {
  const encoding = headers['content-encoding']?.trim().toLowerCase() ?? ''
  return encoding === '' || encoding === 'identity' ? null : encoding
}

/** A service's words on one line: no control or direction-changing characters, at most 500, and never the key. */
function readableText(text: string, secret: string | null): string {
  const line = text
    .replace(/\p{Bidi_Control}/gu, '')
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
  return hideSecret(line, secret).slice(0, MAX_MESSAGE_CHARS).toWellFormed()
}

/** Both words for the message are documented (image service document, Errors). */
const ErrorBody = z.object({
  message: z.string().nullable().catch(null),
  error: z.string().nullable().catch(null),
  retry_after: z.union([z.number(), z.string()]).nullable().catch(null),
})

/** Where the answer differs, never its content. */
function whereOf(error: z.ZodError): string {
  const issue = error.issues[0]
  return issue === undefined ? 'unknown' : `${issue.path.join('.') || 'the whole'} (${issue.code})`.slice(0, 200)
}
