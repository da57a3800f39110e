import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { Documents } from '../journal/documents.ts'
import type { Db } from '../journal/journal.ts'

const NOTE = 'web'

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
