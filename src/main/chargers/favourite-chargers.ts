import { z } from 'zod'
import { MAX_FAVOURITES } from '../../shared/recipes/limits.ts'
import { AppError } from '../../shared/sentences/errors.ts'
import { say } from '../../shared/sentences/sentence.ts'
import type { Documents } from '../journal/documents.ts'

const KIND = 'charger-favourites'
const Ids = z.array(z.number().int())

/** Chargers that a person marked. Ids are only meaningful at one service, so each service has its own list. */
export class FavouriteChargers {
  readonly #documents: Documents
  readonly #serviceId: () => string

  constructor(documents: Documents, serviceId: () => string) {
    this.#documents = documents
    this.#serviceId = serviceId
  }

  /** Those in a journal of the service at an address. */
  static idsIn(documents: Documents, serviceId: string): number[] {
    return documents.get(KIND, serviceId, Ids) ?? []
  }

  /** Those of the service in use, in ascending order. */
  ids(): number[] {
    return FavouriteChargers.idsIn(this.#documents, this.#serviceId())
  }

  /** Of the service in use, or another. Throws `bad_request` when there are too many, and then marks none. */
  mark(marked: readonly number[], favourite: boolean, service = this.#serviceId()): number[] {
    const given = new Set(marked)
    const others = FavouriteChargers.idsIn(this.#documents, service).filter((other) => !given.has(other))
    if (favourite && others.length + given.size > MAX_FAVOURITES)
      throw new AppError('bad_request', say('favourites_full', { most: MAX_FAVOURITES }))
    const ids = favourite ? [...others, ...given].sort((one, other) => one - other) : others
    this.#documents.put(KIND, service, ids)
    return ids
  }
}
