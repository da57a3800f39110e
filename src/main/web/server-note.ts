import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { Documents } from '../journal/documents.ts'
import type { Db } from '../journal/journal.ts'

const NOTE = 'web'

/**
 * `origin`: of its page. `address` and `port`: where it listens; an IP address, also one that stands for all. `instance` is random, and
 * tells this server from what may listen there later.
 */
const RunningServer = z.object({
  origin: z.string(),
  address: z.string(),
  port: z.number().int(),
  instance: z.string(),
})
export type RunningServer = z.infer<typeof RunningServer>

/** The address that a person opens. The part after # is never sent to a server, so no server logs it. */
export function linkUrl(origin: string, link: string): string {
  return `${origin}/#link=${link}`
}

const documentsIn = (db: Db) => new Documents(db, () => Date.now())

/** A random name for this data folder's server: those on other ports of a host share its cookies, or its inbox. */
export function serverName(db: Db): string {
  const documents = documentsIn(db)
  const known = documents.get(NOTE, 'name', z.string().regex(/^[0-9a-f]{16}$/))
  const name = known ?? randomBytes(8).toString('hex')
  if (known === null) documents.put(NOTE, 'name', name)
  return name
}

/** Records for `hangar serve --link` where this server is. Null removes the record. */
export function announce(db: Db, server: RunningServer | null): void {
  if (server === null) documentsIn(db).remove(NOTE, 'running')
  else documentsIn(db).put(NOTE, 'running', server)
}

/** The server that announced itself last; it may have ended without removing its record. */
export function announcedServer(db: Db): RunningServer | null {
  return documentsIn(db).get(NOTE, 'running', RunningServer)
}
