import { z } from 'zod'
import type { Clock } from '../../shared/runtime/ports.ts'
import { Documents } from '../journal/documents.ts'
import { durably, type Db } from '../journal/journal.ts'
import { readCode } from './browser-proof.ts'
import { hashOf, newSecret } from './secrets.ts'

/** How long a link or an approved code is valid. Single use is what protects it; this limit is for people. */
export const GRANT_MS = 10 * 60_000

/** A page that shows a code polls every two seconds whether it was approved. */
const APPROVAL_MS = 15_000
const APPROVAL_STEP_MS = 200

/** `webLink`: the secret of a sign-in link. `webCode`: a code that a browser shows and a person approved. */
type GrantKind = 'webLink' | 'webCode'

const Grant = z.object({ expiresAtMs: z.number() })

/**
 * Single-use permissions to sign in one browser. They are in the journal so that `hangar serve --link` and `--approve`,
 * which are other processes, can leave one for the server: only the owner of the data folder can write there. Only a
 * hash is stored.
 */
export class Grants {
  readonly #db: Db
  readonly #documents: Documents
  readonly #clock: Clock

  constructor(db: Db, clock: Clock) {
    this.#db = db
    this.#documents = new Documents(db, () => clock.nowMs())
    this.#clock = clock
  }

  newLink(): string {
    const link = newSecret()
    this.leave('webLink', link)
    return link
  }

  leave(kind: GrantKind, secret: string): void {
    for (const { key, value } of this.#documents.list(kind, Grant))
      if (!this.#isFresh(value)) this.#documents.remove(kind, key)
    const expiresAtMs = this.#clock.nowMs() + GRANT_MS
    this.#documents.put(kind, hashOf(secret), { expiresAtMs } satisfies z.infer<typeof Grant>)
  }

  /** True only once, and only until it expires. */
  take(kind: GrantKind, secret: string): boolean {
    const hash = hashOf(secret)
    const grant = this.#documents.get(kind, hash, Grant)
    if (grant === null) return false
    // Removed durably before it counts, or it would work a second time after a power cut.
    durably(this.#db, () => this.#documents.remove(kind, hash))
    return this.#isFresh(grant)
  }

  /**
   * Lets the browser that shows this code sign in. The browser polls every two seconds, so a mistyped code is found out
   * soon: resolves to false and revokes the permission if no browser used it within `waitMs`.
   */
  async approve(typed: string, waitMs = APPROVAL_MS): Promise<boolean> {
    const code = readCode(typed)
    if (code === null) return false
    this.leave('webCode', code)
    const untilMs = this.#clock.monotonicMs() + waitMs
    while (this.#isWaiting('webCode', code)) {
      if (this.#clock.monotonicMs() > untilMs) return !this.take('webCode', code)
      await new Promise<void>((resolve) => this.#clock.setTimer(APPROVAL_STEP_MS, resolve))
    }
    return true
  }

  #isWaiting(kind: GrantKind, secret: string): boolean {
    return this.#documents.get(kind, hashOf(secret), Grant) !== null
  }

  /** Also false for one that appears to come from the future, because the clock was changed. */
  #isFresh({ expiresAtMs }: z.infer<typeof Grant>): boolean {
    const nowMs = this.#clock.nowMs()
    return nowMs < expiresAtMs && expiresAtMs <= nowMs + GRANT_MS
  }
}
