import { z } from 'zod'
import { Documents } from '../journal/documents.ts'
import type { Db } from '../journal/journal.ts'
import { hashOf, newSecret } from './secrets.ts'

const SERVER = 'webServer'
const COOKIE = 'webCookie'

/** Where a server listens. `address` is an IP address, also one that stands for all. */
export const ListensAt = z.union([
  z.object({ address: z.string(), port: z.number().int() }),
  z.object({ socketPath: z.string() }),
])
export type ListensAt = z.infer<typeof ListensAt>

/** `origin`: of its page. `instance` is random, and tells this server from what may listen there later. */
const RunningServer = z.object({ origin: z.string(), at: ListensAt, instance: z.string() })
export type RunningServer = z.infer<typeof RunningServer>

/** The address that a person opens. The part after # is never sent to a server, so no server logs it. */
export function linkUrl(origin: string, link: string): string {
  return `${origin}/#link=${link}`
}

/** What a web server records about itself in the journal of its data folder. */
export class ServerNote {
  readonly #documents: Documents

  constructor(db: Db, nowMs: () => number) {
    this.#documents = new Documents(db, nowMs)
  }

  /**
   * Random, one per data folder: servers on other ports of a host share its cookies and must not clash. The prefix makes browsers
   * take a cookie of this name only with `Secure`, for this host alone and all of its paths.
   */
  cookieName(isPublic: boolean): string {
    const known = this.#documents.get(COOKIE, 'suffix', z.string().regex(/^[0-9a-f]{16}$/))
    const suffix = known ?? hashOf(newSecret()).slice(0, 16)
    if (known === null) this.#documents.put(COOKIE, 'suffix', suffix)
    return `${isPublic ? '__Host-' : ''}hangar-${suffix}`
  }

  /** Records for `hangar serve --link` where this server is. Null removes the record. */
  announce(server: RunningServer | null): void {
    if (server === null) this.#documents.remove(SERVER, 'running')
    else this.#documents.put(SERVER, 'running', server)
  }
}

/** The server that announced itself last; it may have ended without removing its record. */
export function announcedServer(db: Db): RunningServer | null {
  return new Documents(db, () => Date.now()).get(SERVER, 'running', RunningServer)
}
