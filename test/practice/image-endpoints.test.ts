/** Image service document, "Endpoints". */
import { createHash } from 'node:crypto'
import sharp from 'sharp'
import { describe, expect, it, onTestFinished } from 'vitest'
import { startPractice } from './faulty-practice.ts'
import { animation, client, data, dispatched, form, picture, poll, practiceForAll, untilEnded } from './harness.ts'
import type { Json } from './harness.ts'

const jobTime = { kind: 'fixed', ms: 0 } as const
const at = practiceForAll({ jobTime, requestsPerMinute: 100_000, credits: 100_000, seed: 1 })
const OPERATIONS = ['analyze', 'optimize', 'convert', 'process'] as const

async function refused(path: string, body: FormData | string | null): Promise<Record<string, string[]>> {
  const before = at.server.ledger().totals.charges
  const answer = await at.service.post(path, body)
  expect(answer.status).toBe(422)
  expect(typeof answer.json['message']).toBe('string')
  expect(at.server.ledger().totals.charges).toBe(before)
  return answer.json['errors'] as Record<string, string[]>
}

describe.each(OPERATIONS)('POST /images/%s', (operation) => {
  const path = `/images/${operation}`

  it('requires the image to be a file', async () => {
    expect(await refused(path, form(null, { languages: 'en' }))).toHaveProperty('image')
    expect(await refused(path, form(null, { image: 'not a file' }))).toHaveProperty('image')
    expect(await refused(path, null)).toHaveProperty('image')
    expect(await refused(path, '{"image":"x"}')).toHaveProperty('image')
  })

  it('refuses bytes that are no accepted picture, whatever the name says', async () => {
    expect(await refused(path, form(Buffer.from('hello'), {}, 'photo.jpg'))).toHaveProperty('image')
    const tiff = await sharp(await picture('png'))
      .tiff()
      .toBuffer()
    expect(await refused(path, form(tiff, {}, 'photo.png'))).toHaveProperty('image')
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')
    expect(await refused(path, form(svg, {}, 'photo.png'))).toHaveProperty('image')
  })
})

describe.each(['analyze', 'process'])('languages of POST /images/%s', (operation) => {
  const path = `/images/${operation}`
  const codesOf = async (fields: Record<string, string | string[]>): Promise<string[]> => {
    const id = await dispatched(at.service, path, form(await picture('jpeg'), fields))
    return (await untilEnded(at.service, id)).image.translations.map((one) => one.language_code)
  }

  it('are taken as languages[], as repeated languages and as languages[0]', async () => {
    expect(await codesOf({ 'languages[]': ['de', 'fi'] })).toEqual(['de', 'fi'])
    expect(await codesOf({ languages: ['de', 'fi'] })).toEqual(['de', 'fi'])
    expect(await codesOf({ 'languages[0]': 'de', 'languages[1]': 'fi' })).toEqual(['de', 'fi'])
  })

  it('are refused when unknown or more than ten', async () => {
    expect(await refused(path, form(await picture('jpeg'), { 'languages[]': ['en', 'tlh'] }))).toHaveProperty([
      'languages.1',
    ])
    const codes = data<{ code: string }[]>(await at.service.get('/languages')).map((language) => language.code)
    expect(await refused(path, form(await picture('jpeg'), { 'languages[]': codes.slice(0, 11) }))).toHaveProperty(
      'languages',
    )
  })
})

describe('GIF and WebP', () => {
  it('are analyzed and optimized, with all frames of an animation', async () => {
    for (const kind of ['gif', 'webp'] as const) {
      const original = await animation(kind)
      const analyzed = await dispatched(at.service, '/images/analyze', form(original, {}, `moving.${kind}`))
      expect((await untilEnded(at.service, analyzed)).image.translations).toHaveLength(1)
      const optimized = await dispatched(at.service, '/images/optimize', form(original, {}, `moving.${kind}`))
      const { image } = await untilEnded(at.service, optimized)
      const file = await at.service.raw(`/images/${image.id}/optimized`)
      expect(file.headers.get('content-type')).toBe(`image/${kind}`)
      const metadata = await sharp(Buffer.from(await file.arrayBuffer())).metadata()
      expect(metadata).toMatchObject({ format: kind, pages: 3 })
    }
  })

  it('are not converted: conversion is from PNG/JPEG', async () => {
    for (const kind of ['gif', 'webp'] as const) {
      expect(await refused('/images/convert', form(await picture(kind)))).toHaveProperty('image')
      expect(await refused('/images/process', form(await picture(kind)))).toHaveProperty('image')
    }
  })
})

describe.each(['convert', 'process'])('format of POST /images/%s', (operation) => {
  const formatOf = async (fields: Record<string, string>): Promise<string | null> => {
    const id = await dispatched(at.service, `/images/${operation}`, form(await picture('jpeg'), fields))
    return (await untilEnded(at.service, id)).image.converted_format
  }

  it('is webp by default, or avif', async () => {
    expect(await formatOf({})).toBe('webp')
    expect(await formatOf({ format: 'webp' })).toBe('webp')
    expect(await formatOf({ format: 'avif' })).toBe('avif')
  })

  it('is refused when it is any other', async () => {
    expect(await refused(`/images/${operation}`, form(await picture('jpeg'), { format: 'png' }))).toHaveProperty(
      'format',
    )
  })
})

