import process from 'node:process'
import { app } from './app.ts'
import { BrowserWindow } from './browser-window.ts'
import { ipcMain } from './ipc.ts'
import { recorded } from './record.ts'
import { standInSession } from './session.ts'
import { answers, Menu, nativeTheme, Notification, powerMonitor, Tray } from './system.ts'

/** What a test can do to the program from outside: play the person, the system and a hostile page. */
export const OPERATIONS = {
  calls: () => recorded,
  channels: () => ipcMain.channels(),
  window: () => {
    const [window] = BrowserWindow.getAllWindows()
    if (window === undefined) return null
    return { visible: window.isVisible(), bounds: window.getNormalBounds(), maximized: window.isMaximized() }
  },
  evaluate: (expression: string) => page().evaluate(expression),
  /** The files that have these paths, by name, as if they came from the system. */
  paths: (paths: Record<string, string>) => page().paths(paths),
  crash: () => page().crash(),
  close: () => only().close(),
  move: (bounds: Electron.Rectangle) => only().moveTo(bounds),
  emitWindow: (event: string, ...args: unknown[]) => only().emit(event, {}, ...args),
  emitApp: (event: string, ...args: unknown[]) => app.emit(event, { preventDefault: () => undefined }, ...args),
  emitPower: (event: string) => powerMonitor.emit(event, { preventDefault: () => undefined }),
  theme: () => ({ source: nativeTheme.themeSource }),
  quit: () => app.quit(),
  clickMenu: (...labels: string[]) => Menu.applicationMenu?.click(labels),
  clickTray: (label: string) => Tray.current?.menu?.click([label]),
  clickTrayIcon: () => Tray.current?.emit('click'),
  clickNotification: () => Notification.shown.at(-1)?.emit('click'),
  answer: (given: Partial<typeof answers>) => {
    Object.assign(answers, given)
  },
  proxy: (list: string) => {
    standInSession.proxy = list
  },
  permission: (name: string, origin: string) => standInSession.asks(name, origin),
  mayRequest: (url: string) => standInSession.allows(url),
  /** A right click in the page. */
  contextMenu: (params: Partial<Electron.ContextMenuParams>) => page().emit('context-menu', {}, params),
  /** A mistake somewhere in the main process. */
  blunder: () => {
    setImmediate(() => emptyHanded())
  },
  webview: () => {
    let prevented = false
    page().emit('will-attach-webview', { preventDefault: () => (prevented = true) }, {}, {})
    return prevented
  },
  /** A message to the main process from a frame of the test's choice. */
  invokeAs: (frame: { url: string; child?: boolean }, channel: string, ...args: unknown[]) =>
    ipcMain.invoked(page(), frameOf(frame), channel, args),
  sendAs: (frame: { url: string; child?: boolean }, channel: string, ...args: unknown[]) =>
    ipcMain.sent(page(), frameOf(frame), channel, args),
  fetch: async (url: string, method = 'GET') => {
    const response = await standInSession.serve(new Request(url, { method }))
    const bytes = Buffer.from(await response.arrayBuffer())
    return { status: response.status, headers: Object.fromEntries(response.headers), base64: bytes.toString('base64') }
  },
}

function only(): BrowserWindow {
  const [window] = BrowserWindow.getAllWindows()
  if (window === undefined) throw new Error('there is no window')
  return window
}

function emptyHanded(): never {
  throw new TypeError('a mistake of ours')
}

const page = () => only().webContents

function frameOf({ url, child }: { url: string; child?: boolean }) {
  const { mainFrame } = page()
  return child === true ? { url, frameTreeNodeId: 99, parent: mainFrame } : { ...mainFrame, url }
}

/** Answers the test over the channel of this process, if it was started with one. */
export function listenToTest(): void {
  if (process.send === undefined) return
  const send = process.send.bind(process)
  process.on('message', (message) => {
    const { id, operation, args } = message as { id: number; operation: keyof typeof OPERATIONS; args: unknown[] }
    const run = OPERATIONS[operation] as (...args: unknown[]) => unknown
    Promise.resolve()
      .then(() => run(...args))
      .then(
        (value) => send({ id, ok: true, value: value ?? null }),
        (error: unknown) => send({ id, ok: false, message: String(error) }),
      )
  })
  process.once('disconnect', () => app.exit(0))
}
