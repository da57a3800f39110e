import { networkInterfaces } from 'node:os'
import { join } from 'node:path'
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openJournal } from '../../src/main/queue/journal.ts'
import { DEFAULT_PORT } from '../../src/main/web.ts'
import { leaveLink } from '../../src/main/web/links.ts'
import { ask, linkIn, openWorld, PageSocket, signIn, type WebWorld } from './harness.ts'

let world: WebWorld
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

const post = (path: string, headers: Record<string, string>, body: unknown) =>
  ask(world.port, path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })

describe('A link', () => {
  it('signs in once: the second time it opens nothing', async () => {
    const link = linkIn(world.shell.newLink())
    expect(link.length).toBeGreaterThanOrEqual(22)
    await signIn(world.port, link)
    expect((await post('/session', { origin: world.origin }, { link })).status).toBe(401)
  })

  it('is too old after a minute', async () => {
    const link = linkIn(world.shell.newLink())
    world.clock.aheadMs += 60_001
    expect((await post('/session', { origin: world.origin }, { link })).status).toBe(401)
  })

  it('can be left in the data folder by another process, also used once and for a minute', async () => {
    const db = openJournal(join(world.dir, 'data'))
    try {
      const fresh = leaveLink(db, world.clock.nowMs())
      const old = leaveLink(db, world.clock.nowMs())
      const stored = JSON.stringify(db.prepare('SELECT * FROM documents').all())
      expect(stored).not.toContain(fresh)
      await signIn(world.port, fresh)
      expect((await post('/session', { origin: world.origin }, { link: fresh })).status).toBe(401)
      world.clock.aheadMs += 60_001
      expect((await post('/session', { origin: world.origin }, { link: old })).status).toBe(401)
    } finally {
      db.close()
    }
  })

  it('is not taken from another origin, and still good afterwards', async () => {
    const link = linkIn(world.shell.newLink())
    for (const origin of ['http://evil.example', `http://127.0.0.1:${world.port + 1}`, 'null'])
      expect((await post('/session', { origin }, { link })).status).toBe(403)
    await signIn(world.port, link)
  })

  it('gives a cookie that no script reads and no other site sends, with a name of this data folder', async () => {
    const link = linkIn(world.shell.newLink())
    const answer = await post('/session', { origin: world.origin }, { link })
    const [cookie = ''] = answer.headers['set-cookie'] ?? []
    expect(cookie).toMatch(/^hangar-[0-9a-f]{16}=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=2592000$/)
    expect(answer.headers['cache-control']).toBe('no-store')
  })
})

describe('A reload', () => {
  it('needs cookie and renewal key together', async () => {
    const [mine, other] = [await world.signIn(), await world.signIn()]
    const renewed = await post(
      '/session/renew',
      { origin: world.origin, cookie: mine.cookie },
      { renewal: mine.renewal },
    )
    expect(renewed.status).toBe(200)
    const { token } = renewed.json() as { token: string }
    await world.connect({ ...mine, token })
    const wrong: [Record<string, string>, unknown][] = [
      [{ cookie: mine.cookie }, { renewal: other.renewal }],
      [{ cookie: mine.cookie }, { renewal: mine.token }],
      [{}, { renewal: mine.renewal }],
    ]
    for (const [headers, body] of wrong)
      expect((await post('/session/renew', { origin: world.origin, ...headers }, body)).status).toBe(401)
    expect((await post('/session/renew', { origin: world.origin, cookie: mine.cookie }, {})).status).toBe(400)
  })

  it('is refused to a page on another port, which has the cookie as well', async () => {
    const { cookie, renewal } = await world.signIn()
    const origin = `http://127.0.0.1:${world.port + 1}`
    expect((await post('/session/renew', { origin, cookie }, { renewal })).status).toBe(403)
    const sameSite = { origin: world.origin, cookie, 'sec-fetch-site': 'same-site' }
    expect((await post('/session/renew', sameSite, { renewal })).status).toBe(403)
  })
})

