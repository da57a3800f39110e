import { z } from 'zod'
import { AppError } from '../../shared/sentences/errors.ts'
import { say } from '../../shared/sentences/sentence.ts'
import { ChargerGeoJson, type ChargePoint } from '../../shared/chargers/charger.ts'
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
/** The whole map in one answer. */
const MAX_GEOJSON_BYTES = 64 * 1024 * 1024
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

interface ChargerMap {
  collection: ChargerGeoJson
  /** Features that could not be used. */
  unusable: number
}

/**
 * The charger service, with every endpoint of its document. Rejects with `AppError` before anything is sent:
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
  geojson(filter: ChargerFilter, options: { signal: AbortSignal }): Promise<Answer<ChargerMap>>
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

const Feature = ChargerGeoJson.shape.features.element.nullable().catch(null)

const MapAnswer = z
  .object({ type: z.literal('FeatureCollection'), features: z.array(Feature) })
  .transform(({ type, features }): ChargerMap => {
    const usable = features.filter((feature) => feature !== null)
    return { collection: { type, features: usable }, unusable: features.length - usable.length }
  })

export function createChargerService(options: ChargerServiceOptions): ChargerService {
  const { http, clock } = options
  const { baseUrl } = chargerBaseUrl(options.baseUrl)

  async function get<Value>(
    path: string,
    query: URLSearchParams,
    schema: z.ZodType<Value>,
    maxBytes: number,
    signal: AbortSignal,
  ) {
    const secret = await requireKey(options.token)
    const search = query.size === 0 ? '' : `?${query.toString()}`
    const outcome = await http.request({
      method: 'GET',
      url: `${baseUrl}/api/v1/${path}${search}`,
      headers: { accept: 'application/geo+json, application/json', ...authorization(secret, 'bearer') },
      connectTimeoutMs: options.connectTimeoutMs ?? CONNECT_TIMEOUT_MS,
      idleTimeoutMs: options.idleTimeoutMs ?? IDLE_TIMEOUT_MS,
      maxBytes,
      signal,
    })
    const sizeBytes = outcome.kind === 'response' ? outcome.body.byteLength : 0
    return { answer: readAnswer(outcome, schema, { nowMs: clock.nowMs(), secret }), sizeBytes }
  }

  const service: ChargerService = {
    list: async ({ page, perPage, ...filter }, { signal }) => {
      const query = filterQuery(filter)
      if (!Number.isInteger(page) || page < 1 || !Number.isInteger(perPage) || perPage < 1 || perPage > 200)
        throw new AppError('bad_request', say('charger_page_range'))
      query.set('page', String(page))
      query.set('per_page', String(perPage))
      const { answer, sizeBytes } = await get('charge-points', query, PageAnswer, MAX_PAGE_BYTES, signal)
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
    geojson: async (filter, { signal }) =>
      (await get('charge-points.geojson', filterQuery(filter), MapAnswer, MAX_GEOJSON_BYTES, signal)).answer,
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
