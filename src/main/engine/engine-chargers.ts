import type { ChargersState } from '../../shared/chargers/charger-status.ts'
import type { EngineEvent } from '../../shared/contract/engine-port.ts'
import { toAppError } from '../../shared/sentences/errors.ts'
import { watchedChargers } from '../../shared/chargers/route/saved-routes.ts'
import { PRACTICE_SERVICE } from '../../shared/recipes/recipe.ts'
import { valueOf } from './calls/ask-service.ts'
import { ChargerBook, type ChargerSource, type ReadingOutcome } from '../chargers/charger-book.ts'
import { ChargerCache } from '../chargers/charger-cache.ts'
import { favouriteChargers, markFavourites } from '../chargers/favourite-chargers.ts'
import type { EngineData } from './engine-data.ts'
import type { EngineRun } from './engine-run.ts'
import { chargerBaseUrl } from '../services/base-url.ts'
import { ChargerPace, PACE } from '../services/charger-pace.ts'
import { createChargerService, type ChargerService } from '../services/charger-service.ts'

interface ChargersDeps extends EngineRun, EngineData {
  emit: (event: EngineEvent) => void
}

export interface Chargers {
  book: ChargerBook
  state(): ChargersState
  /** At the service in use, or another; returns all there. */
  markFavourites(ids: number[], favourite: boolean, service?: string): number[]
}

/** The charger service is independent of the image service. Without an address the practice service is used. */
export function createChargers(deps: ChargersDeps): Chargers {
  const { documents, settings, clock, random, log, emit } = deps
  const pace = new ChargerPace(clock)
  const take = (signal: AbortSignal) => pace.take(PACE.background, signal)
  const serviceId = () => serviceInUse(deps)?.id ?? PRACTICE_SERVICE
  const source = (): ChargerSource | null => {
    const found = serviceInUse(deps)
    if (found === null) return null
    const { service, ...where } = found
    return { ...where, read: (options) => readAll(service, { ...options, pace: take, random }) }
  }
  const favourites = () => favouriteChargers(documents, serviceId())
  const state = () => ({ status: book.status(), favourites: favourites() })
  const emitState = () => emit({ type: 'chargers', ...state() })
  const book: ChargerBook = new ChargerBook({
    source,
    clock,
    random,
    log,
    background: deps.background,
    cache: new ChargerCache(deps.dataDir, log),
    refreshMinutes: () => settings().chargers.refreshMinutes,
    watched: () => new Set([...favourites(), ...watchedChargers(settings())]),
    onChange: emitState,
  })
  return {
    book,
    state,
    markFavourites: (ids, favourite, service = serviceId()) => {
      const all = markFavourites(documents, service, ids, favourite)
      emitState()
      return all
    },
  }
}

/** The service that has been set up, else the practice service; null where there is neither. */
function serviceInUse({
  settings,
  practice,
  http,
  secrets,
  clock,
}: ChargersDeps): (Omit<ChargerSource, 'read'> & { service: ChargerService }) | null {
  const given = settings().chargerBaseUrl
  if (given !== null) {
    const { baseUrl, origin } = chargerBaseUrl(given)
    const service = createChargerService({ http, clock, baseUrl, token: () => secrets.get('chargers', origin) })
    return { id: baseUrl, sample: false, service }
  }
  if (practice === null) return null
  const { chargerBaseUrl: baseUrl, partnerToken } = practice
  const service = createChargerService({ http, clock, baseUrl, token: () => partnerToken })
  return { id: PRACTICE_SERVICE, sample: true, service }
}

type ReadOptions = Parameters<ChargerService['allChargers']>[1]

async function readAll(service: ChargerService, options: ReadOptions): Promise<ReadingOutcome> {
  let retryAfterMs: number | null = null
  try {
    const answer = await service.allChargers({}, options)
    if (answer.kind === 'status') retryAfterMs = answer.retryAfterMs
    return { kind: 'read', reading: valueOf(answer) }
  } catch (error) {
    return { kind: 'failed', error: toAppError(error), retryAfterMs }
  }
}
