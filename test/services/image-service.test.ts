import type { ServerResponse } from 'node:http'
import { afterEach, describe, expect, it } from 'vitest'
import type { ImageServiceOptions } from '../../src/main/services/image-service.ts'
import { call, closeAll, KEY, openImageService as open, order, startHttp, textOf, type SeenRequest } from './harness.ts'

afterEach(closeAll)

const JOB = '01JABCDEFGHJKMNPQRSTVWXYZ0'

type Handle = (request: SeenRequest, response: ServerResponse) => void

async function serve(handle: Handle, options: Partial<ImageServiceOptions> = {}) {
  const server = await startHttp(handle)
  return { ...server, service: open(server.origin, options) }
}

const ok = (value: unknown, status = 200) => ({ kind: 'ok', status, value })

/** Answers everything with this. */
const always =
  (status: number, body: unknown, headers: Record<string, string> = {}): Handle =>
  (_, response) =>
    response.writeHead(status, headers).end(typeof body === 'string' ? body : JSON.stringify(body))

const form = ({ headers, body }: SeenRequest) =>
  new Response(new Uint8Array(body), { headers: { 'content-type': headers['content-type']! } }).formData()

const started = always(202, {
  data: { job_id: JOB, status: 'pending', message: 'dispatched; poll GET /api/v1/jobs/x' },
})

describe('dispatch', () => {
  it('uploads the picture with its fields and reads the job id', async () => {
    const { service, requests } = await serve(started)
    const options = call()
    expect(await service.dispatch(order(), options)).toEqual(ok({ jobId: JOB }, 202))
    expect(options.spent).toEqual(['answered'])
    expect(requests[0]).toMatchObject({ method: 'POST', url: '/api/v1/images/process' })
    const fields = await form(requests[0]!)
    const image = fields.get('image') as File
    expect([image.type, await image.text()]).toEqual(['image/jpeg', 'picture'])
    expect(requests[0]!.body.toString()).toContain('filename="Größe %221%22.jpg"')
    expect(fields.getAll('languages[]')).toEqual(['de', 'en'])
    expect(fields.get('format')).toBe('avif')
  })

  it.each([
    ['analyze', ['image', 'languages[]', 'languages[]', 'project_name']],
    ['optimize', ['image', 'project_name']],
    ['convert', ['image', 'format', 'project_name']],
    ['process', ['image', 'languages[]', 'languages[]', 'format', 'project_name']],
  ] as const)('sends with %s the fields that the document lists for it', async (operation, expected) => {
    const { service, requests } = await serve(started)
    await service.dispatch(order({ operation, project: { kind: 'name', name: 'Spring' } }), call())
    await service.dispatch(order({ operation, project: { kind: 'id', id: JOB } }), call())
    expect(requests.map(({ url }) => url)).toEqual([`/api/v1/images/${operation}`, `/api/v1/images/${operation}`])
    expect([...(await form(requests[0]!)).keys()]).toEqual(expected)
    const second = await form(requests[1]!)
    expect([second.get('project_id'), second.get('project_name')]).toEqual([JOB, null])
  })

  it('uses a connection of its own each time', async () => {
    const { service, sockets } = await serve(started)
    await service.balance(call())
    await service.dispatch(order(), call())
    await service.dispatch(order(), call())
    expect(sockets).toHaveLength(3)
  })

  it.each([
    ['no body', ''],
    ['no job id', { data: { status: 'pending' } }],
    ['an id that is a number', { data: { job_id: 12 } }],
    ['an id that no path can carry', { data: { job_id: '..' } }],
    ['a page', '<html>Welcome</html>'],
  ])('calls a 202 with %s malformed, which is no refusal', async (_, body) => {
    const { service } = await serve(always(202, body))
    expect(await service.dispatch(order(), call())).toMatchObject({ kind: 'malformed', status: 202 })
  })
})

