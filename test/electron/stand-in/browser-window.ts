import { EventEmitter } from 'node:events'
import type { BrowserWindow as Real, BrowserWindowConstructorOptions } from 'electron'
import { app } from './app.ts'
import { record } from './record.ts'
import { WebContents } from './web-contents.ts'

type Used =
  | ('loadURL' | 'show' | 'hide' | 'focus' | 'restore' | 'maximize' | 'isMaximized' | 'isMinimized' | 'isDestroyed')
  | ('isVisible' | 'close' | 'getNormalBounds' | 'setBackgroundColor' | 'setProgressBar')

const windows = new Set<BrowserWindow>()

/** Electron's window: its events and what it remembers are here, its page is real. */
export class BrowserWindow extends EventEmitter implements Pick<Real, Used> {
  readonly webContents: WebContents
  readonly options: BrowserWindowConstructorOptions
  #bounds: Electron.Rectangle
  #visible: boolean
  #maximized = false
  #minimized = false
  #destroyed = false

  static getAllWindows(): BrowserWindow[] {
    return [...windows]
  }

  constructor(options: BrowserWindowConstructorOptions = {}) {
    super()
    record('new BrowserWindow', options)
    this.options = options
    const { width = 800, height = 600, x = 0, y = 0, show = true } = options
    this.#bounds = { x, y, width, height }
    this.#visible = show
    this.webContents = new WebContents(options.webPreferences ?? {}, { width, height })
    windows.add(this)
    app.emit('web-contents-created', {}, this.webContents)
    app.emit('browser-window-created', {}, this)
  }

  async loadURL(url: string): Promise<void> {
    record('loadURL', url)
    await this.webContents.load(url)
    this.emit('ready-to-show')
  }

  show(): void {
    this.#visible = true
    record('window.show')
    this.emit('show')
  }

  hide(): void {
    this.#visible = false
    record('window.hide')
    this.emit('hide')
  }

  focus(): void {
    record('window.focus')
  }

  minimize(): void {
    this.#minimized = true
  }

  restore(): void {
    this.#minimized = false
    record('window.restore')
  }

  maximize(): void {
    this.#maximized = true
    this.emit('maximize')
  }

  isMaximized(): boolean {
    return this.#maximized
  }

  isMinimized(): boolean {
    return this.#minimized
  }

  isVisible(): boolean {
    return this.#visible
  }

  isDestroyed(): boolean {
    return this.#destroyed
  }

  getNormalBounds(): Electron.Rectangle {
    return { ...this.#bounds }
  }

  /** As a person does it. */
  moveTo(bounds: Electron.Rectangle): void {
    this.#bounds = bounds
    this.emit('move')
    this.emit('resize')
  }

  setBackgroundColor(color: string): void {
    record('window.setBackgroundColor', color)
  }

  setProgressBar(progress: number, options?: Electron.ProgressBarOptions): void {
    record('window.setProgressBar', progress, options)
  }

  close(): void {
    let prevented = false
    this.emit('close', { preventDefault: () => (prevented = true) })
    if (!prevented) this.destroy()
  }

  destroy(): void {
    if (this.#destroyed) return
    this.#destroyed = true
    windows.delete(this)
    this.webContents.destroy().catch((error: unknown) => console.error('a window was not destroyed', error))
    this.emit('closed')
    if (windows.size === 0) app.allWindowsClosed()
  }
}
