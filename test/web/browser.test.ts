import { readdir, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { signOutAll } from '../../src/main/web/sign-ins.ts'
import { freePort } from '../free-port.ts'
import { CHROMIUM, describeWith } from '../needs.ts'
import { launchChromium } from '../browser.ts'
import { closeAll, startHttp } from '../services/harness.ts'
import { bundlePage } from './bundle-page.ts'
import { ask, journalOf, linkIn, openWorld, PageSocket, signIn as signInWith, type WebWorld } from './harness.ts'
import { PAGE_PATIENCE_MS, until } from '../until.ts'

const PAGE =
  '<!doctype html><html lang="en"><title>Hangar</title><script>window.inline = true</script><script type="module" src="./assets/probe.js"></script></html>'

const TINY_GIF = 'R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7'

/** What probe.ts puts on the page, as far as the tests look at it. */
interface Probe {
  resourceUrl(path: string): string
  useConnection: {
    getState(): {
      state: string
      linkRefused: boolean
      upload: { stop(): void } | null
    }
  }
  messages: { type: string }[]
  bridge: {
    calls: Record<string, (request: unknown) => Promise<unknown>>
    placesOf(files: File[]): Promise<unknown>
  }
}
type WithProbe = typeof globalThis & {
  probe: Probe
  inline?: boolean
  document: { cookie: string; body: { innerHTML: string } }
}
/** What foreign.ts puts on its page. */
type WithAttack = typeof globalThis & {
  attack(origin: string, link: string): Promise<Record<string, string>>
  loads(tag: string, src: string): Promise<string>
}

let browser: Browser
let scripts: { probe: string; foreign: string }
let world: WebWorld
let context: BrowserContext
const stateOf = (page: Page) => page.evaluate(() => (globalThis as WithProbe).probe.useConnection.getState())
const untilState = (page: Page, state: string) =>
  page.waitForFunction((wanted) => (globalThis as WithProbe).probe?.useConnection.getState().state === wanted, state)

beforeAll(async () => {
  if (CHROMIUM !== null) return
  browser = await launchChromium('whole')
  scripts = { probe: await bundlePage('probe'), foreign: await bundlePage('foreign') }
})
afterAll(() => browser?.close())

async function openPage(url: string): Promise<Page> {
  const page = await context.newPage()
  await page.goto(url)
  return page
}

async function openContext(): Promise<void> {
  context = await browser.newContext()
  context.setDefaultTimeout(PAGE_PATIENCE_MS)
}

/** A page that its link has signed in, of a fresh server. */
async function signedIn(link = () => world.shell.newLink()): Promise<Page> {
  world = await openWorld({ port: await freePort() })
  await writeFile(join(world.dir, 'page', 'index.html'), PAGE)
  await writeFile(join(world.dir, 'page', 'assets', 'probe.js'), scripts.probe)
  await openContext()
  const page = await openPage(link())
  await untilState(page, 'open')
  return page
}
afterEach(async () => {
  await context?.close()
  await world?.close()
})

describeWith(CHROMIUM)('The page in a browser', () => {
  it('signs in by its link, leaves no trace of it in the address, and stays signed in in all tabs, over a restart too', async () => {
    const page = await signedIn()
    expect(page.url()).toBe(`${world.origin}/`)
    await page.waitForFunction(() => (globalThis as WithProbe).probe.messages.length === 1)
    const answer = await page.evaluate(() => (globalThis as WithProbe).probe.bridge.calls['queue.pause']?.({ a: 1 }))
    expect(answer).toEqual({ ok: true, value: { channel: 'queue.pause' } })
    expect(world.host.calls).toEqual([{ channel: 'queue.pause', request: { a: 1 } }])
    await world.restart()
    await page.waitForFunction(() => (globalThis as WithProbe).probe.messages.length === 2)
    await untilState(page, 'open')
    await page.reload()
    await untilState(page, 'open')
    await untilState(await openPage(world.origin), 'open')
    expect(world.host.acknowledged).toContain(1)
  })

  it('keeps its cookie from scripts, runs no inline script and takes no text as markup', async () => {
    const page = await signedIn()
    const tried = await page.evaluate(() => {
      const { document, inline } = globalThis as WithProbe
      try {
        document.body.innerHTML = '<img src=x>'
        return 'markup'
      } catch {
        return { cookie: document.cookie, inline }
      }
    })
    expect(tried).toEqual({ cookie: '', inline: undefined })
  })

  it('says that a link was used when another browser opens it again', async () => {
    let link = ''
    await signedIn(() => (link = world.shell.newLink()))
    await context.close()
    await openContext()
    const page = await openPage(link)
    await untilState(page, 'signedOut')
    expect(await stateOf(page)).toMatchObject({ linkRefused: true })
    await page.goto('about:blank')
    await page.goto(world.origin)
    await untilState(page, 'signedOut')
    expect(await stateOf(page)).toMatchObject({ linkRefused: false })
  })

  it('shows at once that it was signed out, in all its tabs, and takes a new link in the same tab', async () => {
    const page = await signedIn()
    const other = await openPage(world.origin)
    await untilState(other, 'open')
    signOutAll(journalOf(world))
    await untilState(page, 'signedOut')
    await untilState(other, 'signedOut')
    const failed = await page.evaluate(() => (globalThis as WithProbe).probe.bridge.calls['queue.pause']?.({}))
    expect(failed).toMatchObject({ ok: false, error: { code: 'service_unreachable' } })
    await page.goto(world.shell.newLink())
    await untilState(page, 'open')
    await untilState(other, 'open')
  })

  it('gives away nothing of use to another user who listens on the port while the server is stopped', async () => {
    const page = await signedIn()
    const { instance: before } = (await ask(world.port, '/about')).json()
    const stolen: { url: string; cookie: string; token: string; body: string }[] = []
    const thief = createServer((request, answer) => {
      let body = ''
      request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk))
      request.on('end', () => {
        const { cookie = '', 'x-hangar-token': token, 'sec-websocket-protocol': protocols } = request.headers
        stolen.push({ url: request.url ?? '', cookie, token: String(token ?? protocols?.split(', ')[1]), body })
        answer.setHeader('content-type', 'application/json')
        answer.end(JSON.stringify({ instance: before }))
      })
    })
    await world.stop()
    await new Promise<void>((resolve) => thief.listen(world.port, '127.0.0.1', resolve))
    await until('the page shows what it has', () => stolen.some(({ url }) => url === '/sign-in'))
    thief.closeAllConnections()
    await new Promise((resolve) => thief.close(resolve))
    await world.restart()
    await untilState(page, 'open')
    expect(stolen.some(({ cookie, token }) => cookie !== '' && token.length === 43)).toBe(true)
    for (const { cookie, token, body } of stolen) {
      const headers = { origin: world.origin, cookie, 'x-hangar-token': token, 'content-type': 'application/json' }
      await expect(PageSocket.dial(world.port, headers)).rejects.toThrow('401')
      expect((await ask(world.port, '/sign-in', { method: 'POST', headers, body })).status).not.toBe(200)
    }
  })

  it('uploads files in turn, leaves out what is no picture and says so', async () => {
    const page = await signedIn()
    const result = await page.evaluate(() => {
      const head = new Uint8Array([0xff, 0xd8, 0xff, 0xe0, 1, 2, 3])
      const files = [
        new File([head], 'a.jpg'),
        new File(['text'], 'notes.txt'),
        new File([head], 'a.jpg'),
        new File([head, head], 'a.jpg'),
      ]
      return (globalThis as WithProbe).probe.bridge.placesOf(files)
    })
    expect(result).toMatchObject({ ok: true, value: { places: [{ name: 'a.jpg' }, { name: 'a-2.jpg' }] } })
    expect(await stateOf(page)).toMatchObject({ upload: { done: 4, total: 4, refused: [{ name: 'notes.txt' }] } })
    expect((await readdir(world.inbox)).sort()).toEqual(['a-2.jpg', 'a.jpg'])
  })

  it('stops an upload where a person says so, and keeps what arrived', async () => {
    const page = await signedIn()
    // The second never arrives by itself.
    let sent = 0
    await page.route('**/upload?*', (route) => ((sent += 1) === 1 ? route.continue() : undefined))
    const done = page.evaluate(() => {
      const head = new Uint8Array([0xff, 0xd8, 0xff, 0xe0, 1, 2, 3])
      const files = ['a.jpg', 'b.jpg', 'c.jpg'].map((name) => new File([head], name))
      return (globalThis as WithProbe).probe.bridge.placesOf(files)
    })
    await until('the second is on its way', () => sent === 2)
    await page.evaluate(() => (globalThis as WithProbe).probe.useConnection.getState().upload?.stop())
    expect(await done).toMatchObject({ ok: true, value: { places: [{ name: 'a.jpg' }] } })
    expect(sent).toBe(2)
  })
})

