import { stat } from 'node:fs/promises'
import { connect } from 'node:net'
import { networkInterfaces } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DEFAULT_PORT } from '../../src/main/web/start-web.ts'
import { newLink, signOutAll } from '../../src/main/web/sign-ins.ts'
import { withSecret } from '../../src/shared/contract/page-bridge.ts'
import { freePort } from '../free-port.ts'
import { itWith, need } from '../needs.ts'
import { ask, journalOf, linkIn, openWorld, PageSocket, signIn, TestBrowser, worldForTest } from './harness.ts'
import type { WebWorld } from './harness.ts'

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000

let world: WebWorld
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

describe('A link', () => {
  it('signs in once: the second time it opens nothing', async () => {
    const link = linkIn(world.shell.newLink())
    expect(link).toMatch(/^[\w-]{43}$/)
    await signIn(world.port, link)
    expect((await new TestBrowser().ask(world.port, { link })).status).toBe(401)
  })

  it('is too old after ten minutes, and not before', async () => {
    const [first, second] = [linkIn(world.shell.newLink()), linkIn(world.shell.newLink())]
    world.clock.aheadMs += 10 * MINUTE_MS - 1000
    await signIn(world.port, first)
    world.clock.aheadMs += 1001
    expect((await new TestBrowser().ask(world.port, { link: second })).status).toBe(401)
  })

  it('can be left in the data folder by another process, which stores only its hash', async () => {
    const db = journalOf(world)
    const link = newLink(db, world.clock)
    expect(JSON.stringify(db.prepare('SELECT * FROM documents').all())).not.toContain(link)
    await signIn(world.port, link)
    expect((await new TestBrowser().ask(world.port, { link })).status).toBe(401)
  })

  it('is not taken from another origin, and still good afterwards', async () => {
    const link = linkIn(world.shell.newLink())
    const headers = { 'content-type': 'application/json' }
    const body = JSON.stringify({ link })
    for (const told of [{ origin: 'http://evil.example' }, { origin: world.origin, 'sec-fetch-site': 'same-site' }]) {
      const asked = { method: 'POST', headers: { ...headers, ...told }, body }
      expect((await ask(world.port, '/sign-in', asked)).status).toBe(403)
    }
    await signIn(world.port, link)
  })

  it('gives a cookie that no script reads and no other site sends, with a name of this data folder', async () => {
    const answer = await new TestBrowser().ask(world.port, { link: linkIn(world.shell.newLink()) })
    const [cookie = ''] = answer.headers['set-cookie'] ?? []
    expect(cookie).toMatch(/^hangar-[0-9a-f]{16}=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=2592000$/)
    expect(answer.headers['cache-control']).toBe('no-store')
  })

  it('that is right is taken however many wrong ones come before it', async () => {
    const link = linkIn(world.shell.newLink())
    const stranger = new TestBrowser()
    for (let n = 0; n < 200; n += 1) expect((await stranger.ask(world.port, { link: `guess-${n}` })).status).toBe(401)
    await signIn(world.port, link)
  })
})

describe('A sign-in', () => {
  it('needs both the cookie and what the page keeps: neither alone signs in, calls or shows anything', async () => {
    const mine = await world.signIn()
    const other = await world.signIn()
    world.host.pictures.set('J/thumb', { bytes: Buffer.from('webp'), type: 'image/webp' })
    const picture = withSecret('/picture/J/thumb', mine.addressSecret)
    const statuses = async (browser: TestBrowser, cookie: string, token: string) => {
      const headers = { ...mine.headers, cookie, 'x-hangar-token': token }
      const socket = await PageSocket.dial(world.port, headers).catch((error: Error) => error.message.slice(-3))
      if (typeof socket !== 'string') socket.raw.terminate()
      return [(await browser.ask(world.port, { cookie })).status, typeof socket === 'string' ? Number(socket) : 101]
    }
    expect(await statuses(mine.browser, mine.cookie, mine.token)).toEqual([200, 101])
    expect(await statuses(new TestBrowser(), mine.cookie, 'none')).toEqual([401, 401])
    expect(await statuses(other.browser, mine.cookie, other.token)).toEqual([401, 401])
    expect(await statuses(mine.browser, '', mine.token)).toEqual([401, 401])
    expect(await statuses(mine.browser, other.cookie, mine.token)).toEqual([401, 401])
    const shown = async (headers: Record<string, string>) => (await ask(world.port, picture, { headers })).status
    expect([await shown({ cookie: mine.cookie }), await shown({}), await shown({ cookie: other.cookie })]).toEqual([
      200, 403, 403,
    ])
  })

  it('ends thirty days after its link was used', async () => {
    const visitor = await world.signIn()
    world.clock.aheadMs += 29 * DAY_MS
    expect((await visitor.browser.ask(world.port, { cookie: visitor.cookie })).status).toBe(200)
    world.clock.aheadMs += DAY_MS + 1
    expect((await visitor.browser.ask(world.port, { cookie: visitor.cookie })).status).toBe(401)
    await expect(PageSocket.dial(world.port, visitor.headers)).rejects.toThrow('401')
  })

  it('belongs to the address it was opened on', async () => {
    const { browser, cookie, headers, addressSecret } = await world.signIn()
    const host = '127.0.0.1:9999'
    const elsewhere = { ...headers, host, origin: `http://${host}` }
    await expect(PageSocket.dial(world.port, elsewhere)).rejects.toThrow('401')
    const picture = withSecret('/picture/J/thumb', addressSecret)
    expect((await ask(world.port, picture, { headers: elsewhere })).status).toBe(403)
    expect((await browser.ask(world.port, { host, cookie })).status).toBe(401)
  })

  it('belongs to the port that the server listens on, also for somebody who passes requests on from the right one', async () => {
    const { browser, cookie } = await world.signIn()
    const host = `127.0.0.1:${world.port}`
    await world.stop()
    const moved = await worldForTest({ port: await freePort(), dataDir: join(world.dir, 'data') })
    expect((await browser.ask(moved.port, { host, cookie })).status).toBe(401)
    await moved.stop()
    await world.restart()
    expect((await browser.ask(world.port, { cookie })).status).toBe(200)
  })

  it('survives a restart, which ends the secrets that went over the network but the cookie', async () => {
    const own = await worldForTest({ port: await freePort() })
    const before = await own.signIn()
    const socket = await own.connect(before)
    await own.restart()
    expect(await socket.closed).toBeGreaterThan(0)
    await expect(PageSocket.dial(own.port, before.headers)).rejects.toThrow('401')
    const picture = withSecret('/picture/J/thumb', before.addressSecret)
    expect((await ask(own.port, picture, { headers: before.headers })).status).toBe(403)
    const after = await before.browser.signIn(own.port, { cookie: before.cookie })
    expect([after.cookie, after.token === before.token]).toEqual([before.cookie, false])
    await own.connect(after)
  })

  it('is on the disk without its cookie, in a folder that only its owner can read', async () => {
    const { cookie, token, addressSecret } = await world.signIn()
    const text = JSON.stringify(journalOf(world).prepare('SELECT * FROM documents').all())
    for (const secret of [cookie.split('=')[1]!, token, addressSecret]) expect(text).not.toContain(secret)
    expect((await stat(join(world.dir, 'data'))).mode & 0o077).toBe(0)
  })

  it('that another process ends closes its socket within a moment', async () => {
    const visitor = await world.signIn()
    const socket = await world.connect(visitor)
    expect(signOutAll(journalOf(world))).toBeGreaterThan(0)
    await expect(PageSocket.dial(world.port, visitor.headers)).rejects.toThrow('401')
    expect(await socket.closed).toBe(4401)
    expect((await visitor.browser.ask(world.port, { cookie: visitor.cookie })).status).toBe(401)
    expect(signOutAll(journalOf(world))).toBe(0)
  })
})

