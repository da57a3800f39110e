import process from 'node:process'
import {
  BrowserWindow,
  nativeTheme,
  screen,
  Menu,
  type WebContents,
  type ContextMenuParams,
  type MenuItemConstructorOptions,
} from 'electron'
import type { Logger } from '../../shared/runtime/ports.ts'
import type { Texts } from '../page/texts.ts'
import { PAGE_URL, resourcePath } from './page-address.ts'
import { chooseBounds, leastSize, type WindowPlaceFile } from './window-bounds.ts'

/** The background colours of the page's two themes, so that nothing flashes before the page is drawn. */
const GROUND = { light: '#FBFBFA', dark: '#161616' }
const SAVE_AFTER_MS = 500
/** A loaded page is shown after this long, drawn or not. */
const UNDRAWN_MS = 2000
/** Of an error of the page in the log. */
const MAX_ERROR_CHARS = 2000

interface MainWindowDeps {
  preload: string
  placeFile: WindowPlaceFile
  log: Logger
  development: boolean
  /** Null while the app starts: the window closes when that is asked for, and nothing else is told. */
  owner: () => WindowOwner | null
}

/** Who decides what becomes of the window. */
export interface WindowOwner {
  texts(): Texts
  /** Closing was asked for. True: `carryOut` is called with what it does, a little later; false: the system closes it. */
  onClose(carryOut: (action: CloseAction) => void): boolean
  /** The window's page is gone or replaced: its connections are void. */
  onPageGone(): void
  /** The page's process died. */
  onCrash(window: BrowserWindow): void
  /** The system ends the session (Windows): little time is left. */
  onSessionEnd(): void
}

/** `hide`: into the tray; `minimize`: where no tray shows, while work goes on; `close`: it ends. */
export type CloseAction = 'hide' | 'minimize' | 'close'

export interface MainWindow {
  /** Brings the window to the front; makes one if there is none. `address`: the fragment of the page to go to. */
  show(address?: string | null): void
  current(): BrowserWindow | null
  page(): WebContents | null
}

/** The only window, created when it is first shown. */
export function createMainWindow(deps: MainWindowDeps): MainWindow {
  let window: BrowserWindow | null = null
  const current = (): BrowserWindow | null => (window === null || window.isDestroyed() ? null : window)
  return {
    current,
    page: () => current()?.webContents ?? null,
    show(address = null) {
      const open = current()
      if (open === null) {
        window = openWindow(deps, address ?? '')
        return
      }
      // A change of the fragment alone keeps the page, with what is typed in it; the same address would load it again.
      if (address !== null && open.webContents.getURL() !== PAGE_URL + address) load(open, deps, address)
      if (open.isMinimized()) open.restore()
      open.show()
      open.focus()
    },
  }
}

function openWindow(deps: MainWindowDeps, address: string): BrowserWindow {
  const left = deps.placeFile.read()
  if (left !== null) nativeTheme.themeSource = left.theme
  // Of a display that is gone, the one that is nearest.
  const { workArea } = left === null ? screen.getPrimaryDisplay() : screen.getDisplayMatching(left)
  const least = leastSize(workArea)
  const window = new BrowserWindow({
    ...chooseBounds(left, workArea),
    minWidth: least.width,
    minHeight: least.height,
    show: false,
    title: 'Hangar',
    autoHideMenuBar: true,
    icon: resourcePath('icons', 'icon.png'),
    backgroundColor: ground(),
    webPreferences: {
      preload: deps.preload,
      contextIsolation: true,
      sandbox: true,
      nodeIntegration: false,
      nodeIntegrationInWorker: false,
      nodeIntegrationInSubFrames: false,
      webSecurity: true,
      webviewTag: false,
      navigateOnDragDrop: false,
      devTools: deps.development,
      // Otherwise Chromium downloads dictionaries from the network, unasked.
      spellcheck: process.platform === 'darwin',
    },
  })
  let isShown = false
  const show = () => {
    if (isShown || window.isDestroyed()) return
    isShown = true
    if (left?.maximized === true) window.maximize()
    window.show()
    deps.log.info('the window is ready', { atMs: Date.now() })
  }
  window.once('ready-to-show', show)
  // Where the process that draws fails at the start, nothing tells of a first drawing.
  window.webContents.once('did-finish-load', () => setTimeout(show, UNDRAWN_MS))
  follow(window, deps)
  keepPlace(window, deps)
  setupContextMenu(window, () => deps.owner()?.texts() ?? null)
  load(window, deps, address)
  return window
}

