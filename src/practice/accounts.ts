import { randomBytes } from 'node:crypto'

interface Account {
  id: string
  credits: number
  /** Project names by project id. */
  projects: Map<string, string>
}

export interface KnownKey {
  keyId: string
  account: Account
}

/** The name of the project that an upload without one gets (image service document, "Project"). */
const DEFAULT_PROJECT = 'API Uploads'

/** API keys with their accounts, and each account's credits and projects. */
export class Accounts {
  readonly #newId: () => string
  readonly #keys = new Map<string, KnownKey>()
  #keysIssued = 0
  #accountsMade = 0
  #current: KnownKey
  #currentKey: string

  constructor(firstKey: string | undefined, credits: number, newId: () => string) {
    this.#newId = newId
    this.#currentKey = firstKey ?? newSecret('hpk')
    this.#current = this.#issue(this.#currentKey, this.#newAccount(credits))
  }

  /** The key issued last. */
  get currentKey(): string {
    return this.#currentKey
  }

  /** The account of the key issued last: `set-credits` and `get-state` refer to it. */
  get currentAccount(): Account {
    return this.#current.account
  }

  find(key: string): KnownKey | null {
    return this.#keys.get(key) ?? null
  }

  rotate(account: 'same' | 'other', keepOld: boolean): { key: string; keyId: string } {
    const owner = account === 'same' ? this.#current.account : this.#newAccount(0)
    if (!keepOld) this.#keys.delete(this.#currentKey)
    this.#currentKey = newSecret('hpk')
    this.#current = this.#issue(this.#currentKey, owner)
    return { key: this.#currentKey, keyId: this.#current.keyId }
  }

  /**
   * The project an upload belongs to. One that names no project gets the project of that name, made when missing: the
   * document says "creates", and one "API Uploads" for all serves a person better than one for each picture.
   */
  projectFor(account: Account, projectId: string | null, projectName: string | null): string {
    if (projectId !== null) return projectId
    const name = projectName ?? DEFAULT_PROJECT
    for (const [id, existing] of account.projects) if (existing === name) return id
    const id = this.#newId()
    account.projects.set(id, name)
    return id
  }

  #newAccount(credits: number): Account {
    return { id: `account-${++this.#accountsMade}`, credits, projects: new Map() }
  }

  #issue(key: string, account: Account): KnownKey {
    const known = { keyId: `key-${++this.#keysIssued}`, account }
    this.#keys.set(key, known)
    return known
  }
}

/** An unguessable key; the prefix shows a person that it only works with the practice service. */
export function newSecret(prefix: string): string {
  return `${prefix}_${randomBytes(20).toString('hex')}`
}
