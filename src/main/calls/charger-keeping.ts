import { z } from 'zod'
import { MOST_FILTERS, SavedChargerFilter } from '../../shared/charger-status.ts'
import { AppError } from '../../shared/errors.ts'
import { collisionKey } from '../core/naming.ts'
import type { CallsDeps, Handlers, HandlersOf } from './call-deps.ts'

const FILTERS = 'charger-filter'
const VIEWS = 'view'

type KeepingHandlers = Pick<
  Handlers,
  | 'chargers.favourite'
  | 'chargers.favourites'
  | 'chargers.filters.list'
  | 'chargers.filters.save'
  | 'chargers.filters.remove'
>

/** What a person keeps about chargers: favourites, per service, and filters under a name. */
export function keepingCalls({ documents, makeId, chargers }: CallsDeps): KeepingHandlers {
  const saved = () => documents.list(FILTERS, SavedChargerFilter).map(({ value }) => value)
  return {
    'chargers.favourites': () => ({ ids: chargers.favourites.ids() }),
    'chargers.favourite': ({ id, favourite }) => {
      const ids = chargers.favourites.mark(id, favourite)
      chargers.tell()
      return { ids }
    },
    'chargers.filters.list': () => ({ filters: saved().sort((a, b) => a.name.localeCompare(b.name)) }),
    'chargers.filters.save': ({ id, name: given, filter }) => {
      const name = given.trim()
      if (name === '') throw new AppError('bad_request', 'Give the filter a name.')
      const all = saved()
      if (id !== null && !all.some((other) => other.id === id))
        throw new AppError('not_found', 'This filter is not there any more. Save it as a new one.')
      if (all.some((other) => other.id !== id && collisionKey(other.name) === collisionKey(name)))
        throw new AppError('name_taken', `There is another filter called "${name}". Choose another name.`)
      if (id === null && all.length >= MOST_FILTERS)
        throw new AppError('bad_request', `No more than ${MOST_FILTERS} filters are kept. Remove some first.`)
      const entry: SavedChargerFilter = { id: id ?? makeId(), name, filter }
      documents.put(FILTERS, entry.id, entry)
      return entry
    },
    'chargers.filters.remove': ({ id }) => {
      documents.remove(FILTERS, id)
      return {}
    },
  }
}

/** How places were left, for the next start. */
export function viewCalls({ documents }: CallsDeps): HandlersOf<'views'> {
  return {
    'views.load': ({ name }) => ({ value: documents.get(VIEWS, name, z.unknown()) }),
    'views.save': ({ name, value }) => {
      documents.put(VIEWS, name, value ?? null)
      return {}
    },
  }
}
