import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Clock } from '../shared/runtime/ports.ts'
import type { Answer } from './answer.ts'
import { jsonAnswer } from './answer.ts'
import type { KnownKey } from './accounts.ts'
import type { Ledger } from './ledger.ts'
import { BODY_TOO_LARGE, MAX_BODY_BYTES, WRONG_HOST } from './not-shown.ts'
import type { RouteId } from './protocol.ts'

/** Who may use a route: whose request it is, or the answer that refuses it. */
export type Admission =
  { ok: true; keyId: string | null; key: KnownKey | null } | { ok: false; keyId: string | null; answer: Answer }

export interface Route {
  id: RouteId
  admit: (request: FastifyRequest) => Admission
  work: (request: FastifyRequest, key: KnownKey | null, seq: number) => Answer | Promise<Answer>
}

export interface GateDeps {
  ledger: Ledger
  clock: Clock
  respond: Respond
  /** The port once the server listens. */
  port: () => number
}

function isOwnHost(host: string | undefined, port: number): boolean {
  return host === `127.0.0.1:${port}` || host === `localhost:${port}`
}

/** Reads and discards an unused body, within limits: a client that is still sending may not see an early answer. */
async function drain(request: FastifyRequest): Promise<void> {
  const { raw } = request
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
    const admission = isOwnHost(request.headers.host, port())
      ? route.admit(request)
      : { ok: false as const, keyId: null, answer: jsonAnswer(WRONG_HOST.status, WRONG_HOST.body) }
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
      work: async () => (admission.ok ? attempt(() => route.work(request, admission.key, seq)) : admission.answer),
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
