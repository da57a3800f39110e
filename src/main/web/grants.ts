import { z } from 'zod'
import type { Clock } from '../../shared/ports.ts'
import { Documents } from '../queue/documents.ts'
import { durably, type Db } from '../queue/journal.ts'
import { readCode } from './browser-proof.ts'
import { hashOf, newSecret } from './secrets.ts'

/** How long a link or an approved code can be used. That it works once is what protects it; this is for a person to read. */
export const GRANT_MS = 10 * 60_000

/** A page that shows a code asks every two seconds whether it was approved. */
const APPROVAL_MS = 15_000
const APPROVAL_STEP_MS = 200

/** `webLink`: the secret of a sign-in link. `webCode`: a code that a browser shows and a person approved. */
export type GrantKind = 'webLink' | 'webCode'

const Grant = z.object({ expiresAtMs: z.number() })

/**
 * Permissions to sign one browser in, once. They are in the journal, so that `hangar serve --link` and `--approve`, which
 * are other processes, can leave one for the server: only the owner of the data folder can write there. What is stored is a
 * hash.
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

  /** True once, and only while it is not too old. */
  take(kind: GrantKind, secret: string): boolean {
    const hash = hashOf(secret)
    const grant = this.#documents.get(kind, hash, Grant)
    if (grant === null) return false
    // On disk before it counts: after a power cut it would work a second time.
    durably(this.#db, () => this.#documents.remove(kind, hash))
    return this.#isFresh(grant)
  }

  /**
   * Lets the browser sign in that shows this code. It asks every two seconds, so that nobody who mistyped the code has to
   * wait for long: resolves to false, and takes the permission back, when none came for it within `waitMs`.
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

  /** Also false for one that seems to come from the future: then the clock was set. */
  #isFresh({ expiresAtMs }: z.infer<typeof Grant>): boolean {
    const nowMs = this.#clock.nowMs()
    return nowMs < expiresAtMs && expiresAtMs <= nowMs + GRANT_MS
  }
}
