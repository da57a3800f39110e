import { z } from 'zod'
import { MAX_FAVOURITES } from '../../shared/recipes/limits.ts'
import { AppError } from '../../shared/sentences/errors.ts'
import { say } from '../../shared/sentences/sentence.ts'
import type { Documents } from '../journal/documents.ts'

const KIND = 'charger-favourites'

/** The chargers that a person marked at this service, in ascending order of id. Ids are only meaningful at one service. */
export function favouriteChargers(documents: Documents, service: string): number[] {
  return documents.get(KIND, service, z.array(z.number().int())) ?? []
}

/** Throws `bad_request` when there are too many, and then marks none. */
export function markFavourites(documents: Documents, service: string, marked: number[], favourite: boolean): number[] {
  const given = new Set(marked)
  const others = favouriteChargers(documents, service).filter((other) => !given.has(other))
  if (favourite && others.length + given.size > MAX_FAVOURITES)
    throw new AppError('bad_request', say('list_full', { most: MAX_FAVOURITES }))
  const ids = favourite ? [...others, ...given].sort((one, other) => one - other) : others
  documents.put(KIND, service, ids)
  return ids
}
