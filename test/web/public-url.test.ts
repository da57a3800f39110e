import { once } from 'node:events'
import { createServer } from 'node:net'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { ipAddress, publicOrigin } from '../../src/main/cli/parse-options.ts'
import { ask, linkIn, openWorld, PageSocket, TestBrowser, type WebWorld } from './harness.ts'

const HOST = 'pictures.example.org'
const ORIGIN = `https://${HOST}`
const asPage = { host: HOST, scheme: 'https' } as const

describe('A page that a reverse proxy publishes', () => {
  let world: WebWorld
  beforeAll(async () => {
    const metrics = { token: 'a-token-for-monitors-0123456789', read: () => Promise.resolve('hangar 1\n') }
    world = await openWorld({ publicOrigin: ORIGIN, metrics })
  })
  afterAll(() => world.close())
  const signIn = () => new TestBrowser().signIn(world.port, { ...asPage, link: linkIn(world.shell.newLink()) })

  it('has links with its address, and signs in, connects and answers there', async () => {
    expect(world.shell.newLink()).toMatch(/^https:\/\/pictures\.example\.org\/#link=[\w-]{43}$/)
    const visitor = await signIn()
    await world.connect(visitor)
    expect((await ask(world.port, '/', { headers: { host: 'Pictures.Example.Org' } })).status).toBe(200)
    expect((await visitor.browser.ask(world.port, { ...asPage, cookie: visitor.cookie })).status).toBe(200)
    const page = await ask(world.port, '/', { headers: { host: HOST } })
    expect(page.headers['content-security-policy']).toContain(`connect-src 'self' wss://${HOST};`)
  })

  it('gives a cookie for this host alone, over TLS alone, and takes it back as such', async () => {
    const browser = new TestBrowser()
    const answer = await browser.ask(world.port, { ...asPage, link: linkIn(world.shell.newLink()) })
    const [set = ''] = answer.headers['set-cookie'] ?? []
    expect(set).toMatch(
      /^__Host-hangar-[0-9a-f]{16}=[\w-]{43}; Path=\/; HttpOnly; Secure; SameSite=Strict; Max-Age=2592000$/,
    )
    expect((await browser.ask(world.port, { ...asPage, cookie: set.split(';')[0]! })).status).toBe(200)
  })

  it('answers to no other name: not to this computer’s, not to an address, not to one that looks like it', async () => {
    const { cookie, token } = await signIn()
    for (const host of [`127.0.0.1:${world.port}`, `${HOST}:8443`]) {
      const headers = { host, origin: `https://${host}`, cookie, 'x-hangar-token': token, accept: 'text/html' }
      for (const path of ['/', '/assets/page-abc.js', '/about', '/picture/J/thumb'])
        expect((await ask(world.port, path, { headers })).status, host + path).toBe(421)
      expect((await ask(world.port, '/sign-in', { method: 'POST', headers, body: '{}' })).status).toBe(421)
      await expect(PageSocket.dial(world.port, headers)).rejects.toThrow('421')
    }
    const answer = await ask(world.port, '/', { headers: { host: 'localhost', accept: 'text/html' } })
    expect(answer.body).toBe('{"message":"Hangar does not answer to this name."}')
  })

  it('takes changes and sockets from pages of exactly its own origin', async () => {
    const { cookie, token } = await signIn()
    const headers = (origin: string) => ({ host: HOST, origin, cookie, 'x-hangar-token': token })
    const told = headers(`http://${HOST}`)
    expect((await ask(world.port, '/sign-in', { method: 'POST', headers: told, body: '{}' })).status).toBe(403)
    await expect(PageSocket.dial(world.port, told)).rejects.toThrow('403')
    expect((await PageSocket.dial(world.port, headers(ORIGIN))).raw.readyState).toBe(1)
  })

  it('believes no word of a proxy about name or scheme', async () => {
    const forwarded = { 'x-forwarded-host': HOST, 'x-forwarded-proto': 'https', forwarded: `host=${HOST};proto=https` }
    const { headers } = await signIn()
    for (const told of [
      { ...headers, host: `127.0.0.1:${world.port}` },
      { ...headers, host: 'evil.example' },
    ])
      expect((await ask(world.port, '/', { headers: { ...told, ...forwarded } })).status).toBe(421)
    const plain = { ...headers, origin: `http://${HOST}`, ...forwarded }
    expect((await ask(world.port, '/sign-in', { method: 'POST', headers: plain, body: '{}' })).status).toBe(403)
  })

  it('tells monitors on this computer how it is, also at 127.0.0.1, and nothing else there', async () => {
    for (const host of [HOST, '127.0.0.1', `127.0.0.1:${world.port}`]) {
      const healthz = await ask(world.port, '/healthz', { headers: { host } })
      expect([healthz.status, healthz.body, healthz.headers['cache-control']], host).toEqual([200, 'ok', 'no-store'])
      expect((await ask(world.port, '/metrics', { headers: { host } })).status).toBe(401)
      const authorization = 'Bearer a-token-for-monitors-0123456789'
      expect((await ask(world.port, '/metrics', { headers: { host, authorization } })).body).toBe('hangar 1\n')
    }
    expect((await ask(world.port, '/healthz', { headers: { host: 'localhost' } })).status).toBe(421)
  })
})

it('The default port of a published page is the one that the proxy asks at, or none', async () => {
  const other = createServer()
  onTestFinished(() => {
    other.close()
  })
  // Taken by this test, or by another program, which may end between the two.
  const refusal = async () => {
    if (!other.listening) {
      other.listen(4780, '127.0.0.1')
      await once(other, 'listening').catch(() => undefined)
    }
    return openWorld({ publicOrigin: ORIGIN, port: null }).then(
      (world) => world.close(),
      (error: unknown) => String(error),
    )
  }
  await expect.poll(refusal).toContain('Port 4780 is taken')
})

describe('What --public-url and --listen take', () => {
  it('an address with TLS at the root of a host, with any port', () => {
    for (const [text, origin] of [
      ['https://pictures.example.org', ORIGIN],
      ['https://Pictures.Example.org:443/', ORIGIN],
      ['https://nas:8443', 'https://nas:8443'],
      ['https://bücher.example', 'https://xn--bcher-kva.example'],
    ] as const)
      expect(publicOrigin(text)).toBe(origin)
  })

  it.each(['', 'pictures.example.org', 'http://pictures.example.org', 'https://', 'https://[::1]', "https://a;b'c"])(
    'is refused without TLS or a plain name: %j',
    (text) => expect(() => publicOrigin(text)).toThrow('Give the address that people open'),
  )

  it.each(['/hangar', '/hangar/', '?a', '#a'])('is refused with something after the host: %s', (rest) =>
    expect(() => publicOrigin(ORIGIN + rest)).toThrow('at the root of a host name of its own'),
  )

  it('an IP address, and no name', () => {
    for (const text of ['0.0.0.0', 'fd00::1']) expect(ipAddress(text)).toBe(text)
    for (const text of ['', 'localhost', 'nas.local', '0.0.0.0:4780', 'unix:/run/a.sock'])
      expect(() => ipAddress(text), text).toThrow('Give an IP address of this computer')
  })
})
