import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import type { Clock } from '../../shared/ports.ts'
import type { BrowserRow } from '../../shared/ui-contract.ts'
import { Documents } from '../queue/documents.ts'
import { durably, type Db } from '../queue/journal.ts'
import { browserIn } from './browser-name.ts'
import { hashOf, newSecret } from './secrets.ts'

const DAY_MS = 86_400_000
/** A sign-in that was not used for this long has ended. */
export const SIGN_IN_IDLE_MS = 30 * DAY_MS
/** A clock may be set back a little. While it is further back, a sign-in does not count: how old it is is not known then. */
const CLOCK_SLACK_MS = DAY_MS
/** How old the stored time of last use may be. */
const SEEN_STEP_MS = 10 * 60_000
const MAX_SIGN_INS = 20
/** Open tabs of one browser, and then some. */
const MAX_TOKENS = 64
/** Tabs that ask at the same moment after a restart each get one, and the browser keeps the last that arrived. */
const MAX_COOKIES = 8

const KIND = 'webSignIn'

/** Nothing in it signs anybody in: the private key is in the browser. */
const StoredSignIn = z.object({
  /** The browser's public key (browser-proof.ts). */
  key: z.string(),
  /** The Host by which the browser came, and the port this server listened on. It counts for these alone. */
  host: z.string(),
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
  /** Aborted when it ends, for what is under way in its name. */
  readonly ended: AbortSignal
  /** What was uploaded in the present day (UPLOAD_LIMITS); `sinceMs` is monotonic. */
  readonly uploaded: { sinceMs: number; bytes: number; files: number; running: number }
}

/** What a request says of the browser that sent it. */
export interface Caller {
  host: string
  /** The port this server listens on. */
  port: number
  cookie: string | null
}

/** `cookie` is null where the one that the browser has already goes on. */
export interface GivenAccess {
  token: string
  cookie: string | null
}

interface Entry extends SignIn {
  stored: StoredSignIn
  /** As the journal has it; `stored.seenAtMs` runs ahead. */
  writtenSeenAtMs: number
  ending: AbortController
  cookieHashes: string[]
  tokenHashes: string[]
}

/**
 * Which browsers are signed in. The journal has their public keys, so that they survive a restart; another process signs a
 * browser out by taking its row away. Cookies and tokens are in memory: after a restart a browser gets new ones for a proof
 * of its key, and those that it had are worth nothing to a stranger who listened on the port meanwhile.
 *
 * A cookie alone opens nothing that changes anything: cookies go to every port of a host, so other programs on this computer
 * may see it. With it goes a token, which the page keeps in memory.
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

  /** Called when a sign-in ended, to close what is still open in its name. */
  onEnd(listener: (id: string) => void): void {
    this.#endListeners.add(listener)
  }

  /** Signs a browser in that showed a link or was approved; one that is signed in stays so. */
  open(key: string, caller: Caller, userAgent: string | undefined): GivenAccess {
    const known = this.renew(key, caller)
    if (known !== null) return known
    const oldest = [...this.#entries.values()].sort((a, b) => a.stored.seenAtMs - b.stored.seenAtMs)[0]
    if (oldest !== undefined && this.#entries.size >= MAX_SIGN_INS) this.end(oldest.id)
    const id = randomBytes(8).toString('hex')
    const nowMs = this.#clock.nowMs()
    const { host, port } = caller
    const stored = { key, host, port, ...browserIn(userAgent), signedInAtMs: nowMs, seenAtMs: nowMs }
    this.#documents.put(KIND, id, stored satisfies StoredSignIn)
    return this.#give(this.#add(id, stored), caller)
  }

  /** Access for a browser that proved its key: after a reload, or a restart of this server. Null when it is not signed in. */
  renew(key: string, caller: Caller): GivenAccess | null {
    this.catchUp()
    const entry = [...this.#entries.values()].find((one) => one.stored.key === key && this.#isFor(one, caller))
    return entry === undefined ? null : this.#give(entry, caller)
  }

  /** Who may change things. */
  withToken(caller: Caller, token: string | undefined): SignIn | null {
    const entry = this.#find(caller)
    return token !== undefined && entry?.tokenHashes.includes(hashOf(token)) === true ? entry : null
  }

  /** Who may look at pictures, and begin a connection. */
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

  /** Newest first; `current` is the one that asks. */
  list(currentId: string): BrowserRow[] {
    this.catchUp()
    return rowsOf(
      [...this.#entries.values()].map(({ id, stored }) => ({ key: id, value: stored })),
      currentId,
    )
  }

  /** Throws when the journal cannot be written: then the browser is shut out until the next start only. */
  end(id: string): void {
    this.#drop(id)
    durably(this.#db, () => this.#documents.remove(KIND, id))
  }

  /** Throws as `end` does. */
  endAll(): void {
    for (const id of this.#entries.keys()) this.#drop(id)
    signOut(this.#db, 'all')
  }

  /** Ends what is too old, and what another process took out of the journal. */
  catchUp(): void {
    const beforeMs = this.#clock.nowMs() - SIGN_IN_IDLE_MS
    for (const { id, stored } of this.#entries.values()) if (stored.seenAtMs < beforeMs) orLater(() => this.end(id))
    const version = this.#db.pragma('data_version', { simple: true })
    if (version === this.#dataVersion) return
    this.#dataVersion = version
    const kept = new Set(this.#documents.list(KIND, StoredSignIn).map(({ key }) => key))
    for (const id of this.#entries.keys()) if (!kept.has(id)) this.#drop(id)
  }

  /** Writes down when each was used last. */
  close(): void {
    for (const entry of this.#entries.values()) orLater(() => this.#writeSeen(entry))
  }

  #add(id: string, stored: StoredSignIn): Entry {
    const ending = new AbortController()
    const entry: Entry = {
      ...{ id, stored, ending, ended: ending.signal, writtenSeenAtMs: stored.seenAtMs },
      ...{ cookieHashes: [], tokenHashes: [] },
      uploaded: { sinceMs: this.#clock.monotonicMs(), bytes: 0, files: 0, running: 0 },
    }
    this.#entries.set(id, entry)
    return entry
  }

  #give(entry: Entry, { cookie }: Caller): GivenAccess {
    const [token, fresh] = [newSecret(), newSecret()]
    const goesOn = cookie !== null && entry.cookieHashes.includes(hashOf(cookie))
    if (!goesOn) entry.cookieHashes = [...entry.cookieHashes, hashOf(fresh)].slice(-MAX_COOKIES)
    entry.tokenHashes = [...entry.tokenHashes, hashOf(token)].slice(-MAX_TOKENS)
    this.#used(entry)
    return { token, cookie: goesOn ? null : fresh }
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

  #isFor({ stored }: Entry, { host, port }: Caller): boolean {
    const isBelievable = stored.seenAtMs - this.#clock.nowMs() <= CLOCK_SLACK_MS
    return isBelievable && stored.host === host && stored.port === port
  }

  #used(entry: Entry): void {
    entry.stored.seenAtMs = Math.max(entry.stored.seenAtMs, this.#clock.nowMs())
    if (entry.stored.seenAtMs - entry.writtenSeenAtMs >= SEEN_STEP_MS) orLater(() => this.#writeSeen(entry))
  }

  #writeSeen(entry: Entry): void {
    if (entry.writtenSeenAtMs === entry.stored.seenAtMs) return
    // Only where it still is: a browser that another process signed out must not come back.
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

/** What a full disk may put off: it is done at the next use, or next start. */
function orLater(write: () => void): void {
  try {
    write()
  } catch {
    // No reason to lose the page, and the engine reports the disk's trouble.
  }
}

/** For another process: the browsers that the journal has, newest first. */
export function storedSignIns(db: Db): BrowserRow[] {
  return rowsOf(new Documents(db, () => Date.now()).list(KIND, StoredSignIn), null)
}

/** Takes one or all out of the journal; a server that runs on it notices within a second. Gives how many these were. */
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
    .map(({ key: id, value: { browser, system, host, signedInAtMs, seenAtMs } }) => ({
      ...{ id, browser, system, host, signedInAtMs, seenAtMs },
      current: id === currentId,
    }))
    .sort((a, b) => b.seenAtMs - a.seenAtMs)
}
