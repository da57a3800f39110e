/** Faults asked for over the control channel. */
import { request } from 'node:http'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { startPractice } from './faulty-practice.ts'
import type { PracticeServer } from './faulty-practice.ts'
import type { WeatherRule } from './faults.ts'
import { client, dispatched, eventually, form, partnerClient, picture, TestClock, untilEnded } from './harness.ts'
import type { Client } from './harness.ts'

let server: PracticeServer
let service: Client
const clock = new TestClock()

beforeAll(async () => {
  const jobTime = { kind: 'fixed', ms: 0 } as const
  server = await startPractice({ jobTime, requestsPerMinute: 10_000, credits: 10_000, seed: 2 }, { clock })
  service = client(server)
})
afterAll(() => server.close())
afterEach(() => server.control({ type: 'clear-weather' }))

const order = (rule: Omit<WeatherRule, 'skip'> & { skip?: number }) =>
  server.control({ type: 'add-weather', rules: [{ skip: 0, ...rule }] })
const charges = (): number => server.ledger().totals.charges
const last = () => server.ledger().requests.at(-1)

describe('Weather', () => {
  it('answers any status before the work, so that nothing is charged', async () => {
    await order({
      on: 'dispatch',
      times: 2,
      effect: { kind: 'answer', status: 503, body: 'down', when: 'before-work' },
    })
    const before = charges()
    const headers = { authorization: `Bearer ${server.apiKey}` }
    for (let sent = 0; sent < 2; sent += 1) {
      const body = form(await picture('jpeg', 400, 300))
      const answer = await fetch(`${server.imageBaseUrl}/images/optimize`, { method: 'POST', headers, body })
      expect([answer.status, await answer.text()]).toEqual([503, 'down'])
    }
    expect(charges()).toBe(before)
    expect((await service.post('/images/optimize', form(await picture('jpeg')))).status).toBe(202)
  })

  it('answers 429 with the retry_after that was asked for', async () => {
    await order({ on: 'balance', effect: { kind: 'rate-limited', retryAfterSeconds: 7 } })
    const answer = await service.get('/credits/balance')
    expect([answer.status, answer.json['retry_after']]).toEqual([429, 7])
    expect((await service.get('/credits/balance')).status).toBe(200)
  })

  it('redirects', async () => {
    const effect = { kind: 'redirect', status: 307, location: 'http://127.0.0.1:9/' } as const
    await order({ on: 'process', effect })
    const answer = await service.post('/images/process', form(await picture('jpeg')))
    expect([answer.status, answer.headers.get('location')]).toEqual([307, 'http://127.0.0.1:9/'])
  })

  it('resets before the work: no charge, and the ledger knows that no status was sent', async () => {
    await order({ on: 'any', effect: { kind: 'reset', when: 'before-work' } })
    const before = charges()
    await expect(service.post('/images/optimize', form(await picture('jpeg')))).rejects.toThrow('fetch failed')
    expect(charges()).toBe(before)
    expect(last()).toMatchObject({ route: 'optimize', status: null, weather: 'reset' })
  })

  it('loses the answer after the charge', async () => {
    await order({ on: 'dispatch', effect: { kind: 'reset', when: 'after-work' } })
    const before = charges()
    await expect(service.post('/images/optimize', form(await picture('jpeg')))).rejects.toThrow('fetch failed')
    expect(charges()).toBe(before + 1)
    const jobId = server.ledger().charges.at(-1)?.jobId ?? ''
    expect((await untilEnded(service, jobId)).status).toBe('completed')
  })

  it('answers 202 without a job id after the charge', async () => {
    await order({ on: 'dispatch', effect: { kind: 'answer', status: 202, body: { data: {} }, when: 'after-work' } })
    const before = charges()
    const answer = await service.post('/images/optimize', form(await picture('jpeg')))
    expect([answer.status, answer.json]).toEqual([202, { data: {} }])
    expect(charges()).toBe(before + 1)
  })

  it('stalls until the client gives up', async () => {
    await order({ on: 'balance', effect: { kind: 'stall', when: 'before-work' } })
    const headers = { authorization: `Bearer ${server.apiKey}` }
    const client = new AbortController()
    const asked = fetch(`${server.imageBaseUrl}/credits/balance`, { headers, signal: client.signal })
    const refused = expect(asked).rejects.toThrow()
    await eventually(() => (last()?.weather === 'stall' ? true : null))
    expect(last()).toMatchObject({ status: null })
    client.abort()
    await refused
  })

  it('is slow', async () => {
    await order({ on: 'balance', effect: { kind: 'slow', delayMs: 30_000 } })
    const answer = service.get('/credits/balance')
    await eventually(() => (clock.waiting > 0 ? true : null))
    clock.advance(30_000)
    expect((await answer).status).toBe(200)
  })

  it('skips the first requests, and acts by chance when a fraction is given', async () => {
    const effect = { kind: 'answer', status: 500, when: 'before-work' } as const
    await order({ on: 'balance', skip: 2, effect })
    const statuses: number[] = []
    for (let sent = 0; sent < 4; sent += 1) statuses.push((await service.get('/credits/balance')).status)
    expect(statuses).toEqual([200, 200, 500, 200])
    await order({ on: 'any', fraction: 0.5, effect })
    let failed = 0
    for (let sent = 0; sent < 60; sent += 1) failed += (await service.get('/credits/balance')).status === 500 ? 1 : 0
    expect(failed).toBeGreaterThan(15)
    expect(failed).toBeLessThan(45)
  })

  it('does not act on requests with a bad key', async () => {
    await order({ on: 'any', effect: { kind: 'answer', status: 500, when: 'before-work' } })
    expect((await client(server, 'wrong').get('/credits/balance')).status).toBe(401)
    expect((await service.get('/credits/balance')).status).toBe(500)
  })

  it('reaches the charger endpoints and the languages', async () => {
    const effect = { kind: 'answer', status: 500, when: 'before-work' } as const
    for (const on of ['charge-points', 'charge-points-geojson', 'languages'] as const) await order({ on, effect })
    expect((await partnerClient(server)('/charge-points')).status).toBe(500)
    expect((await partnerClient(server)('/charge-points.geojson')).status).toBe(500)
    expect((await service.get('/languages')).status).toBe(500)
  })
})

