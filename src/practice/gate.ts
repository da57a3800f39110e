import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Clock } from '../shared/runtime/ports.ts'
import type { Account, Keys } from './keys.ts'
import type { Ledger } from './ledger.ts'
import {
  BODY_TOO_LARGE,
  CHARGER_TOO_MANY,
  INVALID_STATUS,
  invalidBody,
  KEY_HEADERS_IN_ORDER,
  MAX_BODY_BYTES,
  REFUSED_KEY,
  RETRY_AFTER_UNIT_MS,
  WRONG_HOST,
} from './not-shown.ts'
import type { RouteId } from './protocol.ts'

/** The answer of an endpoint. */
export interface Answer {
  status: number
  headers: Record<string, string>
  body: Buffer
}

export function jsonAnswer(status: number, body: unknown): Answer {
  return {
    status,
    headers: { 'content-type': 'application/json; charset=utf-8' },
    body: Buffer.from(JSON.stringify(body)),
  }
}

export function dataAnswer(data: unknown, status = 200): Answer {
  return jsonAnswer(status, { data })
}

/** What is wrong with fields or parameters, by their names. */
export type Errors = Record<string, string[]>

export const invalidAnswer = (errors: Errors): Answer => jsonAnswer(INVALID_STATUS, invalidBody(errors))

type Refusal = Readonly<{ status: number; body: unknown }>
export const answerOf = ({ status, body }: Refusal): Answer => jsonAnswer(status, body)

/** Who may use a route: whose request it is, or the answer that refuses it. */
type Admission =
  { ok: true; keyId: string | null; account: Account | null } | { ok: false; keyId: string | null; answer: Answer }

export interface Route {
  id: RouteId
  admit: (request: FastifyRequest) => Admission
  work: (request: FastifyRequest, admission: Extract<Admission, { ok: true }>, seq: number) => Answer | Promise<Answer>
}

/** A route that anyone may use. */
export const admitAll = (): Admission => ({ ok: true, keyId: null, account: null })

/** A route that answers everyone alike. */
export const refuseAll = (refusal: Refusal): Pick<Route, 'admit' | 'work'> => {
  const answer = answerOf(refusal)
  return { admit: () => ({ ok: false, keyId: null, answer }), work: () => answer }
}

function bearer(request: FastifyRequest): string | null {
  return /^Bearer +(\S+) *$/i.exec(request.headers.authorization ?? '')?.[1] ?? null
}

/** Either header form (image service document, "Authentication", rule 2). */
function sentKey(request: FastifyRequest): string | null {
  const name = KEY_HEADERS_IN_ORDER.find((header) => request.headers[header] !== undefined)
  return name === 'x-api-key' ? String(request.headers[name]) : bearer(request)
}

/** The image service's key and its 60 requests a minute (image service document, "Authentication" and "Limits"). */
export function admitByKey(keys: Keys<Account>, window: FixedWindow, clock: Clock) {
  return (request: FastifyRequest): Admission => {
    const known = keys.find(sentKey(request))
    if (known === null) return { ok: false, keyId: null, answer: answerOf(REFUSED_KEY) }
    const { keyId, owner: account } = known
    const waitMs = window.take(keyId, clock.monotonicMs())
    if (waitMs === null) return { ok: true, keyId, account }
    const retryAfter = Math.max(1, Math.ceil(waitMs / RETRY_AFTER_UNIT_MS))
    return { ok: false, keyId, answer: jsonAnswer(429, { message: 'Too many attempts.', retry_after: retryAfter }) }
  }
}

/** 120 requests a minute from one address, with or without a good token (charger document, "Limits"). */
export function admitByToken(tokens: Keys<null>, window: FixedWindow, clock: Clock) {
  return (request: FastifyRequest): Admission => {
    const keyId = tokens.find(bearer(request))?.keyId ?? null
    const waitMs = window.take(request.ip, clock.monotonicMs())
    if (waitMs !== null) return { ok: false, keyId, answer: jsonAnswer(429, CHARGER_TOO_MANY) }
    return keyId === null ? { ok: false, keyId, answer: answerOf(REFUSED_KEY) } : { ok: true, keyId, account: null }
  }
}

