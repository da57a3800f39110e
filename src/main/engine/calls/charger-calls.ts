import { readWaypoints } from '../../core/read-waypoints.ts'
import type { CallsDeps, HandlersOf } from './call-deps.ts'

export function chargerCalls({ chargers }: CallsDeps): HandlersOf<'chargers'> {
  const { book } = chargers
  return {
    'chargers.refresh': async () => {
      await book.refresh()
      return book.status()
    },
    'chargers.data': () => book.data(),
    'chargers.readWaypoints': ({ data }) => {
      const { places, leftOut } = readWaypoints(Buffer.from(data, 'base64'))
      return { places: places.map(({ note: _, ...place }) => place), leftOut }
    },
    'chargers.favourites': ({ ids, favourite, service }) => ({ ids: chargers.markFavourites(ids, favourite, service) }),
  }
}
