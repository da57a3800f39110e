import { EventEmitter } from 'node:events'
import type { Route } from 'playwright-core'
import type { NavigationHistory, WebContents as Real, WebPreferences } from 'electron'
import { toChromium, toElectron } from './addresses.ts'
import { openPage, PRELOAD_WORLD, type OpenPage } from './chromium.ts'
import { ipcMain, type FrameLike } from './ipc.ts'
import { record } from './record.ts'
import { standInSession } from './session.ts'

type Used = 'send' | 'isDestroyed' | 'getURL' | 'reload' | 'startDrag' | 'sendInputEvent' | 'setWindowOpenHandler'

/** Files whose path the system knows, by name: Chromium tells no page where a file lies. */
export const droppedPaths: Record<string, string> = {}

type Message =
  { kind: 'invoke'; id: number; channel: string; args: unknown[] } | { kind: 'send'; channel: string; args: unknown[] }

const isSameDocument = (one: string, other: string): boolean => one.split('#')[0] === other.split('#')[0]

/** Electron's web contents, over a real page of Chromium. */
export class WebContents extends EventEmitter implements Pick<Real, Used> {
  mainFrame: FrameLike = { url: '', frameTreeNodeId: 1, parent: null }
  readonly preferences: WebPreferences
  #size: { width: number; height: number }
  #open: OpenPage | null = null
  #contextId: number | null = null
  #openHandler: Parameters<Real['setWindowOpenHandler']>[0] = () => ({ action: 'allow' })
  #destroyed = false
  /** The next navigation of the main frame is the shell's own. */
  #own = false
  #url = ''

  constructor(preferences: WebPreferences, size: { width: number; height: number }) {
    super()
    this.preferences = preferences
    this.#size = size
  }

  isDestroyed(): boolean {
    return this.#destroyed
  }

  setWindowOpenHandler(handler: Parameters<Real['setWindowOpenHandler']>[0]): void {
    this.#openHandler = handler
  }

  send(channel: string, ...args: unknown[]): void {
    if (this.#destroyed) throw new Error('Object has been destroyed')
    this.#toPreload({ kind: 'message', channel, args })
  }

  startDrag(item: Parameters<Real['startDrag']>[0]): void {
    record('webContents.startDrag', { file: item.file, files: item.files })
  }

  sendInputEvent(event: Parameters<Real['sendInputEvent']>[0]): void {
    record('webContents.sendInputEvent', event)
    if (!('keyCode' in event) || event.type !== 'keyDown') return
    const modifier = event.modifiers?.includes('control') === true ? 'Control+' : ''
    this.#open?.page.keyboard.press(`${modifier}${event.keyCode}`).catch(() => undefined)
  }

  readonly navigationHistory = {
    goBack: (): void => this.#travel('back'),
    goForward: (): void => this.#travel('forward'),
  } satisfies Pick<NavigationHistory, 'goBack' | 'goForward'>

  #travel(way: 'back' | 'forward'): void {
    record(`navigationHistory.${way}`)
    this.evaluate(`history.${way}()`).catch((error: unknown) => record(`${way} failed`, String(error)))
  }

  getURL(): string {
    return this.#open === null ? '' : toElectron(this.#open.page.url())
  }

