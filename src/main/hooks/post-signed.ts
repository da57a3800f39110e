import { createHmac } from 'node:crypto'
import type { Clock, HttpOutcome, HttpPort, Random } from '../../shared/runtime/ports.ts'
import { say, type Sentence } from '../../shared/sentences/sentence.ts'
import { RETRIES, retryAfterMs, retryMs } from '../core/retries.ts'
import { sleep } from '../core/sleep.ts'
import type { Hook } from '../../shared/contract/hooks.ts'

const SECOND = 1000
/** Of an answer, only the status counts. */
const MAX_ANSWER_BYTES = 64 * 1024
const CONNECT_TIMEOUT_MS = 10 * SECOND
const IDLE_TIMEOUT_MS = 20 * SECOND
/** Besides all of 500 and above. */
const TEMPORARY_STATUSES: readonly number[] = [408, 425, 429]

interface Post {
  http: HttpPort
  clock: Clock
  random: Random
  url: string
  event: Hook['on']
  body: string
  secret: string
  /** For all attempts together. */
  limitMs: number
  signal: AbortSignal
}

/** The header `Hangar-Signature`: `t=SECONDS,v1=HEX`, where HEX is HMAC-SHA256 of `SECONDS.BODY`, and SECONDS Unix time. */
export function signatureOf(body: string, secret: string, nowMs: number): string {
  const seconds = Math.floor(nowMs / 1000)
  return `t=${seconds},v1=${createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')}`
}

/**
 * Posts JSON until it is answered with 2xx; each attempt is signed with its own time. Redirects are not followed. `Retry-After` is waited
 * for unless it lies beyond the limit. Resolves to why it failed. Never rejects.
 */
export async function postSigned({ http, clock, random, url, event, body, secret, limitMs, signal }: Post) {
  const limit = new AbortController()
  const cancel = clock.setTimer(limitMs, () => limit.abort())
  const over = AbortSignal.any([signal, limit.signal])
  const startedMs = clock.monotonicMs()
  let why: Sentence | null = null
  try {
    for (let attempt = 1; !over.aborted; attempt += 1) {
      const outcome = await http.request({
        method: 'POST',
        url,
        headers: {
          'hangar-event': event,
          'hangar-signature': signatureOf(body, secret, clock.nowMs()),
        },
        body: { bytes: Buffer.from(body), contentType: 'application/json' },
        freshConnection: true,
        connectTimeoutMs: CONNECT_TIMEOUT_MS,
        idleTimeoutMs: IDLE_TIMEOUT_MS,
        maxBytes: MAX_ANSWER_BYTES,
        signal: over,
      })
      if (over.aborted && outcome.kind !== 'response') break
      const { failure, mayPass } = judge(outcome)
      if (failure === null || !mayPass) return failure
      why = failure
      const askedMs =
        outcome.kind === 'response' ? retryAfterMs(outcome.response.headers['retry-after'], clock.nowMs()) : null
      const waitMs = Math.max(retryMs(RETRIES.hook, attempt, random), askedMs ?? 0)
      if (clock.monotonicMs() - startedMs + waitMs >= limitMs) return failure
      await sleep(clock, waitMs, over)
    }
    if (signal.aborted) return say('hook_stopped')
    return why ?? say('hook_silent', { seconds: Math.round(limitMs / SECOND) })
  } finally {
    cancel()
  }
}

/** `mayPass`: another attempt may go better. */
function judge(outcome: HttpOutcome<unknown>): { failure: Sentence | null; mayPass: boolean } {
  if (outcome.kind !== 'response') {
    const { code } = outcome.error
    return { failure: say('hook_no_answer', { why: say(`network_${code}`) }), mayPass: code !== 'too_large' }
  }
  const { status } = outcome.response
  if (status >= 200 && status < 300) return { failure: null, mayPass: false }
  return {
    failure: say(status < 400 ? 'hook_redirect' : 'hook_status', { status: String(status) }),
    mayPass: status >= 500 || TEMPORARY_STATUSES.includes(status),
  }
}
