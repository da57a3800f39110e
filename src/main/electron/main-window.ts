import process from 'node:process'
import { BrowserWindow, nativeTheme, screen, Menu } from 'electron'
import type { WebContents, ContextMenuParams, MenuItemConstructorOptions } from 'electron'
import type { Logger } from '../../shared/runtime/ports.ts'
import type { Texts } from '../page/texts.ts'
import { PAGE_URL, resourcePath } from './page-address.ts'
import { chooseBounds, minSize, type WindowPlaceFile } from './window-bounds.ts'

/** The background colours of the page's two themes, so that nothing flashes before the page is drawn. */
const BACKGROUND = { light: '#FBFBFA', dark: '#161616' }
const SAVE_AFTER_MS = 500
/** A loaded page is shown after this long, drawn or not. */
const UNDRAWN_MS = 2000
const MAX_ERROR_CHARS = 2000

interface MainWindowDeps {
  preload: string
  placeFile: WindowPlaceFile
  log: Logger
  development: boolean
  /** Null while the app starts: the window then closes when that is asked for. */
  owner: () => WindowOwner | null
}

export interface WindowOwner {
  texts(): Texts
  /** True: `carryOut` is called later with what closing does. False: the system closes the window. */
  onClose(carryOut: (action: CloseAction) => void): boolean
  onPageGone(): void
  onCrash(window: BrowserWindow): void
  /** The system ends the session (Windows): little time is left. */
  onSessionEnd(): void
}

/** `hide`: into the tray; `minimize`: where no tray shows, while work goes on; `close`: it ends. */
export type CloseAction = 'hide' | 'minimize' | 'close'

export interface MainWindow {
  /** Makes the window if there is none. `address`: the fragment of the page to go to. */
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
  // Later the settings are known.
  if (left !== null && deps.owner() === null) nativeTheme.themeSource = left.theme
  // If its display is gone, on the nearest one.
  const { workArea } = left === null ? screen.getPrimaryDisplay() : screen.getDisplayMatching(left)
  const min = minSize(workArea)
  const window = new BrowserWindow({
    ...chooseBounds(left, workArea),
    minWidth: min.width,
    minHeight: min.height,
    show: false,
    title: 'Hangar',
    autoHideMenuBar: true,
    icon: resourcePath('icons', 'icon.png'),
    backgroundColor: backgroundColor(),
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
  // If the process that draws fails at the start, there is no `ready-to-show`.
  window.webContents.once('did-finish-load', () => setTimeout(show, UNDRAWN_MS))
  handleEvents(window, deps)
  storePlace(window, deps)
  setupContextMenu(window, () => deps.owner()?.texts() ?? null)
  load(window, deps, address)
  return window
}

function load(window: BrowserWindow, { log }: MainWindowDeps, address: string): void {
  window
    .loadURL(PAGE_URL + address)
    .catch((error: unknown) => log.error('the page did not load', { error: String(error) }))
}

const backgroundColor = (): string => (nativeTheme.shouldUseDarkColors ? BACKGROUND.dark : BACKGROUND.light)

function handleEvents(window: BrowserWindow, deps: MainWindowDeps): void {
  const { webContents } = window
  const repaint = (): void => window.setBackgroundColor(backgroundColor())
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

function storePlace(window: BrowserWindow, { placeFile, log }: MainWindowDeps): void {
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