describe('The server', () => {
  /** Addresses at which it would answer if it listened at all of them: 127.0.0.2 is this computer too, on Linux. */
  const elsewhere = [
    ...Object.values(networkInterfaces())
      .flat()
      .flatMap((address) => (address?.family === 'IPv4' && !address.internal ? [address.address] : [])),
    ...(process.platform === 'linux' ? ['127.0.0.2'] : []),
  ]

  itWith(need('an address that is not loopback', elsewhere.length > 0))('listens on loopback only', async () => {
    for (const host of elsewhere) {
      const isOpen = await new Promise<boolean>((resolve) => {
        const socket = connect(world.port, host)
        socket.on('error', () => resolve(false))
        socket.on('connect', () => {
          socket.destroy()
          resolve(true)
        })
      })
      expect(isOpen, host).toBe(false)
    }
  })

  it('turns away every Host that is not loopback, on every address', async () => {
    const { headers } = await world.signIn()
    const rebound = { ...headers, origin: 'http://evil.example', host: 'evil.example' }
    for (const path of [
      '/',
      '/assets/page-abc.js',
      '/about',
      '/picture/J/thumb',
      '/download/J/0',
      '/healthz',
      '/metrics',
      '/nothing',
    ])
      expect((await ask(world.port, path, { headers: rebound })).status, path).toBe(421)
    await expect(PageSocket.dial(world.port, rebound)).rejects.toThrow('421')
    expect((await ask(world.port, '/sign-in', { method: 'POST', headers: rebound, body: '{}' })).status).toBe(421)
  })

  it('sends the page with a strict policy that is not stored, its hashed files for good, and no hidden file', async () => {
    const page = await ask(world.port, '/', { headers: { host: '127.0.0.1:9999' } })
    expect(page.headers['cache-control']).toBe('no-store')
    const policy = String(page.headers['content-security-policy'])
    for (const part of [
      "default-src 'none'",
      "script-src 'self'",
      "frame-ancestors 'none'",
      "require-trusted-types-for 'script'",
    ])
      expect(policy).toContain(part)
    expect(policy).toContain('ws://127.0.0.1:9999')
    expect(policy).not.toContain('unsafe')
    expect(page.headers['x-content-type-options']).toBe('nosniff')
    expect(page.headers['cross-origin-resource-policy']).toBe('same-origin')
    expect(Object.keys(page.headers).filter((name) => name.startsWith('access-control'))).toEqual([])
    const asset = await ask(world.port, '/assets/page-abc.js')
    expect(asset.headers['cache-control']).toBe('public, max-age=31536000, immutable')
    for (const path of [
      '/.secret',
      '/../data/journal.db',
      '/%2e%2e/data/journal.db',
      '/assets/%2e%2e/%2e%2e/data/journal.db',
    ])
      expect([403, 404], path).toContain((await ask(world.port, path)).status)
  })

  it('takes the next port that is free when nobody asked for a certain one', async () => {
    const [first, second] = [await worldForTest({ port: null }), await worldForTest({ port: null })]
    expect(first.port).toBeGreaterThanOrEqual(DEFAULT_PORT)
    expect(second.port).toBeGreaterThan(first.port)
    expect(second.port).toBeLessThanOrEqual(DEFAULT_PORT + 20)
    await second.signIn()
  })
})
