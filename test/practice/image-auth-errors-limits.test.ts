/** Image service document, "Authentication", "Errors" and "Limits". */
import { describe, expect, it } from 'vitest'
import fc from 'fast-check'
import { FixedWindow } from '../../src/practice/fixed-window.ts'
import { startPractice } from './faulty-practice.ts'
import { client, data, dispatched, form, picture, practiceForAll, untilEnded } from './harness.ts'
import { ManualClock } from '../watch/manual-clock.ts'

const KEYED = [
  ['POST', '/images/analyze'],
  ['POST', '/images/optimize'],
  ['POST', '/images/convert'],
  ['POST', '/images/process'],
  ['GET', '/credits/afford?images=1'],
  ['GET', '/credits/balance'],
  ['GET', '/jobs/01ARZ3NDEKTSV4RRFFQ69G5FAV'],
  ['GET', '/images/01ARZ3NDEKTSV4RRFFQ69G5FAV/optimized'],
] as const

describe('Authentication', () => {
  const at = practiceForAll({ requestsPerMinute: 10_000 })

  const ask = (headers: Record<string, string>, method = 'GET', path = '/credits/balance'): Promise<Response> =>
    fetch(`${at.server.imageBaseUrl}${path}`, { method, headers })

  it('takes the key as a bearer token or as X-API-Key', async () => {
    expect((await ask({ authorization: `Bearer ${at.server.apiKey}` })).status).toBe(200)
    expect((await ask({ 'x-api-key': at.server.apiKey })).status).toBe(200)
  })

  it.each(KEYED)('refuses %s %s without a key or with a wrong one', async (method, path) => {
    for (const headers of [{}, { authorization: 'Bearer nonsense' }, { 'x-api-key': 'nonsense' }]) {
      const answer = await ask(headers, method, path)
      expect(answer.status).toBe(401)
      expect(await answer.json()).toEqual({ message: 'Unauthenticated' })
    }
  })

  it('refuses the old key once a new one was issued, and the account stays the same', async () => {
    const own = await startPractice({ credits: 77 })
    const { key } = await own.control({ type: 'rotate-key', service: 'image' })
    expect((await client(own).get('/credits/balance')).status).toBe(401)
    expect(data(await client(own, key).get('/credits/balance'))).toEqual({ balance: 77 })
    await own.close()
  })
})

describe('Errors', () => {
  const at = practiceForAll({ jobTime: { kind: 'fixed', ms: 0 }, requestsPerMinute: 10_000 })

  it('answers 404 with a message about no query results for an unknown job id, the image id included', async () => {
    const id = await dispatched(at.service, '/images/optimize', form(await picture('jpeg')))
    const { image } = await untilEnded(at.service, id)
    for (const unknown of ['01ARZ3NDEKTSV4RRFFQ69G5FAV', 'nonsense', image.id]) {
      const answer = await at.service.get(`/jobs/${unknown}`)
      expect(answer.status).toBe(404)
      expect(Object.keys(answer.json)).toEqual(['message'])
      expect(answer.json['message']).toMatch(/no query results .*image model/i)
    }
  })

  it('answers 404 with an error for an optimized file that does not exist yet, or never will', async () => {
    await at.server.control({ type: 'set-job-time', jobTime: { kind: 'fixed', ms: 60_000 } })
    const pending = data<{ job_id: string }>(await at.service.post('/images/optimize', form(await picture('jpeg'))))
    const running = data<{ image: { id: string } }>(await at.service.get(`/jobs/${pending.job_id}`)).image.id
    await at.server.control({ type: 'set-job-time', jobTime: { kind: 'fixed', ms: 0 } })
    const id = await dispatched(at.service, '/images/analyze', form(await picture('jpeg')))
    const analyzed = (await untilEnded(at.service, id)).image.id
    for (const imageId of [running, analyzed, '01ARZ3NDEKTSV4RRFFQ69G5FAV']) {
      const answer = await at.service.get(`/images/${imageId}/optimized`)
      expect(answer.status).toBe(404)
      expect(Object.keys(answer.json)).toEqual(['error'])
      expect(answer.json['error']).toMatch(/unavailable.*optimization job must be completed/)
    }
  })

  it('answers 402 without charging or starting anything when credits do not suffice', async () => {
    await at.server.control({ type: 'set-credits', credits: 2 })
    const answer = await at.service.post('/images/process', form(await picture('jpeg')))
    expect(answer.status).toBe(402)
    expect(answer.json['message']).toMatch(/not enough credits/i)
    expect(data(await at.service.get('/credits/balance'))).toEqual({ balance: 2 })
    await at.server.control({ type: 'top-up', credits: 1 })
    expect((await at.service.post('/images/process', form(await picture('jpeg')))).status).toBe(202)
    await at.server.control({ type: 'set-credits', credits: 500 })
  })

  it('never spends the same credits twice, however many dispatches come at once', async () => {
    await at.server.control({ type: 'set-credits', credits: 5 })
    const image = await picture('jpeg')
    const answers = await Promise.all(
      Array.from({ length: 12 }, () => at.service.post('/images/optimize', form(image))),
    )
    expect(answers.filter((answer) => answer.status === 202)).toHaveLength(5)
    expect(answers.filter((answer) => answer.status === 402)).toHaveLength(7)
    expect(data(await at.service.get('/credits/balance'))).toEqual({ balance: 0 })
    await at.server.control({ type: 'set-credits', credits: 500 })
  })
})

