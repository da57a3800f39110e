import { spawn, type ChildProcess, type SpawnOptions } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, realpath, rm, chown, chmod } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { JobCounts } from '../../src/shared/contract/jobs.ts'
import type { Result } from '../../src/shared/contract/call.ts'
import type { PageCall } from '../../src/shared/contract/calls.ts'
import type { UiState } from '../../src/shared/contract/stream.ts'
import { need, type Need } from '../needs.ts'
import { until } from '../until.ts'
import { Inspector } from './inspector.ts'
import { PRIVATE_DESKTOP, PrivateDesktop, type DesktopChoices } from './private-desktop.ts'
import { copyForOthers } from './runtime/for-others.ts'
import { findRuntime, ROOT, type Runtime } from './runtime/runtime-place.ts'

const runtime = findRuntime()
/** Any Electron, and a desktop for it. */
export const REAL_ELECTRON: Need = need('an Electron that runs', runtime !== null) ?? PRIVATE_DESKTOP

export interface AppChoices {
  args?: string[]
  env?: Record<string, string>
  cwd?: string
  /** Default true; without it nothing can be asked of the main process. */
  inspected?: boolean
  /** The folder of another app than Hangar. */
  app?: string
}

/** What is run to start the app. The process becomes the app's main one. */
export interface Launch {
  program: string
  args: string[]
  options: Pick<SpawnOptions, 'uid' | 'gid' | 'cwd' | 'env'>
}

/** How the app is started for a person whose home is `home`, with the environment `env` of their desktop. */
export interface Starter {
  dataDir(home: string): string
  launch(choices: AppChoices, home: string, env: Record<string, string>): Launch
}

/** The built app of a checkout, in the runtime of the tests. */
function fromCheckout({ program, isOwn }: Runtime, user: DesktopChoices['user']): Starter {
  const dataDir = (home: string) => join(home, 'data')
  return {
    dataDir,
    launch({ args = [], env = {}, cwd, inspected = true, app = ROOT }, home, desktopEnv) {
      const flags = [...(inspected ? ['--inspect=0'] : []), ...(needsNoSandbox(user) ? ['--no-sandbox'] : [])]
      const own = { HOME: home, LANG: 'C.UTF-8', HANGAR_TEST_APP: app, HANGAR_DATA_DIR: dataDir(home) }
      return {
        program,
        args: [...flags, ...(isOwn ? [app] : []), ...args],
        options: { ...user, cwd: cwd ?? home, env: { ...desktopEnv, ...own, ...env } },
      }
    },
  }
}

/** One process of the app, with what it is for. */
export interface AppProcess {
  pid: number
  /** As Chromium names it, such as `renderer`; `main` for the first, `node <entry>` for Hangar's own children. */
  kind: string
  command: string
}

/** The app in a real Electron. */
export class DesktopApp {
  readonly process: ChildProcess
  readonly exited: Promise<{ code: number | null; signal: NodeJS.Signals | null }>
  stderr = ''
  readonly dataDir: string
  #inspector: Promise<Inspector> | null = null
  /** How often the log of earlier starts in this data folder says that the window is ready. */
  readonly #readyBefore: number

  constructor({ program, args, options }: Launch, dataDir: string) {
    this.dataDir = dataDir
    this.#readyBefore = timesReady(logIn(dataDir))
    this.process = spawn(program, args, { ...options, detached: true, stdio: ['ignore', 'ignore', 'pipe'] })
    this.process.stderr!.on('data', (chunk) => (this.stderr += String(chunk)))
    this.exited = new Promise((done) => this.process.once('exit', (code, signal) => done({ code, signal })))
  }