describe('the key', () => {
  it.each([
    ['bearer', { authorization: `Bearer ${KEY}` }, 'x-api-key'],
    ['x-api-key', { 'x-api-key': KEY }, 'authorization'],
  ] as const)(
    'goes into the %s header and no other, under both forms of the address',
    async (keyHeader, expected, absent) => {
      const { origin, requests } = await serve(always(200, { data: { balance: 7 } }))
      for (const baseUrl of [origin, `${origin}/api/v1/`])
        expect(await open(baseUrl, { settings: { keyHeader } }).balance(call())).toEqual(ok(7))
      for (const { url, headers } of requests) {
        expect(url).toBe('/api/v1/credits/balance')
        expect(headers).toMatchObject(expected)
        expect(headers[absent]).toBeUndefined()
      }
    },
  )

  it('is asked for at each call, and nothing leaves without one', async () => {
    let key: string | null = null
    const { service, requests, sockets } = await serve(always(200, { data: { balance: 7 } }), { key: async () => key })
    for (const bad of [null, '', 'two words', 'line\r\nbreak', 'é']) {
      key = bad
      const options = call()
      await expect(service.balance(options)).rejects.toMatchObject({ code: 'key_missing' })
      expect(options.spent).toEqual(['answered'])
    }
    expect(sockets).toHaveLength(0)
    key = 'second'
    await service.balance(call())
    expect(requests[0]!.headers.authorization).toBe('Bearer second')
  })

  it('never follows a redirect, other than that of a download', async () => {
    const other = await startHttp(started)
    for (const status of [301, 302, 303, 307, 308]) {
      const { service } = await serve(always(status, '', { location: `${other.origin}/api/v1/images/process` }))
      expect(await service.dispatch(order(), call())).toMatchObject({ kind: 'status', status })
      expect(await service.job(JOB, call())).toMatchObject({ kind: 'status', status })
      expect(await service.balance(call())).toMatchObject({ kind: 'status', status })
      expect(await service.afford({ images: 1, languages: 1, format: 'webp' }, call())).toMatchObject({ status })
      expect(await service.languages(call())).toMatchObject({ kind: 'status', status })
    }
    expect(other.sockets).toHaveLength(0)
  })

  it('is taken out of what the service says', async () => {
    const { service } = await serve(always(401, { message: `Key ${KEY} is\u0000 unknown\u202e\n` }))
    expect(await service.balance(call())).toMatchObject({ message: 'Key [key] is unknown' })
  })
})

