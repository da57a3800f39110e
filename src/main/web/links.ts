import { z } from 'zod'
import type { Clock } from '../../shared/ports.ts'
import { Documents } from '../queue/documents.ts'
import type { Db } from '../queue/journal.ts'
import { hashOf, newSecret } from './sessions.ts'

/** A link is used once, and within this. */
export const LINK_MS = 60_000
const MAX_LINKS = 50

const LINK = 'webLink'
const SERVER = 'webServer'
const COOKIE = 'webCookie'

const StoredLink = z.object({ expiresAtMs: z.number() })
const RunningServer = z.object({ port: z.number().int(), instance: z.string() })
export type RunningServer = z.infer<typeof RunningServer>

/** The address that a person opens. The part after # is not sent to any server, and so not logged by one either. */
export function linkUrl(port: number, link: string): string {
  return `http://127.0.0.1:${port}/#link=${link}`
}

/**
 * Links that sign a browser in. The server's own are in memory; `hangar serve --link`, another process, leaves the hash
 * of one in the journal, which only the owner of the data folder can write.
 */
export class Links {
  readonly #documents: Documents
  readonly #clock: Clock
  readonly #expiry = new Map<string, number>()

  constructor(db: Db, clock: Clock) {
    this.#documents = new Documents(db, () => clock.nowMs())
    this.#clock = clock
  }

  newLink(): string {
    const link = newSecret()
    const first = this.#expiry.keys().next()
    if (this.#expiry.size >= MAX_LINKS && first.done !== true) this.#expiry.delete(first.value)
    this.#expiry.set(hashOf(link), this.#clock.monotonicMs() + LINK_MS)
    return link
  }

  /** True once for a link that is not too old. */
  take(link: string): boolean {
    const hash = hashOf(link)
    const expiresMs = this.#expiry.get(hash)
    if (this.#expiry.delete(hash)) return expiresMs !== undefined && this.#clock.monotonicMs() < expiresMs
    const stored = this.#documents.get(LINK, hash, StoredLink)
    if (stored === null) return false
    this.#documents.remove(LINK, hash)
    return isFresh(stored, this.#clock.nowMs())
  }

  /** Random, one for each data folder: servers on other ports of this computer share its cookies, and must not clash. */
  cookieName(): string {
    const known = this.#documents.get(COOKIE, 'suffix', z.string().regex(/^[0-9a-f]{16}$/))
    const suffix = known ?? hashOf(newSecret()).slice(0, 16)
    if (known === null) this.#documents.put(COOKIE, 'suffix', suffix)
    return `hangar-${suffix}`
  }

  /** For `hangar serve --link`: where this server is. Null takes it back. */
  announce(server: RunningServer | null): void {
    if (server === null) this.#documents.remove(SERVER, 'running')
    else this.#documents.put(SERVER, 'running', server)
  }
}

/** The server that announced itself last; it may have ended without taking that back. */
export function announcedServer(db: Db): RunningServer | null {
  return new Documents(db, () => Date.now()).get(SERVER, 'running', RunningServer)
}

/** Leaves a fresh link for the server that runs on this journal, and gives it back. Only its hash is stored. */
export function leaveLink(db: Db, nowMs: number): string {
  const documents = new Documents(db, () => nowMs)
  for (const { key, value } of documents.list(LINK, StoredLink)) if (!isFresh(value, nowMs)) documents.remove(LINK, key)
  const link = newSecret()
  documents.put(LINK, hashOf(link), { expiresAtMs: nowMs + LINK_MS } satisfies z.infer<typeof StoredLink>)
  return link
}

/** Also false for one that seems to come from the future: then the clock was set. */
function isFresh({ expiresAtMs }: z.infer<typeof StoredLink>, nowMs: number): boolean {
  return nowMs < expiresAtMs && expiresAtMs <= nowMs + LINK_MS
}
