import { z } from 'zod'
import { readWaypoints } from '../../core/read-waypoints.ts'
import type { CallsDeps, HandlersOf } from './call-deps.ts'

const VIEWS = 'view'

export function chargerCalls({ chargers }: CallsDeps): HandlersOf<'chargers'> {
  const { book } = chargers
  return {
    'chargers.refresh': async () => {
      await book.refresh()
      return book.status()
    },
    'chargers.data': () => book.data(),
    'chargers.readWaypoints': ({ data }) => readWaypoints(Buffer.from(data, 'base64')),
    'chargers.favourites': ({ ids, favourite, service }) => ({ ids: chargers.markFavourites(ids, favourite, service) }),
  }
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
