import { createHash, randomBytes } from 'node:crypto'
import type { Clock } from '../../shared/ports.ts'

const DAY_MS = 86_400_000
/** A session that nobody used for so long has ended. */
export const SESSION_IDLE_MS = 30 * DAY_MS
const MAX_SESSIONS = 20
/** Open tabs of one browser, and then some. */
const MAX_TOKENS = 64

/** One browser that signed in. */
export interface Session {
  readonly id: number
  /** What was uploaded in the present day (UPLOAD_LIMITS); `sinceMs` is monotonic. */
  uploaded: { sinceMs: number; bytes: number; files: number; running: number }
}

interface Entry extends Session {
  cookieHash: string
  renewalHash: string
  tokenHashes: string[]
  usedMs: number
}

/** 256 bits, in the alphabet of URLs. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url')
}

/** Secrets are looked up by this, so that how long a comparison takes tells nothing about them. */
export function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('hex')
}

/**
 * Who is signed in; in memory only, so that a restart ends all sessions. A cookie alone opens nothing that changes
 * anything: cookies go to every port of a host, so other programs on this computer may see it. With it goes a token,
 * which the page keeps in memory, or the renewal key, which the browser keeps for the page's own origin.
 */
export class Sessions {
  readonly #clock: Clock
  readonly #byCookie = new Map<string, Entry>()
  readonly #endListeners = new Set<(id: number) => void>()
  #nextId = 1

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Told when a session ended, for what is still open in its name. */
  onEnd(listener: (id: number) => void): void {
    this.#endListeners.add(listener)
  }

  open(): { cookie: string; renewal: string; token: string } {
    const [cookie, renewal, token] = [newSecret(), newSecret(), newSecret()]
    this.#endIdle()
    const oldest = [...this.#byCookie.values()].sort((a, b) => a.usedMs - b.usedMs)[0]
    if (oldest !== undefined && this.#byCookie.size >= MAX_SESSIONS) this.#end(oldest)
    const nowMs = this.#clock.monotonicMs()
    this.#byCookie.set(hashOf(cookie), {
      id: this.#nextId++,
      uploaded: { sinceMs: nowMs, bytes: 0, files: 0, running: 0 },
      cookieHash: hashOf(cookie),
      renewalHash: hashOf(renewal),
      tokenHashes: [hashOf(token)],
      usedMs: nowMs,
    })
    return { cookie, renewal, token }
  }

  /** A fresh token for a page that was loaded again; null when cookie and key do not belong together. */
  renew(cookie: string | null, renewal: string): string | null {
    const entry = this.#find(cookie)
    if (entry === null || entry.renewalHash !== hashOf(renewal)) return null
    const token = newSecret()
    entry.tokenHashes = [...entry.tokenHashes, hashOf(token)].slice(-MAX_TOKENS)
    return token
  }

  /** Who may change things. */
  withToken(cookie: string | null, token: string | undefined): Session | null {
    const entry = this.#find(cookie)
    return token !== undefined && entry?.tokenHashes.includes(hashOf(token)) === true ? entry : null
  }

  /** Who may look at pictures, and begin a connection. */
  withCookie(cookie: string | null): Session | null {
    return this.#find(cookie)
  }

  /** An open connection counts as use. False when the session has ended. */
  keepAlive(id: number): boolean {
    const entry = [...this.#byCookie.values()].find((one) => one.id === id)
    if (entry !== undefined) entry.usedMs = this.#clock.monotonicMs()
    return entry !== undefined
  }

  #find(cookie: string | null): Entry | null {
    this.#endIdle()
    const entry = cookie === null ? undefined : this.#byCookie.get(hashOf(cookie))
    if (entry === undefined) return null
    entry.usedMs = this.#clock.monotonicMs()
    return entry
  }

  #endIdle(): void {
    const beforeMs = this.#clock.monotonicMs() - SESSION_IDLE_MS
    for (const entry of this.#byCookie.values()) if (entry.usedMs < beforeMs) this.#end(entry)
  }

  #end(entry: Entry): void {
    this.#byCookie.delete(entry.cookieHash)
    for (const listener of this.#endListeners) listener(entry.id)
  }
}
