import { randomBytes } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import type { FastifyReply } from 'fastify'
import { answerPlainly, jsonAnswer, type Answer, type Exchange, type Respond } from '../../src/practice/gate.ts'
import type { RouteId } from '../../src/practice/protocol.ts'
import type { Random } from '../../src/shared/runtime/ports.ts'

type When = 'before-work' | 'after-work'

/** `before-work` leaves the service untouched (nothing charged); `after-work` does the work, charge included, and spoils only the answer. */
export type WeatherEffect =
  /** Sends this answer instead. A string body is sent as it is, anything else as JSON; `{job}` in it after the work is the job's id. */
  | { kind: 'answer'; status: number; body?: unknown; headers?: Record<string, string>; when?: When }
  | { kind: 'rate-limited'; retryAfterSeconds: number }
  | { kind: 'redirect'; status: number; location: string }
  /** Resets the connection. `after-work` on a dispatch is the answer lost after the charge. */
  | { kind: 'reset'; when: When }
  /** Never answers, until the client gives up. */
  | { kind: 'stall'; when: When }
  | { kind: 'slow'; delayMs: number }
  /** The right status, type and length, but other bytes. */
  | { kind: 'wrong-bytes' }
  /** The full Content-Length, then only this share of the body and a closed connection. */
  | { kind: 'cut-body'; keepFraction: number }
  /** Neither Content-Length nor chunks: the body ends with the connection; below 1 it is cut without a trace. */
  | { kind: 'lengthless'; keepFraction: number }
  | { kind: 'trickle'; bytesPerSecond: number }
type Effect<Kind extends WeatherEffect['kind']> = Extract<WeatherEffect, { kind: Kind }>

/** Applies to requests with a valid key. Rules are tried in the given order; the first match applies. */
export interface WeatherRule {
  on: RouteId | 'any' | 'dispatch'
  /** How many times it applies; unlimited when only `fraction` is given, otherwise once. */
  times?: number
  /** Lets this many requests pass first. */
  skip?: number
  /** Applies to this share of requests, at random. */
  fraction?: number
  effect: WeatherEffect
}

const DISPATCHES: ReadonlySet<RouteId> = new Set(['analyze', 'optimize', 'convert', 'process'])

function fits(on: WeatherRule['on'], route: RouteId): boolean {
  if (on === 'any') return true
  return on === 'dispatch' ? DISPATCHES.has(route) : on === route
}

/** The faults that a test asked for, and how much of each is left. */
export class Weather {
  readonly #random: Random
  #rules: (WeatherRule & { left: number; toSkip: number })[] = []

  constructor(random: Random) {
    this.#random = random
  }

  get size(): number {
    return this.#rules.length
  }

  add(rules: readonly WeatherRule[]): void {
    for (const rule of rules) {
      const left = rule.times ?? (rule.fraction === undefined ? 1 : Infinity)
      this.#rules.push({ ...rule, left, toSkip: rule.skip ?? 0 })
    }
  }

  clear(): void {
    this.#rules = []
  }

  /** What happens to this request; uses up one occurrence of the rule that applies. */
  next(route: RouteId): WeatherEffect | null {
    for (const rule of this.#rules) {
      if (!fits(rule.on, route)) continue
      if (rule.toSkip > 0) {
        rule.toSkip -= 1
        continue
      }
      if (rule.fraction !== undefined && this.#random() >= rule.fraction) continue
      rule.left -= 1
      if (rule.left <= 0) this.#rules = this.#rules.filter((other) => other !== rule)
      return rule.effect
    }
    return null
  }
}

/** Answers as the service does, but for the faults. */
export function respondInWeather(weather: Weather): Respond {
  return async (exchange) => {
    const effect = exchange.isAdmitted ? weather.next(exchange.route) : null
    if (effect === null) return answerPlainly(exchange)
    const without = (kind: 'reset' | 'stall') => {
      exchange.answered(null)
      withhold(exchange.reply, kind)
    }
    if ((effect.kind === 'reset' || effect.kind === 'stall') && effect.when === 'before-work')
      return without(effect.kind)
    if (effect.kind === 'slow') {
      await new Promise<void>((resolve) => exchange.clock.setTimer(effect.delayMs, resolve))
      return answerPlainly(exchange)
    }
    const own = answerBeforeWork(effect) ?? (await exchange.work())
    await exchange.drain()
    if (effect.kind === 'reset' || effect.kind === 'stall') return without(effect.kind)
    const answer = spoil(own, effect)
    exchange.answered(answer.status)
    await deliver(exchange, answer, effect)
  }
}

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
function answerBeforeWork(effect: WeatherEffect): Answer | null {
  if (effect.kind === 'answer' && effect.when !== 'after-work') return plannedAnswer(effect)
  if (effect.kind === 'rate-limited')
    return jsonAnswer(429, { message: 'Too many attempts.', retry_after: effect.retryAfterSeconds })
  if (effect.kind !== 'redirect') return null
  return { status: effect.status, headers: { location: effect.location }, body: Buffer.alloc(0) }
}

/** `{job}` in a planned answer stands for the id of the job that the endpoint's own answer is about. */
function aboutTheSameJob(planned: Answer, own: Answer): Answer {
  const id = /"job_id":"(\w+)"/.exec(own.body.toString('utf8'))?.[1]
  return id === undefined
    ? planned
    : { ...planned, body: Buffer.from(planned.body.toString('utf8').replaceAll('{job}', id)) }
}

/** The final answer, status included. */
function spoil(answer: Answer, effect: WeatherEffect): Answer {
  if (effect.kind === 'answer' && effect.when === 'after-work') return aboutTheSameJob(plannedAnswer(effect), answer)
  return effect.kind === 'wrong-bytes' ? { ...answer, body: randomBytes(answer.body.length) } : answer
}

async function deliver({ reply }: Exchange, answer: Answer, effect: WeatherEffect): Promise<void> {
  const { status, headers, body } = answer
  if (effect.kind === 'trickle') await trickle(reply.hijack().raw, answer, effect.bytesPerSecond)
  else if (effect.kind === 'cut-body' || effect.kind === 'lengthless') sendRaw(reply.hijack().raw, answer, effect)
  else await reply.code(status).headers(headers).send(body)
}

/** Ends the exchange without an answer. */
function withhold(reply: FastifyReply, kind: 'reset' | 'stall'): void {
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
