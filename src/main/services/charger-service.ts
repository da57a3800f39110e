import { setImmediate } from 'node:timers/promises'
import { z } from 'zod'
import { ChargePoint } from '../../shared/chargers/charger.ts'
import type { ChargerReading } from '../../shared/chargers/charger-status.ts'
import type { Clock, HttpPort } from '../../shared/runtime/ports.ts'
import type { Answer } from '../core/answer.ts'
import { authorization, requireKey, type KeySource } from './authorization.ts'
import { collectChargers, type ChargerPage, type CollectOptions } from './collect-chargers.ts'
import { readAnswer } from './read-answer.ts'

/** A page of 200 chargers is some 200 kB. */
const MAX_PAGE_BYTES = 8 * 1024 * 1024
/** How many records are read before yielding to other work. */
const SLICE = 200
const CONNECT_TIMEOUT_MS = 15_000
const IDLE_TIMEOUT_MS = 60_000

interface ChargerServiceOptions {
  http: HttpPort
  clock: Clock
  /** As `chargerBaseUrl` gives it. */
  baseUrl: string
  token: KeySource
}

/** Which chargers to ask for; null is all. The document allows 8 and 4 characters. */
export interface ChargerQuery {
  icao?: string | null
  country?: string | null
}

/** The charger service, by its JSON list: its GeoJSON has fewer members. Rejects with `key_missing`. */
export interface ChargerService {
  /** `page` from 1, `perPage` 1 to 200. */
  list(
    query: ChargerQuery & { page: number; perPage: number },
    options: { signal: AbortSignal },
  ): Promise<Answer<ChargerPage>>
  allChargers(filter: ChargerQuery, options: CollectOptions): Promise<Answer<ChargerReading>>
}

const count = z.number().int().nonnegative().nullable().catch(null)

const PageAnswer = z.object({
  data: z.custom<unknown[]>(Array.isArray),
  meta: z.object({ total: count, last_page: count }).catch({ total: null, last_page: null }),
})

/** The members of a charger, and what the document calls them. */
const WIRE_NAMES = Object.keys(ChargePoint.shape).map(
  (name) => [name, name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)] as const,
)

/** In slices: a service may return everything in one page, or a million invalid records. */
async function readPage({ data, meta }: z.infer<typeof PageAnswer>, sizeBytes: number): Promise<ChargerPage> {
  const chargers: ChargePoint[] = []
  for (const [n, record] of data.entries()) {
    const wire = Object(record) as Record<string, unknown>
    const charger = ChargePoint.safeParse(Object.fromEntries(WIRE_NAMES.map(([name, wired]) => [name, wire[wired]])))
    // Without an id, nothing could refer to it.
    if (charger.success) chargers.push(charger.data)
    if (n % SLICE === SLICE - 1) await setImmediate()
  }
  const { last_page: lastPage, total } = meta
  return { chargers, unusable: data.length - chargers.length, lastPage, total, sizeBytes }
}

export function createChargerService({ http, clock, baseUrl, token }: ChargerServiceOptions): ChargerService {
  const list: ChargerService['list'] = async ({ page, perPage, icao, country }, { signal }) => {
    const secret = await requireKey(token)
    const filter = { ...(icao && { icao }), ...(country && { country }) }
    const query = new URLSearchParams({ ...filter, page: String(page), per_page: String(perPage) })
    const outcome = await http.request({
      method: 'GET',
      url: `${baseUrl}/api/v1/charge-points?${query.toString()}`,
      headers: { accept: 'application/json', ...authorization(secret, 'bearer') },
      connectTimeoutMs: CONNECT_TIMEOUT_MS,
      idleTimeoutMs: IDLE_TIMEOUT_MS,
      maxBytes: MAX_PAGE_BYTES,
      signal,
    })
    const sizeBytes = outcome.kind === 'response' ? outcome.body.byteLength : 0
    const answer = readAnswer(outcome, PageAnswer, { nowMs: clock.nowMs(), secret })
    return answer.kind === 'ok' ? { ...answer, value: await readPage(answer.value, sizeBytes) } : answer
  }
  return {
    list,
    allChargers: (filter, collecting) =>
      collectChargers((page, perPage) => list({ ...filter, page, perPage }, collecting), clock, collecting),
  }
}
