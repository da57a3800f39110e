import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, lstat, mkdtemp, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { listenOn, publicOrigin } from '../../src/main/cli/parse-options.ts'
import { freePort } from '../free-port.ts'
import { describeWith, POSIX } from '../needs.ts'
import { until } from '../until.ts'
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
    const stranger = await new TestBrowser().ask(world.port, { ...asPage, cookie: set.split(';')[0]! })
    expect(stranger.headers['set-cookie']).toEqual([
      expect.stringMatching(/^__Host-hangar-\w+=; Path=\/; HttpOnly; Secure; SameSite=Strict; Max-Age=0$/),
    ])
  })

  it('answers to no other name: not to this computer’s, not to an address, not to one that looks like it', async () => {
    const { cookie, token } = await signIn()
    const others = [`127.0.0.1:${world.port}`, '127.0.0.1', 'localhost', '10.0.0.7', `${HOST}:443`, `${HOST}:8443`]
    for (const host of [...others, `${HOST}.`, `${HOST}.evil.example`, `evil.example`, 'example.org', 'x@' + HOST])
      for (const scheme of ['http', 'https']) {
        const headers = { host, origin: `${scheme}://${host}`, cookie, 'x-hangar-token': token, accept: 'text/html' }
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
    const others = [`http://${HOST}`, `${ORIGIN}:8443`, 'https://example.org', 'https://evil.example', 'null']
    for (const origin of [...others, `http://127.0.0.1:${world.port}`]) {
      const told = headers(origin)
      expect((await ask(world.port, '/sign-in', { method: 'POST', headers: told, body: '{}' })).status, origin).toBe(
        403,
      )
      await expect(PageSocket.dial(world.port, told)).rejects.toThrow('403')
    }
    await expect(PageSocket.dial(world.port, { ...headers(ORIGIN), 'sec-fetch-site': 'same-site' })).rejects.toThrow(
      '403',
    )
    expect((await PageSocket.dial(world.port, headers(ORIGIN))).raw.readyState).toBe(1)
  })

  it('takes no proof of a page without TLS, and no word of a proxy about name or scheme', async () => {
    const link = linkIn(world.shell.newLink())
    const forwarded = { 'x-forwarded-host': HOST, 'x-forwarded-proto': 'https', forwarded: `host=${HOST};proto=https` }
    const told = { host: `127.0.0.1:${world.port}`, origin: ORIGIN, ...forwarded }
    expect((await ask(world.port, '/', { headers: told })).status).toBe(421)
    const browser = new TestBrowser()
    const headers = { host: HOST, origin: ORIGIN, 'content-type': 'application/json' }
    const asked = await ask(world.port, '/sign-in/challenge', { method: 'POST', headers, body: '{}' })
    const challenge = String(asked.json()['challenge'])
    const body = JSON.stringify({ key: browser.key, challenge, proof: browser.proof(challenge, HOST, 'http'), link })
    expect((await ask(world.port, '/sign-in', { method: 'POST', headers, body })).status).toBe(400)
    expect((await browser.ask(world.port, { ...asPage, link })).status).toBe(200)
  })

  it('shows a stranger no path of this computer', async () => {
    const refusal = (await new TestBrowser().ask(world.port, asPage)).json()
    expect(refusal).toMatchObject({
      approve: `hangar serve --approve ${String(refusal['code'])}`,
      newLink: 'hangar serve --link',
    })
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

  it('keeps sign-ins when the proxy asks at another port, and none of them counts at 127.0.0.1', async () => {
    const visitor = await signIn()
    await world.stop()
    const elsewhere = await openWorld({
      publicOrigin: ORIGIN,
      port: await freePort(),
      dataDir: join(world.dir, 'data'),
    })
    onTestFinished(() => elsewhere.close())
    expect(elsewhere.port).not.toBe(world.port)
    expect((await visitor.browser.ask(elsewhere.port, asPage)).status).toBe(200)
    await elsewhere.stop()
    const local = await openWorld({ dataDir: join(world.dir, 'data') })
    onTestFinished(() => local.close())
    expect((await visitor.browser.ask(local.port)).status).toBe(401)
  })
})

describe('The default port of a published page', () => {
  it('is the one that the proxy asks at, or none', async () => {
    const other = createServer()
    onTestFinished(() => {
      other.close()
    })
    // Another test's Hangar may have it for a moment.
    const take = async () => {
      other.listen(4780, '127.0.0.1')
      return once(other, 'listening').then(
        () => true,
        () => false,
      )
    }
    await until('it is taken by this test', take)
    await expect(openWorld({ publicOrigin: ORIGIN, port: null })).rejects.toThrow('Port 4780 is taken')
  })
})

describeWith(POSIX)('A Unix socket', () => {
  let dir: string
  let path: string
  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'hangar-socket-'))
    path = join(dir, 'hangar.sock')
    onTestFinished(() => rm(dir, { recursive: true, force: true }))
  })
  const open = async () => {
    const world = await openWorld({ publicOrigin: ORIGIN, listenOn: { socketPath: path } })
    onTestFinished(() => world.close())
    return world
  }
  const listenAt = async (at: string) => {
    const server = createServer((socket) => socket.resume())
    await new Promise<void>((done) => server.listen(at, done))
    onTestFinished(() => {
      server.close()
    })
    return server
  }

  it('is for its user and its group alone, signs in, and is gone afterwards', async () => {
    const umask = process.umask(0)
    const world = await open().finally(() => process.umask(umask))
    const stats = await lstat(path)
    expect([stats.isSocket(), stats.mode & 0o777]).toEqual([true, 0o660])
    expect(world.shell.port).toBeNull()
    const link = linkIn(world.shell.newLink())
    expect((await new TestBrowser().signIn(path, { ...asPage, link })).token).not.toBe('')
    expect((await ask(path, '/', { headers: { host: 'evil.example' } })).status).toBe(421)
    await world.stop()
    expect(existsSync(path)).toBe(false)
  })

  it('that a killed server left is replaced; one that a program listens on is not', async () => {
    const first = await listenAt(path)
    await expect(open()).rejects.toThrow(`Another program listens on the socket ${path}.`)
    // Closing would remove it, as a kill does not.
    await leave(first, path)
    await open()
    expect((await ask(path, '/healthz', { headers: { host: HOST } })).body).toBe('ok')
  })

  it('takes the place of nothing that is no socket', async () => {
    const target = join(dir, 'target.sock')
    await listenAt(target)
    await writeFile(path, 'mine')
    await expect(open()).rejects.toThrow('is not a socket, so it stays as it is')
    expect(await readFile(path, 'utf8')).toBe('mine')
    await rm(path)
    await symlink(target, path)
    await expect(open()).rejects.toThrow('is not a socket, so it stays as it is')
    expect((await lstat(path)).isSymbolicLink()).toBe(true)
  })

  it('leaves what came to its path meanwhile, be it a file or the socket of the next Hangar', async () => {
    const first = await open()
    await rm(path)
    await writeFile(path, 'mine')
    await first.stop()
    expect(await readFile(path, 'utf8')).toBe('mine')
    await rm(path)
    const second = await open()
    await rm(path)
    await open()
    await second.stop()
    expect((await ask(path, '/healthz', { headers: { host: HOST } })).body).toBe('ok')
    expect(await readdir(dir)).toEqual(['hangar.sock'])
  })

  it('that cannot be made is said to be so, with what it needs', async () => {
    for (const socketPath of [join(dir, 'nowhere', 'a.sock'), join(dir, 'x'.repeat(120))])
      await expect(openWorld({ publicOrigin: ORIGIN, listenOn: { socketPath } })).rejects.toThrow(/cannot be made \(E/)
  })
})

/** Ends a listener and leaves its socket where it is. */
async function leave(server: ReturnType<typeof createServer>, path: string): Promise<void> {
  await rename(path, `${path}.kept`)
  await new Promise((done) => server.close(done))
  await rename(`${path}.kept`, path)
  await chmod(path, 0o600)
}

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

  it('an IP address or a socket, and no name', () => {
    expect(listenOn('0.0.0.0')).toEqual({ address: '0.0.0.0' })
    expect(listenOn('fd00::1')).toEqual({ address: 'fd00::1' })
    if (POSIX === null) expect(listenOn('unix:run/a.sock')).toEqual({ socketPath: 'run/a.sock' })
    for (const text of ['', 'localhost', 'nas.local', '0.0.0.0:4780', 'unix:', '/run/a.sock'])
      expect(() => listenOn(text), text).toThrow('Give an IP address of this computer')
  })
})