it('GET /credits/balance answers the balance and nothing else, and dispatches lower it', async () => {
  const balance = async () => data<{ balance: number }>(await at.service.get('/credits/balance')).balance
  const before = await balance()
  await dispatched(at.service, '/images/analyze', form(await picture('jpeg'), { 'languages[]': ['en', 'de'] }))
  expect(await balance()).toBe(before - 2)
  expect((await at.service.get('/credits/balance')).json).toEqual({ data: { balance: before - 2 } })
})

describe('GET /credits/afford', () => {
  const required = async (query: string): Promise<number> =>
    data<{ required: number }>(await at.service.get(`/credits/afford?${query}`)).required

  it('prices the full pipeline at exactly what process then charges', async () => {
    for (const format of ['webp', 'avif']) {
      const price = await required(`images=1&languages=3&format=${format}`)
      const before = at.server.ledger().totals.credits
      await dispatched(
        at.service,
        '/images/process',
        form(await picture('png'), { 'languages[]': ['en', 'de', 'ja'], format }),
      )
      expect(at.server.ledger().totals.credits - before).toBe(price)
    }
  })

  it.each([
    ['images', ''],
    ['images', 'images=0'],
    ['images', 'images=101'],
    ['images', 'images=two'],
    ['images', 'images=1.5'],
    ['languages', 'images=1&languages=0'],
    ['languages', 'images=1&languages=11'],
    ['format', 'images=1&format=png'],
  ])('refuses %s in "%s" with 422', async (field, query) => {
    const answer = await at.service.get(`/credits/afford?${query}`)
    expect(answer.status).toBe(422)
    expect(answer.json['errors']).toHaveProperty(field)
  })
})

describe('GET /images/{id}/optimized', () => {
  it.each(['jpeg', 'png', 'webp'] as const)('sends the compressed %s itself, whole and typed', async (kind) => {
    const original = await picture(kind, 200, 150, 5)
    const id = await dispatched(at.service, '/images/optimize', form(original, {}, `Sea view.${kind}`))
    const { image } = await untilEnded(at.service, id)
    const file = await at.service.raw(`/images/${image.id}/optimized`)
    const bytes = Buffer.from(await file.arrayBuffer())
    expect(file.status).toBe(200)
    expect(file.headers.get('content-type')).toBe(`image/${kind}`)
    expect(Number(file.headers.get('content-length'))).toBe(bytes.length)
    expect(file.headers.get('content-disposition')).toBe(`attachment; filename="Sea view-optimized.${kind}"`)
    expect(bytes.length).toBe(image.optimized_size)
    expect(await sharp(bytes).metadata()).toMatchObject({ format: kind, width: 200, height: 150 })
    expect((await sharp(bytes).raw().toBuffer()).length).toBeGreaterThan(0)
  })

  it('keeps the upload itself when compression would make it larger', async () => {
    const tiny = await sharp(await picture('jpeg', 16, 16))
      .jpeg({ quality: 5, mozjpeg: true })
      .toBuffer()
    const id = await dispatched(at.service, '/images/optimize', form(tiny))
    const { image } = await untilEnded(at.service, id)
    expect(image).toMatchObject({ optimized_size: tiny.length, compression_percentage: 0 })
    const bytes = Buffer.from(await (await at.service.raw(`/images/${image.id}/optimized`)).arrayBuffer())
    const sha256 = (of: Buffer): string => createHash('sha256').update(of).digest('hex')
    expect(sha256(bytes)).toBe(sha256(tiny))
  })
})

it.each([
  ['GET', '/projects'],
  ['GET', '/images/01ARZ3NDEKTSV4RRFFQ69G5FAV/converted'],
  ['GET', '/images/01ARZ3NDEKTSV4RRFFQ69G5FAV'],
  ['POST', '/credits/topup'],
  ['HEAD', '/languages'],
  ['OPTIONS', '/languages'],
  ['DELETE', '/jobs/01ARZ3NDEKTSV4RRFFQ69G5FAV'],
])('What is not shown does not exist %s %s is 404', async (method, path) => {
  const headers = { authorization: `Bearer ${at.server.apiKey}` }
  expect((await fetch(`${at.server.imageBaseUrl}${path}`, { method, headers })).status).toBe(404)
})

it('Jobs of another account are unknown, and come back with their key', async () => {
  const own = await startPractice({ jobTime: { kind: 'fixed', ms: 0 }, credits: 10 })
  onTestFinished(() => own.close())
  const first = client(own)
  const id = await dispatched(first, '/images/optimize', form(await picture('jpeg')))
  const { image } = await untilEnded(first, id)
  const { key } = await own.control({ type: 'rotate-key', service: 'image', account: 'other', keepOld: true })
  const other = client(own, key)
  expect((await other.get(`/jobs/${id}`)).status).toBe(404)
  expect((await other.get(`/images/${image.id}/optimized`)).status).toBe(404)
  expect(data<Json>(await other.get('/credits/balance'))).toEqual({ balance: 0 })
  expect((await poll(first, id)).status).toBe('completed')
})