  /** Waits until the window shows its page; throws with what the app said when it ends instead. */
  async ready(): Promise<this> {
    await this.#until('the window is ready', async () => timesReady(await this.log()) > this.#readyBefore)
    await this.#until('the page is there', () =>
      this.page<boolean>("'hangar' in window && document.querySelector('nav') !== null"),
    )
    return this
  }

  /** Waits until the app runs, with a window or without. */
  async running(): Promise<this> {
    await this.#until('the app runs', () => this.main<boolean>(({ Menu }) => Menu.getApplicationMenu() !== null))
    return this
  }

  async #until(what: string, probe: () => Promise<boolean>): Promise<void> {
    await until(what, async () => {
      if (this.hasEnded) throw new Error(`the app ended with ${this.process.exitCode}: ${this.stderr}`)
      return probe().catch(() => false)
    })
  }

  get hasEnded(): boolean {
    return this.process.exitCode !== null || this.process.signalCode !== null
  }

  async log(): Promise<string> {
    return logIn(this.dataDir)
  }

  /** Runs a function in the main process; it gets Electron and the arguments, which are passed as JSON. */
  async main<Value>(
    body: (electron: typeof Electron, ...args: never[]) => Value | Promise<Value>,
    ...args: unknown[]
  ): Promise<Value> {
    const inspector = await this.#connected()
    const electron = "process.getBuiltinModule('node:module').createRequire('/')('electron')"
    const rest = args.map((arg) => `, ${JSON.stringify(arg)}`).join('')
    return (await inspector.evaluate(`(${String(body)})(${electron}${rest})`)) as Value
  }

  async #connected(): Promise<Inspector> {
    this.#inspector ??= (async () => {
      let address: string | undefined
      await until('the inspector listens', async () => {
        address = /Debugger listening on (ws:\S+)/.exec(this.stderr)?.[1]
        return address !== undefined || this.hasEnded
      })
      if (address === undefined) throw new Error(`the app ended: ${this.stderr}`)
      return Inspector.connect(address)
    })()
    return this.#inspector
  }

  /** The value of an expression in the page. */
  async page<Value>(expression: string): Promise<Value> {
    return this.main<Value>(
      ({ BrowserWindow }, code: string) =>
        BrowserWindow.getAllWindows()[0]!.webContents.executeJavaScript(code) as Promise<Value>,
      expression,
    )
  }

  /** A call of the page through its preload; throws when it is refused. */
  async call<Value>(name: PageCall, request: unknown = {}): Promise<Value> {
    const code = `window.hangar.calls[${JSON.stringify(name)}](${JSON.stringify(request)})`
    const result = await this.page<Result<Value>>(code)
    if (!result.ok) throw new Error(`${name}: ${JSON.stringify(result.error.sentence)}`)
    return result.value
  }

  /** Picks a folder in the system's dialog, as a person would; resolves to its token. */
  async pick(folder: string): Promise<string> {
    await this.main(({ dialog }, chosen: string) => {
      dialog.showOpenDialog = () => Promise.resolve({ canceled: false, filePaths: [chosen] })
    }, folder)
    const { places } = await this.call<{ places: { token: string }[] }>('places.pick', { kind: 'folder' })
    return places[0]!.token
  }

  /** How many jobs are in each state, as the page is told. */
  async counts(): Promise<JobCounts> {
    return (await this.state()).counts
  }

  /** The state that a page is sent first. */
  async state(): Promise<UiState> {
    return this.page<UiState>(
      `new Promise((take) => {
        const stop = window.hangar.onMessage((message) => {
          if (message.type !== 'snapshot') return
          stop()
          take(message.state)
        })
      })`,
    )
  }

  /**
   * Clicks the middle of the first element that a selector finds, with `text` in it, as a mouse does. It waits until one stands
   * still with nothing over it: a page that is still being filled moves it away under the pointer, or opens a dialog. It clicks
   * again when the page did not get the click: Chromium drops what is entered before a window's first drawing.
   */
  async click(selector: string, text = ''): Promise<void> {
    const find = `(async () => {
      const middle = (one) => {
        const { x, y, width, height } = one.getBoundingClientRect()
        return { x: Math.round(x + width / 2), y: Math.round(y + height / 2) }
      }
      for (const one of document.querySelectorAll(${JSON.stringify(selector)})) {
        if (!one.textContent.includes(${JSON.stringify(text)})) continue
        one.scrollIntoView({ block: 'nearest' })
        const before = middle(one)
        await new Promise((go) => setTimeout(go, 100))
        const at = middle(one)
        if (at.x !== before.x || at.y !== before.y || !one.contains(document.elementFromPoint(at.x, at.y))) continue
        window.clicked = new Promise((got) => {
          document.addEventListener('click', (event) => got(one.contains(event.target)), { capture: true, once: true })
          setTimeout(() => got(false), 5000)
        })
        return at
      }
      return null
    })()`
    await until(`${selector} with "${text}" is clicked`, async () => {
      const at = await this.page<{ x: number; y: number } | null>(find)
      if (at === null) return false
      await this.main(({ BrowserWindow }, { x, y }: { x: number; y: number }) => {
        const { webContents } = BrowserWindow.getAllWindows()[0]!
        webContents.sendInputEvent({ type: 'mouseMove', x, y })
        for (const type of ['mouseDown', 'mouseUp'] as const)
          webContents.sendInputEvent({ type, x, y, button: 'left', clickCount: 1 })
      }, at)
      return this.page<boolean>('window.clicked')
    })
  }

  processes(): AppProcess[] {
    return descendantsOf(this.process.pid!)
  }

  /** Ends it as a person does. */
  async quit(): Promise<{ code: number | null; signal: NodeJS.Signals | null }> {
    await this.main(({ app }) => {
      setTimeout(() => app.quit(), 50)
    })
    await this.letGo()
    return this.exited
  }

  /** Takes the inspector away: a process that is looked into does not end. */
  async letGo(): Promise<void> {
    const inspector = await this.#inspector?.catch(() => null)
    inspector?.close()
    this.#inspector = null
  }

  async end(): Promise<void> {
    await this.letGo()
    try {
      if (!this.hasEnded) process.kill(-this.process.pid!, 'SIGKILL')
    } catch {
      // It has ended.
    }
    await this.exited
    // Children that are not of Electron end by themselves when their parent is gone.
  }
}

