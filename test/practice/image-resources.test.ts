/** Image service document, "Resources and their fields". */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startPractice } from './faulty-practice.ts'
import type { PracticeServer } from './faulty-practice.ts'
import { client, data, dispatched, form, picture, poll, TestClock, ULID, untilEnded } from './harness.ts'
import type { Client, Json } from './harness.ts'

let server: PracticeServer
let service: Client
const clock = new TestClock()

beforeAll(async () => {
  server = await startPractice({ jobTime: { kind: 'fixed', ms: 1000 }, requestsPerMinute: 10_000, seed: 4 }, { clock })
  service = client(server)
})
afterAll(() => server.close())

async function finishedJob(path: string, fields: Record<string, string | string[]> = {}, name = 'photo.jpg') {
  const id = await dispatched(service, path, form(await picture('jpeg'), fields, name))
  clock.advance(1000)
  return untilEnded(service, id)
}

it('Language has code, name and native_name, and nothing else', async () => {
  const languages = data<Json[]>(await service.get('/languages'))
  expect(languages.length).toBeGreaterThanOrEqual(12)
  for (const language of languages) {
    expect(Object.keys(language)).toEqual(['code', 'name', 'native_name'])
    expect(language['code']).toMatch(/^[a-z]{2}$/)
    expect(language['name']).toMatch(/^[A-Z][a-z]+$/)
    expect(String(language['native_name']).length).toBeGreaterThan(0)
  }
  expect(languages).toContainEqual({ code: 'de', name: 'German', native_name: 'Deutsch' })
})

describe('Job start result', () => {
  const cases = [
    ['analyze', 'Analysis'],
    ['optimize', 'Optimization'],
    ['convert', 'Conversion'],
    ['process', 'Processing'],
  ] as const
  it.each(cases)('of %s is 202 with a ULID, pending and a message that names the polling path', async (path, word) => {
    const answer = await service.post(`/images/${path}`, form(await picture('png')))
    expect(answer.status).toBe(202)
    const start = data<{ job_id: string; status: string; message: string }>(answer)
    expect(Object.keys(start)).toEqual(['job_id', 'status', 'message'])
    expect(start.job_id).toMatch(ULID)
    expect(start.status).toBe('pending')
    expect(start.message).toContain(`GET /api/v1/jobs/${start.job_id}`)
    expect(start.message).toContain(`${word} dispatched`)
  })
})

describe('Job and Image', () => {
  it('carry every documented field once the full pipeline has completed', async () => {
    const original = await picture('jpeg')
    const job = await finishedJob('/images/process', { 'languages[]': ['en', 'fr'] }, 'Blue waves.jpg')
    expect(Object.keys(job)).toEqual(['job_id', 'status', 'image'])
    expect(job.job_id).toMatch(ULID)
    expect(job.status).toBe('completed')
    const { image } = job
    expect(image.id).toMatch(ULID)
    expect(image.status).toBe('completed')
    expect(image.original_filename).toBe('Blue waves.jpg')
    expect(image.original_size).toBe(original.length)
    expect(image.optimized_size).toBeGreaterThan(0)
    expect(image.optimized_size).toBeLessThan(original.length)
    expect(image.converted_format).toBe('webp')
    expect(image.converted_size).toBeGreaterThan(0)
    expect(image.compression_percentage).toBe(Math.round((1 - (image.optimized_size ?? 0) / original.length) * 100))
    expect(image.translations.map((one) => one.language_code)).toEqual(['en', 'fr'])
  })

  it('have an image id that is not the job id', async () => {
    const job = await finishedJob('/images/optimize')
    expect(job.image.id).not.toBe(job.job_id)
  })

  it('show null figures and no translations before the job has ended', async () => {
    const id = await dispatched(service, '/images/process', form(await picture('jpeg')))
    const { image } = await poll(service, id)
    expect(image).toMatchObject({
      status: 'pending',
      optimized_size: null,
      converted_format: null,
      converted_size: null,
      compression_percentage: null,
      translations: [],
    })
    expect(image.original_size).toBe((await picture('jpeg')).length)
  })

  it('show only what the operation makes', async () => {
    const analyzed = (await finishedJob('/images/analyze')).image
    expect(analyzed).toMatchObject({ optimized_size: null, converted_format: null, compression_percentage: null })
    expect(analyzed.translations).toHaveLength(1)
    const optimized = (await finishedJob('/images/optimize')).image
    expect(optimized).toMatchObject({ converted_format: null, converted_size: null, translations: [] })
    expect(optimized.optimized_size).toBeGreaterThan(0)
    const converted = (await finishedJob('/images/convert', { format: 'avif' })).image
    expect(converted).toMatchObject({ optimized_size: null, converted_format: 'avif', translations: [] })
    expect(converted.converted_size).toBeGreaterThan(0)
  })
})

