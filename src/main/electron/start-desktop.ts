import process from 'node:process'
import { app, dialog, ipcMain, nativeTheme, session, shell as system } from 'electron'
import type { DesktopShell } from '../../shared/runtime/ports.ts'
import { fileManagers } from '../file-managers/file-managers.ts'
import { isAtFiles } from '../engine/end-process.ts'
import { realClock } from '../engine/real-clock.ts'
import { storedSettings } from '../engine/stored-settings.ts'
import { proxyFromEnvironment } from '../services/connections.ts'
import { externalLinks } from '../page/external-links.ts'
import { answerData } from '../page/page-data.ts'
import { orThrow } from '../../shared/contract/call.ts'
import type { App as RunningApp } from '../page/start-app.ts'
import { createTexts, type Texts } from '../page/texts.ts'
import type { UiHost } from '../page/ui-host.ts'
import { desktopChildren } from './desktop-children.ts'
import { setupAbout, licenceFile } from './menu-template.ts'
import { bindIpc, placesAt } from './ipc-binding.ts'
import { sayFailedStart, setupUnexpectedErrors, recoverPage } from './recover-page.ts'
import { setStartAtLogin } from './login-item.ts'
import type { Behind, FirstWindow, SwitchableLog } from './first-window.ts'
import type { CloseAction, MainWindow } from './main-window.ts'
import type { HandedOver } from './single-instance.ts'
import { electronShell } from './shell-port.ts'
import { setupQuit } from './quit.ts'
import { startCommand, addressOf, type StartOptions } from './start-options.ts'
import { resourcePath } from './page-address.ts'
import { setupStatusDisplay, showsTrayIcons, setupTray, type TrayIcon } from './status-display.ts'
import { isWorking } from './work-indicator.ts'
import { systemProxy } from './system-proxy.ts'

/** How long quitting waits for answers to dispatches; those that come later are polled after the next start. */
const QUIT_GRACE_MS = 8000

interface Desktop {
  readonly development: boolean
  readonly locale: string
  readonly log: SwitchableLog
  readonly window: MainWindow
  tray: TrayIcon | null
  showsTray: boolean
  running: RunningApp | null
  quit: { readonly isQuitting: boolean } | null
}

/** A failed start says why in a dialog and ends with status 1. */
export async function startDesktop(options: StartOptions, handedOver: HandedOver, first: FirstWindow): Promise<void> {
  const { log, window } = first
  const desktop: Desktop = {
    development: !app.isPackaged,
    locale: app.getPreferredSystemLanguages()[0] ?? 'en',
    log,
    window,
    tray: null,
    showsTray: false,
    running: null,
    quit: null,
  }
  const texts = () => desktop.running?.host.texts ?? createTexts(desktop.locale, 'system')
  setupUnexpectedErrors({ app, dialog, texts, log, isRunning: () => desktop.running !== null })
  setupAbout(app, texts())
  const up = Promise.withResolvers<RunningApp>()
  up.promise.catch(() => undefined)
  try {
    const stored = storedSettings(options.dataDir)
    nativeTheme.themeSource = stored.appearance.theme
    const shell = shellFor(desktop, texts, options.dataDir)
    const starting = startEngineFor(desktop, shell, options)
    const page = setupPage(desktop, shell, texts, up.promise)
    first.serveFrom(page.behind)
    const asked = showsTrayIcons()
    const running = await starting
    desktop.showsTray = await asked
    setupQuitting(desktop, running, page.disconnect)
    setupAround(desktop, shell, running, window)
    up.resolve(running)
    handedOver.start({
      take: (paths) => running.host.background.run('files_handed_over', () => offer(running, paths)),
      show: (wish) => window.show(addressOf(wish)),
      setPaused: (paused) => setPaused(running, paused),
    })
  } catch (error) {
    up.reject(error)
    log.error('the start failed', { error: String(error) })
    // Electron 33 crashed once when it ended with a visible window.
    const exit = (code: number) => {
      window.current()?.hide()
      app.exit(code)
    }
    await sayFailedStart({ app: { exit }, dialog, texts: texts() }, error)
  }
}

