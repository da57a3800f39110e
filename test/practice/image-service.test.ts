/** What the image service document says, as the practice service does it: the engine's tests rely on it. */
import sharp from 'sharp'
import { describe, expect, it, onTestFinished } from 'vitest'
import { startPractice } from './faulty-practice.ts'
import { animation } from '../images/pictures.ts'
import { client, data, dispatched, form, picture, poll, practiceForAll, untilEnded } from './harness.ts'
import { ManualClock } from '../watch/manual-clock.ts'

const jobTime = { kind: 'fixed', ms: 0 } as const
const at = practiceForAll({ jobTime, requestsPerMinute: 100_000, credits: 100_000, seed: 1 })
const UNKNOWN_ID = '01ARZ3NDEKTSV4RRFFQ69G5FAV'
const OPERATIONS = ['analyze', 'optimize', 'convert', 'process'] as const

async function ended(path: string, fields: Record<string, string | string[]> = {}, name = 'photo.jpg') {
  return untilEnded(at.service, await dispatched(at.service, path, form(await picture('jpeg'), fields, name)))
}

describe('a job', () => {
  it('carries every documented field once the full pipeline has completed', async () => {
    const original = await picture('jpeg')
    const job = await ended('/images/process', { 'languages[]': ['en', 'fr'] }, 'Blue waves.jpg')
    expect(Object.keys(job)).toEqual(['job_id', 'status', 'image'])
    const { image } = job
    expect(image).toMatchObject({
      status: 'completed',
      original_filename: 'Blue waves.jpg',
      original_size: original.length,
      converted_format: 'webp',
      compression_percentage: Math.round((1 - (image.optimized_size ?? 0) / original.length) * 100),
    })
    expect(image.translations.map((one) => one.language_code)).toEqual(['en', 'fr'])
    expect(image.translations[0]).toMatchObject({ seo_filename: expect.stringMatching(/^blue-waves-/) as string })
    expect(image.translations[0]!.seo_alt_text).toContain('Practice text')
  })

  it('has null figures and no translations for what the operation does not make', async () => {
    const nothing = { optimized_size: null, converted_format: null, converted_size: null, translations: [] }
    const { translations: _, ...noFile } = nothing
    expect((await ended('/images/analyze')).image).toMatchObject(noFile)
    const { optimized_size: __, ...notCompressed } = nothing
    expect((await ended('/images/optimize')).image).toMatchObject(notCompressed)
    const converted = (await ended('/images/convert', { format: 'avif' })).image
    expect(converted).toMatchObject({ optimized_size: null, converted_format: 'avif', translations: [] })
  })

  it('goes through its states and shows each part once that has ended', async () => {
    const clock = new ManualClock()
    const own = await startPractice({ jobTime: { kind: 'fixed', ms: 10_000 }, seed: 9 }, { clock })
    onTestFinished(() => own.close())
    const service = client(own)
    const seen = new Set<string>()
    let isEarly = false
    for (let round = 0; round < 6; round += 1) {
      const id = await dispatched(service, '/images/process', form(await picture('jpeg')))
      for (let ms = 0; ms < 10_000; ms += 500) {
        const { status, image } = await poll(service, id)
        seen.add(status)
        isEarly ||= status !== 'completed' && image.optimized_size !== null
        await clock.pass(500)
      }
      expect((await untilEnded(service, id)).status).toBe('completed')
      await clock.pass(60_000)
    }
    expect(seen.size).toBeGreaterThan(2)
    expect(isEarly).toBe(true)
  })

  it('fails, and stays charged, when its picture cannot be decoded to its end', async () => {
    const whole = await picture('jpeg', 400, 300)
    const id = await dispatched(at.service, '/images/optimize', form(whole.subarray(0, whole.length / 2)))
    expect((await untilEnded(at.service, id)).image).toMatchObject({ status: 'failed', optimized_size: null })
  })
})