describeWith(CHROMIUM)('A page on another port of this computer, in a browser that is signed in', () => {
  afterEach(closeAll)

  /** The same script, so that what differs is the port alone. */
  async function openForeign(): Promise<Page> {
    const html = `<!doctype html><title>foreign</title><body><script type="module">${scripts.foreign}</script></body>`
    const { origin } = await startHttp((_, answer) => answer.setHeader('content-type', 'text/html').end(html))
    return openPage(`${origin}/`)
  }

  const showsIn = (page: Page, url: string) => page.evaluate((src) => (globalThis as WithAttack).loads('img', src), url)

  it('reads nothing and changes nothing', async () => {
    const own = await signedIn()
    await writeFile(
      join(world.dir, 'page', 'own.html'),
      '<!doctype html><body><script type="module" src="./own.js"></script>',
    )
    await writeFile(join(world.dir, 'page', 'own.js'), scripts.foreign)
    world.host.pictures.set('JOB1/thumb', { bytes: Buffer.from(TINY_GIF, 'base64'), type: 'image/gif' })
    const picture = await own.evaluate(
      (path) => (globalThis as WithProbe).probe.resourceUrl(path),
      `${world.origin}/picture/JOB1/thumb?v=1`,
    )
    await own.goto(`${world.origin}/own.html`)
    expect(await showsIn(own, picture)).toBe('loaded')

    const link = linkIn(world.shell.newLink())
    const page = await openForeign()
    expect((await context.cookies(page.url())).map(({ name }) => name)).toEqual([expect.stringMatching(/^hangar-/)])
    expect(await showsIn(page, picture)).toBe('failed')
    const outcome = await page.evaluate(({ origin, link }) => (globalThis as WithAttack).attack(origin, link), {
      origin: world.origin,
      link,
    })
    const { 'sign in blindly': signIn, 'upload blindly': upload, ...rest } = outcome
    expect(rest).toEqual({
      'read the page': 'failed',
      'sign in': 'failed',
      'open the socket': 'failed',
      'load a script': 'failed',
      'frame the page': 'not readable',
    })
    // A blind request may get an answer, which the page cannot read; that nothing came of it is seen below.
    expect(['opaque', 'failed']).toEqual(expect.arrayContaining([signIn, upload]))
    expect(world.host.calls).toEqual([])
    expect(await readdir(world.inbox)).toEqual([])
    await signInWith(world.port, link)
  })
})
