import { createHmac, createPublicKey, randomBytes, timingSafeEqual, verify } from 'node:crypto'
import type { Clock } from '../../shared/runtime/ports.ts'
import { newSecret } from './secrets.ts'

const CHALLENGE_MS = 60_000
/** Crockford's base 32: no letter that could be mistaken for a digit. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const CODE_LENGTH = 8

/** A SubjectPublicKeyInfo of P-256 (RFC 5480), up to the coordinates of an uncompressed point. */
const KEY_HEAD = Buffer.from('3059301306072a8648ce3d020106082a8648ce3d03010703420004', 'hex')
const KEY_BYTES = KEY_HEAD.length + 64

/** A browser's proof of identity: its public key, and a challenge of this server signed with the private key. */
interface Proof {
  /** P-256, as SubjectPublicKeyInfo in base64url. */
  key: string
  challenge: string
  /** ECDSA with SHA-256 over `signedText`, as r and s, in base64url. */
  proof: string
}

/** The text that a browser signs; must match src/renderer/bridge/sign-in.ts. */
function signedText(origin: string, challenge: string): string {
  return `hangar-sign-in ${origin} ${challenge}`
}

/**
 * Identifies browsers by a private key that never leaves them. Keeps no state for a browser that is not signed in, so
 * there is nothing to exhaust: challenges are self-authenticating, and a code is derived from the key.
 */
export class BrowserProofs {
  readonly #clock: Clock
  /** Per process: an answer to a challenge is worthless at another server or after a restart. */
  readonly #secret = newSecret()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  newChallenge(): string {
    const text = `${Math.round(this.#clock.monotonicMs() + CHALLENGE_MS)}.${randomBytes(16).toString('base64url')}`
    return `${text}.${this.#seal('challenge', text)}`
  }

  holds({ key, challenge, proof }: Proof, origin: string): boolean {
    const [expires = '', nonce = '', seal = '', ...more] = challenge.split('.')
    const isOurs = more.length === 0 && isSame(seal, this.#seal('challenge', `${expires}.${nonce}`))
    if (!isOurs || this.#clock.monotonicMs() > Number(expires)) return false
    const bytes = Buffer.from(key, 'base64url')
    if (!isUsualForm(bytes) || bytes.toString('base64url') !== key) return false
    try {
      const publicKey = createPublicKey({ key: bytes, format: 'der', type: 'spki' })
      const text = Buffer.from(signedText(origin, challenge))
      return verify('sha256', text, { key: publicKey, dsaEncoding: 'ieee-p1363' }, Buffer.from(proof, 'base64url'))
    } catch {
      // Not a point of the curve.
      return false
    }
  }

  /**
   * The code that the browser with this key shows for a person to approve: 40 bits that it cannot choose, as
   * `7F3K-92QX`.
   */
  codeOf(key: string, origin: string): string {
    const bytes = createHmac('sha256', this.#secret).update(`code ${origin} ${key}`).digest()
    return grouped(Array.from(bytes.subarray(0, CODE_LENGTH), (byte) => ALPHABET[byte % 32]).join(''))
  }

  #seal(purpose: string, text: string): string {
    return createHmac('sha256', this.#secret).update(`${purpose} ${text}`).digest('base64url')
  }
}

/** Normalises a code as typed by a person; null if it cannot be a code. */
export function readCode(typed: string): string | null {
  const code = typed.toUpperCase().replaceAll(/[\s-]/g, '').replaceAll('O', '0').replaceAll(/[IL]/g, '1')
  return code.length === CODE_LENGTH && [...code].every((letter) => ALPHABET.includes(letter)) ? grouped(code) : null
}

/** As browsers write it (Web Cryptography, ECDSA, export of `spki`). A second form of a key would have a second code, for one proof. */
const isUsualForm = (key: Buffer) => key.length === KEY_BYTES && key.subarray(0, KEY_HEAD.length).equals(KEY_HEAD)

const grouped = (code: string) => `${code.slice(0, CODE_LENGTH / 2)}-${code.slice(CODE_LENGTH / 2)}`

function isSame(one: string, other: string): boolean {
  const [first, second] = [Buffer.from(one), Buffer.from(other)]
  return first.length === second.length && timingSafeEqual(first, second)
}