describe('job', () => {
  const image = {
    id: 'image-1',
    status: 'completed',
    original_filename: 'a.jpg',
    original_size: 100,
    optimized_size: 60,
    converted_format: 'webp',
    converted_size: 50,
    compression_percentage: 40,
    translations: [{ language_code: 'en', seo_filename: 'a-lake', seo_alt_text: 'A lake' }],
  }
  const read = {
    id: 'image-1',
    originalSize: 100,
    optimizedSize: 60,
    convertedFormat: 'webp',
    convertedSize: 50,
    compressionPercentage: 40,
    translations: [{ languageCode: 'en', seoFilename: 'a-lake', seoAltText: 'A lake' }],
  }

  it('reads every field that is used', async () => {
    const id = 'a/../b?c'
    const { service, requests } = await serve(
      always(200, { data: { job_id: id, status: 'completed', image, extra: 1 } }),
    )
    expect(await service.job(id, call())).toEqual(ok({ jobId: id, status: 'completed', image: read }))
    expect(requests[0]!.url).toBe('/api/v1/jobs/a%2F..%2Fb%3Fc')
  })

  /** What is read of the answer to a poll of `JOB` that has this. */
  const polled = async (data: object) =>
    (await serve(always(200, { data: { job_id: JOB, status: 'pending', ...data } }))).service.job(JOB, call())

  it('does not take an answer about another job', async () => {
    expect(await polled({ job_id: `${JOB}X`, image })).toMatchObject({ kind: 'malformed' })
  })

  const nothing = { ...Object.fromEntries(Object.keys(read).map((name) => [name, null])), translations: [] }

  it.each([
    ['absent', {}],
    ['null', Object.fromEntries(Object.keys(image).map((name) => [name, null]))],
    [
      'of another type',
      { id: 12, status: 1, original_filename: {}, original_size: '12', converted_format: 3, translations: 'none' },
    ],
    ['an id that leads elsewhere', { id: '..' }],
  ])('takes fields that are %s as not there', async (_, wire) => {
    expect(await polled({ image: wire })).toMatchObject({ kind: 'ok', value: { status: 'pending', image: nothing } })
  })

  it.each([
    ['not there', undefined],
    ['null', null],
    ['a text', 'image'],
    ['a list', []],
  ])('takes an image that is %s as none, or as one without fields', async (_, wire) => {
    const status = 'strange new state'
    expect(await polled({ status, image: wire })).toMatchObject({ kind: 'ok', value: { status, image: null } })
  })

  it('keeps what can be used of the translations and cuts texts that are too long', async () => {
    const translations = [
      null,
      'en',
      { language_code: 'de', seo_filename: 3, seo_alt_text: 'x'.repeat(20_000) },
      { language_code: 'fr', seo_filename: null, seo_alt_text: null },
      { seo_filename: 'without-language', seo_alt_text: 'x' },
      { language_code: 'pt', seo_filename: ' lago\n', seo_alt_text: '\u000bUm\u0085lago \n' },
    ]
    const answer = await polled({ image: { ...image, translations } })
    expect(answer.kind === 'ok' && answer.value.image?.translations).toEqual([
      { languageCode: 'de', seoFilename: '', seoAltText: 'x'.repeat(10_000) },
      { languageCode: 'pt', seoFilename: 'lago', seoAltText: 'Um lago' },
    ])
  })

  it.each([
    { data: { job_id: JOB, image } },
    { data: { job_id: JOB, status: 1 } },
    { data: { status: 'x' } },
    { data: [] },
    [],
    null,
  ])('calls %j malformed', async (body) => {
    const { service } = await serve(always(200, body))
    expect(await service.job(JOB, call())).toMatchObject({ kind: 'malformed', status: 200 })
  })

  it.each(['', '.', '..', 'x'.repeat(201), '\ud800', 'a\u0000'])(
    'asks after no id that changes the path: %j',
    async (id) => {
      const { service, sockets } = await serve(always(200, {}))
      const options = call()
      await expect(service.job(id, options)).rejects.toMatchObject({ code: 'bad_request' })
      await expect(service.optimized(id, async () => undefined, options)).rejects.toMatchObject({ code: 'bad_request' })
      expect(options.spent).toEqual(['answered', 'answered'])
      expect(sockets).toHaveLength(0)
    },
  )
})

describe('optimized', () => {
  it('streams the file', async () => {
    const headers = { 'content-type': 'image/png', 'content-length': '4' }
    const { service, requests } = await serve(always(200, 'data', headers))
    let received = ''
    const sink = async (chunk: Uint8Array) => {
      received += textOf(chunk)
    }
    expect(await service.optimized('im/age', sink, call())).toEqual({ from: 'service', answer: ok(null) })
    expect(received).toBe('data')
    expect(requests[0]!.url).toBe('/api/v1/images/im%2Fage/optimized')
  })

  it('hands on the 404 of the document with its words', async () => {
    const { service } = await serve(always(404, { error: 'Optimized file not available.' }))
    const answer = await service.optimized(JOB, () => Promise.reject(new Error('not to be called')), call())
    expect(answer).toMatchObject({ answer: { status: 404, message: 'Optimized file not available.' } })
  })

  it.each([
    ['a success without a file', always(204, '')],
    ['a file that came compressed', always(200, 'data', { 'content-encoding': 'gzip' })],
  ])('calls %s malformed', async (_, handle) => {
    const { service } = await serve(handle)
    expect(await service.optimized(JOB, async () => undefined, call())).toMatchObject({ answer: { kind: 'malformed' } })
  })

  it('rejects with what the sink threw and gives the slot back', async () => {
    const { service } = await serve(always(200, 'data'))
    const options = call()
    const full = new Error('no space left')
    await expect(service.optimized(JOB, () => Promise.reject(full), options)).rejects.toBe(full)
    expect(options.spent).toEqual(['answered'])
  })
})