describe('Translation', () => {
  it('has language_code, seo_filename and seo_alt_text, marked as practice text, for every language of the list', async () => {
    const codes = data<{ code: string }[]>(await service.get('/languages')).map((language) => language.code)
    const texts = new Set<string>()
    for (let at = 0; at < codes.length; at += 10) {
      const wanted = codes.slice(at, at + 10)
      const { image } = await finishedJob('/images/analyze', { 'languages[]': wanted }, 'old harbour.jpg')
      expect(image.translations.map((one) => one.language_code)).toEqual(wanted)
      for (const translation of image.translations) {
        expect(Object.keys(translation)).toEqual(['language_code', 'seo_filename', 'seo_alt_text'])
        expect(translation.seo_filename).toMatch(/^old-harbour-[\p{L}\p{M}-]+$/u)
        expect(translation.seo_alt_text).toContain('120 × 80')
        texts.add(translation.seo_alt_text)
      }
    }
    expect(texts.size).toBe(codes.length)
  })

  it('says what can be known of the picture in words of the language', async () => {
    const { image } = await finishedJob('/images/analyze', { 'languages[]': ['en', 'de'] }, 'old harbour.jpg')
    expect(image.translations.map((one) => one.seo_alt_text)).toEqual([
      'Landscape picture “old harbour”, 120 × 80 pixels, main colours: blue. (Practice text)',
      'Bild im Querformat „old harbour“, 120 × 80 Pixel, Hauptfarben: Blau. (Übungstext)',
    ])
  })
})

it('Credit data has balance, can_afford, required and shortfall, and shortfall is 0 when affordable', async () => {
  await server.control({ type: 'set-credits', credits: 30 })
  const enough = data<Json>(await service.get('/credits/afford?images=10'))
  expect(enough).toEqual({ can_afford: true, required: 30, balance: 30, shortfall: 0 })
  const short = data<Json>(await service.get('/credits/afford?images=11'))
  expect(short).toEqual({ can_afford: false, required: 33, balance: 30, shortfall: 3 })
  await server.control({ type: 'set-credits', credits: 500 })
})

describe('Project', () => {
  const projects = async () => (await server.control({ type: 'get-state' })).projects

  it('is "API Uploads", with a ULID, for an upload that names none', async () => {
    await finishedJob('/images/optimize')
    const [made] = (await projects()).filter((project) => project.name === 'API Uploads')
    expect(made?.id).toMatch(ULID)
  })

  it('is named by project_name when that is given', async () => {
    await finishedJob('/images/optimize', { project_name: 'Airfield tour' })
    expect((await projects()).map((project) => project.name)).toContain('Airfield tour')
  })

  it('is the existing one when project_id is given, whatever project_name says', async () => {
    await finishedJob('/images/optimize', { project_name: 'First' })
    const before = await projects()
    const first = before.find((project) => project.name === 'First')
    await finishedJob('/images/optimize', { project_id: first?.id ?? '', project_name: 'Second' })
    expect(await projects()).toEqual(before)
  })

  it('that does not exist is refused', async () => {
    const unknown = form(await picture('jpeg'), { project_id: '01ARZ3NDEKTSV4RRFFQ69G5FAV' })
    const answer = await service.post('/images/optimize', unknown)
    expect(answer.status).toBe(422)
    expect(answer.json['errors']).toHaveProperty('project_id')
  })
})
