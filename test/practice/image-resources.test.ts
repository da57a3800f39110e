/** Image service document, "Resources and their fields". */
import { describe, expect, it } from 'vitest'
import { data, dispatched, form, picture, poll, practiceForAll, ULID, untilEnded } from './harness.ts'
import { ManualClock } from '../watch/manual-clock.ts'

const clock = new ManualClock()
const at = practiceForAll({ jobTime: { kind: 'fixed', ms: 1000 }, requestsPerMinute: 10_000, seed: 4 }, { clock })

async function finishedJob(path: string, fields: Record<string, string | string[]> = {}, name = 'photo.jpg') {
  const id = await dispatched(at.service, path, form(await picture('jpeg'), fields, name))
  await clock.pass(1000)
  return untilEnded(at.service, id)
}

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

  it('show null figures and no translations before the job has ended', async () => {
    const id = await dispatched(at.service, '/images/process', form(await picture('jpeg')))
    const { image } = await poll(at.service, id)
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
    const codes = data<{ code: string }[]>(await at.service.get('/languages')).map((language) => language.code)
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
})

describe('Project', () => {
  const projects = async () => (await at.server.control({ type: 'get-state' })).projects

  it('is the existing one when project_id is given, whatever project_name says', async () => {
    await finishedJob('/images/optimize', { project_name: 'First' })
    const before = await projects()
    const first = before.find((project) => project.name === 'First')
    await finishedJob('/images/optimize', { project_id: first?.id ?? '', project_name: 'Second' })
    expect(await projects()).toEqual(before)
  })
})