function shellFor(desktop: Desktop, texts: () => Texts, dataDir: string): DesktopShell {
  const { platform, env } = process
  return electronShell({
    log: desktop.log,
    texts,
    window: () => desktop.window.current(),
    show: (address) => desktop.window.show(address),
    hasTray: () => desktop.showsTray && desktop.tray?.present === true,
    setStartAtLogin: (enabled) => setStartAtLogin({ app, platform, env, dataDir }, enabled),
    fileManagers: fileManagers({ platform, home: app.getPath('home'), env }, startCommand(app, env, dataDir)),
  })
}

async function startEngineFor(
  desktop: Desktop,
  shell: DesktopShell,
  { dataDir, paused }: StartOptions,
): Promise<RunningApp> {
  const { log, locale } = desktop
  // The largest part of Hangar, and the page does not need it to begin.
  const { startApp } = await import('../page/start-app.ts')
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

function setupPage(
  desktop: Desktop,
  shell: DesktopShell,
  texts: () => Texts,
  up: Promise<RunningApp>,
): { behind: Behind; disconnect: () => void } {
  const { log, window } = desktop
  const host = up.then((running) => running.host)
  host.catch(() => undefined)
  const { disconnect } = bindIpc({ ipcMain, host, log, page: () => window.page() })
  const notify = notifyOnce(shell)
  app.on('activate', () => window.show())
  app.on('window-all-closed', () => {
    // Once it can end in order: the window may be closed before the engine has started.
    if (process.platform !== 'darwin') host.then(() => app.quit()).catch(() => undefined)
  })
  const behind: Behind = {
    data: async (pathname) => answerData(await host, pathname),
    saveDialogTitle: () => texts().text('dialog.save'),
    texts,
    onClose: (carryOut) => {
      const { running, quit } = desktop
      if (running === null || quit === null || quit.isQuitting) return false
      if (!running.host.settings().keepInTray) return false
      running.host.background.run('page_call', async () => carryOut(await closeAction(desktop, running, notify)))
      return true
    },
    onPageGone: disconnect,
    onCrash: recoverPage({
      app,
      dialog,
      background: () => desktop.running?.host.background ?? null,
      texts,
      nowMs: () => realClock.monotonicMs(),
    }),
    onSessionEnd: () => app.quit(),
  }
  return { behind, disconnect }
}

function setupQuitting(desktop: Desktop, running: RunningApp, disconnect: () => void): void {
  desktop.quit = setupQuit({
    app,
    log: desktop.log,
    clock: realClock,
    graceMs: QUIT_GRACE_MS,
    stop: (graceMs) => running.stop(graceMs),
    onQuit: () => {
      disconnect()
      desktop.window.current()?.hide()
      desktop.tray?.stopping()
    },
    isAtFiles,
    kill: () => process.kill(process.pid, 'SIGKILL'),
  })
}

/** A panel with a tray may have come or gone since the start, so the desktop is asked each time. */
async function closeAction(
  desktop: Desktop,
  { host }: RunningApp,
  onHide: (host: UiHost) => void,
): Promise<CloseAction> {
  desktop.showsTray = desktop.tray?.present === true && (await showsTrayIcons())
  if (!desktop.showsTray) return isWorking(host.status()) ? 'minimize' : 'close'
  onHide(host)
  return 'hide'
}

/** Says once where Hangar went and how to get it back. */
function notifyOnce(shell: DesktopShell): (host: UiHost) => void {
  let isNotified = false
  return (host) => {
    if (isNotified || !shell.capabilities.has('notify')) return
    isNotified = true
    const { text } = host.texts
    const title = isWorking(host.status()) ? 'title' : 'titleIdle'
    shell.notify({ title: text(`notice.stillRunning.${title}`), body: text('notice.stillRunning.body'), address: null })
  }
}

async function offer({ host }: RunningApp, paths: readonly string[]): Promise<void> {
  const { places, missing } = await placesAt(host.places, paths)
  host.offer(places, missing)
}

function setPaused({ host, engine }: RunningApp, paused: boolean): void {
  host.background.run('page_call', () => orThrow(engine.call(paused ? 'queue.pause' : 'queue.resume', {})))
}

function setupAround(desktop: Desktop, shell: DesktopShell, running: RunningApp, window: MainWindow): void {
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
  setupStatusDisplay({
    running,
    tray,
    log,
    window: () => window.current(),
    menu: {
      platform,
      development,
      setPaused: pause,
      texts: host.texts,
      links: externalLinks(),
      page: () => window.page(),
      open: (kind) => host.background.run('files_handed_over', () => open(kind)),
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
