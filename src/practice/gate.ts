import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Clock } from '../shared/runtime/ports.ts'
import type { Answer } from './answer.ts'
import { jsonAnswer } from './answer.ts'
import type { KnownKey } from './accounts.ts'
import { answerBeforeWork, deliver, spoil, withhold } from './deliver.ts'
import type { Ledger } from './ledger.ts'
import { BODY_TOO_LARGE, MAX_BODY_BYTES, WRONG_HOST } from './not-shown.ts'
import type { RouteId, WeatherEffect } from './protocol.ts'
import type { Weather } from './weather.ts'

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
  weather: Weather
  clock: Clock
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

function isBefore(effect: WeatherEffect | null, kind: 'reset' | 'stall'): boolean {
  return effect?.kind === kind && effect.when === 'before-work'
}

/**
 * The pipeline of every request, whatever its route: ledger, Host, key and limits, weather, work, ledger, answer. The answer
 * is in the ledger before it is sent.
 */
export function passGate(deps: GateDeps, route: Route) {
  const { ledger, weather, clock } = deps

  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const admission = isOwnHost(request.headers.host, deps.port())
      ? route.admit(request)
      : { ok: false as const, keyId: null, answer: jsonAnswer(WRONG_HOST.status, WRONG_HOST.body) }
    const { keyId } = admission
    const path = request.url.split('?')[0] ?? ''
    const seq = ledger.arrived({ atMs: clock.nowMs(), method: request.method, route: route.id, path, keyId })
    const effect = admission.ok ? weather.next(route.id) : null
    const answered = (status: number | null): void => {
      ledger.answered(seq, clock.nowMs(), status, effect?.kind ?? null)
    }
    const without = (kind: 'reset' | 'stall'): void => {
      answered(null)
      withhold(reply, kind)
    }

    if (isBefore(effect, 'reset')) return without('reset')
    if (isBefore(effect, 'stall')) return without('stall')
    if (effect?.kind === 'slow') await new Promise<void>((resolve) => clock.setTimer(effect.delayMs, resolve))

    const own = admission.ok
      ? (answerBeforeWork(effect) ?? (await attempt(() => route.work(request, admission.key, seq))))
      : admission.answer
    await drain(request)
    const leaving = spoil(own, effect)
    if (leaving === null) return without(effect?.kind === 'reset' ? 'reset' : 'stall')
    if (request.raw.destroyed && !request.raw.complete) return without('reset')
    answered(leaving.status)
    const more = leaving.status === BODY_TOO_LARGE.status ? { connection: 'close' } : {}
    await deliver(reply, { ...leaving, headers: { ...leaving.headers, ...more } }, effect)
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
