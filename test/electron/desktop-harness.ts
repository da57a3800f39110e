import { fork, type ChildProcess } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { CHROMIUM, need } from '../needs.ts'
import { chromiumPath } from '../browser.ts'
import { childEnvironment } from '../child-environment.ts'
import { until } from '../until.ts'
import type { OPERATIONS } from './stand-in/control.ts'
import type { RecordedCall } from './stand-in/record.ts'

const ROOT = resolve(import.meta.dirname, '../..')
const MAIN = join(ROOT, 'out/main/index.js')
const REGISTER = join(import.meta.dirname, 'stand-in/register.ts')

type Operations = typeof OPERATIONS
type Reply = { id: number; ok: true; value: unknown } | { id: number; ok: false; message: string }

/** What running the built shell needs. */
export const BUILT_SHELL = need('a build (npm run build)', existsSync(MAIN)) ?? CHROMIUM

export interface StartChoices {
  dataDir: string
  args?: string[]
  cwd?: string
  env?: Record<string, string>
}

/** The built desktop app in a process of its own, with the stand-in for Electron, played through its control channel. */
export class Desktop {
  readonly process: ChildProcess
  readonly exited: Promise<{ code: number | null; calls: RecordedCall[] }>
  stderr = ''
  #count = 0
  readonly #pending = new Map<number, (reply: Reply) => void>()

  constructor({ dataDir, args = [], cwd, env = {} }: StartChoices) {
    // As Electron is called from a checkout: its own name, the app, then what is meant for the app.
    this.process = fork(MAIN, [...args], {
      execArgv: ['--import', REGISTER],
      cwd: cwd ?? ROOT,
      env: {
        ...childEnvironment(),
        HOME: join(dataDir, '..'),
        STAND_IN_CHROMIUM: chromiumPath('light'),
        HANGAR_DATA_DIR: dataDir,
        ...env,
      },
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    })
    this.process.stderr?.on('data', (chunk) => (this.stderr += String(chunk)))
    let calls: RecordedCall[] = []
    this.process.on('message', (message) => {
      const reply = message as Reply | { exit: number; calls: RecordedCall[] }
      if ('exit' in reply) calls = reply.calls
      else this.#pending.get(reply.id)?.(reply)
    })
    this.exited = new Promise((done) => {
      this.process.once('exit', (code) => {
        for (const [id, settle] of this.#pending)
          settle({ id, ok: false, message: `it ended with ${code}: ${this.stderr}` })
        done({ code, calls })
      })
    })
  }

  async do<Name extends keyof Operations>(
    operation: Name,
    ...args: Parameters<Operations[Name]>
  ): Promise<Awaited<ReturnType<Operations[Name]>>> {
    this.#count += 1
    const id = this.#count
    const reply = new Promise<Reply>((settle) => this.#pending.set(id, settle))
    this.process.send({ id, operation, args })
    const settled = await reply
    this.#pending.delete(id)
    if (!settled.ok) throw new Error(`${operation}: ${settled.message}`)
    return settled.value as Awaited<ReturnType<Operations[Name]>>
  }

  /** The arguments of every recorded call of this name. */
  async calls(what: string): Promise<unknown[][]> {
    return (await this.do('calls')).filter((call) => call.what === what).map((call) => call.args)
  }

  /** Runs in the page. */
  async inPage<Value>(expression: string): Promise<Value> {
    return (await this.do('evaluate', expression)) as Value
  }

  /** A call of the page through its preload; throws when it is refused. */
  async call<Value>(channel: string, request: unknown): Promise<Value> {
    const expression = `window.hangar.calls[${JSON.stringify(channel)}](${JSON.stringify(request)})`
    const result = await this.inPage<{ ok: boolean; value?: Value; error?: { message: string } }>(expression)
    if (!result.ok) throw new Error(`${channel}: ${result.error?.message}`)
    return result.value as Value
  }

  /** Waits until the page is there. */
  async ready(): Promise<this> {
    await until('the page is there', async () => (await this.do('window')) !== null && (await this.isLoaded()))
    return this
  }

  async isLoaded(): Promise<boolean> {
    return this.inPage<boolean>("document.readyState === 'complete' && 'hangar' in window").catch(() => false)
  }

  async quit(): Promise<{ code: number | null; calls: RecordedCall[] }> {
    this.process.send({ id: 0, operation: 'quit', args: [] })
    return this.exited
  }

  async end(): Promise<void> {
    if (this.process.exitCode === null && this.process.signalCode === null) this.process.kill('SIGKILL')
    await this.exited
  }
}

/** A fresh place for data and pictures, and every program started in it; `close` leaves nothing behind. */
export class DesktopWorld {
  readonly dir: string
  readonly #started: Desktop[] = []

  private constructor(dir: string) {
    this.dir = dir
  }

  static async open(): Promise<DesktopWorld> {
    return new DesktopWorld(await realpath(await mkdtemp(join(tmpdir(), 'hangar-desktop-'))))
  }

  get dataDir(): string {
    return join(this.dir, 'data')
  }

  start(choices: Partial<StartChoices> = {}): Desktop {
    const desktop = new Desktop({ dataDir: this.dataDir, ...choices })
    this.#started.push(desktop)
    return desktop
  }

  async close(): Promise<void> {
    for (const desktop of this.#started) await desktop.end()
    await rm(this.dir, { recursive: true, force: true, maxRetries: 5 })
  }
}
