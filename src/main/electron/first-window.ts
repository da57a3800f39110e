import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { app, ipcMain, session, type IpcMainEvent } from 'electron'
import { realClock } from '../engine/real-clock.ts'
import { openLog } from '../log/log.ts'
import { setupLockDown } from './lock-down.ts'
import { createMainWindow, type MainWindow, type WindowOwner } from './main-window.ts'
import { PAGE_SCHEME } from './page-address.ts'
import { createPageServer, listPageFiles } from './page-server.ts'
import { addressOf, type StartOptions } from './start-options.ts'
import { windowPlaceFile } from './window-bounds.ts'
import { LISTEN_CHANNEL } from '../../shared/contract/ipc-channels.ts'
import type { Logger } from '../../shared/runtime/ports.ts'

const MAX_WAIT_FOR_WINDOW_MS = 1000

/** What the window and its page ask of everything that is loaded after them. */
export interface Behind extends WindowOwner {
  /** What the page asks its own origin for, besides its files; null for what there is not. */
  data(pathname: string): Promise<Response | null>
  saveDialogTitle(): string
}

export interface FirstWindow {
  readonly log: SwitchableLog
  readonly window: MainWindow
  /** Also resolves without a window, and where it is not shown soon. */
  readonly shown: Promise<unknown>
  /** Until then the page gets its files alone. To be called once messages of the page are answered. */
  serveFrom(behind: Behind): void
}

/**
 * Opens the window with its frame, unless the app starts hidden, before the rest of Hangar is loaded: nothing that is imported
 * here may import that.
 */
export function openFirstWindow(options: StartOptions): FirstWindow {
  const log = switchableLog(openLog({ clock: realClock, target: { kind: 'stderr' }, level: 'warn' }))
  const development = !app.isPackaged
  let behind: Behind | null = null
  const arrival = Promise.withResolvers<Behind>()
  setupLockDown({
    app,
    session: session.defaultSession,
    log,
    development,
    saveDialogTitle: () => behind?.saveDialogTitle() ?? '',
  })
  const serve = createPageServer({
    files: listPageFiles(join(import.meta.dirname, '../renderer')),
    data: async (pathname) => (await arrival.promise).data(pathname),
  })
  session.defaultSession.protocol.handle(PAGE_SCHEME, serve)
  const window = createMainWindow({
    log,
    development,
    preload: join(import.meta.dirname, '../preload/index.cjs'),
    placeFile: windowPlaceFile(options.dataDir),
    owner: () => behind,
  })
  // The page may start listening before `bindIpc` has registered its handler.
  const early: IpcMainEvent[] = []
  const keep = (event: IpcMainEvent) => early.push(event)
  ipcMain.on(LISTEN_CHANNEL, keep)
  const atLogin = process.platform === 'darwin' && app.getLoginItemSettings().wasOpenedAtLogin
  if (!options.hidden && !atLogin) window.show(addressOf(options))
  const opened = window.current()
  return {
    log,
    window,
    // The page gets its files from this thread, which loading the engine would keep busy.
    shown: opened === null ? Promise.resolve() : Promise.race([once(opened, 'show'), delay(MAX_WAIT_FOR_WINDOW_MS)]),
    serveFrom: (given) => {
      behind = given
      arrival.resolve(given)
      ipcMain.off(LISTEN_CHANNEL, keep)
      for (const event of early) ipcMain.emit(LISTEN_CHANNEL, event, true)
    },
  }
}

/** Warnings go to stderr until the real log is open, which also gets the earlier lines of level info. */
export interface SwitchableLog extends Logger {
  switchTo(log: Logger): void
}

function switchableLog(first: Logger): SwitchableLog {
  let log = first
  const early: (() => void)[] = []
  return {
    debug: (message, facts) => log.debug(message, facts),
    info: (message, facts) => {
      if (log === first) early.push(() => log.info(message, facts))
      else log.info(message, facts)
    },
    warn: (message, facts) => log.warn(message, facts),
    error: (message, facts) => log.error(message, facts),
    switchTo: (next) => {
      log = next
      for (const say of early.splice(0)) say()
    },
  }
}
