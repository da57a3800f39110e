import type { NetworkError } from '../../shared/runtime/ports.ts'
import type { Sentence } from '../../shared/sentences/sentence.ts'

/**
 * The outcome of one call to a service, as facts; `classify.ts` decides what it means. `ok`: a 2xx of the documented shape. `status`: any
 * other status, with the service's own words (untrusted, at most 500 characters) and the wait that it asks for. `malformed`: a 2xx of
 * another shape. `notSent`, `maybeSent`: no complete answer; whether the request can have had an effect.
 */
export type Answer<Value> =
  | { kind: 'ok'; status: number; value: Value }
  | { kind: 'status'; status: number; message: string | null; retryAfterMs: number | null }
  | { kind: 'malformed'; status: number; why: Sentence }
  | { kind: 'notSent'; error: NetworkError }
  | { kind: 'maybeSent'; error: NetworkError }
