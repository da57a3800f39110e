/** Charger document, every section. */
import { beforeAll, describe, expect, it } from 'vitest'
import { startPractice } from './faulty-practice.ts'
import { LIVE_STATES } from '../../src/practice/sample-chargers.ts'
import { WEEKDAYS } from '../../src/shared/chargers/opening-week.ts'
import { client, partnerClient, practiceForAll } from './harness.ts'
import { ManualClock } from '../watch/manual-clock.ts'
import type { Json, Told } from './harness.ts'

/** As far as the tests look at it. */
interface Charger {
  id: number
  icao: string
  location: object
  live_state: string | null
  live_state_synced_at: string | null
  availability: object
}

const FIELDS = (
  'id icao airfield location manufacturer connectors aircraft_types software_version payment_types ' +
  'available live_state live_state_synced_at availability type kw'
)
  .split(' ')
  .sort()

const at = practiceForAll({ ipRequestsPerMinute: 10_000 })
let ask: (path: string) => Promise<Told>
let all: Charger[]

const list = (answer: Told): Charger[] => answer.json['data'] as Charger[]

beforeAll(async () => {
  ask = partnerClient(at.server)
  all = list(await ask('/charge-points?per_page=200'))
})

describe('Charge point', () => {
  it('has exactly the documented fields', () => {
    expect(all.length).toBeGreaterThanOrEqual(60)
    for (const charger of all) {
      expect(Object.keys(charger).sort()).toEqual(FIELDS)
      expect(Object.keys(charger.location)).toEqual(['lat', 'lng', 'source'])
      expect(Object.keys(charger.availability)).toEqual([...WEEKDAYS])
    }
  })

  it('covers every live state and null, with a time with offset exactly when it is linked', () => {
    expect(new Set(all.map((charger) => charger.live_state))).toEqual(new Set([...LIVE_STATES, null]))
    expect(LIVE_STATES).toHaveLength(14)
    for (const charger of all) {
      if (charger.live_state === null) expect(charger.live_state_synced_at).toBeNull()
      else expect(charger.live_state_synced_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d\d:\d\d$/)
    }
  })
})

describe('GET /api/v1/charge-points', () => {
  it('answers data and meta, 100 a page by default', async () => {
    const answer = await ask('/charge-points')
    expect(answer.status).toBe(200)
    expect(Object.keys(answer.json)).toEqual(['data', 'meta'])
    expect(list(answer)).toHaveLength(100)
    expect(answer.json['meta']).toEqual({ current_page: 1, per_page: 100, total: all.length, last_page: 2 })
  })

  it('gives every charger exactly once over all pages', async () => {
    const seen: number[] = []
    for (let page = 1; ; page += 1) {
      const answer = await ask(`/charge-points?per_page=17&page=${page}`)
      const meta = answer.json['meta'] as Json
      expect(meta).toMatchObject({ current_page: page, per_page: 17, last_page: Math.ceil(all.length / 17) })
      seen.push(...list(answer).map((charger) => charger.id))
      if (page === meta['last_page']) break
    }
    expect(seen).toEqual(all.map((charger) => charger.id))
    expect(list(await ask('/charge-points?page=9999'))).toEqual([])
  })

  it('matches icao against the code or the locator', async () => {
    const coded = await ask('/charge-points?icao=EHTE')
    expect(list(coded).map((charger) => charger.icao)).toEqual(['EHTE', 'EHTE', 'EHTE'])
    expect(list(await ask('/charge-points?icao=7S5')).map((charger) => charger.icao)).toEqual(['7S5'])
    expect(list(await ask('/charge-points?icao=EHT'))).toEqual([])
    expect(list(await ask('/charge-points?icao=ZZZZ')).length).toBe(0)
  })

  it('matches country by the ICAO prefix, chargers with a locator only included', async () => {
    const german = list(await ask('/charge-points?country=ED'))
    expect(german.length).toBeGreaterThan(5)
    expect(german.every((charger) => charger.icao.startsWith('ED'))).toBe(true)
    const american = list(await ask('/charge-points?country=K')).map((charger) => charger.icao)
    expect(american).toContain('7S5')
    expect(american).toContain('KSMO')
  })

  const WRONG = 'icao=ABCDEFGHI country=ABCDE per_page=0 per_page=201 per_page=x page=0 page=-1 page=1.5'
  it.each(WRONG.split(' '))('refuses %s with 422', async (query) => {
    const answer = await ask(`/charge-points?${query}`)
    expect(answer.status).toBe(422)
    expect(answer.json['errors']).toHaveProperty(query.split('=')[0] ?? '')
  })
})

it('needs the partner token', async () => {
  for (const token of [null, 'nonsense', at.server.apiKey])
    expect((await partnerClient(at.server, token)('/charge-points')).status).toBe(401)
  const headers = { 'x-api-key': at.server.partnerToken }
  expect((await fetch(`${at.server.chargerBaseUrl}/api/v1/charge-points`, { headers })).status).toBe(401)
})

it('Limits let 120 requests a minute pass from one address, and do not touch the image service', async () => {
  const clock = new ManualClock()
  const own = await startPractice({}, { clock })
  const get = partnerClient(own)
  for (let sent = 0; sent < 119; sent += 1) expect((await get('/charge-points?per_page=1')).status).toBe(200)
  expect((await partnerClient(own, 'wrong')('/charge-points')).status).toBe(401)
  const refused = await get('/charge-points')
  expect(refused.status).toBe(429)
  expect(typeof refused.json['message']).toBe('string')
  expect((await client(own).get('/credits/balance')).status).toBe(200)
  await clock.pass(60_000)
  expect((await get('/charge-points')).status).toBe(200)
  await own.close()
})
