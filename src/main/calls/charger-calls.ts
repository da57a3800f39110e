import { valueOf } from './ask-service.ts'
import type { CallsDeps, HandlersOf } from './call-deps.ts'
import { keepingCalls } from './charger-keeping.ts'

export function chargerCalls(deps: CallsDeps): HandlersOf<'chargers'> {
  const { chargers, stopping } = deps
  const { book } = chargers
  const status = async () => {
    await book.open()
    return book.status()
  }
  return {
    'chargers.list': async (filter) => {
      const collecting = { signal: stopping, pace: chargers.pace }
      const answer = await chargers.service().allChargers(filterOf(filter), collecting)
      return valueOf(answer, 'charger service')
    },
    'chargers.geojson': async (filter) => {
      const answer = await chargers.service().geojson(filterOf(filter), { signal: stopping })
      return { collection: valueOf(answer, 'charger service').collection }
    },
    'chargers.status': status,
    'chargers.refresh': async () => {
      await book.refresh()
      return book.status()
    },
    'chargers.data': () => book.data(),
    ...keepingCalls(deps),
  }
}

const filterOf = ({ icao, country }: { icao?: string | undefined; country?: string | undefined }) => ({
  icao: icao ?? null,
  country: country ?? null,
})
