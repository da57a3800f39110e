import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import type { Clock } from '../../shared/runtime/ports.ts'
import type { BrowserRow } from '../../shared/contract/browsers.ts'
import { Documents } from '../journal/documents.ts'
import { dataVersion, durably, type Db } from '../journal/journal.ts'
import { browserIn } from './browser-name.ts'
import { hashOf, newSecret } from './secrets.ts'

const DAY_MS = 86_400_000
/** A sign-in that is not used for this long ends. */
export const SIGN_IN_IDLE_MS = 30 * DAY_MS
/**
 * The clock may be set back by this much. While it is further back, a sign-in is not valid, since its age is unknown.
 */
const CLOCK_SLACK_MS = DAY_MS
/** How far the stored time of last use may lag. */
const SEEN_STEP_MS = 10 * 60_000
const MAX_SIGN_INS = 20
/** More than the open tabs of one browser. */
const MAX_TOKENS = 64
/** Tabs that ask simultaneously after a restart each get a cookie, and the browser keeps the last one to arrive. */
const MAX_COOKIES = 8

const KIND = 'webSignIn'

/** Nothing in it can be used to sign in: the private key is in the browser. */
const StoredSignIn = z.object({
  /** The browser's public key (browser-proof.ts). */
  key: z.string(),
  /** The page's, as the browser had it, and the port this server listened on. The sign-in is valid only for these. */
  origin: z.string(),
  port: z.number().int(),
  browser: z.string().nullable(),
  system: z.string().nullable(),
  signedInAtMs: z.number(),
  seenAtMs: z.number(),
})
type StoredSignIn = z.infer<typeof StoredSignIn>

/** One browser that signed in. */
export interface SignIn {
  readonly id: string
  /** Part of the addresses of pictures, downloads and chargers; its pages get it over their sockets. In memory only. */
  readonly view: string
  /** Aborted when the sign-in ends, to cancel what is under way for it. */
  readonly ended: AbortSignal
  /** Uploads of the current day (UPLOAD_LIMITS); `sinceMs` is monotonic. */
  readonly uploaded: { sinceMs: number; bytes: number; files: number; running: number }
}

/** What a request says about the browser that sent it. */
export interface Caller {
  /** The page's, by the Host of the request. */
  origin: string
  /** The port this server listens on; 0 with a public origin, which names the server by itself. */
  port: number
  cookie: string | null
}

/** `cookie` is null when the browser's present cookie stays valid. */
export interface GivenAccess {
  token: string
  cookie: string | null
}

interface Entry extends SignIn {
  stored: StoredSignIn
  /** The value in the journal; `stored.seenAtMs` is ahead of it. */
  writtenSeenAtMs: number
  ending: AbortController
  cookieHashes: string[]
  tokenHashes: string[]
}

/**
 * Which browsers are signed in. The journal has their public keys, so that they survive a restart; another process
 * signs a browser out by removing its row. Cookies and tokens are only in memory: after a restart a browser gets new
 * ones by proving its key, and the old ones are worthless to a stranger who listened on the port meanwhile.
 *
 * A cookie alone never authorises a change: browsers send cookies to every port of a host, so other programs on this
 * computer may see it. Changes also need a token, and pictures the secret in their addresses, which the page keeps in memory.
 */
export class SignIns {
  readonly #db: Db
  readonly #documents: Documents
  readonly #clock: Clock
  readonly #entries = new Map<string, Entry>()
  readonly #endListeners = new Set<(id: string) => void>()
  #dataVersion: unknown = null