interface RawAnswer {
  status: number | undefined
  length: string | undefined
  chunked: boolean
  bytes: Buffer
  whole: boolean
}

/** Reads an answer as far as it comes. */
function readRaw(path: string): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${server.apiKey}` }
    const sent = request(`${server.imageBaseUrl}${path}`, { headers }, (answer) => {
      const chunks: Buffer[] = []
      const end = (whole: boolean) => () =>
        resolve({
          status: answer.statusCode,
          length: answer.headers['content-length'],
          chunked: answer.headers['transfer-encoding'] !== undefined,
          bytes: Buffer.concat(chunks),
          whole,
        })
      answer.on('data', (chunk: Buffer) => chunks.push(chunk))
      answer.on('end', end(true))
      answer.on('error', end(false))
    })
    sent.on('error', reject).end()
  })
}

describe('Weather on a download', () => {
  let path: string
  let whole: RawAnswer
  beforeAll(async () => {
    const id = await dispatched(service, '/images/optimize', form(await picture('png', 300, 200)))
    path = `/images/${(await untilEnded(service, id)).image.id}/optimized`
    whole = await readRaw(path)
  })

  it('sends other bytes of the same length', async () => {
    await order({ on: 'optimized', effect: { kind: 'wrong-bytes' } })
    const answer = await readRaw(path)
    expect(answer).toMatchObject({ status: 200, length: whole.length, whole: true })
    expect(answer.bytes.equals(whole.bytes)).toBe(false)
  })

  it('cuts the body short of its Content-Length', async () => {
    await order({ on: 'optimized', effect: { kind: 'cut-body', keepFraction: 0.5 } })
    const answer = await readRaw(path)
    expect(answer).toMatchObject({ status: 200, length: whole.length, whole: false })
    expect(answer.bytes.equals(whole.bytes.subarray(0, Math.floor(whole.bytes.length / 2)))).toBe(true)
  })

  it('sends a body without a length that ends as if it were whole', async () => {
    await order({ on: 'optimized', effect: { kind: 'lengthless', keepFraction: 0.25 } })
    const answer = await readRaw(path)
    expect(answer).toMatchObject({ status: 200, length: undefined, chunked: false, whole: true })
    expect(answer.bytes.length).toBe(Math.floor(whole.bytes.length / 4))
  })

  it('trickles', async () => {
    await order({ on: 'optimized', effect: { kind: 'trickle', bytesPerSecond: whole.bytes.length * 5 } })
    const answer = await readRaw(path)
    expect(answer.whole).toBe(true)
    expect(answer.bytes.equals(whole.bytes)).toBe(true)
  })
})

describe('Texts asked for over the control channel', () => {
  it('are sent as they are, in every language', async () => {
    const texts = { seoFilename: '../../etc/<script>', seoAltText: '\u202e"><img src=x>' }
    await server.control({ type: 'set-texts', texts })
    const id = await dispatched(service, '/images/analyze', form(await picture('jpeg'), { languages: ['en', 'de'] }))
    await server.control({ type: 'set-texts', texts: null })
    const { translations } = (await untilEnded(service, id)).image
    expect(translations).toEqual(
      ['en', 'de'].map((code) => ({
        language_code: code,
        seo_filename: texts.seoFilename,
        seo_alt_text: texts.seoAltText,
      })),
    )
  })
})