describe('a request', () => {
  it.each(OPERATIONS)('of POST /images/%s is refused for free without an accepted picture', async (operation) => {
    const before = at.server.ledger().totals.charges
    const tiff = await sharp(await picture('png'))
      .tiff()
      .toBuffer()
    for (const body of [form(null, { image: 'not a file' }), null, form(tiff, {}, 'photo.png')]) {
      const answer = await at.service.post(`/images/${operation}`, body)
      expect([answer.status, Object.keys(answer.json['errors'] as object)]).toEqual([422, ['image']])
    }
    expect(at.server.ledger().totals.charges).toBe(before)
  })

  it.each([
    ['languages.1', { 'languages[]': ['en', 'tlh'] }],
    ['languages', { 'languages[]': 'en de fr es it pt nl sv fi da pl'.split(' ') }],
    ['format', { format: 'png' }],
  ])('with unusable %s is refused', async (field, fields) => {
    const answer = await at.service.post('/images/process', form(await picture('jpeg'), fields))
    expect([answer.status, Object.keys(answer.json['errors'] as object)]).toEqual([422, [field]])
  })

  it('may spell its languages in three ways', async () => {
    const numbered = { 'languages[0]': 'de', 'languages[1]': 'fi' }
    for (const fields of [{ 'languages[]': ['de', 'fi'] }, { languages: ['de', 'fi'] }, numbered]) {
      const { translations } = (await ended('/images/analyze', fields)).image
      expect(translations.map((one) => one.language_code)).toEqual(['de', 'fi'])
    }
  })

  it('may have a picture of exactly 10,485,760 bytes, and not one byte more', async () => {
    const start = await picture('jpeg')
    const exact = Buffer.concat([start, Buffer.alloc(10_485_760 - start.length)])
    const id = await dispatched(at.service, '/images/analyze', form(exact))
    expect((await untilEnded(at.service, id)).image.original_size).toBe(10_485_760)
    const answer = await at.service.post('/images/analyze', form(Buffer.concat([exact, Buffer.alloc(1)])))
    expect([answer.status, Object.keys(answer.json['errors'] as object)]).toEqual([422, ['image']])
  })

  it('needs a known key, as a bearer token or as X-API-Key', async () => {
    const ask = async (headers: Record<string, string>, path = '/credits/balance', method = 'GET') =>
      (await fetch(`${at.server.imageBaseUrl}${path}`, { method, headers })).status
    expect(await ask({ authorization: `Bearer ${at.server.apiKey}` })).toBe(200)
    expect(await ask({ 'x-api-key': at.server.apiKey })).toBe(200)
    const paths = `/credits/afford?images=1 /credits/balance /jobs/${UNKNOWN_ID} /images/${UNKNOWN_ID}/optimized`.split(
      ' ',
    )
    for (const headers of [{}, { authorization: 'Bearer nonsense' }, { 'x-api-key': 'nonsense' }]) {
      for (const path of paths) expect(await ask(headers, path)).toBe(401)
      for (const operation of OPERATIONS) expect(await ask(headers, `/images/${operation}`, 'POST')).toBe(401)
    }
  })

  it('is one of 60 a minute for a key, in a fixed window in which refused ones do not count', async () => {
    const clock = new ManualClock()
    const server = await startPractice({}, { clock })
    onTestFinished(() => server.close())
    const service = client(server)
    const balance = () => service.get('/credits/balance')
    for (let sent = 0; sent < 60; sent += 1) expect((await balance()).status).toBe(200)
    await clock.pass(14_500)
    expect(await balance()).toMatchObject({ status: 429, json: { retry_after: 46 } })
    expect((await client(server, null).get('/languages')).status).toBe(200)
    await clock.pass(45_499)
    expect((await balance()).json['retry_after']).toBe(1)
    await clock.pass(1)
    for (let sent = 0; sent < 60; sent += 1) expect((await balance()).status).toBe(200)
    expect((await balance()).status).toBe(429)
  })
})

describe('credits', () => {
  it('are priced for the full pipeline at exactly what it then costs', async () => {
    for (const format of ['webp', 'avif']) {
      const asked = await at.service.get(`/credits/afford?images=1&languages=3&format=${format}`)
      const before = at.server.ledger().totals.credits
      await ended('/images/process', { 'languages[]': ['en', 'de', 'ja'], format })
      expect(at.server.ledger().totals.credits - before).toBe(data<{ required: number }>(asked).required)
    }
    for (const query of ['', 'images=0', 'images=101', 'images=1.5', 'images=1&languages=11', 'images=1&format=png'])
      expect((await at.service.get(`/credits/afford?${query}`)).status, query).toBe(422)
  })

  it('are never spent twice, however many dispatches come at once, and too few refuse without a charge', async () => {
    const own = await startPractice({ credits: 5 })
    onTestFinished(() => own.close())
    const image = await picture('jpeg')
    const post = () => client(own).post('/images/optimize', form(image))
    const answers = await Promise.all(Array.from({ length: 12 }, post))
    const statuses = [202, 402].map((status) => answers.filter((answer) => answer.status === status).length)
    expect(statuses).toEqual([5, 7])
    expect(data(await client(own).get('/credits/balance'))).toEqual({ balance: 0 })
  })
})

describe('the compressed file', () => {
  it.each(['jpeg', 'png', 'gif', 'webp'] as const)('of a %s is whole and typed, with all its frames', async (kind) => {
    const isMoving = kind === 'gif' || kind === 'webp'
    const original = isMoving ? await animation(kind) : await picture(kind, 200, 150, 5)
    const id = await dispatched(at.service, '/images/optimize', form(original, {}, `Sea view.${kind}`))
    const { image } = await untilEnded(at.service, id)
    const file = await at.service.raw(`/images/${image.id}/optimized`)
    const bytes = Buffer.from(await file.arrayBuffer())
    expect(file.headers.get('content-type')).toBe(`image/${kind}`)
    expect(file.headers.get('content-disposition')).toBe(`attachment; filename="Sea view-optimized.${kind}"`)
    expect(bytes.length).toBe(image.optimized_size)
    const frames = isMoving ? { pages: 3 } : { width: 200 }
    expect(await sharp(bytes).metadata()).toMatchObject({ format: kind, ...frames })
  })

  it('is the upload itself where compression would make it larger', async () => {
    const small = sharp(await picture('jpeg', 16, 16))
    const tiny = await small.jpeg({ quality: 5, mozjpeg: true }).toBuffer()
    const id = await dispatched(at.service, '/images/optimize', form(tiny))
    const { image } = await untilEnded(at.service, id)
    expect(image).toMatchObject({ optimized_size: tiny.length, compression_percentage: 0 })
    expect(Buffer.from(await (await at.service.raw(`/images/${image.id}/optimized`)).arrayBuffer())).toEqual(tiny)
  })
})
