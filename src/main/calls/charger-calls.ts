import { AppError } from '../../shared/errors.ts'
import { chargerBaseUrl } from '../services/base-url.ts'
import { createChargerService, type ChargerService } from '../services/charger-service.ts'
import { valueOf } from './ask-service.ts'
import type { CallsDeps, HandlersOf } from './call-deps.ts'

export function chargerCalls(deps: CallsDeps): HandlersOf<'chargers'> {
  const signal = new AbortController().signal
  return {
    'chargers.list': async (filter) => {
      const { chargers, unusable } = valueOf(
        await serviceOf(deps).allChargers(filterOf(filter), { signal }),
        'charger service',
      )
      return { chargers, unusable }
    },
    'chargers.geojson': async (filter) => {
      const { collection } = valueOf(await serviceOf(deps).geojson(filterOf(filter), { signal }), 'charger service')
      return { collection }
    },
  }
}

const filterOf = ({ icao, country }: { icao?: string | undefined; country?: string | undefined }) => ({
  icao: icao ?? null,
  country: country ?? null,
})

/** The charger service is chosen apart from the image service; without an address of its own, practice serves it. */
function serviceOf({ http, context, secrets, practice }: CallsDeps): ChargerService {
  const { clock, settings } = context
  const given = settings().chargerBaseUrl
  if (given !== null) {
    const { baseUrl, origin } = chargerBaseUrl(given)
    return createChargerService({ http, clock, baseUrl, token: () => secrets.get('chargers', origin) })
  }
  if (practice !== null)
    return createChargerService({ http, clock, baseUrl: practice.chargerBaseUrl, token: () => practice.partnerToken })
  throw new AppError('key_missing', 'No charger service is set up. Give its address (--charger-url) and token first.')
}
