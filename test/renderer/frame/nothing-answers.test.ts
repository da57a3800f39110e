import { readFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { launchChromium } from '../../browser.ts'
import { CHROMIUM, describeWith } from '../../needs.ts'
import { PAGE_PATIENCE_MS } from '../../until.ts'
import { installFakeBridge, stateWith } from '../harness/fake-bridge.ts'

const BUILT_PAGE = join(import.meta.dirname, '../../../out/renderer')
const TYPES: Readonly<Record<string, string>> = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' }
/** A person is told by then. */
const THREE_SECONDS_MS = 3000

describeWith(CHROMIUM)('a page behind which nothing answers', () => {
  let browser: Browser
  let server: Server
  /** Files that the server does not have. */
  let missing = /^$/
  /** What becomes of a request that is not for a file: no answer at all, or this status. */
  let signIn: number | null = null

  beforeAll(async () => {
    browser = await launchChromium('light')
    server = createServer((request, response) => {
      const path = new URL(request.url ?? '/', 'http://page').pathname
      const name = path === '/' ? '/index.html' : path
      if (request.method === 'POST') {
        if (signIn !== null) response.writeHead(signIn).end()
        return
      }
      const absent = () => response.writeHead(404).end()
      if (missing.test(name)) return absent()
      readFile(join(BUILT_PAGE, name)).then(
        (bytes) => response.writeHead(200, { 'content-type': TYPES[extname(name)] ?? '' }).end(bytes),
        absent,
      )
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  })
  afterAll(async () => {
    await browser?.close()
    server?.closeAllConnections()
    server?.close()
  })

  async function open(locale: string, before?: (page: Page) => Promise<void>): Promise<Page> {
    const context = await browser.newContext({ locale })
    context.setDefaultTimeout(PAGE_PATIENCE_MS)
    const page = await context.newPage()
    await before?.(page)
    await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
    return page
  }

  /** The page's time goes on by itself no more. */
  async function withOwnTime(page: Page): Promise<void> {
    await page.clock.install()
  }

  it('says that a server answers nothing, and what to do, within three seconds', async () => {
    signIn = null
    const page = await open('de-DE', withOwnTime)
    await page.locator('main[aria-busy]').waitFor({ state: 'attached' })
    await page.clock.runFor(THREE_SECONDS_MS)
    await page.getByRole('heading', { name: 'Hangar ist nicht erreichbar' }).waitFor()
    await page.getByText('Prüfen Sie, ob Hangar auf dem Computer läuft').waitFor()
    await page.getByRole('button', { name: 'Neu laden' }).waitFor()
    await page.context().close()
  })

  it('says that a server answers with an error', async () => {
    signIn = 502
    const page = await open('fr-FR', withOwnTime)
    await page.locator('main').waitFor({ state: 'attached' })
    await page.clock.runFor(THREE_SECONDS_MS)
    await page.getByRole('heading', { name: 'Hangar est injoignable' }).waitFor()
    await page.context().close()
  })

  it('says that a window’s main process sends nothing', async () => {
    const page = await open('it-IT', async (page) => {
      await withOwnTime(page)
      await page.addInitScript(`globalThis.hangar = {
        calls: new Proxy({}, { get: () => () => new Promise(() => undefined) }),
        onMessage: () => () => undefined, acknowledge: () => undefined, placesOf: () => new Promise(() => undefined) }`)
    })
    await page.locator('main[aria-busy]').waitFor({ state: 'attached' })
    await page.clock.runFor(THREE_SECONDS_MS)
    await page.getByText('Il programma dietro questa finestra non risponde').waitFor()
    await page.context().close()
  })

  it('says when a call is not answered, nor anything else, and takes it back', async () => {
    const page = await open('es-ES', async (page) => {
      await withOwnTime(page)
      const state = stateWith()
      state.app.locale = 'es-ES'
      await page.addInitScript(installFakeBridge, {
        state,
        answers: { 'queue.pause': { never: true }, 'log.read': { never: true } },
      })
    })
    const said = page.getByText('Hangar no responde desde hace unos segundos')
    await page.getByRole('button', { name: 'Pausar' }).click()
    await page.clock.runFor(THREE_SECONDS_MS)
    await said.waitFor()
    await page.evaluate('shell.tell({})')
    await said.waitFor({ state: 'detached' })
    await page.context().close()
  })

  it('takes a call that lasts for no silence while others are answered', async () => {
    const page = await open('en-GB', async (page) => {
      await withOwnTime(page)
      await page.addInitScript(installFakeBridge, { state: stateWith(), answers: { 'queue.pause': { never: true } } })
    })
    await page.getByRole('button', { name: 'Pause' }).click()
    await page.clock.runFor(10 * THREE_SECONDS_MS)
    expect(await page.getByText('has not answered').count()).toBe(0)
    await page.context().close()
  })

  it('says in the language of the browser that a part did not come', async () => {
    missing = /\/(?:de|en)-[^/]*\.js$/
    const page = await open('de-DE')
    await page.getByText('Hangar konnte nicht geladen werden.').waitFor()
    expect(await page.getByText('Hangar could not be loaded.').count()).toBe(0)
    await page.context().close()
  })

  it('says in every language that none of its scripts came', async () => {
    missing = /\.js$/
    const page = await open('de-DE')
    for (const words of ['Hangar konnte nicht', 'Hangar could not be', 'Hangar n’a pas', 'Non è stato', 'No se pudo'])
      await page.getByText(words).waitFor()
    await page.context().close()
  })
})
