import { valueOf } from './ask-service.ts'
import type { CallsDeps, HandlersOf } from './call-deps.ts'
import { keepingCalls } from './charger-keeping.ts'

export function chargerCalls(deps: CallsDeps): HandlersOf<'chargers'> {
  const { chargers, stopping } = deps
  const { book } = chargers
  return {
    'chargers.list': async (filter) => {
      const collecting = { signal: stopping, pace: chargers.pace }
      const answer = await chargers.service().allChargers(filterOf(filter), collecting)
      return valueOf(answer, 'chargers')
    },
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
