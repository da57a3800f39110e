import type { Clock } from '../../shared/runtime/ports.ts'
import { newSecret } from './secrets.ts'

/** A browser requests the archive right after it gets the address. */
const KEPT_MS = 10 * 60_000
const MAX_KEPT = 50

interface Wish {
  signInId: string
  ids: readonly string[]
  atMs: number
}

/** The results that a page wants in one archive: too many ids for an address. */
export class ZipWishes {
  readonly #clock: Pick<Clock, 'nowMs'>
  readonly #wishes = new Map<string, Wish>()

  constructor(clock: Pick<Clock, 'nowMs'>) {
    this.#clock = clock
  }

  put(signInId: string, ids: readonly string[]): string {
    const token = newSecret()
    this.#wishes.set(token, { signInId, ids, atMs: this.#clock.nowMs() })
    const [oldest] = this.#wishes.keys()
    if (this.#wishes.size > MAX_KEPT && oldest !== undefined) this.#wishes.delete(oldest)
    return token
  }

  /** Null for a token that is unknown, expired or another browser's. A browser may ask twice. */
  get(token: string, signInId: string): readonly string[] | null {
    const wish = this.#wishes.get(token)
    const isFresh = wish !== undefined && this.#clock.nowMs() - wish.atMs < KEPT_MS
    return isFresh && wish.signInId === signInId ? wish.ids : null
  }
}
