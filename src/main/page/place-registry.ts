import { randomBytes } from 'node:crypto'
import { basename } from 'node:path'
import { AppError } from '../../shared/sentences/errors.ts'
import type { Place } from '../../shared/contract/places.ts'
import { say } from '../../shared/sentences/sentence.ts'

/** Two drops of as many files as one request may name. */
const MAX_PLACES = 200_000
const TOKEN_BYTES = 18

interface Entry {
  token: string
  path: string
  kind: Place['kind']
}

/**
 * Random tokens for the paths that a person picked, dropped or was shown. A page sends and gets only these. Beyond `max` entries the
 * least recently used is dropped.
 */
export class PlaceRegistry {
  readonly #max: number
  readonly #byToken = new Map<string, Entry>()
  readonly #byPath = new Map<string, Entry>()

  constructor(max = MAX_PLACES) {
    this.#max = max
  }

  /** The same path gets the same token while it is known. `path` is absolute. */
  register(path: string, kind: Place['kind']): Place {
    const known = this.#byPath.get(keyOf(path, kind))
    const entry = known ?? { token: randomBytes(TOKEN_BYTES).toString('base64url'), path, kind }
    this.#touch(entry)
    return { token: entry.token, name: basename(path) || path, path, kind }
  }

  /** Throws `not_found` for an unknown token. */
  resolve(token: string): string {
    return this.#entry(token).path
  }

  /** Throws `bad_request` for a file. */
  resolveFolder(token: string): string {
    const { path, kind } = this.#entry(token)
    if (kind !== 'folder') throw new AppError('bad_request', say('file_for_folder'))
    return path
  }

  isFile(token: string): boolean {
    return this.#byToken.get(token)?.kind === 'file'
  }

  #entry(token: string): Entry {
    const entry = this.#byToken.get(token)
    if (entry === undefined) throw new AppError('not_found', say('place_unknown'))
    this.#touch(entry)
    return entry
  }

  #touch(entry: Entry): void {
    const { token, path, kind } = entry
    this.#byToken.delete(token)
    this.#byToken.set(token, entry)
    this.#byPath.set(keyOf(path, kind), entry)
    if (this.#byToken.size <= this.#max) return
    const [oldest] = this.#byToken.values()
    if (oldest === undefined) return
    this.#byToken.delete(oldest.token)
    this.#byPath.delete(keyOf(oldest.path, oldest.kind))
  }
}

const keyOf = (path: string, kind: Place['kind']) => `${kind} ${path}`
