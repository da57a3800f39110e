import { z } from 'zod'
import { Documents } from '../journal/documents.ts'
import type { Db } from '../journal/journal.ts'
import { hashOf, newSecret } from './secrets.ts'

const SERVER = 'webServer'
const COOKIE = 'webCookie'

const RunningServer = z.object({ port: z.number().int(), instance: z.string() })
export type RunningServer = z.infer<typeof RunningServer>

/** The address that a person opens. The part after # is never sent to a server, so no server logs it. */
export function linkUrl(port: number, link: string): string {
  return `http://127.0.0.1:${port}/#link=${link}`
}

/** What a web server records about itself in the journal of its data folder. */
export class ServerNote {
  readonly #documents: Documents

  constructor(db: Db, nowMs: () => number) {
    this.#documents = new Documents(db, nowMs)
  }

  /** Random, one per data folder: servers on other ports of this computer share its cookies and must not clash. */
  cookieName(): string {
    const known = this.#documents.get(COOKIE, 'suffix', z.string().regex(/^[0-9a-f]{16}$/))
    const suffix = known ?? hashOf(newSecret()).slice(0, 16)
    if (known === null) this.#documents.put(COOKIE, 'suffix', suffix)
    return `hangar-${suffix}`
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
