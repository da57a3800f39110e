import { ECDH } from 'node:crypto'
import { networkInterfaces } from 'node:os'
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { freePort } from '../free-port.ts'
import { itWith, need } from '../needs.ts'
import { DEFAULT_PORT } from '../../src/main/web/listen.ts'
import { Grants } from '../../src/main/web/grants.ts'
import { signOut, storedSignIns } from '../../src/main/web/sign-ins.ts'
import { ask, journalOf, linkIn, openWorld, PageSocket, signIn, TestBrowser, type WebWorld } from './harness.ts'

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000

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
    const link = new Grants(db, world.clock).newLink()
    expect(JSON.stringify(db.prepare('SELECT * FROM documents').all())).not.toContain(link)
    await signIn(world.port, link)
    expect((await new TestBrowser().ask(world.port, { link })).status).toBe(401)
  })

  it('is not taken from another origin, and still good afterwards', async () => {
    const link = linkIn(world.shell.newLink())
    const browser = new TestBrowser()
    const { challenge } = (await post('/sign-in/challenge', { origin: world.origin }, {})).json() as {
      challenge: string
    }
    const body = { key: browser.key, challenge, proof: browser.proof(challenge, `127.0.0.1:${world.port}`), link }
    for (const origin of ['http://evil.example', `http://127.0.0.1:${world.port + 1}`, 'null'])
      expect((await post('/sign-in', { origin }, body)).status).toBe(403)
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

describe('A code', () => {
  const codeOf = async (browser: TestBrowser) => {
    const answer = await browser.ask(world.port)
    expect(answer.status).toBe(401)
    return (answer.json() as { code: string }).code
  }

  it('that a person approves signs in the browser that shows it, and no other', async () => {
    const [mine, stranger] = [new TestBrowser(), new TestBrowser()]
    const [code, other] = [await codeOf(mine), await codeOf(stranger)]
    expect(code).toMatch(/^[0-9A-HJKMNP-TV-Z]{4}-[0-9A-HJKMNP-TV-Z]{4}$/)
    expect(other).not.toBe(code)
    const approved = world.shell.approve(` ${code.toLowerCase().replace('-', ' ')} `)
    expect((await stranger.ask(world.port)).status).toBe(401)
    await world.connect(await mine.signIn(world.port))
    expect(await approved).toBe(true)
    expect((await stranger.ask(world.port)).status).toBe(401)
  })

  it('can be approved by another process', async () => {
    const browser = new TestBrowser()
    const code = await codeOf(browser)
    const approved = new Grants(journalOf(world), world.clock).approve(code)
    await browser.signIn(world.port)
    expect(await approved).toBe(true)
  })

  it('that no browser shows is said to be none, and is of no use later', async () => {
    const browser = new TestBrowser()
    const code = await codeOf(browser)
    expect(await new Grants(journalOf(world), world.clock).approve(code, 0)).toBe(false)
    expect((await browser.ask(world.port)).status).toBe(401)
    for (const typed of ['', 'hello', 'AAAA-AAA', 'UUUU-UUUU']) expect(await world.shell.approve(typed)).toBe(false)
  })

  it('is another one for the same browser under another address, and after a restart', async () => {
    const browser = new TestBrowser()
    const code = await codeOf(browser)
    expect(await codeOf(browser)).toBe(code)
    const elsewhere = await browser.ask(world.port, { host: '127.0.0.1:9999' })
    expect((elsewhere.json() as { code: string }).code).not.toBe(code)
  })
})

describe('A proof', () => {
  const host = () => `127.0.0.1:${world.port}`
  const challenge = async () =>
    (await post('/sign-in/challenge', { origin: world.origin }, {})).json() as { challenge: string }

  it('counts only for a challenge of this server that is not old, with the key that is shown, at this address', async () => {
    const { browser } = await world.signIn()
    const { key } = browser
    const { challenge: text } = await challenge()
    const good = { key, challenge: text, proof: browser.proof(text, host()) }
    const [seal = ''] = text.split('.').slice(-1)
    const bad = [
      { ...good, proof: browser.proof(text, '127.0.0.1:9999') },
      { ...good, proof: new TestBrowser().proof(text, host()) },
      { ...good, key: new TestBrowser().key },
      { ...good, key: 'AAAA' },
      { ...good, proof: '' },
      ...['', 'x', `9e15.x.${seal}`, `${text}.x`, text.replace(/^\d+/, '9e15')].map((other) => ({
        key,
        challenge: other,
        proof: browser.proof(other, host()),
      })),
    ]
    for (const body of bad) {
      const answer = await post('/sign-in', { origin: world.origin }, body)
      expect([answer.status, answer.headers['set-cookie']], JSON.stringify(body)).toEqual([400, undefined])
    }
    expect((await post('/sign-in', { origin: world.origin }, good)).status).toBe(200)
    world.clock.aheadMs += MINUTE_MS + 1
    expect((await post('/sign-in', { origin: world.origin }, good)).status).toBe(400)
  })
})

describe('A key', () => {
  it('has one spelling, and so one code: another of the same key is none', async () => {
    const browser = new TestBrowser()
    const bytes = Buffer.from(browser.key, 'base64url')
    // The point as its x coordinate and a sign (SEC 1, 2.3.3), with the lengths of that.
    const point = ECDH.convertKey(bytes.subarray(26), 'prime256v1', undefined, undefined, 'compressed') as Buffer
    const head = Buffer.from('3039301306072a8648ce3d020106082a8648ce3d030107032200', 'hex')
    const hybrid = Buffer.from(bytes)
    hybrid[26] = 6 + (bytes.at(-1)! % 2)
    const spellings = [`${browser.key}=`, `${browser.key}!`, ` ${browser.key}`, bytes.toString('base64')]
    const forms = [hybrid, Buffer.concat([head, point])].map((form) => form.toString('base64url'))
    for (const key of [...spellings, ...forms]) {
      const { challenge } = (await post('/sign-in/challenge', { origin: world.origin }, {})).json()
      const text = String(challenge)
      const body = { key, challenge: text, proof: browser.proof(text, `127.0.0.1:${world.port}`) }
      expect((await post('/sign-in', { origin: world.origin }, body)).status, key).toBe(400)
    }
    const [one, again] = [await browser.ask(world.port), await browser.ask(world.port)]
    expect([one.status, one.json()['code']]).toEqual([401, again.json()['code']])
  })
})

describe('A reload', () => {
  it('needs the key of the browser: a cookie or another key is not enough', async () => {
    const mine = await world.signIn()
    const again = await mine.browser.ask(world.port, { cookie: mine.cookie })
    expect([again.status, again.headers['set-cookie']]).toEqual([200, undefined])
    const { token } = again.json() as { token: string }
    await world.connect({ ...mine, token })
    await world.connect(mine)
    expect((await new TestBrowser().ask(world.port, { cookie: mine.cookie })).status).toBe(401)
  })

  it('is refused to a page on another port, which has the cookie as well', async () => {
    const { cookie } = await world.signIn()
    const origin = `http://127.0.0.1:${world.port + 1}`
    expect((await post('/sign-in/challenge', { origin, cookie }, {})).status).toBe(403)
    const sameSite = { origin: world.origin, cookie, 'sec-fetch-site': 'same-site' }
    expect((await post('/sign-in/challenge', sameSite, {})).status).toBe(403)
  })
})

describe('A sign-in', () => {
  it('ends after thirty days without use, and its socket with it', async () => {
    const visitor = await world.signIn()
    const socket = await world.connect(visitor)
    world.clock.aheadMs += 31 * DAY_MS
    expect((await visitor.browser.ask(world.port, { cookie: visitor.cookie })).status).toBe(401)
    expect(await socket.closed).toBe(4401)
  })

  it('belongs to the address it was opened on', async () => {
    const visitor = await world.signIn()
    const host = '127.0.0.1:9999'
    const headers = { ...visitor.headers, host, origin: `http://${host}` }
    await expect(PageSocket.dial(world.port, headers)).rejects.toThrow('401')
    expect((await ask(world.port, '/picture/J/thumb', { headers })).status).toBe(403)
    expect((await visitor.browser.ask(world.port, { host })).status).toBe(401)
    const link = linkIn(world.shell.newLink())
    await world.connect(await visitor.browser.signIn(world.port, { host, link }))
    await world.connect(visitor)
  })

  it('survives a restart by the key alone: cookies and tokens from before are worth nothing', async () => {
    const again = await openWorld({ port: await freePort() })
    onTestFinished(() => again.close())
    const visitor = await again.signIn()
    const socket = await again.connect(visitor)
    const shell = await again.restart()
    expect(await socket.closed).toBeGreaterThan(0)
    await expect(PageSocket.dial(again.port, visitor.headers)).rejects.toThrow('401')
    expect((await ask(again.port, '/picture/J/thumb', { headers: visitor.headers })).status).toBe(403)
    const renewed = await visitor.browser.signIn(again.port, { cookie: visitor.cookie })
    expect(renewed.cookie.split('=')[0]).toBe(visitor.cookie.split('=')[0])
    expect(renewed.cookie).not.toBe(visitor.cookie)
    await again.connect(renewed)
    await signIn(again.port, linkIn(shell.newLink()))
  })

  it('is on the disk only as what signs nobody in', async () => {
    const visitor = await world.signIn()
    const text = JSON.stringify(journalOf(world).prepare('SELECT * FROM documents').all())
    expect(text).toContain(visitor.browser.key)
    for (const secret of [visitor.cookie.split('=')[1]!, visitor.token]) expect(text).not.toContain(secret)
  })

  it('is listed with its browser, and ends for itself, for another one, or for all: at once', async () => {
    const own = await openWorld({ port: await freePort() })
    onTestFinished(() => own.close())
    const [mine, other] = [await own.signIn(), await own.signIn()]
    const [socket, otherSocket] = [await own.connect(mine), await own.connect(other)]
    let id = 0
    const call = async (channel: string, request: unknown) => {
      socket.send({ id: (id += 1), channel, request })
      return (await socket.reply((one) => one['id'] === id))['result'] as { ok: boolean; value: unknown }
    }
    const { value } = await call('signIns.list', {})
    const { browsers } = value as { browsers: { id: string; current: boolean }[] }
    expect(browsers).toHaveLength(2)
    for (const row of browsers) expect(row).toMatchObject({ browser: 'Firefox', system: 'Linux', origin: own.origin })
    const others = browsers.filter(({ current }) => !current)
    expect(others).toHaveLength(1)
    expect(await call('signIns.end', { id: others[0]!.id })).toEqual({ ok: true, value: {} })
    expect(await otherSocket.closed).toBe(4401)
    await expect(PageSocket.dial(own.port, other.headers)).rejects.toThrow('401')
    const refused = await other.browser.ask(own.port, { cookie: other.cookie })
    expect([refused.status, refused.headers['clear-site-data']]).toEqual([401, '"cache"'])
    expect(refused.headers['set-cookie']?.[0]).toContain('Max-Age=0')
    expect(await call('signIns.end', { id: 1 })).toMatchObject({ ok: false, error: { code: 'bad_request' } })
    socket.send({ id: 99, channel: 'signIns.endAll', request: {} })
    expect(await socket.closed).toBe(4401)
    expect(storedSignIns(journalOf(own))).toEqual([])
    await own.restart()
    expect((await mine.browser.ask(own.port)).status).toBe(401)
    expect(own.host.calls).toEqual([])
  })

  it('that another process ends closes its socket within a moment', async () => {
    const visitor = await world.signIn()
    const socket = await world.connect(visitor)
    const db = journalOf(world)
    expect(signOut(db, 'nobody')).toBe(0)
    expect(signOut(db, 'all')).toBeGreaterThan(0)
    await expect(PageSocket.dial(world.port, visitor.headers)).rejects.toThrow('401')
    expect(await socket.closed).toBe(4401)
    expect((await visitor.browser.ask(world.port)).status).toBe(401)
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
