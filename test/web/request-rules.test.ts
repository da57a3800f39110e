import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { foreignFolder } from '../../src/shared/jobs/foreign-folders.ts'
import { inboxPlace } from '../../src/main/web/inbox.ts'
import { cookieIn, originOf, refusalOf, rightAddress } from '../../src/main/web/request-rules.ts'

describe('The Host of a request', () => {
  it('is 127.0.0.1 with any port, because people come through tunnels', () => {
    for (const host of ['127.0.0.1:4780', '127.0.0.1:9', '127.0.0.1'])
      expect(originOf(host, null)).toBe(`http://${host}`)
  })

  it('is no other name of this computer: those are given the right address', () => {
    for (const [host, address] of [
      ['localhost:9', 'http://127.0.0.1:9/'],
      ['LOCALHOST', 'http://127.0.0.1/'],
      ['127.8.9.1:1', 'http://127.0.0.1:1/'],
      ['[::1]:8080', 'http://127.0.0.1:8080/'],
      ['[::1]', 'http://127.0.0.1/'],
    ] as const)
      expect([originOf(host, null), rightAddress(host)], host).toEqual([null, address])
  })

  it('is the public name also with the default port and a final dot, and never with another port', () => {
    const publicOrigin = 'https://hangar.example'
    for (const host of ['hangar.example', 'Hangar.Example:443', 'hangar.example.', 'hangar.example.:443'])
      expect(originOf(host, publicOrigin), host).toBe(publicOrigin)
    for (const host of [
      'hangar.example:80',
      'hangar.example:4430',
      'hangar.example..',
      'hangar.example:443:443',
      'x.hangar.example',
    ])
      expect(originOf(host, publicOrigin), host).toBeNull()
    for (const host of ['hangar.example:8443', 'hangar.example.:8443'])
      expect(originOf(host, 'https://hangar.example:8443'), host).toBe('https://hangar.example:8443')
    expect(originOf('hangar.example:443', 'https://hangar.example:8443')).toBeNull()
  })

  it('is no other name, however it is dressed up', () => {
    const hosts = ['evil.example', 'localhost.evil.example', '127.0.0.1.evil.example', 'evil.example:4780', '']
    const more = ['0.0.0.0', '192.168.1.2', '[::]', '127.0.0.1:4780@evil.example', '127.0.0.1 evil', '127.0.0.1:123456']
    for (const host of [...hosts, ...more, 'localhost.', '127.1', '2130706433', undefined])
      expect([originOf(host, null), rightAddress(host)], host).toEqual([null, null])
    expect(rightAddress('127.0.0.1:4780')).toBeNull()
  })
})

describe('What changes something', () => {
  const own = {
    method: 'POST',
    route: '/upload',
    isUpgrade: false,
    host: '127.0.0.1:4780',
    publicOrigin: null,
    origin: 'http://127.0.0.1:4780',
  }

  it('comes from exactly our own origin', () => {
    expect(refusalOf({ ...own, fetchSite: 'same-origin' })).toBeNull()
    expect(refusalOf({ ...own, fetchSite: undefined })).toBeNull()
    const at443 = { ...own, host: '127.0.0.1:443', fetchSite: 'same-origin' }
    expect(refusalOf({ ...at443, origin: 'http://127.0.0.1' })?.status).toBe(403)
    const origins = [
      'http://127.0.0.1:4781',
      'https://127.0.0.1:4780',
      'http://localhost:4780',
      'null',
      'http://127.0.0.1',
    ]
    for (const origin of [...origins, undefined, 'http://127.0.0.1:4780.evil.example'])
      expect(refusalOf({ ...own, origin, fetchSite: 'same-origin' })?.status, origin).toBe(403)
  })

  it('comes from the public address, also behind a proxy that adds the port and where it is opened with a final dot', () => {
    const facts = { ...own, publicOrigin: 'https://hangar.example', fetchSite: 'same-origin' }
    const status = (host: string, origin: string) => refusalOf({ ...facts, host, origin })?.status
    expect(status('hangar.example:443', 'https://hangar.example')).toBeUndefined()
    expect(status('hangar.example.', 'https://hangar.example.')).toBeUndefined()
    for (const origin of ['http://hangar.example', 'https://hangar.example:8443', 'https://evil.example'])
      expect(status('hangar.example:443', origin), origin).toBe(403)
  })

  it('is refused when the browser says that it came from elsewhere, also from another port', () => {
    for (const fetchSite of ['same-site', 'cross-site', 'none'])
      for (const kind of [own, { ...own, method: 'GET', isUpgrade: true }])
        expect(refusalOf({ ...kind, fetchSite })?.status).toBe(403)
  })

  it('is a POST: other methods are not there, but HEAD for /healthz', () => {
    const asked = (method: string, route: string | undefined) =>
      refusalOf({ ...own, method, route, fetchSite: 'same-origin' })?.status
    for (const method of ['PUT', 'DELETE', 'OPTIONS', 'PATCH', 'TRACE'])
      for (const route of ['/upload', '/healthz', undefined]) expect(asked(method, route)).toBe(405)
    for (const route of ['/upload', '/*', undefined]) expect(asked('HEAD', route)).toBe(405)
    expect(asked('HEAD', '/healthz')).toBeUndefined()
  })
})