const WINDOW_MS = 60_000

/** Fixed windows of one minute (both documents, "Limits"), each from the first request after the last one; refused ones are not counted. */
export class FixedWindow {
  limit: number
  readonly #windows = new Map<string, { startedAtMs: number; count: number }>()

  constructor(limit: number) {
    this.limit = limit
  }

  /** Null when the request may pass, otherwise the milliseconds until the window ends. `nowMs` is monotonic. */
  take(key: string, nowMs: number): number | null {
    let window = this.#windows.get(key)
    if (!window || nowMs - window.startedAtMs >= WINDOW_MS) {
      window = { startedAtMs: nowMs, count: 0 }
      this.#windows.set(key, window)
    }
    if (window.count >= this.limit) return window.startedAtMs + WINDOW_MS - nowMs
    window.count += 1
    return null
  }
}

export interface GateDeps {
  ledger: Ledger
  clock: Clock
  respond: Respond
  /** The port once the server listens. */
  port: () => number
}

/** Reads and discards an unused body, within limits: a client that is still sending may not see an early answer. */
async function drain({ raw }: FastifyRequest): Promise<void> {
  if (raw.complete || raw.destroyed) return
  let bytes = 0
  await new Promise<void>((resolve) => {
    raw.once('end', resolve).once('close', resolve)
    raw.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes > MAX_BODY_BYTES) resolve()
    })
    raw.resume()
  })
}

/** A request that is about to be answered. */
export interface Exchange {
  route: RouteId
  /** Its number in the ledger. */
  seq: number
  isAdmitted: boolean
  request: FastifyRequest
  reply: FastifyReply
  clock: Clock
  /** The endpoint's answer, or the one that refuses the request. */
  work: () => Promise<Answer>
  drain: () => Promise<void>
  /** Writes the answer into the ledger, before it is sent; null for none. */
  answered: (status: number | null) => void
}

export type Respond = (exchange: Exchange) => Promise<void>

export const answerPlainly: Respond = async ({ request, reply, work, drain, answered }) => {
  const { status, headers, body } = await work()
  await drain()
  if (request.raw.destroyed && !request.raw.complete) {
    answered(null)
    reply.hijack().raw.socket?.resetAndDestroy()
    return
  }
  answered(status)
  const more = status === BODY_TOO_LARGE.status ? { connection: 'close' } : {}
  await reply
    .code(status)
    .headers({ ...headers, ...more })
    .send(body)
}

/** The pipeline of every request, whatever its route: ledger, Host, key and limits, work, ledger, answer. */
export function passGate({ ledger, clock, respond, port }: GateDeps, route: Route) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const isOwnHost = [`127.0.0.1:${port()}`, `localhost:${port()}`].includes(request.headers.host ?? '')
    const admission: Admission = isOwnHost
      ? route.admit(request)
      : { ok: false, keyId: null, answer: answerOf(WRONG_HOST) }
    const { keyId } = admission
    const path = request.url.split('?')[0] ?? ''
    const seq = ledger.arrived({ atMs: clock.nowMs(), method: request.method, route: route.id, path, keyId })
    await respond({
      route: route.id,
      seq,
      isAdmitted: admission.ok,
      request,
      reply,
      clock,
      work: async () => (admission.ok ? attempt(() => route.work(request, admission, seq)) : admission.answer),
      drain: () => drain(request),
      answered: (status) => ledger.answered(seq, clock.nowMs(), status),
    })
  }
}

async function attempt(work: () => Answer | Promise<Answer>): Promise<Answer> {
  try {
    return await work()
  } catch {
    // Upload errors of a client that disconnected end here too; the answer then goes nowhere.
    return jsonAnswer(500, { message: 'The practice service could not do this.' })
  }
}
