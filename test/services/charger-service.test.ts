import type { ServerResponse } from 'node:http'
import { afterEach, describe, expect, it } from 'vitest'
import { createChargerService } from '../../src/main/services/charger-service.ts'
import { ChargePoint } from '../../src/shared/chargers/charger.ts'
import { liveStateLabel } from '../../src/shared/chargers/live-state.ts'
import type { Clock } from '../../src/shared/runtime/ports.ts'
import { hours, weekOf } from '../shared/chargers/any-charger.ts'
import { closeAll, COLLECT as options, openHttp, realClock, startHttp, type SeenRequest } from './harness.ts'

afterEach(closeAll)

/** A service at which waits pass at once, and are told, unless it has a clock of its own. */
async function serve(handle: (request: SeenRequest, response: ServerResponse) => void, ownClock?: Clock) {
  const server = await startHttp(handle)
  const waitsMs: number[] = []
  const hasty: Clock = {
    ...realClock,
    setTimer(delayMs, callback) {
      waitsMs.push(delayMs)
      return realClock.setTimer(0, callback)
    },
  }
  const deps = { http: openHttp(), clock: ownClock ?? hasty, baseUrl: server.origin, token: () => 'canary' }
  return { ...server, waitsMs, service: createChargerService(deps) }
}

const json = (response: ServerResponse, body: unknown, status = 200) =>
  response.writeHead(status).end(JSON.stringify(body))

const week = weekOf(hours('08:00', '20:00'))
const wire = (id: number) => ({
  id,
  icao: 'EDNY',
  airfield: 'Friedrichshafen',
  location: { lat: 47.67, lng: 9.51, source: 'arp' },
  manufacturer: null,
  connectors: ['CCS'],
  aircraft_types: ['Velis'],
  software_version: '1.2',
  payment_types: ['card'],
  available: true,
  live_state: 'busy-charging',
  live_state_synced_at: '2026-11-21T04:00:00+00:00',
  availability: { ...week, sunday: { open: false } },
  type: 'DC',
  kw: '22.00',
})

const pageOf = (records: unknown[], page: number, perPage: number, total = records.length) => ({
  data: records.slice((page - 1) * perPage, page * perPage),
  meta: { current_page: page, per_page: perPage, total, last_page: Math.max(1, Math.ceil(total / perPage)) },
})

const asked = (request: SeenRequest) => new URL(request.url, 'http://x').searchParams

/** Serves what `records` gives at the time of each request. */
const paging = (records: (request: number) => unknown[]) => {
  let count = 0
  return (request: SeenRequest, response: ServerResponse) => {
    const query = asked(request)
    json(response, pageOf(records(++count), Number(query.get('page')), Number(query.get('per_page'))))
  }
}

const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, n) => wire(from + n))

type Read = Awaited<ReturnType<ReturnType<typeof createChargerService>['allChargers' | 'list']>>
function chargersOf(answer: Read): ChargePoint[] {
  if (answer.kind !== 'ok') throw new Error(answer.kind)
  return [...answer.value.chargers]
}
const ids = (answer: Read) => chargersOf(answer).map(({ id }) => id)

/** What is read of a page with these records. */
async function pageWith(...records: unknown[]) {
  const { service } = await serve((_, response) => json(response, { data: records }))
  return service.list({ page: 1, perPage: 100 }, options)
}

