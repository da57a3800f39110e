import { createHmac, createPublicKey, randomBytes, timingSafeEqual, verify } from 'node:crypto'
import type { Clock } from '../../shared/ports.ts'
import { newSecret } from './secrets.ts'

const CHALLENGE_MS = 60_000
/** Crockford's: no letter that could be taken for a figure. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const CODE_LENGTH = 8

/** What a browser shows of itself: its public key, and a challenge of this server that it signed with the private one. */
export interface Proof {
  /** P-256, as SubjectPublicKeyInfo in base64url. */
  key: string
  challenge: string
  /** ECDSA with SHA-256 over `signedText`, as r and s, in base64url. */
  proof: string
}

/** What a browser signs; src/renderer/bridge/sign-in.ts says the same. */
export function signedText(host: string, challenge: string): string {
  return `hangar-sign-in http://${host} ${challenge}`
}

/**
 * Tells browsers apart by a key that never leaves them. Nothing is kept for a browser that is not signed in, so there is
 * nothing that others could use up: a challenge vouches for itself, and a code follows from the key.
 */
export class BrowserProofs {
  readonly #clock: Clock
  /** Of this process: an answer to a challenge is of no use at any other server, or after a restart. */
  readonly #secret = newSecret()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  newChallenge(): string {
    const text = `${Math.round(this.#clock.monotonicMs() + CHALLENGE_MS)}.${randomBytes(16).toString('base64url')}`
    return `${text}.${this.#seal('challenge', text)}`
  }

  holds({ key, challenge, proof }: Proof, host: string): boolean {
    const [expires = '', nonce = '', seal = '', ...more] = challenge.split('.')
    const isOurs = more.length === 0 && isSame(seal, this.#seal('challenge', `${expires}.${nonce}`))
    if (!isOurs || this.#clock.monotonicMs() > Number(expires)) return false
    try {
      const publicKey = createPublicKey({ key: Buffer.from(key, 'base64url'), format: 'der', type: 'spki' })
      if (publicKey.asymmetricKeyDetails?.namedCurve !== 'prime256v1') return false
      const text = Buffer.from(signedText(host, challenge))
      return verify('sha256', text, { key: publicKey, dsaEncoding: 'ieee-p1363' }, Buffer.from(proof, 'base64url'))
    } catch {
      // Not a key at all.
      return false
    }
  }

  /** What the browser with this key shows for a person to approve: 40 bits that nobody can choose, as `7F3K-92QX`. */
  codeOf(key: string, host: string): string {
    const bytes = createHmac('sha256', this.#secret).update(`code ${host} ${key}`).digest()
    return grouped(Array.from(bytes.subarray(0, CODE_LENGTH), (byte) => ALPHABET[byte % 32]).join(''))
  }

  #seal(purpose: string, text: string): string {
    return createHmac('sha256', this.#secret).update(`${purpose} ${text}`).digest('base64url')
  }
}

/** A code as a person types it, in its own spelling; null for what can be none. */
export function readCode(typed: string): string | null {
  const code = typed.toUpperCase().replaceAll(/[\s-]/g, '').replaceAll('O', '0').replaceAll(/[IL]/g, '1')
  return code.length === CODE_LENGTH && [...code].every((letter) => ALPHABET.includes(letter)) ? grouped(code) : null
}

const grouped = (code: string) => `${code.slice(0, CODE_LENGTH / 2)}-${code.slice(CODE_LENGTH / 2)}`

function isSame(one: string, other: string): boolean {
  const [first, second] = [Buffer.from(one), Buffer.from(other)]
  return first.length === second.length && timingSafeEqual(first, second)
}
