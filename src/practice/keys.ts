import { randomBytes } from 'node:crypto'

interface KnownKey<Owner> {
  /** `key-1`, `key-2`, …: never the key. */
  keyId: string
  owner: Owner
}

/** The keys of a service, each with whose it is. */
export class Keys<Owner> {
  /** The key issued last. */
  current = ''
  readonly #name: string
  readonly #prefix: string
  readonly #known = new Map<string, KnownKey<Owner>>()
  #issued = 0

  /** `prefix` shows a person that a key only works with the practice service. */
  constructor(name: string, prefix: string, owner: Owner, first?: string) {
    this.#name = name
    this.#prefix = prefix
    this.#issue(owner, first)
  }

  find(key: string | null): KnownKey<Owner> | null {
    return this.#known.get(key ?? '') ?? null
  }

  /** Issues a new key; without `keepOld` the one before is refused from now on. */
  rotate(owner: Owner, keepOld: boolean): { key: string; keyId: string } {
    if (!keepOld) this.#known.delete(this.current)
    const { keyId } = this.#issue(owner)
    return { key: this.current, keyId }
  }

  #issue(owner: Owner, key = `${this.#prefix}_${randomBytes(20).toString('hex')}`): KnownKey<Owner> {
    const known = { keyId: `${this.#name}-${++this.#issued}`, owner }
    this.#known.set(key, known)
    this.current = key
    return known
  }
}

/** An account at the image service. */
export interface Account {
  id: string
  credits: number
  /** Project names by project id. */
  projects: Map<string, string>
}

export const newAccount = (nth: number, credits = 0): Account => ({
  id: `account-${nth}`,
  credits,
  projects: new Map(),
})

/** The name of the project that an upload without one gets (image service document, "Project"). */
const DEFAULT_PROJECT = 'API Uploads'

/** The document says "creates"; one project of a name serves a person better than one for each picture. */
export function makeProject({ projects }: Account, name: string | null, newId: () => string): void {
  const wanted = name ?? DEFAULT_PROJECT
  if (![...projects.values()].includes(wanted)) projects.set(newId(), wanted)
}
