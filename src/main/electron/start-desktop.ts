import { join } from 'node:path'
import process from 'node:process'
import { app, dialog, ipcMain, session, shell as system } from 'electron'
import type { ShellPort } from '../../shared/runtime/ports.ts'
import { fileManagers } from '../file-managers/file-managers.ts'
import { openLog } from '../log/log.ts'
import { realClock } from '../engine/real-clock.ts'
import { proxyFromEnvironment } from '../services/connections.ts'
import { externalLinks } from '../page/external-links.ts'
import { orThrow } from '../engine/ask-engine.ts'
import { startApp, type App as RunningApp } from '../page/start-app.ts'
import { createTexts, type Texts } from '../page/texts.ts'
import { desktopChildren } from './desktop-children.ts'
import { setupAbout } from './about.ts'
import { bindIpc } from './ipc-binding.ts'
import { sayFailedStart } from './failed-start.ts'
import { setupLockDown } from './lock-down.ts'
import { setStartAtLogin, startCommand } from './login-item.ts'
import { createMainWindow, type CloseAction, type MainWindow } from './main-window.ts'
import { listPageFiles } from './page-files.ts'
import { setupPageProtocol } from './page-protocol.ts'
import { createPageServer } from './page-server.ts'
import { licenceFile } from './licences.ts'
import { pickerFolderFile } from './picker-folders.ts'
import { placesAt } from './places-at.ts'
import { setupQuit } from './quit.ts'
import { recentFolders } from './recent-folders.ts'
import { recoverPage } from './recover-page.ts'
import { resourcePath } from './resource-path.ts'
import { electronShell } from './shell-port.ts'
import type { HandedOver } from './single-instance.ts'
import { addressOf, type StartOptions } from './start-options.ts'
import { setupStatusDisplay } from './status-display.ts'
import { switchableLog, type SwitchableLog } from './switchable-log.ts'
import { systemProxy } from './system-proxy.ts'
import { showsTrayIcons } from './tray-host.ts'
import { setupTray, type TrayIcon } from './tray.ts'
import { setupUnexpectedErrors } from './unexpected-errors.ts'
import { windowPlaceFile } from './window-place-file.ts'
import { isWorking } from './work-indicator.ts'

/** How long quitting waits for answers to dispatches; those that come later are polled after the next start. */
const QUIT_GRACE_MS = 8000

/** What the parts need of one another, and what is created one after the other. */
interface Desktop {
  readonly development: boolean
  readonly locale: string
  readonly log: SwitchableLog
  window: MainWindow | null
  tray: TrayIcon | null
  /** Whether the desktop showed tray icons when it was last asked. */
  showsTray: boolean
  running: RunningApp | null
}

/** Everything after `ready`, in order. A failed start says why in a dialog and ends with status 1. */
export async function startDesktop(options: StartOptions, handedOver: HandedOver): Promise<void> {
  const desktop: Desktop = {
    development: !app.isPackaged,
    locale: app.getPreferredSystemLanguages()[0] ?? 'en',
    log: switchableLog(openLog({ clock: realClock, target: { kind: 'stderr' }, level: 'warn' })),
    window: null,
    tray: null,
    showsTray: false,
    running: null,
  }
  const texts = () => desktop.running?.host.texts ?? createTexts(desktop.locale, 'system')
  setupUnexpectedErrors({ app, dialog, texts, log: desktop.log, isRunning: () => desktop.running !== null })
  setupAbout(app, texts())
  try {
    const asked = showsTrayIcons()
    setupLockDown({
      app,
      session: session.defaultSession,
      log: desktop.log,
      development: desktop.development,
      tileOrigin: () => desktop.running?.host.tileOrigin() ?? null,
      saveTitle: () => texts().text('dialog.save'),
    })
    const shell = shellFor(desktop, texts, options)
    const running = await startEngineFor(desktop, shell, options)
    desktop.showsTray = await asked
    const window = setupWindow(desktop, shell, running, options)
    setupAround(desktop, shell, running, window)
    const atLogin = process.platform === 'darwin' && app.getLoginItemSettings().wasOpenedAtLogin
    if (!options.hidden && !atLogin) window.show(addressOf(options))
    handedOver.start({
      take: (paths) => running.host.background.run('files_handed_over', () => offer(running, paths)),
      show: (wish) => window.show(addressOf(wish)),
      setPaused: (paused) => setPaused(running, paused),
    })
  } catch (error) {
    desktop.log.error('the start failed', { error: String(error) })
    await sayFailedStart({ app, dialog, texts: texts() }, error)
  }
}

function shellFor(desktop: Desktop, texts: () => Texts, { dataDir }: StartOptions): ShellPort {
  return electronShell({
    log: desktop.log,
    texts,
    window: () => desktop.window?.current() ?? null,
    show: (address) => desktop.window?.show(address),
    hasTray: () => desktop.showsTray && desktop.tray?.present === true,
    setStartAtLogin: (enabled) => setStartAtLogin({ app, platform: process.platform, env: process.env }, enabled),
    pickerFolders: pickerFolderFile(dataDir, desktop.log),
    fileManagers: fileManagers(
      { platform: process.platform, home: app.getPath('home'), env: process.env },
      startCommand(app, process.env),
    ),
    recent: recentFolders({ dataDir, log: desktop.log, system: app, platform: process.platform }),
  })
}