describe('A cookie', () => {
  it('that is there twice counts as none', () => {
    expect(cookieIn('a=1; hangar-x=secret; b=2', 'hangar-x')).toBe('secret')
    expect(cookieIn('hangar-x=planted; hangar-x=secret', 'hangar-x')).toBeNull()
    expect(cookieIn('other-hangar-x=1', 'hangar-x')).toBeNull()
    expect(cookieIn(undefined, 'hangar-x')).toBeNull()
  })
})

describe('The place of an upload', () => {
  it('stays below the inbox whatever the browser calls the file', () => {
    const part = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 30 }),
      fc.constantFrom('..', '.', '', '~', 'CON', 'aux.jpg', '.git', 'a\0b', '/etc', 'C:', '\u202egpj.exe', '-rf'),
    )
    fc.assert(
      fc.property(fc.array(part, { maxLength: 30 }), fc.constantFrom('/', '\\'), (parts, separator) => {
        const place = inboxPlace(`${parts.join(separator)}.jpg`)
        expect(place).not.toBeNull()
        const { folders, name: base } = place!
        expect(folders.length).toBeLessThanOrEqual(16)
        for (const name of [...folders, base]) {
          expect(name).not.toMatch(/^[.\-~]|[/\\:*?"<>|\p{Cc}\p{Cf}]|\.$/u)
          expect(Buffer.byteLength(name)).toBeLessThanOrEqual(200)
        }
      }),
    )
  })

  it('keeps the folders of a dropped folder', () => {
    expect(inboxPlace('Trip/Day 1/../IMG 1.JPG')).toEqual({ folders: ['Trip', 'Day-1'], name: 'IMG-1.JPG' })
  })

  it('is in no folder that is left out as another program’s', () => {
    const names = [
      'Photos.photoslibrary',
      'node_modules',
      '@eaDir',
      '@SynoX',
      'Summer.lrdata',
      'A.pages.jpg',
      '#recycle',
    ]
    for (const name of names) {
      const { folders = [] } = inboxPlace(`${name}/originals/a.jpg`) ?? {}
      expect(folders.map(foreignFolder), name).toEqual([null, null])
    }
    expect(inboxPlace('Photos.photoslibrary/a.jpg')).toEqual({ folders: ['Photos-photoslibrary'], name: 'a.jpg' })
    expect(inboxPlace('node_modules/a.jpg')).toEqual({ folders: ['_node_modules'], name: 'a.jpg' })
  })

  it('is none for what is no picture by its name', () => {
    for (const name of ['a.txt', 'a.jpg.alt.json', '.hangarignore', 'a.svg', '', 'jpg', 'a.jpg/'])
      expect(inboxPlace(name)).toBeNull()
  })
})
