import { type ChildProcess, spawn } from 'node:child_process'
import { copyFile, mkdir, mkdtemp, readdir, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { type Browser, type BrowserContext, type Page } from 'playwright-core'
import { programs } from '../needs.ts'
import { type BrowserKind, launchChromium } from '../browser.ts'
import { childEnvironment } from '../child-environment.ts'
import { PAGE_PATIENCE_MS } from '../until.ts'
import { startPractice, type PracticeServer } from '../practice/faulty-practice.ts'
import type { PracticeOptions } from '../../src/practice/protocol.ts'

/*
 * The whole product as a person has it: the built command line serving the built page, an unlocked keychain in a session of
 * its own, a real folder, a real Chromium; and a practice service that the test holds the strings of, in the role of a real
 * one at its own address.
 */

const ROOT = resolve(import.meta.dirname, '../..')
const SAMPLES = join(ROOT, 'resources', 'samples')

/** What the suites cannot run without. */
export const WHOLE_APP = programs('chromium', 'dbus-run-session', 'gnome-keyring-daemon')

export interface WorldOptions {
  practice?: PracticeOptions
  browser?: BrowserKind
  /** More arguments of `hangar serve`. */
  serveArgs?: readonly string[]
  viewport?: { width: number; height: number }
  /** Of the browser. */
  locale?: string
  /** Of the system that Hangar runs on, such as `de_DE.UTF-8`: the window's language. */
  lang?: string
  /** The home folder, by default one inside `dir`. It must not exist: it is made with the world and removed with it. */
  home?: string
}

export interface Served {
  url: string
  /** Resolves to the exit code after a graceful end. */
  stop(): Promise<number | null>
  /** As a power cut would: no goodbye. */
  kill(): Promise<void>
}

export interface AppWorld {
  /** Holds everything; gone after `close`. */
  dir: string
  home: string
  dataDir: string
  /** An empty folder for pictures. */
  pictures: string
  /** The service at an address of its own; its credits, weather, keys and ledger are in the test's hands. */
  service: PracticeServer
  page: Page
  context: BrowserContext
  served: Served
  /** Puts sample pictures into `folder`; resolves to their names. */
  putSamples(count: number, folder?: string): Promise<string[]>
  /** Starts Hangar again on the same data and keychain, and opens its page again. */
  start(): Promise<void>
  /** Starts Hangar again and leaves the page open as it is. */
  startBehindPage(): Promise<void>
  close(): Promise<void>
}

export async function openApp(options: WorldOptions = {}): Promise<AppWorld> {
  const dir = await realpath(await mkdtemp(join(tmpdir(), 'hangar-e2e-')))
  const [home, dataDir] = [options.home ?? join(dir, 'home'), join(dir, 'data')]
  const pictures = join(home, 'Pictures')
  await mkdir(home)
  for (const folder of ['.cache', '.local/share', 'run'])
    await mkdir(join(home, folder), { recursive: true, mode: 0o700 })
  await mkdir(pictures)
  const service = await startPractice({ jobTime: { kind: 'fixed', ms: 300 }, credits: 500, ...options.practice })
  const browser: Browser = await launchChromium(options.browser ?? 'whole')
  const context = await browser.newContext({
    viewport: options.viewport ?? { width: 1280, height: 800 },
    locale: options.locale ?? 'en-GB',
    acceptDownloads: true,
  })
  context.setDefaultTimeout(PAGE_PATIENCE_MS)
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const world: AppWorld = {
    dir,
    home,
    dataDir,
    pictures,
    service,
    context,
    page: null as unknown as Page,
    served: null as unknown as Served,
    putSamples: async (count, folder = pictures) => {
      const names = (await readdir(SAMPLES)).filter((name) => /\.(?:jpg|png|gif|webp)$/.test(name)).slice(0, count)
      for (const name of names) await copyFile(join(SAMPLES, name), join(folder, name))
      return names
    },
    start: async () => {
      await world.page?.close()
      await world.startBehindPage()
      world.page = await context.newPage()
      await world.page.goto(world.served.url)
      await world.page.locator('.rail').waitFor()
    },
    startBehindPage: async () => {
      const args = ['--data-dir', dataDir, ...(options.serveArgs ?? [])]
      world.served = await serve(home, args, options.lang ?? 'C.UTF-8')
    },
    close: async () => {
      await browser.close()
      await world.served.kill()
      await service.close()
      for (const made of [home, dir]) await rm(made, { recursive: true, force: true, maxRetries: 5 })
    },
  }
  await world.start()
  return world
}

async function serve(home: string, args: readonly string[], lang: string): Promise<Served> {
  const keyring = `printf 'password\\n' | gnome-keyring-daemon --unlock --components=secrets >/dev/null 2>&1`
  const script = `${keyring}; echo "{\\"pid\\":$$}"; exec "$@"`
  const hangar = [process.execPath, join(ROOT, 'out/main/cli.js'), 'serve', '--port', '0', '--json', ...args]
  const program = spawn('dbus-run-session', ['--', 'sh', '-c', script, 'sh', ...hangar], {
    env: { ...childEnvironment(), HOME: home, XDG_RUNTIME_DIR: join(home, 'run'), LANG: lang },
    stdio: ['ignore', 'pipe', 'pipe'],
    // A group of its own, so that a kill reaches all of it.
    detached: true,
  })
  const ended = new Promise<number | null>((done) => program.once('exit', (code) => done(code)))
  const signal = (pid: number, name: NodeJS.Signals) => {
    try {
      process.kill(pid, name)
    } catch {
      // It has ended already.
    }
  }
  const { url, pid } = await announced(program)
  return {
    url,
    stop: () => {
      signal(pid, 'SIGTERM')
      return ended
    },
    kill: async () => {
      signal(-program.pid!, 'SIGKILL')
      await ended
    },
  }
}

/** The address that the server says once it answers, and its process; rejects with its own words when it ends before. */
function announced(program: ChildProcess): Promise<{ url: string; pid: number }> {
  const said: string[] = []
  let pid = 0
  return new Promise((found, fail) => {
    const timer = setTimeout(() => fail(new Error(`Hangar did not start: ${said.join('\n')}`)), PAGE_PATIENCE_MS)
    createInterface({ input: program.stderr! }).on('line', (line) => said.push(line))
    createInterface({ input: program.stdout! }).on('line', (line) => {
      said.push(line)
      if (!line.startsWith('{')) return
      const message = JSON.parse(line) as { event?: string; url?: string; pid?: number }
      pid = message.pid ?? pid
      if (message.event !== 'serving' || message.url === undefined) return
      clearTimeout(timer)
      found({ url: message.url, pid })
    })
    program.once('exit', (code) => {
      clearTimeout(timer)
      fail(new Error(`Hangar ended with ${code}: ${said.join('\n')}`))
    })
  })
}
