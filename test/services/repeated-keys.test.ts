import { afterEach, describe, expect, it } from 'vitest'
import { hideInside, hideSecret } from '../../src/main/core/hide-secret.ts'
import { createChargerService } from '../../src/main/services/charger-service.ts'
import { call, closeAll, openHttp, openImageService, order, realClock, startHttp } from './harness.ts'

afterEach(closeAll)

const KEY = 'sk_Live+7f3A/9c21-Zq=='
const base64 = (text: string) => Buffer.from(text).toString('base64')

/** How services and what stands before them repeat a key. */
const SPELLINGS: Record<string, string> = {
  'as it is': KEY,
  'in other case': KEY.toUpperCase(),
  'in an address': `https://s.example/?key=${encodeURIComponent(KEY)}&x=1`,
  'in base64': base64(KEY),
  'in base64 for addresses': Buffer.from(KEY).toString('base64url'),
  'after a name in base64': base64(`me:${KEY}`),
  'after a longer name in base64': base64(`user:${KEY}!`),
  'in hexadecimal digits': Buffer.from(KEY).toString('hex'),
  'as a file name': 'sk-live-7f3a-9c21-zq',
  'split by what nobody sees': 'sk_Li\u200Bve+7f\u00AD3A/9c\uFEFF21-Zq==',
  'split by control characters': 'sk_Live+7f3\u0001A/9c21-Zq==',
  'as a name before it is tidied': 'sk-----live / 7f3A______9c21:::::zq',
  'with a letter that becomes a usual one': 's\u212A_Live+7f3A/9c21-Zq==',
}

describe('hideSecret', () => {
  it.each(Object.entries(SPELLINGS))('finds a key %s', (_how, spelling) => {
    const said = hideSecret(`before ${spelling} after`, KEY)
    expect(said).toContain('[key]')
    expect(said.toLowerCase()).not.toMatch(/7f\W*3a.{0,9}9c\W*21/)
    expect(said.startsWith('before ') && said.endsWith(' after')).toBe(true)
  })

  it('leaves other text alone, and everything where there is no key to speak of', () => {
    const words = 'Live music in Zq, 7f3A and 9c21'
    expect(hideSecret(words, KEY)).toBe(words)
    expect(hideSecret('a b c', 'a')).toBe('a b c')
    expect(hideSecret(KEY, null)).toBe(KEY)
  })

  it('leaves names and values of JSON as they are, but for the key', () => {
    const json = `{"a":"\\u0022x\\\\u0041","b":["${KEY}",7,null],"${KEY}":true}`
    expect(hideInside(JSON.parse(json), KEY)).toEqual({ a: '"x\\u0041', b: ['[key]', 7, null], '[key]': true })
    const deep = JSON.parse(`${'['.repeat(100_000)}"${KEY}"${']'.repeat(100_000)}`) as unknown
    expect(JSON.stringify(hideInside(deep, KEY))).not.toContain(KEY)
  })
})

describe.each(Object.entries(SPELLINGS))('an answer that repeats the key %s', (_how, spelling) => {
  const open = async (data: unknown, headers: Record<string, string> = {}, status = 200) => {
    const { origin } = await startHttp((_, response) => response.writeHead(status, headers).end(JSON.stringify(data)))
    return openImageService(origin, { key: () => KEY })
  }
  const image = {
    id: 'image-1',
    status: spelling,
    original_filename: spelling,
    converted_format: spelling,
    translations: [
      { language_code: 'en', seo_filename: spelling, seo_alt_text: `A heron ${spelling}` },
      { language_code: 'de', seo_filename: 'reiher', seo_alt_text: 'Ein Reiher' },
    ],
  }

  it('gives neither texts nor a name with it', async () => {
    const service = await open({ data: { job_id: 'job-1', status: 'completed', image } })
    const answer = await service.job('job-1', call())
    expect(answer).toMatchObject({
      kind: 'ok',
      value: {
        image: {
          translations: [
            { languageCode: 'en', seoFilename: '', seoAltText: expect.stringContaining('A heron') as string },
            { languageCode: 'de', seoFilename: 'reiher', seoAltText: 'Ein Reiher' },
          ],
        },
      },
    })
    expect(hideSecret(JSON.stringify(answer), KEY)).toBe(JSON.stringify(answer))
  })

  it('gives no id that is one', async () => {
    const job = await open({ data: { job_id: spelling, status: 'completed', image: { ...image, id: spelling } } })
    expect(await job.dispatch(order(), call())).toMatchObject({ kind: 'malformed' })
    expect(await job.job('job-1', call())).toMatchObject({ kind: 'malformed' })
    const named = await open({ data: { job_id: 'job-1', status: 'completed', image: { ...image, id: spelling } } })
    expect(await named.job('job-1', call())).toMatchObject({ kind: 'ok', value: { image: { id: null } } })
  })

  it('says it in no message, type or list of languages', async () => {
    const messages = await open({ message: `No: ${spelling}` }, {}, 401)
    // A header holds visible characters only.
    const typed = await open('', { 'content-type': `image/${/^[ -~]*$/.test(spelling) ? spelling : KEY}` })
    const languages = await open({ data: [{ code: 'en', name: spelling, native_name: spelling }] })
    await languages.balance(call())
    const said = [
      await messages.balance(call()),
      await messages.optimized('image-1', async () => undefined, call()),
      await typed.optimized('image-1', async () => undefined, call()),
      await languages.languages(call()),
    ]
    expect(hideSecret(JSON.stringify(said), KEY)).toBe(JSON.stringify(said))
  })

  it('says it in no charger', async () => {
    const charger = { id: 1, icao: 'EDDF', airfield: spelling, manufacturer: `by ${spelling}` }
    const { origin } = await startHttp((_, response) => response.end(JSON.stringify({ data: [charger], meta: {} })))
    const service = createChargerService({ http: openHttp(), clock: realClock, baseUrl: origin, token: () => KEY })
    const answer = await service.list({ page: 1, perPage: 200 }, call())
    expect(answer).toMatchObject({ kind: 'ok', value: { chargers: [{ icao: 'EDDF' }] } })
    expect(hideSecret(JSON.stringify(answer), KEY)).toBe(JSON.stringify(answer))
  })
})
