/** Charger document, every section. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startPractice } from './faulty-practice.ts'
import type { PracticeServer } from './faulty-practice.ts'
import { DAYS, LIVE_STATES } from '../../src/practice/sample-chargers.ts'
import { client, partnerClient, TestClock } from './harness.ts'
import type { Json, Told } from './harness.ts'

interface Charger {
  id: number
  icao: string
  airfield: string
  location: { lat: number | null; lng: number | null; source: string }
  manufacturer: string | null
  connectors: string[]
  aircraft_types: string[]
  software_version: string | null
  payment_types: string[]
  available: boolean
  live_state: string | null
  live_state_synced_at: string | null
  availability: Record<string, { open: boolean; from: string; to: string }>
  type: string
  kw: string | null
}

const FIELDS = [
  'id',
  'icao',
  'airfield',
  'location',
  'manufacturer',
  'connectors',
  'aircraft_types',
  'software_version',
  'payment_types',
  'available',
  'live_state',
  'live_state_synced_at',
  'availability',
  'type',
  'kw',
].sort()

let server: PracticeServer
let ask: (path: string) => Promise<Told>
let all: Charger[]

const list = (answer: Told): Charger[] => answer.json['data'] as Charger[]
const features = (answer: Told): { type: string; geometry: Json; properties: Json }[] =>
  answer.json['features'] as { type: string; geometry: Json; properties: Json }[]

beforeAll(async () => {
  server = await startPractice({ ipRequestsPerMinute: 10_000 })
  ask = partnerClient(server)
  all = list(await ask('/charge-points?per_page=200'))
})
afterAll(() => server.close())

describe('Charge point', () => {
  it('has exactly the documented fields, of the documented types', () => {
    expect(all.length).toBeGreaterThanOrEqual(60)
    for (const charger of all) {
      expect(Object.keys(charger).sort()).toEqual(FIELDS)
      expect(Number.isInteger(charger.id)).toBe(true)
      expect(charger.icao).toMatch(/^[A-Z0-9]{2,8}$/)
      expect(charger.airfield.length).toBeGreaterThan(1)
      expect(Object.keys(charger.location)).toEqual(['lat', 'lng', 'source'])
      expect(['charge_point', 'arp']).toContain(charger.location.source)
      for (const name of ['manufacturer', 'software_version', 'kw'] as const) {
        expect(charger[name] === null || typeof charger[name] === 'string').toBe(true)
      }
      for (const name of ['connectors', 'aircraft_types', 'payment_types'] as const) {
        expect(charger[name].every((entry) => typeof entry === 'string')).toBe(true)
      }
      expect(typeof charger.available).toBe('boolean')
      expect(Object.keys(charger.availability)).toEqual([...DAYS])
      for (const hours of Object.values(charger.availability)) {
        expect(Object.keys(hours)).toEqual(['open', 'from', 'to'])
        expect(hours.from).toMatch(/^\d\d:\d\d$/)
        expect(hours.to).toMatch(/^\d\d:\d\d$/)
      }
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

  it('is available as its live state says when it is linked, and either way when it is not', () => {
    for (const charger of all) {
      if (charger.live_state !== null) expect(charger.available).toBe(charger.live_state === 'available')
    }
    const unlinked = all.filter((charger) => charger.live_state === null)
    expect(new Set(unlinked.map((charger) => charger.available))).toEqual(new Set([true, false]))
  })

  it('comes in all the variety a client must bear', () => {
    for (const name of ['manufacturer', 'software_version', 'kw'] as const) {
      expect(all.some((charger) => charger[name] === null)).toBe(true)
      expect(all.some((charger) => charger[name] !== null)).toBe(true)
    }
    expect(new Set(all.map((charger) => charger.location.source)).size).toBe(2)
    expect(new Set(all.map((charger) => charger.type))).toEqual(new Set(['AC', 'DC', 'AC/DC']))
    expect(all.some((charger) => charger.kw !== null && !/^\d+$/.test(charger.kw))).toBe(true)
    expect(new Set(all.map((charger) => charger.icao)).size).toBeLessThan(all.length)
    const days = all.flatMap((charger) => Object.values(charger.availability))
    expect(days.some((day) => !day.open)).toBe(true)
    expect(days.some((day) => day.open && day.to < day.from)).toBe(true)
    expect(all.some((charger) => !/^[A-Z]{4}$/.test(charger.icao))).toBe(true)
    expect(all.some((charger) => charger.connectors.length === 0)).toBe(true)
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

  it('lists by ascending id', () => {
    const ids = all.map((charger) => charger.id)
    expect(ids).toEqual(ids.toSorted((one, other) => one - other))
    expect(new Set(ids).size).toBe(ids.length)
  })

  it('omits chargers that are not approved', async () => {
    const { chargers } = await server.control({ type: 'get-state' })
    expect(all.length).toBeLessThan(chargers)
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

  it('has one empty page when nothing matches', async () => {
    const answer = await ask('/charge-points?icao=EHTE&country=ED')
    expect(answer.json).toEqual({ data: [], meta: { current_page: 1, per_page: 100, total: 0, last_page: 1 } })
  })

  it.each([
    'icao=ABCDEFGHI',
    'country=ABCDE',
    'per_page=0',
    'per_page=201',
    'per_page=x',
    'page=0',
    'page=-1',
    'page=1.5',
  ])('refuses %s with 422', async (query) => {
    const answer = await ask(`/charge-points?${query}`)
    expect(answer.status).toBe(422)
    expect(answer.json['errors']).toHaveProperty(query.split('=')[0] ?? '')
  })

  it.each(['icao=ABCDEFGH', 'country=ABCD', 'per_page=1', 'per_page=200', 'page=1', 'icao=', 'page='])(
    'accepts %s',
    async (query) => {
      expect((await ask(`/charge-points?${query}`)).status).toBe(200)
    },
  )
})

describe('GET /api/v1/charge-points.geojson', () => {
  it('is a FeatureCollection of Points as [longitude, latitude], all of them, without pages', async () => {
    const answer = await ask('/charge-points.geojson?per_page=1')
    expect(answer.json['type']).toBe('FeatureCollection')
    expect(Object.keys(answer.json)).toEqual(['type', 'features'])
    const located = all.filter((charger) => charger.location.lat !== null)
    expect(features(answer).map((feature) => feature.properties['id'])).toEqual(located.map((charger) => charger.id))
    features(answer).forEach((feature, index) => {
      const location = located[index]?.location
      expect(feature.type).toBe('Feature')
      expect(feature.geometry).toEqual({ type: 'Point', coordinates: [location?.lng, location?.lat] })
    })
  })

  it('has the usual fields in properties', async () => {
    const [first] = features(await ask('/charge-points.geojson?icao=LJAJ'))
    const [charger] = list(await ask('/charge-points?icao=LJAJ'))
    const { location: _location, live_state_synced_at: _synced, ...fields } = charger as Charger
    expect(first?.properties).toMatchObject(fields)
  })

  it('leaves out chargers without coordinates, which the list has', async () => {
    expect(list(await ask('/charge-points?icao=LZSE'))[0]?.location).toEqual({ lat: null, lng: null, source: 'arp' })
    expect(features(await ask('/charge-points.geojson?icao=LZSE'))).toEqual([])
  })

  it('takes icao and country as the list does, and refuses what it refuses', async () => {
    expect(features(await ask('/charge-points.geojson?icao=EHTE'))).toHaveLength(3)
    const french = features(await ask('/charge-points.geojson?country=LF'))
    expect(french.length).toBe(list(await ask('/charge-points?country=LF')).length)
    expect((await ask('/charge-points.geojson?icao=ABCDEFGHI')).status).toBe(422)
    expect((await ask('/charge-points.geojson?country=ABCDE')).status).toBe(422)
  })
})

describe('Authentication', () => {
  it.each(['/charge-points', '/charge-points.geojson'])('of %s needs the partner token', async (path) => {
    for (const token of [null, 'nonsense', server.apiKey]) {
      const answer = await partnerClient(server, token)(path)
      expect(answer.status).toBe(401)
      expect(answer.json['message']).toBe('Unauthenticated')
    }
    const headers = { 'x-api-key': server.partnerToken }
    expect((await fetch(`${server.chargerBaseUrl}/api/v1${path}`, { headers })).status).toBe(401)
  })

  it('refuses the old token once a new one was issued', async () => {
    const own = await startPractice()
    const { key } = await own.control({ type: 'rotate-key', service: 'chargers' })
    expect((await partnerClient(own)('/charge-points')).status).toBe(401)
    expect((await partnerClient(own, key)('/charge-points')).status).toBe(200)
    await own.close()
  })
})

it('Limits let 120 requests a minute pass from one address, and do not touch the image service', async () => {
  const clock = new TestClock()
  const own = await startPractice({}, { clock })
  const get = partnerClient(own)
  for (let sent = 0; sent < 119; sent += 1) expect((await get('/charge-points?per_page=1')).status).toBe(200)
  expect((await partnerClient(own, 'wrong')('/charge-points')).status).toBe(401)
  const refused = await get('/charge-points.geojson')
  expect(refused.status).toBe(429)
  expect(typeof refused.json['message']).toBe('string')
  expect((await client(own).get('/credits/balance')).status).toBe(200)
  clock.advance(60_000)
  expect((await get('/charge-points')).status).toBe(200)
  await own.close()
})

describe('Generated chargers', () => {
  it('come in any number, the same ones for the same seed', async () => {
    const [one, same, other] = await Promise.all([
      startPractice({ chargers: 1500, seed: 5 }),
      startPractice({ chargers: 1500, seed: 5 }),
      startPractice({ chargers: 1500, seed: 6 }),
    ])
    const placesOf = async (of: PracticeServer): Promise<unknown[]> =>
      features(await partnerClient(of)('/charge-points.geojson')).map((feature) => feature.geometry)
    expect(await placesOf(one)).toHaveLength(1500)
    expect(await placesOf(one)).toEqual(await placesOf(same))
    expect(await placesOf(one)).not.toEqual(await placesOf(other))
    await Promise.all([one.close(), same.close(), other.close()])
  })

  it('have names that claim no place: they may lie a hundred miles from the airfield they were made around', async () => {
    const service = await startPractice({ chargers: 50, seed: 5 })
    const names = features(await partnerClient(service)('/charge-points.geojson')).map(
      ({ properties }) => (properties as { airfield: string }).airfield,
    )
    expect(names.filter((name) => !/^Sample field \d+$/.test(name))).toEqual([])
    await service.close()
  })
})