function load(window: BrowserWindow, { log }: MainWindowDeps, address: string): void {
  window
    .loadURL(PAGE_URL + address)
    .catch((error: unknown) => log.error('the page did not load', { error: String(error) }))
}

const ground = (): string => (nativeTheme.shouldUseDarkColors ? GROUND.dark : GROUND.light)

function follow(window: BrowserWindow, deps: MainWindowDeps): void {
  const { webContents } = window
  const repaint = (): void => window.setBackgroundColor(ground())
  nativeTheme.on('updated', repaint)
  window.on('close', (event) => {
    if (deps.owner()?.onClose((action) => carryOut(window, action)) === true) event.preventDefault()
  })
  window.once('closed', () => {
    nativeTheme.off('updated', repaint)
    deps.owner()?.onPageGone()
  })
  window.on('session-end', () => deps.owner()?.onSessionEnd())
  // The buttons for Back and Forward of a mouse or a keyboard.
  window.on('app-command', (_event, command) => {
    if (command === 'browser-backward') webContents.navigationHistory.goBack()
    if (command === 'browser-forward') webContents.navigationHistory.goForward()
  })
  window.on('unresponsive', () => deps.log.warn('the window does not respond'))
  window.on('responsive', () => deps.log.info('the window responds again'))
  webContents.on('did-start-navigation', ({ isMainFrame, isSameDocument }) => {
    if (isMainFrame && !isSameDocument) deps.owner()?.onPageGone()
  })
  webContents.on('render-process-gone', (_event, { reason }) => {
    deps.owner()?.onPageGone()
    if (reason === 'clean-exit') return
    deps.log.error('the page ended unexpectedly', { reason })
    deps.owner()?.onCrash(window)
  })
  let lastError = ''
  webContents.on('console-message', ({ level, message }) => {
    if (level !== 'error' || message === lastError) return
    lastError = message
    deps.log.warn('the page reports an error', { error: message.slice(0, MAX_ERROR_CHARS) })
  })
  webContents.on('preload-error', (_event, _path, error) =>
    deps.log.error('the preload failed', { error: String(error) }),
  )
}

function carryOut(window: BrowserWindow, action: CloseAction): void {
  if (window.isDestroyed()) return
  if (action === 'hide') window.hide()
  else if (action === 'minimize') window.minimize()
  else window.destroy()
}

/** Stores the window's bounds shortly after the last change and when it closes. */
function keepPlace(window: BrowserWindow, { placeFile, log }: MainWindowDeps): void {
  let timer: NodeJS.Timeout | undefined
  const save = (): void => {
    clearTimeout(timer)
    try {
      const { themeSource: theme } = nativeTheme
      placeFile.write({ ...window.getNormalBounds(), maximized: window.isMaximized(), theme })
    } catch (error) {
      log.warn('where the window is could not be stored', { error: String(error) })
    }
  }
  const soon = (): void => {
    clearTimeout(timer)
    timer = setTimeout(save, SAVE_AFTER_MS)
  }
  for (const event of ['resize', 'move', 'maximize', 'unmaximize'] as const) window.on(event as 'resize', soon)
  // Quitting hides the window first, then closes it without asking.
  window.on('hide', save)
  window.on('close', save)
  window.once('closed', () => clearTimeout(timer))
}

/** The context menu: Electron has none of its own, and people expect to paste into text fields. */
function contextMenu(
  params: ContextMenuParams,
  { text }: Pick<Texts, 'text'>,
  replace: (word: string) => void,
): MenuItemConstructorOptions[] {
  const { isEditable, selectionText, dictionarySuggestions, editFlags } = params
  const copy: MenuItemConstructorOptions = { role: 'copy', label: text('common:copy'), enabled: editFlags.canCopy }
  if (!isEditable) return selectionText.trim() === '' ? [] : [copy]
  const words = dictionarySuggestions.map((word) => ({ label: word, click: () => replace(word) }))
  return [
    ...words,
    ...(words.length > 0 ? [{ type: 'separator' as const }] : []),
    { role: 'cut', label: text('menu.cut'), enabled: editFlags.canCut },
    copy,
    { role: 'paste', label: text('menu.paste'), enabled: editFlags.canPaste },
    { type: 'separator' },
    { role: 'selectAll', label: text('menu.selectAll'), enabled: editFlags.canSelectAll },
  ]
}

function setupContextMenu(window: BrowserWindow, texts: () => Texts | null): void {
  const { webContents } = window
  webContents.on('context-menu', (_event, params) => {
    const words = texts()
    if (words === null) return
    const template = contextMenu(params, words, (word) => webContents.replaceMisspelling(word))
    if (template.length > 0) Menu.buildFromTemplate(template).popup({ window })
  })
}
