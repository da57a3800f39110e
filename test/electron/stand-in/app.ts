import { EventEmitter } from 'node:events'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, watch, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import type { App } from 'electron'
import { closeChromium } from './chromium.ts'
import { record, recorded } from './record.ts'
import { readiness } from './session.ts'

type Used =
  | ('whenReady' | 'quit' | 'exit' | 'isPackaged' | 'getAppPath' | 'setName' | 'setPath' | 'getPath')
  | (
      | 'requestSingleInstanceLock'
      | 'getPreferredSystemLanguages'
      | 'setBadgeCount'
      | 'setLoginItemSettings'
      | 'setAppUserModelId'
    )
  | ('getLoginItemSettings' | 'isReady')

class StandInApp extends EventEmitter implements Pick<App, Used> {
  readonly isPackaged = process.env['STAND_IN_PACKAGED'] === '1'
  readonly #paths = new Map<string, string>()
  readonly #ready: Promise<void>
  #quitting = false
  #exiting = false
  /** Where what the windows do at the end is done; set by `electron.ts`. */
  closeWindows: () => void = () => undefined

  constructor() {
    super()
    // The entry module is evaluated first, as far as it goes without waiting.
    this.#ready = new Promise((resolve) =>
      setImmediate(() => {
        readiness.isReady = true
        this.emit('ready')
        resolve()
      }),
    )
    process.on('SIGTERM', () => this.quit())
  }

  whenReady(): Promise<void> {
    return this.#ready
  }

  isReady(): boolean {
    return readiness.isReady
  }

  quit(): void {
    record('app.quit')
    let prevented = false
    this.#quitting = true
    this.emit('before-quit', { preventDefault: () => (prevented = true) })
    if (prevented) {
      this.#quitting = false
      return
    }
    this.closeWindows()
    this.emit('will-quit', { preventDefault: () => undefined })
    this.exit(0)
  }

  exit(code = 0): void {
    if (this.#exiting) return
    this.#exiting = true
    record('app.exit', code)
    const end = () => {
      if (process.send === undefined) process.exit(code)
      process.send({ exit: code, calls: recorded }, undefined, undefined, () => process.exit(code))
    }
    closeChromium().then(end, end)
  }

  allWindowsClosed(): void {
    if (this.#exiting || this.#quitting) return
    // Without a listener Electron quits.
    if (!this.emit('window-all-closed')) this.quit()
  }

  getAppPath(): string {
    return join(import.meta.dirname, '../../..')
  }

  setAppUserModelId(id: string): void {
    record('app.setAppUserModelId', id)
  }

  setName(name: string): void {
    record('app.setName', name)
  }

  setPath(name: string, path: string): void {
    // A program that shares the data folder without sharing the lock, as the command line does.
    if (!existsSync(path)) throw new Error(`Failed to set '${name}' path`)
    const ownProfile = process.env['STAND_IN_OWN_PROFILE'] === '1'
    this.#paths.set(name, ownProfile ? `${path}-${process.pid}` : path)
  }

  getPath(name: string): string {
    const path = this.#paths.get(name)
    if (path === undefined) throw new Error(`no path for ${name}`)
    return path
  }

  getPreferredSystemLanguages(): string[] {
    return [process.env['STAND_IN_LANGUAGE'] ?? 'en-GB']
  }

  setBadgeCount(count = 0): boolean {
    record('app.setBadgeCount', count)
    return true
  }

  setLoginItemSettings(settings: Electron.Settings): void {
    record('app.setLoginItemSettings', settings)
  }

  getLoginItemSettings(): Electron.LoginItemSettings {
    return {
      openAtLogin: false,
      wasOpenedAtLogin: false,
      executableWillLaunchAtLogin: false,
      status: 'not-registered',
      launchItems: [],
    }
  }

  /** Between real processes: the first owns the profile's folder, later ones leave it a letter. */
  requestSingleInstanceLock(additionalData: Record<string, unknown> = {}): boolean {
    const profile = this.getPath('userData')
    const letters = join(profile, 'stand-in-letters')
    mkdirSync(letters, { recursive: true })
    const owner = join(profile, 'stand-in-owner')
    if (existsSync(owner) && isRunning(Number(readFileSync(owner, 'utf8')))) {
      const letter = { argv: process.argv, cwd: process.cwd(), additionalData }
      writeFileSync(join(letters, 'letter.part'), JSON.stringify(letter))
      renameSync(join(letters, 'letter.part'), join(letters, `${process.pid}.json`))
      return false
    }
    writeFileSync(owner, String(process.pid))
    watch(letters, { persistent: false }, () => this.#readLetters(letters))
    return true
  }

  #readLetters(folder: string): void {
    for (const name of readdirSync(folder).filter((entry) => entry.endsWith('.json'))) {
      const path = join(folder, name)
      const letter = JSON.parse(readFileSync(path, 'utf8')) as { argv: string[]; cwd: string; additionalData: unknown }
      rmSync(path)
      this.emit('second-instance', {}, letter.argv, letter.cwd, letter.additionalData)
    }
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

export const app = new StandInApp()