describe('credits and languages', () => {
  it('asks whether a batch can be afforded', async () => {
    const data = { can_afford: false, required: 30, balance: 10, shortfall: 20 }
    const { service, requests } = await serve(always(200, { data }))
    const answer = await service.afford({ images: 15, languages: 2, format: 'webp' }, call())
    expect(answer).toMatchObject({ kind: 'ok', value: { canAfford: false, required: 30, balance: 10, shortfall: 20 } })
    expect(requests[0]!.url).toBe('/api/v1/credits/afford?images=15&languages=2&format=webp')
  })

  it.each(['1.8e306', '9007199254740992', '-1', '1e999'])('takes no price or balance of %s', async (figure) => {
    const price = { can_afford: true, required: 2, balance: 10, shortfall: 0 }
    const texts = ['required', 'balance'].map((name) =>
      JSON.stringify({ data: { ...price, [name]: 0.5 } }).replace('0.5', figure),
    )
    const { service } = await serve((_, response) => response.writeHead(200).end(texts.shift()))
    const malformed = { kind: 'malformed' }
    for (const ask of ['required', 'balance'])
      expect(await service.afford({ images: 1, languages: 1, format: 'webp' }, call()), ask).toMatchObject(malformed)
    texts.push(`{"data":{"balance":${figure}}}`)
    expect(await service.balance(call())).toMatchObject(malformed)
  })

  it('asks for languages without key or slot and leaves out what is none', async () => {
    const data = [
      { code: 'en', name: 'English', native_name: 'English' },
      { code: 'pt', name: 'Portuguese' },
      null,
      { code: '' },
    ]
    const { service, requests } = await serve(always(200, { data }), { key: () => null })
    const answer = await service.languages({ signal: new AbortController().signal })
    expect(answer.kind === 'ok' && answer.value).toEqual([
      { code: 'en', name: 'English', nativeName: 'English' },
      { code: 'pt', name: 'Portuguese', nativeName: 'Portuguese' },
    ])
    expect(requests[0]!.headers.authorization).toBeUndefined()
  })
})

describe('refusals', () => {
  it.each<[string, Record<string, string>, unknown, number | null]>([
    ['seconds in the header', { 'retry-after': '7' }, { retry_after: 9 }, 7000],
    ['seconds in the body', {}, { message: 'Too many', retry_after: 9 }, 9000],
    ['a negative number', {}, { retry_after: -5 }, null],
    ['no number', { 'retry-after': 'soon' }, { retry_after: 'never' }, null],
    ['too large a number', { 'retry-after': '999999999999' }, {}, 3_600_000],
    ['no JSON', {}, 'Too many requests', null],
    ['a date gone by', { 'retry-after': 'Wed, 21 Oct 2015 07:28:00 GMT' }, {}, 0],
  ])('read the wait from %s', async (_, headers, body, retryAfterMs) => {
    const { service } = await serve(always(429, body, headers))
    const options = call()
    expect(await service.balance(options)).toMatchObject({ kind: 'status', status: 429, retryAfterMs })
    expect(options.spent).toEqual(['refused', retryAfterMs])
  })

  it('give the slot back when nothing came', async () => {
    const options = call()
    const answer = await open('https://service.invalid').balance(options)
    expect(answer).toMatchObject({ kind: 'notSent', error: { code: 'dns' } })
    expect(options.spent).toEqual(['answered'])
  })

  it('are not asked for with a slot that is out of date, and give it back', async () => {
    const { service, requests } = await serve(started)
    const { slot, signal, spent } = call()
    const outdated = { slot: { ...slot, isCurrent: () => false }, signal }
    for (const answer of [
      await service.dispatch(order(), outdated),
      await service.job(JOB, outdated),
      await service.balance(outdated),
      (await service.optimized('1', async () => undefined, outdated)) as object,
    ])
      expect('answer' in answer ? answer.answer : answer).toMatchObject({ kind: 'notSent' })
    expect(requests).toEqual([])
    expect(spent).toEqual(Array(4).fill('answered'))
  })

  it('keep a status whose body is compressed, and call a compressed success malformed', async () => {
    const encoded = { 'content-encoding': 'gzip' }
    const { service } = await serve((request, response) =>
      always(request.method === 'POST' ? 422 : 200, 'zipped', encoded)(request, response),
    )
    expect(await service.dispatch(order(), call())).toMatchObject({ kind: 'status', status: 422, message: null })
    expect(await service.balance(call())).toMatchObject({ kind: 'malformed' })
  })
})
