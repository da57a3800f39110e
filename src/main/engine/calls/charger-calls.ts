import { z } from 'zod'
import { MAX_FILTERS, SavedChargerFilter } from '../../../shared/chargers/charger-status.ts'
import { AppError } from '../../../shared/sentences/errors.ts'
import { say } from '../../../shared/sentences/sentence.ts'
import { collisionKey } from '../../core/naming.ts'
import { readAircraft } from '../../core/read-aircraft.ts'
import { readWaypoints } from '../../core/read-waypoints.ts'
import type { CallsDeps, Handlers, HandlersOf } from './call-deps.ts'

const FILTERS = 'charger-filter'
const VIEWS = 'view'

export function chargerCalls(deps: CallsDeps): HandlersOf<'chargers'> {
  const { settingsStore } = deps
  const { book } = deps.chargers
  return {
    'chargers.refresh': async () => {
      await book.refresh()
      return book.status()
    },
    'chargers.data': () => book.data(),
    'chargers.readWaypoints': ({ data }) => readWaypoints(Buffer.from(data, 'base64')),
    'chargers.readAircraft': ({ data }) =>
      readAircraft(Buffer.from(data, 'base64'), settingsStore.get().chargers.aircraft),
    ...keepingCalls(deps),
  }
}

/** Favourites, per service, and saved filters. */
function keepingCalls({ documents, makeId, chargers }: CallsDeps) {
  const saved = () => documents.list(FILTERS, SavedChargerFilter).map(({ value }) => value)
  return {
    'chargers.favourites': ({ ids, favourite, service }) => ({ ids: chargers.markFavourites(ids, favourite, service) }),
    'chargers.filters.list': () => ({ filters: saved().sort((a, b) => a.name.localeCompare(b.name)) }),
    'chargers.filters.save': ({ id, name: given, filter }) => {
      const name = given.trim()
      if (name === '') throw new AppError('bad_request', say('filter_without_name'))
      const all = saved()
      if (id !== null && !all.some((other) => other.id === id)) throw new AppError('not_found', say('filter_gone'))
      if (all.some((other) => other.id !== id && collisionKey(other.name) === collisionKey(name)))
        throw new AppError('name_taken', say('filter_name_taken', { name }))
      if (id === null && all.length >= MAX_FILTERS)
        throw new AppError('bad_request', say('filters_full', { most: MAX_FILTERS }))
      const entry: SavedChargerFilter = { id: id ?? makeId(), name, filter }
      documents.put(FILTERS, entry.id, entry)
      return entry
    },
    'chargers.filters.remove': ({ id }) => {
      documents.remove(FILTERS, id)
      return {}
    },
  } satisfies Partial<Handlers>
}

/** How each place was left, for the next start. */
export function viewCalls({ documents }: CallsDeps): HandlersOf<'views'> {
  return {
    'views.load': ({ name }) => ({ value: documents.get(VIEWS, name, z.unknown()) }),
    'views.save': ({ name, value }) => {
      documents.put(VIEWS, name, value ?? null)
      return {}
    },
  }
}