describe('Limits', () => {
  it('lets 60 requests a minute pass for one key, in a fixed window, and counts no refused ones', async () => {
    const clock = new ManualClock()
    const server = await startPractice({}, { clock })
    const service = client(server)
    const status = async (): Promise<number> => (await service.get('/credits/balance')).status
    for (let sent = 0; sent < 60; sent += 1) expect(await status()).toBe(200)
    await clock.pass(14_500)
    const refused = await service.get('/jobs/01ARZ3NDEKTSV4RRFFQ69G5FAV')
    expect(refused.status).toBe(429)
    expect(refused.json).toEqual({ message: 'Too many attempts.', retry_after: 46 })
    expect((await service.post('/images/optimize', form(await picture('jpeg')))).status).toBe(429)
    expect((await client(server, null).get('/languages')).status).toBe(200)
    expect((await client(server, 'wrong').get('/credits/balance')).status).toBe(401)
    await clock.pass(45_499)
    expect((await service.get('/credits/balance')).json['retry_after']).toBe(1)
    await clock.pass(1)
    for (let sent = 0; sent < 60; sent += 1) expect(await status()).toBe(200)
    expect(await status()).toBe(429)
    const { key } = await server.control({ type: 'rotate-key', service: 'image' })
    expect((await client(server, key).get('/credits/balance')).status).toBe(200)
    await server.close()
  })

  it('has a window that never lets more than its limit pass between its start and its end', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 20_000 }), { maxLength: 200 }), (gaps) => {
        const window = new FixedWindow(5)
        let nowMs = 0
        let startedAtMs = -Infinity
        let passed = 0
        for (const gapMs of gaps) {
          nowMs += gapMs
          if (nowMs - startedAtMs >= 60_000) [startedAtMs, passed] = [nowMs, 0]
          const waitMs = window.take('key', nowMs)
          if (waitMs === null) passed += 1
          else expect(nowMs + waitMs).toBe(startedAtMs + 60_000)
          expect(passed).toBeLessThanOrEqual(5)
          expect(waitMs === null || passed === 5).toBe(true)
        }
      }),
    )
  })

  it('accepts an upload of exactly 10,485,760 bytes and refuses one byte more', async () => {
    const server = await startPractice({ jobTime: { kind: 'fixed', ms: 0 } })
    const service = client(server)
    const start = await picture('jpeg')
    const exact = Buffer.concat([start, Buffer.alloc(10_485_760 - start.length)])
    const id = await dispatched(service, '/images/analyze', form(exact))
    expect((await untilEnded(service, id)).image.original_size).toBe(10_485_760)
    const answer = await service.post('/images/analyze', form(Buffer.concat([exact, Buffer.alloc(1)])))
    expect(answer.status).toBe(422)
    expect(answer.json['errors']).toHaveProperty('image')
    await server.close()
  })
})