  reload(): void {
    record('webContents.reload')
    this.load(this.getURL() || this.#url, true).catch((error: unknown) => record('reload failed', String(error)))
  }

  /** Opens the page, or another one in its place. A change of the fragment alone keeps the page, unless it is to be loaded again. */
  async load(url: string, again = false): Promise<void> {
    const { hash } = new URL(url)
    if (!again && this.#open !== null && hash !== '' && isSameDocument(url, this.getURL())) {
      this.emit('did-start-navigation', { url, isMainFrame: true, isSameDocument: true })
      await this.evaluate(`void (location.hash = ${JSON.stringify(hash)})`)
      return
    }
    await this.#open?.context.close()
    this.#contextId = null
    this.#url = url
    this.#own = true
    const { preload } = this.preferences
    if (preload === undefined) throw new Error('no preload')
    const open = await openPage(preload, this.#size, (contextId, text) => this.#fromPreload(contextId, text))
    this.#open = open
    open.cdp.on('Runtime.executionContextCreated', ({ context }) => {
      const { frameId } = context.auxData as { frameId: string }
      if (context.name === PRELOAD_WORLD && frameId === open.frameId) {
        this.#contextId = context.id
        this.#toPreload({ kind: 'paths', paths: droppedPaths })
      }
    })
    open.page.on('crash', () => {
      this.emit('render-process-gone', {}, { reason: 'crashed', exitCode: 11 })
    })
    open.context.on('page', (page) => {
      const { action } = this.#openHandler({ url: toElectron(page.url()) } as never)
      record('window.open', action)
      page.close().catch(() => undefined)
    })
    open.page.on('console', (message) => record('console', message.type(), message.text()))
    open.page.on('pageerror', (error) => record('pageerror', String(error)))
    // A page that is closed meanwhile has no use for an answer.
    const refuse = (route: Route) => route.abort().catch(() => undefined)
    await open.context.route('**/*', (route) => this.#request(route).catch(() => refuse(route)))
    await open.page.goto(toChromium(url), { waitUntil: 'load' })
    this.emit('did-finish-load', {})
  }

  async evaluate(expression: string): Promise<unknown> {
    if (this.#open === null) throw new Error('no page')
    return this.#open.page.evaluate(expression)
  }

  /** Kills the page's process. */
  async crash(): Promise<void> {
    // It never answers: there is nobody left to do so.
    this.#open?.cdp.send('Page.crash').catch(() => undefined)
  }

  async destroy(): Promise<void> {
    this.#destroyed = true
    await this.#open?.context.close().catch(() => undefined)
  }

  paths(paths: Record<string, string>): void {
    Object.assign(droppedPaths, paths)
    this.#toPreload({ kind: 'paths', paths })
  }

  async #request(route: Route): Promise<void> {
    const request = route.request()
    const url = toElectron(request.url())
    if (request.isNavigationRequest() && !this.#mayNavigate(url, request.frame().parentFrame() === null))
      return route.abort('aborted')
    if (!(await standInSession.allows(url))) {
      record('request refused', url)
      return route.abort('aborted')
    }
    const response = await standInSession.serve(new Request(url, { method: request.method() }))
    const body = Buffer.from(await response.arrayBuffer())
    await route.fulfill({ status: response.status, headers: Object.fromEntries(response.headers), body })
  }

  /** The events of a navigation in Electron's order; the shell's own `loadURL` is asked about by nobody. */
  #mayNavigate(url: string, isMainFrame: boolean): boolean {
    const own = this.#own && isMainFrame
    this.#own = false
    let prevented = false
    const details = { url, isMainFrame, isSameDocument: false, preventDefault: () => (prevented = true) }
    if (!own) {
      this.emit('will-frame-navigate', details)
      if (isMainFrame) this.emit('will-navigate', details)
    }
    if (prevented) {
      record('navigation refused', url)
      return false
    }
    if (isMainFrame) {
      this.mainFrame = { ...this.mainFrame, url }
      this.#contextId = null
    }
    this.emit('did-start-navigation', details)
    return true
  }

  #fromPreload(contextId: number, text: string): void {
    if (contextId !== this.#contextId) return
    const message = JSON.parse(text) as Message
    record('ipc', message.channel, message.args)
    if (message.kind === 'send') return ipcMain.sent(this, this.mainFrame, message.channel, message.args)
    const answer = (outcome: object): void => this.#toPreload({ kind: 'answer', id: message.id, ...outcome })
    ipcMain.invoked(this, this.mainFrame, message.channel, message.args).then(
      (value) => answer({ ok: true, value }),
      (error: unknown) => answer({ ok: false, message: String(error) }),
    )
  }

  #toPreload(message: object): void {
    if (this.#contextId === null || this.#open === null) return
    const expression = `globalThis.standInFromMain(${JSON.stringify(message)})`
    const { cdp } = this.#open
    cdp.send('Runtime.evaluate', { expression, contextId: this.#contextId }).catch(() => undefined)
  }
}