describe('one page', () => {
  it('is asked for with the token and the filters', async () => {
    const { service, requests } = await serve(paging(() => [wire(1)]))
    const answer = await service.list({ icao: 'ED&Y', country: 'ED', page: 1, perPage: 50 }, options)
    expect(answer).toMatchObject({ kind: 'ok', value: { unusable: 0, total: 1, lastPage: 1 } })
    expect(requests[0]!.url).toBe('/api/v1/charge-points?icao=ED%26Y&country=ED&page=1&per_page=50')
    expect(requests[0]!.headers.authorization).toBe('Bearer canary')
  })

  it('holds every documented field', async () => {
    const [charger] = chargersOf(await pageWith(wire(1)))
    expect(ChargePoint.parse(charger)).toEqual(charger)
    const { aircraft_types, software_version, payment_types, live_state, live_state_synced_at, ...same } = wire(1)
    expect(charger).toEqual({
      ...same,
      aircraftTypes: aircraft_types,
      softwareVersion: software_version,
      paymentTypes: payment_types,
      liveState: live_state,
      liveStateSyncedAt: live_state_synced_at,
      availability: { ...week, sunday: { open: false, from: null, to: null } },
    })
    const labels = ['busy-charging', null, 'toString', 'new'].map(liveStateLabel)
    expect(labels).toEqual(['Charging', null, 'Unknown', 'Unknown'])
  })

  it('keeps a strange record as far as it can be used and counts one that cannot', async () => {
    const strange = {
      id: 5,
      location: { lat: 91, lng: 'x' },
      connectors: ['CCS', 3, null],
      aircraft_types: 'Velis',
      available: 'yes',
      live_state: 'levitating',
      availability: { monday: { open: true, from: '08:00:00', to: 'late' }, tuesday: 'closed' },
      airfield: 'x'.repeat(9000),
      kw: 22,
    }
    const answer = await pageWith(strange, null, 'x', {}, { ...wire(6), id: 'six' }, wire(7))
    expect(answer).toMatchObject({ kind: 'ok', value: { unusable: 4 } })
    expect(ids(answer)).toEqual([5, 7])
    const [charger] = chargersOf(answer)
    expect(ChargePoint.parse(charger)).toEqual(charger)
    expect(charger).toMatchObject({
      icao: null,
      airfield: 'x'.repeat(500),
      location: null,
      connectors: ['CCS'],
      aircraftTypes: [],
      available: null,
      liveState: 'levitating',
      kw: '22',
    })
    expect(charger!.availability).toMatchObject({
      monday: { open: true, from: '08:00', to: null },
      tuesday: null,
      sunday: null,
    })
  })

  it('may have its id and its yes or no as text or number, as databases write them', async () => {
    const monday = (open: unknown) => ({ availability: { monday: { open, from: '08:00', to: '18:00' } } })
    const answer = await pageWith(
      { ...wire(77), id: '77', available: 'true', ...monday(1) },
      { ...wire(78), available: 0, ...monday('true') },
      { ...wire(79), available: 'yes', ...monday('0') },
      { ...wire(80), id: '80.5' },
      { ...wire(81), id: '' },
    )
    expect(answer).toMatchObject({ kind: 'ok', value: { unusable: 2 } })
    expect(
      chargersOf(answer).map(({ id, available, availability }) => [id, available, availability.monday?.open]),
    ).toEqual([
      [77, true, true],
      [78, false, true],
      [79, null, false],
    ])
  })

  it('with texts that nobody sees has none, except for a live state: an empty one is not a missing one', async () => {
    const blank = { icao: '', airfield: ' \u200b\u2060\u00a0', connectors: ['', '\t', 'CCS2'], kw: ' ', live_state: '' }
    const read = { icao: null, airfield: null, connectors: ['CCS2'], kw: null, liveState: '' }
    expect(chargersOf(await pageWith({ ...wire(1), ...blank }))).toMatchObject([read])
  })

  it.each([{ data: 'none' }, { data: {} }, {}, []])('that is %j is malformed', async (body) => {
    const { service } = await serve((_, response) => json(response, body))
    expect(await service.list({ page: 1, perPage: 1 }, options)).toMatchObject({ kind: 'malformed' })
  })

  it.each([301, 302, 303, 307, 308])(
    'behind a %i elsewhere is not fetched: the token goes nowhere else',
    async (status) => {
      const other = await startHttp((_, response) => json(response, pageOf([wire(1)], 1, 1)))
      const { service, requests } = await serve((_, response) =>
        response.writeHead(status, { location: `${other.origin}/charge-points` }).end(),
      )
      expect(await service.list({ page: 1, perPage: 1 }, options)).toMatchObject({ kind: 'status', status })
      expect(requests).toHaveLength(1)
      expect(other.sockets).toEqual([])
    },
  )
})

describe('all pages', () => {
  it('are read 200 at a time, each at its turn', async () => {
    const { service, requests } = await serve(paging(() => range(1, 450)))
    let turns = 0
    const pace = () => {
      expect(requests).toHaveLength(turns)
      turns += 1
      return Promise.resolve()
    }
    const answer = await service.allChargers({ country: 'ED' }, { ...options, pace })
    expect(answer).toMatchObject({ kind: 'ok', value: { gap: null, unusable: 0 } })
    expect(ids(answer)).toEqual(range(1, 450).map(({ id }) => id))
    expect(requests.map((request) => asked(request).get('page'))).toEqual(['1', '2', '3'])
    expect(asked(requests[0]!).get('country')).toBe('ED')
    expect(turns).toBe(3)
  })

  it('end at a bound although the service never ends', async () => {
    let next = 0
    const { service, requests } = await serve((_, response) =>
      json(response, { data: [{ id: ++next }], meta: { last_page: 99_999, total: 99_999 } }),
    )
    expect(await service.allChargers({}, options)).toMatchObject({
      kind: 'ok',
      value: { gap: { code: 'too_long', listed: 2000, counted: 99_999 } },
    })
    expect(requests).toHaveLength(2000)
  })

  it.each<[string, ((response: ServerResponse) => unknown)[], unknown]>([
    [
      'the rate is exceeded',
      [(to) => to.writeHead(429, { 'retry-after': '7' }).end(), (to) => to.writeHead(429).end()],
      [7000, 60_000],
    ],
    [
      'a page gets no proper answer',
      [(to) => to.writeHead(503).end(), (to) => to.end('{"data": [')],
      [expect.any(Number), expect.any(Number)],
    ],
  ])('wait when %s, and go on where they were', async (_, odd, waitsMs) => {
    let count = 0
    const {
      service,
      requests,
      waitsMs: waited,
    } = await serve((request, response) => {
      const answerOddly = odd[++count - 2]
      if (answerOddly !== undefined) answerOddly(response)
      else json(response, pageOf(range(1, 250), Number(asked(request).get('page')), 200))
    })
    expect(await service.allChargers({}, options)).toMatchObject({ kind: 'ok', value: { gap: null } })
    expect(requests.map((request) => asked(request).get('page'))).toEqual(['1', '2', '2', '2'])
    expect(waited).toEqual(waitsMs)
  })

  it('end with the refusal when it never ends, or when given up', async () => {
    const refusal = (_: SeenRequest, response: ServerResponse) => {
      response.writeHead(429).end()
    }
    const { service, requests } = await serve(refusal)
    expect(await service.allChargers({}, options)).toMatchObject({ kind: 'status', status: 429 })
    expect(requests).toHaveLength(6)
    const given = new AbortController()
    const patient = await serve((request, response) => {
      refusal(request, response)
      setImmediate(() => given.abort())
    }, realClock)
    const answer = await patient.service.allChargers({}, { ...options, signal: given.signal })
    expect(['status', 'notSent', 'maybeSent']).toContain(answer.kind)
    expect(patient.requests).toHaveLength(1)
  })
})

