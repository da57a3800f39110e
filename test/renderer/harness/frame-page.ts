import { readFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join } from 'node:path'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll } from 'vitest'
import { factsOf } from '../../../src/main/page/job-facts.ts'
import type { JobRow } from '../../../src/shared/contract/jobs.ts'
import type { UiState } from '../../../src/shared/contract/stream.ts'
import { securityHeaders } from '../../../src/main/web/start-web.ts'
import { hasChromium, launchChromium } from '../../browser.ts'
import { PAGE_PATIENCE_MS } from '../../until.ts'
import { installFakeBridge, stateWith } from './fake-bridge.ts'

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
}

/** What `installFakeBridge` leaves in the page. */
export type WithShell = typeof globalThis & {
  shell: {
    asked: { channel: string; request: unknown }[]
    tell(changes: object, notices?: unknown[]): void
    /** What a delta says of jobs. */
    changeJobs(changes: { added?: string[]; rows?: object[]; stale?: boolean }): void
    /** May be changed: what is answered from now on. */
    answers: Record<string, unknown>
  }
}

export interface Window {
  page: Page
  /** What the page complained of: scripts that the policy stopped, exceptions, failed loads. */
  complaints: string[]
  asked(channel: string): Promise<unknown[]>
  tell(changes: Partial<UiState>, notices?: unknown[]): Promise<void>
  /** What is answered from now on, by channel. */
  answer(answers: Record<string, unknown>): Promise<void>
}

/** How the chargers were left, unless a test says otherwise. */
const CHARGERS_LEFT = { centre: { lat: 47.6, lng: 9.5 }, zoom: 9 }

/** `npm test` builds it first. */
const BUILT_PAGE = join(import.meta.dirname, '../../../out/renderer')

/** The real page, as it is built, in a real browser and under the real policy; a fake shell stands behind it. */
export class PageWorld {
  readonly #server: Server
  readonly #browser: Browser
  /** One for each language: pages in it share a process, which saves a third of what a page costs. */
  readonly #contexts = new Map<string, Promise<BrowserContext>>()

  private constructor(server: Server, browser: Browser) {
    this.#server = server
    this.#browser = browser
  }

  static async open(): Promise<PageWorld> {
    const server = createServer((request, response) => {
      const path = new URL(request.url ?? '/', 'http://page').pathname
      const name = path === '/' ? '/index.html' : path
      readFile(join(BUILT_PAGE, name)).then(
        (bytes) =>
          response
            .writeHead(200, {
              'content-type': TYPES[extname(name)] ?? '',
              ...securityHeaders(`http://${request.headers.host ?? ''}`),
            })
            .end(bytes),
        () => response.writeHead(404).end(),
      )
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    return new PageWorld(server, await launchChromium('light'))
  }

  async show(
    state: Partial<UiState> = {},
    answers: Record<string, unknown> = {},
    look: { width?: number; locale?: string; alone?: boolean; chargers?: object } = {},
  ): Promise<Window> {
    const { width = 1280, locale = 'en-GB', alone = false, chargers = CHARGERS_LEFT } = look
    const context = await this.#context(locale, alone)
    // Opened by a page of its site, it needs no process of its own, not even for the moment before it is somewhere.
    const [page] = await Promise.all([context.waitForEvent('page'), context.pages()[0]!.evaluate('void open("")')])
    await page.setViewportSize({ width, height: 800 })
    await page.emulateMedia({ colorScheme: 'light' })
    const complaints: string[] = []
    page.on('pageerror', (error) => complaints.push(error.message))
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
    const given = stateWith({ ...state })
    const { rows = [] } = (answers['jobs.rows'] ?? {}) as { rows?: JobRow[] }
    await page.addInitScript(installFakeBridge, {
      state: { ...given, app: { ...given.app, locale } },
      answers: { 'jobs.facts': factsOf(rows), ...answers },
    })
    await page.goto(this.#address)
    await page.getByRole('navigation').first().waitFor({ state: 'attached' })
    // It has its title once it listens to keys as well.
    await page.waitForFunction("document.title !== 'Hangar'")
    // Pages of one context share it.
    await page.evaluate(`localStorage.setItem('hangar.chargers', ${JSON.stringify(JSON.stringify(chargers))})`)
    return {
      page,
      complaints,
      asked: (channel) =>
        page.evaluate(
          (name) =>
            (globalThis as WithShell).shell.asked.filter((call) => call.channel === name).map((call) => call.request),
          channel,
        ),
      tell: (changes, notices = []) =>
        page.evaluate(([part, told]) => (globalThis as WithShell).shell.tell(part, told), [changes, notices] as const),
      answer: (later) =>
        page.evaluate((given) => {
          Object.assign((globalThis as WithShell).shell.answers, given)
        }, later),
    }
  }

  /** The page with no shell behind it, in a context of its own; `before` prepares it. */
  async bare(locale: string, before: (page: Page) => Promise<unknown>): Promise<Page> {
    const context = await this.#browser.newContext({ locale })
    context.setDefaultTimeout(PAGE_PATIENCE_MS)
    const page = await context.newPage()
    await before(page)
    await page.goto(this.#address)
    return page
  }

  /** `alone`: a new one, for a test that changes what belongs to all pages of one, such as the clock. */
  #context(locale: string, alone: boolean): Promise<BrowserContext> {
    const open = async () => {
      const context = await this.#browser.newContext({ locale })
      context.setDefaultTimeout(PAGE_PATIENCE_MS)
      // Stays open, and with it their process.
      await (await context.newPage()).goto(new URL('none', this.#address).href)
      return context
    }
    if (alone) return open()
    const context = this.#contexts.get(locale) ?? open()
    this.#contexts.set(locale, context)
    return context
  }

  get #address(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/`
  }

  async close(): Promise<void> {
    await this.#browser.close()
    await new Promise((resolve) => this.#server.close(resolve))
  }
}

/** To be called at the top of a test file: one browser for its tests, and the window of each is closed after it. */
export function windowForEachTest() {
  let world: PageWorld | null = null
  let shown: Window | null = null
  beforeAll(async () => {
    if (hasChromium) world = await PageWorld.open()
  })
  afterAll(() => world?.close())
  afterEach(async () => {
    await shown?.page.close()
    shown = null
  })
  return {
    /** What the test showed last. */
    get shown(): Window {
      return shown!
    },
    async show(...given: Parameters<PageWorld['show']>): Promise<Window> {
      shown = await world!.show(...given)
      return shown
    },
    bare: (...given: Parameters<PageWorld['bare']>) => world!.bare(...given),
  }
}
