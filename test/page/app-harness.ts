import { mkdir, mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Capability, DesktopShell } from '../../src/shared/runtime/ports.ts'
import type { PageCall, PageRequest, PageResponse } from '../../src/shared/contract/calls.ts'
import type { UiMessage, UiState } from '../../src/shared/contract/stream.ts'
import { builtChildren } from '../built-children.ts'
import { startApp, type App, type StartAppOptions } from '../../src/main/page/start-app.ts'
import { until } from '../until.ts'
import { englishText } from '../../src/shared/sentences/english-text.ts'

export const SAMPLES = join(import.meta.dirname, '..', '..', 'resources', 'samples')

/** A shell that can do everything and writes down what it was asked. */
export class RecordingShell implements DesktopShell {
  readonly capabilities: Set<Capability> = new Set<Capability>([
    'pickPaths',
    'browse',
    'reveal',
    'startDrag',
    'notify',
    'openExternal',
    'startAtLogin',
  ])
  fileManagers: DesktopShell['fileManagers'] = { list: async () => [], install: async () => [], remove: async () => [] }
  readonly asked: unknown[][] = []
  toPick: string[] = []

  async saveText(filename: string): Promise<string | null> {
    this.asked.push(['saveText', filename])
    return filename
  }
  async pickPaths(kind: string): Promise<string[]> {
    this.asked.push(['pickPaths', kind])
    return this.toPick
  }
  async reveal(path: string): Promise<void> {
    this.asked.push(['reveal', path])
  }
  startDrag(paths: readonly string[]): void {
    this.asked.push(['startDrag', ...paths])
  }
  notify({ title, body, address }: { title: string; body: string; address: string | null }): void {
    this.asked.push(['notify', title, body, address])
  }
  async openExternal(url: string): Promise<void> {
    this.asked.push(['openExternal', url])
  }
  async setStartAtLogin(enabled: boolean): Promise<void> {
    this.asked.push(['setStartAtLogin', enabled])
  }
}

/** The whole app below a shell: real engine, real practice service, real children, on folders of its own. */
export class AppWorld {
  readonly dir: string
  readonly shell = new RecordingShell()
  app!: App
  state: UiState | null = null
  readonly messages: UiMessage[] = []

  private constructor(dir: string) {
    this.dir = dir
  }

  static async open(options: Partial<StartAppOptions> = {}): Promise<AppWorld> {
    const world = new AppWorld(await realpath(await mkdtemp(join(tmpdir(), 'hangar-ui-'))))
    await mkdir(world.pictures)
    await world.start(options)
    return world
  }

  get dataDir(): string {
    return join(this.dir, 'data')
  }

  get pictures(): string {
    return join(this.dir, 'pictures')
  }

  async start(options: Partial<StartAppOptions> = {}): Promise<void> {
    this.app = await startApp({
      dataDir: this.dataDir,
      child: builtChildren,
      shell: this.shell,
      env: {},
      locale: 'en',
      samplesDir: SAMPLES,
      practiceOptions: { jobTime: { kind: 'fixed', ms: 30 }, requestsPerMinute: 10_000, credits: 1000, seed: 1 },
      ...options,
    })
    const connection = this.app.host.connect((message) => {
      this.messages.push(message)
      if (message.type === 'snapshot') this.state = message.state
      else this.state = { ...this.state!, ...(message.state as UiState) }
      queueMicrotask(() => connection.acknowledge(message.seq))
    })
  }

  /** The value of a call that must go well. */
  async ask<Name extends PageCall>(channel: Name, request: PageRequest<Name>): Promise<PageResponse<Name>> {
    const result = await this.app.host.call(channel, request)
    if (!result.ok) throw new Error(`${channel}: ${result.error.code} ${englishText(result.error.sentence)}`)
    return result.value as PageResponse<Name>
  }

  /** The code of a call that must fail. */
  async refusal<Name extends PageCall>(channel: Name, request: PageRequest<Name>): Promise<string> {
    const result = await this.app.host.call(channel, request)
    return result.ok ? 'it was done' : result.error.code
  }

  until(what: string, holds: () => boolean | Promise<boolean>): Promise<void> {
    return until(what, holds, { describe: () => JSON.stringify(this.state?.counts) })
  }

  async close(): Promise<void> {
    await this.app.stop(2000)
    await rm(this.dir, { recursive: true, force: true })
  }
}
