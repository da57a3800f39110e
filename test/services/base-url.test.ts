import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { chargerBaseUrl, imageBaseUrl } from '../../src/main/services/base-url.ts'

describe('the image service address', () => {
  it.each([
    ['https://a.example/api/v1', 'https://a.example/api/v1', false],
    ['https://a.example/api/v1/', 'https://a.example/api/v1', false],
    ['  https://A.example:443/api/v1// ', 'https://a.example/api/v1', false],
    ['https://a.example', 'https://a.example/api/v1', true],
    ['https://a.example/', 'https://a.example/api/v1', true],
    ['https://a.example/api', 'https://a.example/api/v1', true],
    ['https://a.example/pictures', 'https://a.example/pictures/api/v1', true],
    ['https://a.example//pictures/api/v1', 'https://a.example/pictures/api/v1', false],
    ['http://127.0.0.1:8080/api/v1', 'http://127.0.0.1:8080/api/v1', false],
    ['http://[::1]:8080', 'http://[::1]:8080/api/v1', true],
    ['http://localhost', 'http://localhost/api/v1', true],
  ])('%s becomes %s', (text, baseUrl, noted) => {
    const read = imageBaseUrl(text)
    expect(read.baseUrl).toBe(baseUrl)
    expect(read.origin).toBe(new URL(baseUrl).origin)
    expect(read.note !== null).toBe(noted)
    if (noted) expect(read.note).toContain(baseUrl)
  })

  it.each([
    'http://a.example',
    'http://127.0.0.1.example.com',
    'http://localhost.example.com',
    'http://0.0.0.0',
    'http://192.168.1.2/api/v1',
    'http://[::ffff:127.0.0.1]',
  ])('refuses %s, where the key would travel unencrypted', (text) => {
    expect(() => imageBaseUrl(text)).toThrow(expect.objectContaining({ code: 'address_insecure' }))
  })

  it.each([
    '',
    'a.example/api/v1',
    'localhost:8080',
    'ftp://a.example',
    'file:///etc/passwd',
    'https://me:canary@a.example',
    'https://canary@a.example',
    'https://a.example/?key=canary',
    'https://a.example/?',
    'https://a.example/#canary',
    'https://a.example/api/v2',
    'https://a.example/api/v1/images/process',
    'https://a.example/api/v1/api/v1',
  ])('refuses %s and says what to do without repeating it', (text) => {
    expect(() => imageBaseUrl(text)).toThrow(expect.objectContaining({ code: 'bad_request' }))
    expect(() => imageBaseUrl(text)).not.toThrow(/canary/)
  })
})

it.each([
  ['https://a.example', 'https://a.example', false],
  ['https://a.example/', 'https://a.example', false],
  ['https://a.example/api/v1/', 'https://a.example', true],
  ['https://a.example/partners/api/v1', 'https://a.example/partners', true],
])('the charger service address %s becomes %s', (text, baseUrl, noted) => {
  const read = chargerBaseUrl(text)
  expect(read.baseUrl).toBe(baseUrl)
  expect(read.note !== null).toBe(noted)
})

describe('any address', () => {
  const segment = fc.stringMatching(/^[a-z0-9_-]{1,8}$/).filter((text) => text !== 'api')
  const addresses = fc.record({
    origin: fc.constantFrom('https://a.example', 'https://b.example:8443', 'http://127.0.0.1:9', 'http://[::1]:80'),
    path: fc.array(segment, { maxLength: 3 }),
    api: fc.constantFrom('', '/api/v1'),
    slashes: fc.constantFrom('', '/', '//'),
  })

  it('means the same with or without /api/v1 and slashes at its end, and what comes out goes in unchanged', () => {
    fc.assert(
      fc.property(addresses, ({ origin, path, api, slashes }) => {
        const prefix = new URL(origin).origin + path.map((part) => `/${part}`).join('')
        const text = prefix + api + slashes
        expect(imageBaseUrl(text).baseUrl).toBe(`${prefix}/api/v1`)
        expect(chargerBaseUrl(text).baseUrl).toBe(prefix)
        expect(imageBaseUrl(`${prefix}/api/v1`)).toMatchObject({ baseUrl: `${prefix}/api/v1`, note: null })
        expect(chargerBaseUrl(prefix)).toMatchObject({ baseUrl: prefix, note: null })
      }),
    )
  })

  it('whatever the text, is refused in our own words or gives a base on its own origin, encrypted unless local', () => {
    fc.assert(
      fc.property(fc.oneof(fc.webUrl({ withQueryParameters: true, withFragments: true }), fc.string()), (text) => {
        let read
        try {
          read = imageBaseUrl(text)
        } catch (error) {
          expect(error).toMatchObject({ name: 'AppError' })
          return
        }
        const url = new URL(`${read.baseUrl}/jobs/1`)
        expect(url.origin).toBe(read.origin)
        expect(url.href).toBe(`${read.baseUrl}/jobs/1`)
        expect(url.search + url.hash + url.username + url.password).toBe('')
        expect(url.protocol === 'https:' || /^(127\.|localhost$|\[::1\]$)/.test(url.hostname)).toBe(true)
      }),
    )
  })
})