  constructor(db: Db, clock: Clock) {
    this.#db = db
    this.#documents = new Documents(db, () => clock.nowMs())
    this.#clock = clock
    for (const { key: id, value } of this.#documents.list(KIND, StoredSignIn)) this.#add(id, value)
    this.catchUp()
  }

  /** Registers a listener called when a sign-in ended, to close what is still open for it. */
  onEnd(listener: (id: string) => void): void {
    this.#endListeners.add(listener)
  }

  /** Signs in a browser that showed a link or was approved; one that is already signed in stays so. */
  open(key: string, caller: Caller, userAgent: string | undefined): GivenAccess {
    const known = this.renew(key, caller)
    if (known !== null) return known
    const oldest = [...this.#entries.values()].sort((a, b) => a.stored.seenAtMs - b.stored.seenAtMs)[0]
    if (oldest !== undefined && this.#entries.size >= MAX_SIGN_INS) this.end(oldest.id)
    const id = randomBytes(8).toString('hex')
    const nowMs = this.#clock.nowMs()
    const { origin, port } = caller
    const stored = { key, origin, port, ...browserIn(userAgent), signedInAtMs: nowMs, seenAtMs: nowMs }
    this.#documents.put(KIND, id, stored satisfies StoredSignIn)
    return this.#give(this.#add(id, stored), caller)
  }

  /** Access for a browser that proved its key: after a reload, or a restart of this server. Null when it is not signed in. */
  renew(key: string, caller: Caller): GivenAccess | null {
    this.catchUp()
    const entry = [...this.#entries.values()].find((one) => one.stored.key === key && this.#isFor(one, caller))
    return entry === undefined ? null : this.#give(entry, caller)
  }

  /** The sign-in of a caller that may change things. */
  withToken(caller: Caller, token: string | undefined): SignIn | null {
    const entry = this.#find(caller)
    return token !== undefined && entry?.tokenHashes.includes(hashOf(token)) === true ? entry : null
  }

  /** The sign-in of a caller that may see pictures. */
  withView(caller: Caller, view: string): SignIn | null {
    const entry = this.#find(caller)
    return entry !== null && hashOf(entry.view) === hashOf(view) ? entry : null
  }

  /** The sign-in of a caller that may open a connection, over which it then shows its token. */
  withCookie(caller: Caller): SignIn | null {
    return this.#find(caller)
  }

  /** An open connection counts as use. False when the sign-in has ended. */
  keepAlive(id: string): boolean {
    this.catchUp()
    const entry = this.#entries.get(id)
    if (entry !== undefined) this.#used(entry)
    return entry !== undefined
  }

  /** Newest first; `current` marks the one that asks. */
  list(currentId: string): BrowserRow[] {
    this.catchUp()
    return rowsOf(
      [...this.#entries.values()].map(({ id, stored }) => ({ key: id, value: stored })),
      currentId,
    )
  }

  /** Throws when the journal cannot be written: the browser is then signed out only until the next start. */
  end(id: string): void {
    this.#drop(id)
    durably(this.#db, () => this.#documents.remove(KIND, id))
  }

  /** Throws as `end` does. */
  endAll(): void {
    for (const id of this.#entries.keys()) this.#drop(id)
    signOut(this.#db, 'all')
  }

  /** Ends sign-ins that are too old or that another process removed from the journal. */
  catchUp(): void {
    const beforeMs = this.#clock.nowMs() - SIGN_IN_IDLE_MS
    for (const { id, stored } of this.#entries.values()) if (stored.seenAtMs < beforeMs) orLater(() => this.end(id))
    const version = dataVersion(this.#db)
    if (version === this.#dataVersion) return
    this.#dataVersion = version
    const kept = new Set(this.#documents.list(KIND, StoredSignIn).map(({ key }) => key))
    for (const id of this.#entries.keys()) if (!kept.has(id)) this.#drop(id)
  }

  /** Stores when each was last used. */
  close(): void {
    for (const entry of this.#entries.values()) orLater(() => this.#writeSeen(entry))
  }

  #add(id: string, stored: StoredSignIn): Entry {
    const ending = new AbortController()
    const entry: Entry = {
      id,
      view: newSecret(),
      stored,
      ending,
      ended: ending.signal,
      writtenSeenAtMs: stored.seenAtMs,
      cookieHashes: [],
      tokenHashes: [],
      uploaded: { sinceMs: this.#clock.monotonicMs(), bytes: 0, files: 0, running: 0 },
    }
    this.#entries.set(id, entry)
    return entry
  }

  #give(entry: Entry, { cookie }: Caller): GivenAccess {
    const [token, fresh] = [newSecret(), newSecret()]
    const isKnown = cookie !== null && entry.cookieHashes.includes(hashOf(cookie))
    if (!isKnown) entry.cookieHashes = [...entry.cookieHashes, hashOf(fresh)].slice(-MAX_COOKIES)
    entry.tokenHashes = [...entry.tokenHashes, hashOf(token)].slice(-MAX_TOKENS)
    this.#used(entry)
    return { token, cookie: isKnown ? null : fresh }
  }

  #find(caller: Caller): Entry | null {
    this.catchUp()
    const { cookie } = caller
    if (cookie === null) return null
    const hash = hashOf(cookie)
    const entry = [...this.#entries.values()].find((one) => one.cookieHashes.includes(hash) && this.#isFor(one, caller))
    if (entry === undefined) return null
    this.#used(entry)
    return entry
  }

  #isFor({ stored }: Entry, { origin, port }: Caller): boolean {
    const isBelievable = stored.seenAtMs - this.#clock.nowMs() <= CLOCK_SLACK_MS
    return isBelievable && stored.origin === origin && stored.port === port
  }

  #used(entry: Entry): void {
    entry.stored.seenAtMs = Math.max(entry.stored.seenAtMs, this.#clock.nowMs())
    if (entry.stored.seenAtMs - entry.writtenSeenAtMs >= SEEN_STEP_MS) orLater(() => this.#writeSeen(entry))
  }

  #writeSeen(entry: Entry): void {
    if (entry.writtenSeenAtMs === entry.stored.seenAtMs) return
    // Only if its row still exists: a browser that another process signed out must not come back.
    if (this.#documents.get(KIND, entry.id, StoredSignIn) === null) return
    this.#documents.put(KIND, entry.id, entry.stored)
    entry.writtenSeenAtMs = entry.stored.seenAtMs
  }

  #drop(id: string): void {
    const entry = this.#entries.get(id)
    if (entry === undefined) return
    this.#entries.delete(id)
    entry.ending.abort()
    for (const listener of this.#endListeners) listener(id)
  }
}

/** For writes that a full disk may delay: they are repeated at the next use or start. */
function orLater(write: () => void): void {
  try {
    write()
  } catch {
    // Not worth losing the page over; the engine reports the disk problem.
  }
}

/** For another process: the browsers in the journal, newest first. */
export function storedSignIns(db: Db): BrowserRow[] {
  return rowsOf(new Documents(db, () => Date.now()).list(KIND, StoredSignIn), null)
}

/** Removes one or all from the journal; a running server notices within a second. Returns how many were removed. */
export function signOut(db: Db, id: string): number {
  const documents = new Documents(db, () => Date.now())
  const ids = documents.list(KIND, StoredSignIn).map(({ key }) => key)
  const ending = id === 'all' ? ids : ids.filter((one) => one === id)
  durably(db, () => {
    for (const one of ending) documents.remove(KIND, one)
  })
  return ending.length
}

function rowsOf(entries: { key: string; value: StoredSignIn }[], currentId: string | null): BrowserRow[] {
  return entries
    .map(({ key: id, value: { browser, system, origin, signedInAtMs, seenAtMs } }) => ({
      id,
      browser,
      system,
      origin,
      signedInAtMs,
      seenAtMs,
      current: id === currentId,
    }))
    .sort((a, b) => b.seenAtMs - a.seenAtMs)
}
