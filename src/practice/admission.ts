import type { FastifyRequest } from 'fastify'
import type { Clock } from '../shared/runtime/ports.ts'
import type { Accounts } from './accounts.ts'
import { newSecret } from './accounts.ts'
import { jsonAnswer } from './answer.ts'
import type { Answer } from './answer.ts'
import type { FixedWindow } from './fixed-window.ts'
import type { Admission } from './gate.ts'
import { CHARGER_TOO_MANY, KEY_HEADERS_IN_ORDER, REFUSED_KEY, RETRY_AFTER_UNIT_MS } from './not-shown.ts'

const UNAUTHENTICATED: Answer = jsonAnswer(REFUSED_KEY.status, REFUSED_KEY.body)

function bearer(request: FastifyRequest): string | null {
  return /^Bearer +(\S+) *$/i.exec(request.headers.authorization ?? '')?.[1] ?? null
}

/** Either header form (image service document, "Authentication", rule 2). */
function sentKey(request: FastifyRequest): string | null {
  for (const name of KEY_HEADERS_IN_ORDER) {
    if (request.headers[name] === undefined) continue
    return name === 'authorization' ? bearer(request) : String(request.headers[name])
  }
  return null
}

/** The image service's key and its 60 requests a minute (image service document, "Authentication" and "Limits"). */
export function admitByKey(accounts: Accounts, window: FixedWindow, clock: Clock) {
  return (request: FastifyRequest): Admission => {
    const sent = sentKey(request)
    const key = sent === null ? null : accounts.find(sent)
    if (!key) return { ok: false, keyId: null, answer: UNAUTHENTICATED }
    const { keyId } = key
    const waitMs = window.take(keyId, clock.monotonicMs())
    if (waitMs === null) return { ok: true, keyId, key }
    const retryAfter = Math.max(1, Math.ceil(waitMs / RETRY_AFTER_UNIT_MS))
    return { ok: false, keyId, answer: jsonAnswer(429, { message: 'Too many attempts.', retry_after: retryAfter }) }
  }
}

/** The partner's tokens. */
export class PartnerTokens {
  #known: { token: string; keyId: string }[]
  #issued = 1

  constructor(first: string | undefined) {
    this.#known = [{ token: first ?? newSecret('hpt'), keyId: 'token-1' }]
  }

  /** The token issued last. */
  get current(): string {
    return this.#known[0]?.token ?? ''
  }

  rotate(keepOld: boolean): { key: string; keyId: string } {
    const issued = { token: newSecret('hpt'), keyId: `token-${++this.#issued}` }
    this.#known = keepOld ? [issued, ...this.#known] : [issued]
    return { key: issued.token, keyId: issued.keyId }
  }

  /** The id of the token, or null when it is not one. */
  find(token: string): string | null {
    return this.#known.find((known) => known.token === token)?.keyId ?? null
  }
}

/** 120 requests a minute from one address, with or without a good token (charger document, "Limits"). */
export function admitByToken(tokens: PartnerTokens, window: FixedWindow, clock: Clock) {
  return (request: FastifyRequest): Admission => {
    const token = bearer(request)
    const keyId = token === null ? null : tokens.find(token)
    const waitMs = window.take(request.ip, clock.monotonicMs())
    if (waitMs !== null) return { ok: false, keyId, answer: jsonAnswer(429, CHARGER_TOO_MANY) }
    return keyId === null ? { ok: false, keyId, answer: UNAUTHENTICATED } : { ok: true, keyId, key: null }
  }
}
