import { z } from 'zod'
import { MAX_FAVOURITES } from '../../shared/chargers/charger-status.ts'
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

  /** Those of the service in use, in ascending order. */
  ids(): number[] {
    return this.#documents.get(KIND, this.#serviceId(), Ids) ?? []
  }

  /** Throws `bad_request` when there are too many. */
  mark(id: number, favourite: boolean): number[] {
    const others = this.ids().filter((other) => other !== id)
    if (favourite && others.length >= MAX_FAVOURITES)
      throw new AppError('bad_request', say('favourites_full', { most: MAX_FAVOURITES }))
    const ids = favourite ? [...others, id].sort((one, other) => one - other) : others
    this.#documents.put(KIND, this.#serviceId(), ids)
    return ids
  }
}
