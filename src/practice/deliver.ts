import { randomBytes } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { ServerResponse } from 'node:http'
import type { FastifyReply } from 'fastify'
import type { Answer } from './answer.ts'
import { jsonAnswer } from './answer.ts'
import type { WeatherEffect } from './protocol.ts'

type Effect<Kind extends WeatherEffect['kind']> = Extract<WeatherEffect, { kind: Kind }>

function plannedAnswer({ status, body, headers }: Effect<'answer'>): Answer {
  const answer =
    typeof body === 'string'
      ? { status, headers: { 'content-type': 'text/plain; charset=utf-8' }, body: Buffer.from(body) }
      : body === undefined
        ? { status, headers: {}, body: Buffer.alloc(0) }
        : jsonAnswer(status, body)
  return { ...answer, headers: { ...answer.headers, ...headers } }
}

/** The answer that replaces the endpoint's before it does anything; null when the endpoint should run. */
export function answerBeforeWork(effect: WeatherEffect | null): Answer | null {
  if (effect?.kind === 'answer' && effect.when === 'before-work') return plannedAnswer(effect)
  if (effect?.kind === 'rate-limited') {
    return jsonAnswer(429, { message: 'Too many attempts.', retry_after: effect.retryAfterSeconds })
  }
  if (effect?.kind !== 'redirect') return null
  return { status: effect.status, headers: { location: effect.location }, body: Buffer.alloc(0) }
}

/** `{job}` in a planned answer stands for the id of the job that the endpoint's own answer is about. */
function aboutTheSameJob(planned: Answer, own: Answer): Answer {
  const id = /"job_id":"(\w+)"/.exec(own.body.toString('utf8'))?.[1]
  return id === undefined
    ? planned
    : { ...planned, body: Buffer.from(planned.body.toString('utf8').replaceAll('{job}', id)) }
}

/** The final answer, status included, after weather that changes it; null when nothing is sent. */
export function spoil(answer: Answer, effect: WeatherEffect | null): Answer | null {
  switch (effect?.kind) {
    case 'answer':
      return effect.when === 'after-work' ? aboutTheSameJob(plannedAnswer(effect), answer) : answer
    case 'wrong-bytes':
      return { ...answer, body: randomBytes(answer.body.length) }
    case 'reset':
    case 'stall':
      return null
    default:
      return answer
  }
}

/** Sends the answer in the way that the weather prescribes. */
export async function deliver(reply: FastifyReply, answer: Answer, effect: WeatherEffect | null): Promise<void> {
  const { status, headers, body } = answer
  if (effect?.kind === 'cut-body' || effect?.kind === 'lengthless' || effect?.kind === 'trickle') {
    const { raw } = reply.hijack()
    if (effect.kind === 'trickle') await trickle(raw, answer, effect.bytesPerSecond)
    else sendRaw(raw, answer, effect)
    return
  }
  await reply.code(status).headers(headers).send(body)
}

/** Ends the exchange without an answer. */
export function withhold(reply: FastifyReply, kind: 'reset' | 'stall'): void {
  const { raw } = reply.hijack()
  if (kind === 'reset') raw.socket?.resetAndDestroy()
}

function sendRaw(
  raw: ServerResponse,
  { status, headers, body }: Answer,
  effect: Effect<'cut-body' | 'lengthless'>,
): void {
  const kept = body.subarray(0, Math.floor(body.length * effect.keepFraction))
  if (effect.kind === 'cut-body') {
    raw.writeHead(status, { ...headers, 'content-length': body.length })
    raw.write(kept, () => raw.socket?.destroySoon())
    return
  }
  raw.useChunkedEncodingByDefault = false
  raw.shouldKeepAlive = false
  raw.removeHeader('content-length')
  raw.writeHead(status, { ...headers, connection: 'close' })
  raw.end(kept)
}

async function trickle(raw: ServerResponse, { status, headers, body }: Answer, bytesPerSecond: number): Promise<void> {
  raw.writeHead(status, { ...headers, 'content-length': body.length })
  const step = Math.max(1, Math.floor(bytesPerSecond / 10))
  for (let at = 0; at < body.length && !raw.destroyed; at += step) {
    raw.write(body.subarray(at, at + step))
    await delay((step / bytesPerSecond) * 1000, undefined, { ref: false })
  }
  raw.end()
}
