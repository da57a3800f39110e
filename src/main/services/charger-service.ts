import { z } from 'zod'
import { AppError } from '../../shared/sentences/errors.ts'
import { say } from '../../shared/sentences/sentence.ts'
import type { ChargePoint } from '../../shared/chargers/charger.ts'
import type { Clock, HttpPort } from '../../shared/runtime/ports.ts'
import type { Answer } from '../core/answer.ts'
import { authorization, requireKey, type KeySource } from './authorization.ts'
import { chargerBaseUrl } from './base-url.ts'
import { collectChargers, type ChargerCollection, type ChargerPage, type CollectOptions } from './collect-chargers.ts'
import { readAnswer } from './read-answer.ts'
import { readCharger } from './read-charger.ts'

/** A page of 200 chargers is some 200 kB. */
const MAX_PAGE_BYTES = 8 * 1024 * 1024
/** How many records are read before yielding to other work. */
const SLICE = 200
const CONNECT_TIMEOUT_MS = 15_000
const IDLE_TIMEOUT_MS = 60_000

interface ChargerServiceOptions {
  http: HttpPort
  clock: Clock
  /** With or without `/api/v1`; see `chargerBaseUrl`. */
  baseUrl: string
  token: KeySource
  connectTimeoutMs?: number
  idleTimeoutMs?: number
}

/** Both optional: null means all. */
export interface ChargerFilter {
  icao?: string | null
  country?: string | null
}

/**
 * The charger service: the list of its document, as its GeoJSON has less. Rejects with `AppError` before anything is sent:
 * `key_missing`, or `bad_request` for a parameter that the document rules out.
 */
export interface ChargerService {
  /** `page` from 1, `perPage` 1 to 200. */
  list(
    query: ChargerFilter & { page: number; perPage: number },
    options: { signal: AbortSignal },
  ): Promise<Answer<ChargerPage>>
  /** All pages; see `collectChargers`. */
  allChargers(filter: ChargerFilter, options: CollectOptions): Promise<Answer<ChargerCollection>>
}

const count = z.number().int().nonnegative().nullable().catch(null)

const PageAnswer = z.object({
  data: z.custom<unknown[]>(Array.isArray),
  meta: z.object({ total: count, last_page: count }).catch({ total: null, last_page: null }),
})

/** In slices: a service may return everything in one page, or a million invalid records. */
async function readPage({ data, meta }: z.infer<typeof PageAnswer>, sizeBytes: number): Promise<ChargerPage> {
  const chargers: ChargePoint[] = []
  for (const [n, record] of data.entries()) {
    const charger = readCharger(record)
    if (charger !== null) chargers.push(charger)
    if (n % SLICE === SLICE - 1) await new Promise<void>((resolve) => setImmediate(resolve))
  }
  const { last_page: lastPage, total } = meta
  return { chargers, unusable: data.length - chargers.length, lastPage, total, sizeBytes }
}

export function createChargerService(options: ChargerServiceOptions): ChargerService {
  const { http, clock } = options
  const { baseUrl } = chargerBaseUrl(options.baseUrl)

  async function get(query: URLSearchParams, signal: AbortSignal) {
    const secret = await requireKey(options.token)
    const outcome = await http.request({
      method: 'GET',
      url: `${baseUrl}/api/v1/charge-points?${query.toString()}`,
      headers: { accept: 'application/json', ...authorization(secret, 'bearer') },
      connectTimeoutMs: options.connectTimeoutMs ?? CONNECT_TIMEOUT_MS,
      idleTimeoutMs: options.idleTimeoutMs ?? IDLE_TIMEOUT_MS,
      maxBytes: MAX_PAGE_BYTES,
      signal,
    })
    const sizeBytes = outcome.kind === 'response' ? outcome.body.byteLength : 0
    return { answer: readAnswer(outcome, PageAnswer, { nowMs: clock.nowMs(), secret }), sizeBytes }
  }

  const service: ChargerService = {
    list: async ({ page, perPage, ...filter }, { signal }) => {
      const query = filterQuery(filter)
      query.set('page', String(page))
      query.set('per_page', String(perPage))
      const { answer, sizeBytes } = await get(query, signal)
      return answer.kind === 'ok' ? { ...answer, value: await readPage(answer.value, sizeBytes) } : answer
    },
    allChargers: (filter, collecting) => {
      const { signal } = collecting
      return collectChargers(
        (page, perPage) => service.list({ ...filter, page, perPage }, { signal }),
        clock,
        collecting,
      )
    },
  }
  return service
}

/** The lengths are the document's (Limits). */
function filterQuery({ icao, country }: ChargerFilter): URLSearchParams {
  const query = new URLSearchParams()
  if (tooLong(icao, 8)) throw new AppError('bad_request', say('charger_icao_too_long'))
  if (tooLong(country, 4)) throw new AppError('bad_request', say('charger_country_too_long'))
  if (icao) query.set('icao', icao)
  if (country) query.set('country', country)
  return query
}

const tooLong = (value: string | null | undefined, most: number) => (value ?? '').length > most