async function startEngineFor(
  desktop: Desktop,
  shell: ShellPort,
  { dataDir, paused }: StartOptions,
): Promise<RunningApp> {
  const { log, locale } = desktop
  const running = await startApp({
    dataDir,
    locale,
    shell,
    env: process.env,
    child: desktopChildren(log),
    proxy: systemProxy(session.defaultSession, proxyFromEnvironment(process.env)),
    samplesDir: resourcePath('samples'),
    ...(paused === null ? {} : { paused }),
  })
  desktop.running = running
  log.switchTo(running.log)
  for (const warning of running.warnings) log.warn(warning)
  return running
}

/** The page, its server and its calls, and quitting, which the window has to know about. */
function setupWindow(desktop: Desktop, shell: ShellPort, running: RunningApp, { dataDir }: StartOptions): MainWindow {
  const { log, development } = desktop
  const { host, engine } = running
  const files = listPageFiles(join(import.meta.dirname, '../renderer'))
  setupPageProtocol(session.defaultSession, createPageServer({ files, host }))
  const ipc = bindIpc({ ipcMain, host, log, page: () => desktop.window?.page() ?? null })
  const quit = setupQuit({
    app,
    log,
    clock: realClock,
    graceMs: QUIT_GRACE_MS,
    stop: (graceMs) => running.stop(graceMs),
    onQuit: () => {
      ipc.disconnect()
      desktop.window?.current()?.hide()
      desktop.tray?.stopping()
    },
  })
  const notify = notifyOnce(shell, running)
  const window = createMainWindow({
    log,
    development,
    texts: host.texts,
    preload: join(import.meta.dirname, '../preload/index.cjs'),
    placeFile: windowPlaceFile(dataDir),
    onClose: (carryOut) => {
      if (quit.isQuitting || !engine.snapshot().settings.keepInTray) return false
      host.background.run('page_call', async () => carryOut(await closeAction(desktop, running, notify)))
      return true
    },
    onPageGone: () => ipc.disconnect(),
    onCrash: recoverPage({
      app,
      dialog,
      background: host.background,
      texts: () => host.texts,
      nowMs: () => realClock.monotonicMs(),
    }),
    onSessionEnd: () => app.quit(),
  })
  desktop.window = window
  app.on('activate', () => window.show())
  app.on('window-all-closed', () => {
    if (process.platform !== 'darwin') app.quit()
  })
  return window
}

/** A panel with a tray may have come or gone since the start, so the desktop is asked each time. */
async function closeAction(desktop: Desktop, { host }: RunningApp, onHide: () => void): Promise<CloseAction> {
  desktop.showsTray = desktop.tray?.present === true && (await showsTrayIcons())
  if (!desktop.showsTray) return isWorking(host.status()) ? 'minimize' : 'close'
  onHide()
  return 'hide'
}

/** The first time, say where Hangar went and how to get it back. */
function notifyOnce(shell: ShellPort, { host }: RunningApp): () => void {
  let isNotified = false
  return () => {
    if (isNotified || !shell.capabilities.has('notify')) return
    isNotified = true
    const { text } = host.texts
    const title = isWorking(host.status()) ? 'title' : 'titleIdle'
    shell.notify({ title: text(`notice.stillRunning.${title}`), body: text('notice.stillRunning.body'), address: null })
  }
}

/** Asks the page what to do with files that the system or a person handed over. */
async function offer({ host }: RunningApp, paths: readonly string[]): Promise<void> {
  const { places, missing } = await placesAt(host.places, paths)
  host.offer(places, missing)
}

function setPaused({ host, engine }: RunningApp, paused: boolean): void {
  host.background.run('page_call', () => orThrow(engine.ask.queue[paused ? 'pause' : 'resume']()))
}

/** What surrounds the window: tray, menu, taskbar, power. */
function setupAround(desktop: Desktop, shell: ShellPort, running: RunningApp, window: MainWindow): void {
  const { log, development } = desktop
  const { host } = running
  const { platform } = process
  const pause = (paused: boolean): void => setPaused(running, paused)
  const show = (): void => window.show()
  const tray = setupTray({ platform, log, texts: host.texts, setPaused: pause, show, quit: () => app.quit() })
  desktop.tray = tray
  const open = async (kind: 'files' | 'folder'): Promise<void> => {
    show()
    await offer(running, await shell.pickPaths(kind))
  }
  const openRecent = async (folder: string): Promise<void> => {
    show()
    const { places, missing } = await placesAt(host.places, [folder])
    if (missing.length > 0) shell.recent?.forget(folder)
    host.offer(places, missing)
  }
  setupStatusDisplay({
    running,
    tray,
    log,
    window: () => window.current(),
    recent: shell.recent,
    menu: {
      platform,
      development,
      setPaused: pause,
      texts: host.texts,
      links: externalLinks(),
      page: () => window.page(),
      open: (kind) => host.background.run('files_handed_over', () => open(kind)),
      recent: () => shell.recent?.list() ?? [],
      openRecent: (folder) => host.background.run('files_handed_over', () => openRecent(folder)),
      clearRecent: () => shell.recent?.clear(),
      openLink: (url) => host.background.run('link_open', () => shell.openExternal(url)),
      openLicences: () => host.background.run('link_open', openLicences),
      pressInPage: (key) => {
        show()
        const modifiers: 'meta'[] | 'control'[] = platform === 'darwin' ? ['meta'] : ['control']
        window.page()?.sendInputEvent({ type: 'keyDown', keyCode: key, modifiers })
        window.page()?.sendInputEvent({ type: 'keyUp', keyCode: key, modifiers })
      },
    },
  })
}

/** Opens them with what the system has for texts; says where they are when it has nothing. */
async function openLicences(): Promise<void> {
  const path = licenceFile(app.getPath('userData'))
  const problem = await system.openPath(path)
  if (problem !== '') system.showItemInFolder(path)
}