const timesReady = (log: string): number => log.split('the window is ready').length - 1

function logIn(dataDir: string): string {
  const folder = join(dataDir, 'logs')
  if (!existsSync(folder)) return ''
  const names = readdirSync(folder).toSorted()
  return names.map((name) => readFileSync(join(folder, name), 'utf8')).join('')
}

export function isAlive({ pid, command }: AppProcess): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim() === command
  } catch {
    return false
  }
}

const needsNoSandbox = (user: DesktopChoices['user']): boolean => (user?.uid ?? process.getuid!()) === 0

/** The process and all below it, from /proc. */
function descendantsOf(root: number): AppProcess[] {
  const all = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const stat = readFileSync(`/proc/${name}/stat`, 'utf8')
        const [state, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
        const command = readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ').trim()
        return state === 'Z' ? [] : [{ pid: Number(name), parent: Number(parent), command }]
      } catch {
        return []
      }
    })
  const found: AppProcess[] = []
  const add = (pid: number): void => {
    const one = all.find((each) => each.pid === pid)
    if (one === undefined) return
    found.push({ pid, command: one.command, kind: kindOf(one.command, pid === root) })
    for (const child of all) if (child.parent === pid) add(child.pid)
  }
  add(root)
  return found
}

function kindOf(command: string, isRoot: boolean): string {
  if (isRoot) return 'main'
  const chromium = /--type=(\S+)/.exec(command)?.[1]
  if (chromium !== undefined) return /--utility-sub-type=(\S+)/.exec(command)?.[1] ?? chromium
  const entry = /out\/main\/([\w-]+)\.js/.exec(command)?.[1]
  return entry === undefined ? 'other' : `node ${entry}`
}

/** A fresh home, pictures and desktop, and every start of the app on it; `close` leaves nothing behind. */
export class DesktopWorld {
  readonly desktop: PrivateDesktop
  readonly dir: string
  readonly #starter: Starter
  readonly #apps: DesktopApp[] = []

  private constructor(desktop: PrivateDesktop, dir: string, starter: Starter) {
    this.desktop = desktop
    this.dir = dir
    this.#starter = starter
  }

  /** `starter`: by default the app is that of the checkout. */
  static async open(choices: DesktopChoices = {}, starter?: Starter): Promise<DesktopWorld> {
    const desktop = await PrivateDesktop.open(choices)
    const dir = await realpath(await mkdtemp(join(tmpdir(), 'hangar-app-')))
    if (choices.user !== undefined) await chown(dir, choices.user.uid, choices.user.gid)
    await chmod(dir, 0o700)
    if (starter !== undefined) return new DesktopWorld(desktop, dir, starter)
    const { user } = choices
    const own = user === undefined ? runtime! : copyForOthers(runtime!, join(dir, 'electron'))
    return new DesktopWorld(desktop, dir, fromCheckout(own, user))
  }

  get dataDir(): string {
    return this.#starter.dataDir(this.dir)
  }

  start(choices: AppChoices = {}): DesktopApp {
    const app = new DesktopApp(this.#starter.launch(choices, this.dir, this.desktop.env), this.dataDir)
    this.#apps.push(app)
    return app
  }

  async close(): Promise<void> {
    for (const app of this.#apps) await app.end()
    await this.desktop.close()
    await rm(this.dir, { recursive: true, force: true, maxRetries: 5 })
  }
}
