import type { FastifyRequest } from 'fastify'
import { describe, expect, it } from 'vitest'
import { cookieIn, originOf, refusalOf } from '../../src/main/web/web-context.ts'

describe('The Host of a request', () => {
  it('is 127.0.0.1 with any port, because people come through tunnels', () => {
    for (const host of ['127.0.0.1:4780', '127.0.0.1:9', '127.0.0.1'])
      expect(originOf(host, null)).toBe(`http://${host}`)
  })

  it('is the name of a published page, also with the default port and a final dot, which mean nothing', () => {
    const published = 'https://pictures.example.org'
    for (const name of ['pictures.example.org', 'Pictures.Example.Org'])
      for (const host of [name, `${name}:443`, `${name}.`, `${name}.:443`])
        expect(originOf(host, published)).toBe(published)
    expect(originOf('nas.:8443', 'https://nas:8443')).toBe('https://nas:8443')
    expect(originOf('nas:443', 'https://nas:8443')).toBeNull()
    for (const host of ['127.0.0.1:80', '127.0.0.1.', '127.0.0.1.:80'])
      expect(originOf(host, null)).toBe('http://127.0.0.1')
    for (const host of [
      'pictures.example.org:80',
      'pictures.example.org..',
      'pictures.example.org:443:443',
      '.',
      ':443',
    ])
      expect(originOf(host, published), host).toBeNull()
  })

  it('is no other name, however it is dressed up', () => {
    const hosts = ['evil.example', 'localhost.evil.example', '127.0.0.1.evil.example', 'evil.example:4780', '']
    const local = ['localhost', 'localhost:9', 'LOCALHOST', '127.8.9.1:1', '[::1]:8080', '[::1]', 'localhost.']
    const more = ['0.0.0.0', '192.168.1.2', '[::]', '127.0.0.1:4780@evil.example', '127.0.0.1 evil', '127.0.0.1:123456']
    for (const host of [...hosts, ...local, ...more, '127.1', '2130706433', undefined])
      expect(originOf(host, null), host).toBeNull()
  })
})

describe('What changes something', () => {
  const own = 'http://127.0.0.1:4780'
  const asked = (
    given: { method?: string; url?: string; origin?: string; site?: string; upgrade?: string; host?: string },
    at: string | null = null,
  ) => {
    const { method = 'POST', url = '/upload', origin, site, upgrade, host = '127.0.0.1:4780' } = given
    const headers = { host, origin, upgrade, 'sec-fetch-site': site }
    const request = { method, routeOptions: { url }, headers, raw: { headersDistinct: { host: [host] } } }
    return refusalOf(request as unknown as FastifyRequest, at)?.status
  }

  it('comes from exactly our own origin', () => {
    expect(asked({ origin: own, site: 'same-origin' })).toBeUndefined()
    expect(asked({ origin: own })).toBeUndefined()
    const others = [
      'http://127.0.0.1:4781',
      'https://127.0.0.1:4780',
      'http://localhost:4780',
      'null',
      'http://127.0.0.1',
    ]
    for (const origin of [
      ...others,
      undefined,
      '',
      'http://127.0.0.1:4780.evil.example',
      '127.0.0.1:4780',
      `${own}/`,
      `${own}://x`,
    ])
      expect(asked({ ...(origin === undefined ? {} : { origin }), site: 'same-origin' }), origin).toBe(403)
  })

  it('comes from the published page alone where there is one, whatever its Host adds', () => {
    const published = 'https://pictures.example.org'
    for (const host of ['pictures.example.org', 'pictures.example.org:443', 'pictures.example.org.']) {
      expect(asked({ host, origin: published }, published)).toBeUndefined()
      for (const origin of [
        'http://pictures.example.org',
        own,
        'https://example.org',
        'https://pictures.example.org:8443',
      ])
        expect(asked({ host, origin }, published), origin).toBe(403)
    }
  })

  it('is refused when the browser says that it came from elsewhere, also from another port', () => {
    for (const site of ['same-site', 'cross-site', 'none']) {
      expect(asked({ origin: own, site })).toBe(403)
      expect(asked({ origin: own, site, method: 'GET', upgrade: 'websocket' })).toBe(403)
    }
  })

  it('is a POST: other methods are not there, but HEAD for /healthz', () => {
    for (const method of ['PUT', 'DELETE', 'OPTIONS', 'PATCH', 'TRACE'])
      for (const url of ['/upload', '/healthz']) expect(asked({ method, url, origin: own })).toBe(405)
    for (const url of ['/upload', '/*']) expect(asked({ method: 'HEAD', url, origin: own })).toBe(405)
    expect(asked({ method: 'HEAD', url: '/healthz' })).toBeUndefined()
  })
})

it('A cookie that is there twice counts as none', () => {
  expect(cookieIn('a=1; hangar-x=secret; b=2', 'hangar-x')).toBe('secret')
  expect(cookieIn('hangar-x=planted; hangar-x=secret', 'hangar-x')).toBeNull()
  expect(cookieIn('other-hangar-x=1', 'hangar-x')).toBeNull()
  expect(cookieIn(undefined, 'hangar-x')).toBeNull()
})
