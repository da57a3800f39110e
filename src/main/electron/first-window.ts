import { join } from 'node:path'
import { app, session } from 'electron'
import { realClock } from '../engine/real-clock.ts'
import { openLog } from '../log/log.ts'
import { setupLockDown } from './lock-down.ts'
import { createMainWindow, type MainWindow, type WindowOwner } from './main-window.ts'
import { PAGE_SCHEME } from './page-address.ts'
import { addressOf, type StartOptions } from './start-options.ts'
import { windowPlaceFile } from './window-bounds.ts'
import type { Logger } from '../../shared/runtime/ports.ts'

/** What the window and its page ask of everything that is loaded after them. */
export interface Behind extends WindowOwner {
  serve(request: Request): Promise<Response>
  saveDialogTitle(): string
}

export interface FirstWindow {
  readonly log: SwitchableLog
  readonly window: MainWindow
  /** Until then the requests of the page wait. */
  serveFrom(behind: Behind): void
  mayShow(): void
  /** Resolves at once if the app starts hidden. */
  readonly shown: Promise<void>
}

/**
 * Opens the window, unless the app starts hidden, while the rest of Hangar is still being loaded: nothing that is
 * imported here may import that.
 */
export function openFirstWindow(options: StartOptions): FirstWindow {
  const log = switchableLog(openLog({ clock: realClock, target: { kind: 'stderr' }, level: 'warn' }))
  const development = !app.isPackaged
  let behind: Behind | null = null
  const arrival = Promise.withResolvers<Behind>()
  const allowed = Promise.withResolvers<void>()
  const shown = Promise.withResolvers<void>()
  setupLockDown({
    app,
    session: session.defaultSession,
    log,
    development,
    saveDialogTitle: () => behind?.saveDialogTitle() ?? '',
  })
  session.defaultSession.protocol.handle(PAGE_SCHEME, async (request) => (await arrival.promise).serve(request))
  const window = createMainWindow({
    log,
    development,
    preload: join(import.meta.dirname, '../preload/index.cjs'),
    placeFile: windowPlaceFile(options.dataDir),
    owner: () => behind,
    mayShow: allowed.promise,
    onShown: () => shown.resolve(),
  })
  const atLogin = process.platform === 'darwin' && app.getLoginItemSettings().wasOpenedAtLogin
  if (options.hidden || atLogin) shown.resolve()
  else window.show(addressOf(options))
  return {
    log,
    window,
    serveFrom: (given) => {
      behind = given
      arrival.resolve(given)
    },
    mayShow: () => allowed.resolve(),
    shown: shown.promise,
  }
}

/** A log for parts that exist before the real log is open. */
export interface SwitchableLog extends Logger {
  switchTo(log: Logger): void
}

function switchableLog(first: Logger): SwitchableLog {
  let log = first
  return {
    debug: (message, facts) => log.debug(message, facts),
    info: (message, facts) => log.info(message, facts),
    warn: (message, facts) => log.warn(message, facts),
    error: (message, facts) => log.error(message, facts),
    switchTo: (next) => {
      log = next
    },
  }
}
