import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, type BrowserContext } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { CHROMIUM, describeWith } from '../needs.ts'
import { chromiumPath } from '../browser.ts'
import { bundlePage } from './bundle-page.ts'
import { ask, openWorld, PageSocket, type WebWorld } from './harness.ts'
import { PATIENCE_MS } from '../until.ts'

const PAGE =
  '<!doctype html><html lang="en"><title>Hangar</title><script type="module" src="./assets/probe.js"></script></html>'
const HTML = { accept: 'text/html,*/*' }

let world: WebWorld
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

describe('Another name of this computer, which another user could listen at', () => {
  it('is answered with the right address, on the same port, and with nothing of the page', async () => {
    for (const name of ['localhost', 'LOCALHOST', '[::1]', '127.0.0.2']) {
      const host = `${name}:9999`
      const answer = await ask(world.port, '/', { headers: { ...HTML, host } })
      expect(answer.status, name).toBe(421)
      expect(answer.headers['content-type']).toContain('text/html')
      expect(answer.body).toContain('href="http://127.0.0.1:9999/"')
      expect(answer.headers['content-security-policy']).toContain("default-src 'none'")
      expect(answer.headers).not.toHaveProperty('set-cookie')
      expect(answer.headers).not.toHaveProperty('location')
    }
    const german = await ask(world.port, '/', {
      headers: { ...HTML, host: 'localhost', 'accept-language': 'de-DE,en' },
    })
    expect(german.body).toContain('<html lang="de">')
    expect(german.body).toContain('Hangar hat eine andere Adresse')
    expect(german.body).toContain('href="http://127.0.0.1/"')
  })

  it('opens nothing: no page, no file, no sign-in, no socket', async () => {
    const { cookie } = await world.signIn()
    const host = `localhost:${world.port}`
    const headers = { host, cookie, origin: `http://${host}` }
    for (const path of ['/', '/assets/page-abc.js', '/about', '/picture/J/thumb', '/download/J/0'])
      expect((await ask(world.port, path, { headers })).status, path).toBe(421)
    expect((await ask(world.port, '/sign-in', { method: 'POST', headers, body: '{}' })).status).toBe(421)
    await expect(PageSocket.dial(world.port, headers)).rejects.toThrow('421')
  })
})

/** Another user's server at `[::1]` on the same port, writing down what browsers tell it. */
async function listenBeside(port: number): Promise<{ seen: IncomingHttpHeaders[] }> {
  const seen: IncomingHttpHeaders[] = []
  const server = createServer((request, answer) => {
    seen.push(request.headers)
    answer.end('<!doctype html><title>not Hangar</title>')
  })
  await new Promise<void>((resolve) => server.listen(port, '::1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { seen }
}

async function openProfile(dir: string): Promise<BrowserContext> {
  const context = await chromium.launchPersistentContext(dir, {
    timeout: PATIENCE_MS,
    executablePath: chromiumPath('whole'),
    args: ['--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-sync'],
    chromiumSandbox: process.getuid?.() !== 0,
  })
  context.setDefaultTimeout(PATIENCE_MS)
  return context
}

describeWith(CHROMIUM)('A browser that is started again while another user listens at [::1]', () => {
  it('hands over no cookie and no key, because none was ever given to that name', async () => {
    await writeFile(join(world.dir, 'page', 'index.html'), PAGE)
    await writeFile(join(world.dir, 'page', 'assets', 'probe.js'), await bundlePage('probe'))
    const profile = await mkdtemp(join(tmpdir(), 'hangar-profile-'))
    onTestFinished(() => rm(profile, { recursive: true, force: true }))
    const link = world.shell.newLink().replace('127.0.0.1', 'localhost')

    const first = await openProfile(profile)
    const page = await first.newPage()
    await page.goto(link)
    const text = (await page.locator('body').textContent()) ?? ''
    const kept = await page.evaluate(() => Object.keys((globalThis as { localStorage?: object }).localStorage ?? {}))
    const cookies = await first.cookies()
    await first.close()

    const { seen } = await listenBeside(world.port)
    const second = await openProfile(profile)
    const again = await second.newPage()
    await again.goto(`http://localhost:${world.port}/`)
    expect(await again.title()).toBe('not Hangar')
    await second.close()

    expect(seen.length).toBeGreaterThan(0)
    expect(seen.map(({ cookie }) => cookie ?? null)).toEqual(seen.map(() => null))
    expect({ kept, cookies }).toEqual({ kept: [], cookies: [] })
    expect(text).toContain(`http://127.0.0.1:${world.port}/`)
  })
})
