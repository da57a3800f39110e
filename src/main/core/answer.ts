import type { NetworkError } from '../../shared/runtime/ports.ts'
import type { Sentence } from '../../shared/sentences/sentence.ts'

/**
 * The outcome of one call to a service, as facts; `classify.ts` decides what it means.
 *
 * - `ok`: a 2xx whose body has the documented shape.
 * - `status`: any other status. `message` is the service's own words if the body had any (untrusted, at most 500
 *   characters); `retryAfterMs` is from `Retry-After`, else from the body's `retry_after` read as seconds.
 * - `malformed`: a 2xx whose body is not what the document shows, and `why` that is.
 * - `notSent` / `maybeSent`: no complete answer; whether the request can have had an effect.
 */
export type Answer<Value> =
  | { kind: 'ok'; status: number; value: Value }
  | { kind: 'status'; status: number; message: string | null; retryAfterMs: number | null }
  | { kind: 'malformed'; status: number; why: Sentence }
  | { kind: 'notSent'; error: NetworkError }
  | { kind: 'maybeSent'; error: NetworkError }
