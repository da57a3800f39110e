import { createHash, createHmac, randomBytes } from 'node:crypto'
import { z } from 'zod'
import type { Clock } from '../../shared/runtime/ports.ts'
import { Documents } from '../journal/documents.ts'
import { durably, type Db } from '../journal/journal.ts'

/** Links work once; this limit is for people. */
export const LINK_MS = 10 * 60_000
export const SIGN_IN_MS = 30 * 86_400_000

const LINK = 'webLink'
const SIGN_IN = 'webSignIn'

/** Stored under the hash of the secret, so the journal alone opens nothing. */
const Link = z.object({ expiresAtMs: z.number() })
const StoredSignIn = Link.extend({
  /** What the page keeps. It is never sent again: the two secrets of a sign-in are derived from it. */
  seed: z.string(),
  address: z.string(),
})

/** A signed-in browser. `token` is for all that changes something, `addressSecret` for addresses of data; both end with this process. */
export interface SignIn {
  readonly id: string
  readonly token: string
  readonly addressSecret: string
}

/** A sign-in is valid only at the address where it was opened. */
export interface Caller {
  address: string
  cookie: string | null
}

/**
 * The browsers that are signed in, by the journal, which other processes change as well. A cookie alone opens nothing: browsers send it
 * to every port of a host, so programs of other users may see it.
 */
export class SignIns {
  /** Random, so that a token that a page sent to others on this port while this server was stopped is worth nothing here. */
  readonly instance = newSecret()
  readonly #db: Db
  readonly #documents: Documents
  readonly #clock: Pick<Clock, 'nowMs'>

  constructor(db: Db, clock: Pick<Clock, 'nowMs'>) {
    this.#db = db
    this.#documents = new Documents(db)
    this.#clock = clock
  }

  /** True only once for each link. */
  takeLink(link: string): boolean {
    const found = this.#documents.get(LINK, hashOf(link), Link)
    if (found === null) return false
    // Removed durably first, or it would work a second time after a power cut.
    durably(this.#db, () => this.#documents.remove(LINK, hashOf(link)))
    return this.#clock.nowMs() < found.expiresAtMs
  }

  open(address: string): { cookie: string; seed: string } {
    const [cookie, seed] = [newSecret(), newSecret()]
    const expiresAtMs = this.#clock.nowMs() + SIGN_IN_MS
    this.#documents.put(SIGN_IN, hashOf(cookie), { seed, address, expiresAtMs } satisfies z.infer<typeof StoredSignIn>)
    return { cookie, seed }
  }

  /** The token or the address secret has to be shown as well. */
  find({ address, cookie }: Caller): SignIn | null {
    if (cookie === null) return null
    const id = hashOf(cookie)
    const found = this.#documents.get(SIGN_IN, id, StoredSignIn)
    if (found?.address !== address || this.#clock.nowMs() >= found.expiresAtMs) return null
    const derived = (what: string) =>
      // Must match src/renderer/bridge/sign-in.ts.
      createHmac('sha256', found.seed).update(`${what} ${this.instance}`).digest('base64url')
    return { id, token: derived('token'), addressSecret: derived('address') }
  }
}

/** A fresh link, also for the server that another process runs on this journal. */
export function newLink(db: Db, clock: Pick<Clock, 'nowMs'>): string {
  const documents = new Documents(db)
  for (const kind of [LINK, SIGN_IN])
    for (const { key, value } of documents.list(kind, Link))
      if (clock.nowMs() >= value.expiresAtMs) documents.remove(kind, key)
  const link = newSecret()
  documents.put(LINK, hashOf(link), { expiresAtMs: clock.nowMs() + LINK_MS } satisfies z.infer<typeof Link>)
  return link
}

/** A running server notices within a second. Returns how many they were. */
export function signOutAll(db: Db): number {
  const documents = new Documents(db)
  const all = documents.list(SIGN_IN, StoredSignIn)
  durably(db, () => {
    for (const { key } of all) documents.remove(SIGN_IN, key)
  })
  return all.length
}

/** 256 bits, in the alphabet of URLs. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url')
}

export function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('hex')
}

/** Compares hashes, so that the time this takes tells nothing about the secret. */
export function isSecret(given: unknown, secret: string): boolean {
  return typeof given === 'string' && hashOf(given) === hashOf(secret)
}

const NOTE = 'web'

/** The part after # is never sent to a server, so no server logs it. */
export function linkUrl(origin: string, link: string): string {
  return `${origin}/#link=${link}`
}

/** Random for each data folder: servers on other ports of a host share its cookies, or its inbox. */
export function serverName(db: Db): string {
  const documents = new Documents(db)
  const known = documents.get(NOTE, 'name', z.string().regex(/^[0-9a-f]{16}$/))
  const name = known ?? randomBytes(8).toString('hex')
  if (known === null) documents.put(NOTE, 'name', name)
  return name
}
