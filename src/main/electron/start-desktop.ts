import { join } from 'node:path'
import process from 'node:process'
import { app, dialog, ipcMain, session } from 'electron'
import { toAppError } from '../../shared/sentences/errors.ts'
import type { ShellPort } from '../../shared/runtime/ports.ts'
import { openLog } from '../log/log.ts'
import { realClock } from '../engine/real-clock.ts'
import { proxyFromEnvironment } from '../services/connections.ts'
import { externalLinks } from '../page/external-links.ts'
import { orThrow } from '../engine/ask-engine.ts'
import { startApp, type App as RunningApp } from '../page/start-app.ts'
import { createTexts, type Texts } from '../page/texts.ts'
import { bindIpc } from './ipc-binding.ts'
import { setupLockDown } from './lock-down.ts'
import { setStartAtLogin } from './login-item.ts'
import { createMainWindow, type MainWindow } from './main-window.ts'
import { listPageFiles } from './page-files.ts'
import { setupPageProtocol } from './page-protocol.ts'
import { createPageServer } from './page-server.ts'
import { placesAt } from './places-at.ts'
import { setupQuit } from './quit.ts'
import { recoverPage } from './recover-page.ts'
import { resourcePath } from './resource-path.ts'
import { electronShell } from './shell-port.ts'
import type { HandedOver } from './single-instance.ts'
import type { StartOptions } from './start-options.ts'
import { setupStatusDisplay } from './status-display.ts'
import { switchableLog, type SwitchableLog } from './switchable-log.ts'
import { systemProxy } from './system-proxy.ts'
import { setupTray, type TrayIcon } from './tray.ts'
import { setupUnexpectedErrors } from './unexpected-errors.ts'
import { utilityChildren } from './utility-child.ts'
import { windowPlaceFile } from './window-place-file.ts'

/** How long quitting waits for answers to dispatches; those that come later are polled after the next start. */
const QUIT_GRACE_MS = 8000

/** What the parts need of one another, and what is created one after the other. */
interface Desktop {
  readonly development: boolean
  readonly locale: string
  readonly log: SwitchableLog
  window: MainWindow | null
  tray: TrayIcon | null
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
    running: null,
  }
  const texts = () => desktop.running?.host.texts ?? createTexts(desktop.locale, 'system')
  setupUnexpectedErrors({ app, dialog, texts, log: desktop.log, isRunning: () => desktop.running !== null })
  try {
    setupLockDown({
      app,
      session: session.defaultSession,
      log: desktop.log,
      development: desktop.development,
      tileOrigin: () => desktop.running?.host.tileOrigin() ?? null,
    })
    const shell = shellFor(desktop, texts)
    const running = await startEngineFor(desktop, shell, options)
    const window = setupWindow(desktop, shell, running, options)
    setupAround(desktop, shell, running, window)
    const atLogin = process.platform === 'darwin' && app.getLoginItemSettings().wasOpenedAtLogin
    if (!options.hidden && !atLogin) window.show()
    handedOver.start(
      (paths) => running.host.background.run('files_handed_over', () => offer(running, paths)),
      () => window.show(),
    )
  } catch (error) {
    desktop.log.error('the start failed', { error: String(error) })
    dialog.showErrorBox(texts().text('dialog.cannotStart'), texts().sentence(toAppError(error).sentence))
    app.exit(1)
  }
}

function shellFor(desktop: Desktop, texts: () => Texts): ShellPort {
  return electronShell({
    log: desktop.log,
    texts,
    window: () => desktop.window?.current() ?? null,
    show: (address) => desktop.window?.show(address),
    hasTray: () => desktop.tray?.present ?? false,
    setStartAtLogin: (enabled) => setStartAtLogin({ app, platform: process.platform, env: process.env }, enabled),
  })
}

async function startEngineFor(desktop: Desktop, shell: ShellPort, { dataDir }: StartOptions): Promise<RunningApp> {
  const { log, locale } = desktop
  const running = await startApp({
    dataDir,
    locale,
    shell,
    env: process.env,
    child: utilityChildren(log),
    proxy: systemProxy(session.defaultSession, proxyFromEnvironment(process.env)),
    samplesDir: resourcePath('samples'),
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
  const window = createMainWindow({
    log,
    development,
    texts: host.texts,
    preload: join(import.meta.dirname, '../preload/index.cjs'),
    placeFile: windowPlaceFile(dataDir),
    hidesOnClose: () => !quit.isQuitting && desktop.tray?.present === true && engine.snapshot().settings.keepInTray,
    onHiddenByClose: notifyOnce(shell, running),
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

/** Some desktops show no tray although there is one: the first time, say where Hangar went and how to get it back. */
function notifyOnce(shell: ShellPort, { host }: RunningApp): () => void {
  let isNotified = false
  return () => {
    if (isNotified || !shell.capabilities.has('notify')) return
    isNotified = true
    const { text } = host.texts
    shell.notify({ title: text('notice.stillRunning.title'), body: text('notice.stillRunning.body'), address: null })
  }
}

/** Asks the page what to do with files that the system or a person handed over. */
async function offer({ host }: RunningApp, paths: readonly string[]): Promise<void> {
  const places = await placesAt(host.places, paths)
  if (places.length > 0) host.offer(places)
}

/** What surrounds the window: tray, menu, taskbar, power. */
function setupAround(desktop: Desktop, shell: ShellPort, running: RunningApp, window: MainWindow): void {
  const { log, development } = desktop
  const { host, engine } = running
  const { platform } = process
  const setPaused = (paused: boolean): void =>
    host.background.run('page_call', () => orThrow(engine.ask.queue[paused ? 'pause' : 'resume']()))
  const show = (): void => window.show()
  const tray = setupTray({ platform, log, texts: host.texts, setPaused, show, quit: () => app.quit() })
  desktop.tray = tray
  const open = async (kind: 'files' | 'folder'): Promise<void> => {
    show()
    await offer(running, await shell.pickPaths(kind))
  }
  setupStatusDisplay({
    running,
    tray,
    log,
    window: () => window.current(),
    menu: {
      platform,
      development,
      setPaused,
      texts: host.texts,
      links: externalLinks(),
      page: () => window.page(),
      open: (kind) => host.background.run('files_handed_over', () => open(kind)),
      openLink: (url) => host.background.run('link_open', () => shell.openExternal(url)),
      pressInPage: (key) => {
        show()
        const modifiers: 'meta'[] | 'control'[] = platform === 'darwin' ? ['meta'] : ['control']
        window.page()?.sendInputEvent({ type: 'keyDown', keyCode: key, modifiers })
        window.page()?.sendInputEvent({ type: 'keyUp', keyCode: key, modifiers })
      },
    },
  })
}