describe('a page that gets no proper answer', () => {
  it('ends the whole when it stays so, or when asking again would not help', async () => {
    const failing = await serve((_, response) => json(response, {}, 500))
    expect(await failing.service.allChargers({}, options)).toMatchObject({ kind: 'status', status: 500 })
    expect(failing.requests).toHaveLength(3)
    const refusing = await serve((_, response) => json(response, {}, 401))
    expect(await refusing.service.allChargers({}, options)).toMatchObject({ status: 401 })
    expect(refusing.requests).toHaveLength(1)
  })

  it('because the service asks for a longer wait than a page is worth is not waited for', async () => {
    const {
      service,
      requests,
      waitsMs: waited,
    } = await serve((_, response) => response.writeHead(429, { 'retry-after': '600' }).end())
    const answer = await service.allChargers({}, options)
    expect(answer).toMatchObject({ kind: 'status', status: 429, retryAfterMs: 600_000 })
    expect(requests).toHaveLength(1)
    expect(waited).toEqual([])
  })
})

describe('lists that are not as documented', () => {
  it('are read to the end though all is in one page', async () => {
    const { service } = await serve((_, response) => json(response, { data: range(1, 5000) }))
    const answer = await service.allChargers({}, options)
    expect(ids(answer)).toHaveLength(5000)
  })

  it.each([
    [
      { lat: '47.67', lng: ' -9.510 ', source: 'arp' },
      { lat: 47.67, lng: -9.51, source: 'arp' },
    ],
    [
      { lat: 47, lng: 9 },
      { lat: 47, lng: 9, source: null },
    ],
    [{ lat: null, lng: null, source: 'arp' }, null],
    [{ lat: 0, lng: '0.0', source: 'arp' }, null],
    [{ lat: 'NaN', lng: 9 }, null],
    [{ lat: '', lng: '' }, null],
    [{ lat: '0x10', lng: 9 }, null],
    [{ lat: 90.001, lng: 0 }, null],
    [{ lat: 0, lng: '-180.5' }, null],
    [{ lat: true, lng: [9] }, null],
    [[47, 9], null],
    ['47,9', null],
    [null, null],
  ])('place a charger at %j as %j, and keep it in any case', async (location, place) => {
    const answer = await pageWith({ ...wire(1), location }, wire(2))
    expect(answer).toMatchObject({ value: { chargers: [{ id: 1, location: place }, { id: 2 }], unusable: 0 } })
  })

  it.each([
    ['8:00', '08:00'],
    ['23:59:59', '23:59'],
    ['24:00', '24:00'],
    ['24:30', null],
    ['25:00', null],
    ['08:60', null],
    ['08:00 Uhr', null],
    [800, null],
  ])('read %j as the time %j', async (from, time) => {
    const [charger] = chargersOf(await pageWith({ ...wire(1), availability: { monday: { ...week.monday, from } } }))
    expect(charger).toMatchObject({ availability: { monday: { from: time, to: '20:00' } } })
  })

  it('keep markup as plain text, cut where it is long, and whole characters', async () => {
    const airfield = '<img src=x onerror=alert(1)>'
    const manufacturer = `${'x'.repeat(499)}😀`
    const [charger] = chargersOf(await pageWith({ ...wire(1), airfield, manufacturer }))
    expect(charger!.airfield).toBe(airfield)
    expect(charger!.manufacturer).toHaveLength(500)
    expect(charger!.manufacturer!.isWellFormed()).toBe(true)
  })
})