describe('A session', () => {
  it('ends after thirty days without use, and its socket with it', async () => {
    const visitor = await world.signIn()
    const socket = await world.connect(visitor)
    world.clock.aheadMs += 31 * 86_400_000
    expect(
      (await post('/session/renew', { origin: world.origin, cookie: visitor.cookie }, { renewal: visitor.renewal }))
        .status,
    ).toBe(401)
    expect(await socket.closed).toBe(4401)
  })
})

describe('The server', () => {
  it('listens on loopback only', async () => {
    const outside = Object.values(networkInterfaces())
      .flat()
      .find((address) => address?.family === 'IPv4' && !address.internal)
    if (outside === undefined) return
    const isOpen = await new Promise<boolean>((resolve) => {
      const socket = connect(world.port, outside.address)
      socket.on('error', () => resolve(false))
      socket.on('connect', () => {
        socket.destroy()
        resolve(true)
      })
    })
    expect(isOpen).toBe(false)
  })

  it('turns away every Host that is not loopback, on every address', async () => {
    const visitor = await world.signIn()
    const before = world.host.calls.length
    for (const path of ['/', '/assets/page-abc.js', '/about', '/picture/J/thumb', '/download/J/0', '/nothing'])
      for (const host of ['evil.example', `evil.example:${world.port}`]) {
        const answer = await ask(world.port, path, { headers: { ...visitor.headers, host } })
        expect(answer.status, path).toBe(421)
      }
    const origin = 'http://evil.example'
    await expect(PageSocket.dial(world.port, { origin, host: 'evil.example', cookie: visitor.cookie })).rejects.toThrow(
      '421',
    )
    expect((await ask(world.port, '/', { headers: { host: '127.0.0.1:9999' } })).status).toBe(200)
    expect(world.host.calls.length).toBe(before)
  })

  it('slows guessing down', async () => {
    const guessed = await openWorld()
    try {
      const statuses = new Set<number>()
      for (let n = 0; n < 70; n += 1) {
        const answer = await ask(guessed.port, '/session', {
          method: 'POST',
          headers: { origin: guessed.origin, 'content-type': 'application/json' },
          body: JSON.stringify({ link: `guess-${n}` }),
        })
        statuses.add(answer.status)
      }
      expect([...statuses]).toEqual([401, 429])
    } finally {
      await guessed.close()
    }
  })

  it('lets the page take pictures from the server of street maps, and nothing else, while they are switched on', async () => {
    const policy = async () => String((await ask(world.port, '/')).headers['content-security-policy'])
    const before = await policy()
    world.host.tiles = 'https://tiles.example'
    const during = await policy()
    world.host.tiles = null
    expect(during).toBe(before.replace('data: blob:', 'data: blob: https://tiles.example'))
    expect(before).not.toContain('https:')
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

  it('forgets all sessions with a restart: the page needs a new link', async () => {
    const again = await openWorld()
    try {
      const visitor = await again.signIn()
      const socket = await again.connect(visitor)
      const shell = await again.restart()
      expect(await socket.closed).toBeGreaterThan(0)
      const renewal = await ask(again.port, '/session/renew', {
        method: 'POST',
        headers: { origin: again.origin, cookie: visitor.cookie, 'content-type': 'application/json' },
        body: JSON.stringify({ renewal: visitor.renewal }),
      })
      expect(renewal.status).toBe(401)
      const next = await signIn(again.port, linkIn(shell.newLink()))
      expect(next.cookie.split('=')[0]).toBe(visitor.cookie.split('=')[0])
    } finally {
      await again.close()
    }
  })

  it('takes the next port that is free when nobody asked for a certain one', async () => {
    const [first, second] = [await openWorld({ port: null }), await openWorld({ port: null })]
    try {
      expect(first.port).toBeGreaterThanOrEqual(DEFAULT_PORT)
      expect(second.port).toBeGreaterThan(first.port)
      expect(second.port).toBeLessThanOrEqual(DEFAULT_PORT + 20)
      await second.signIn()
    } finally {
      await first.close()
      await second.close()
    }
  })

  it('says which port is taken when that one was asked for', async () => {
    await expect(openWorld({ port: world.port })).rejects.toThrow(`Port ${world.port} is taken`)
  })
})
