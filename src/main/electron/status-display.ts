import process from 'node:process'
import { app, Menu, nativeTheme, powerMonitor, powerSaveBlocker, nativeImage, Tray } from 'electron'
import type { BrowserWindow, MenuItemConstructorOptions } from 'electron'
import type { Logger } from '../../shared/runtime/ports.ts'
import type { Settings } from '../../shared/settings/settings.ts'
import type { App as RunningApp } from '../page/start-app.ts'
import type { HostStatus } from '../page/ui-host.ts'
import { setupAbout, menuTemplate, type MenuDeps } from './menu-template.ts'
import type { Texts } from '../page/texts.ts'
import { resourcePath } from './page-address.ts'
import { busFlag } from '../children/session-bus.ts'
import { createWorkIndicator, isWorking, statusLine, setupPower } from './work-indicator.ts'

interface StatusDisplayDeps {
  running: RunningApp
  tray: TrayIcon
  menu: MenuDeps
  window: () => BrowserWindow | null
  log: Logger
}

/** Keeps menu, tray, taskbar, theme and power management in step with the engine's state and the settings. */
export function setupStatusDisplay({ running, tray, menu, window, log }: StatusDisplayDeps): void {
  const { host, engine } = running
  const indicate = createWorkIndicator({ app, window })
  const power = setupPower({
    powerMonitor,
    powerSaveBlocker,
    log,
    onResume: () => engine.resumed(),
    onShutdown: () => app.quit(),
  })
  let menuShown = ''
  const show = (status: HostStatus): void => {
    tray.update(status)
    indicate(status)
    power.setWorking(isWorking(status))
    const key = JSON.stringify([status.paused, host.texts.language])
    if (key === menuShown) return
    menuShown = key
    Menu.setApplicationMenu(Menu.buildFromTemplate(menuTemplate(menu, status.paused)))
    setupAbout(app, host.texts)
  }
  const follow = ({ appearance }: Settings): void => {
    if (nativeTheme.themeSource !== appearance.theme) nativeTheme.themeSource = appearance.theme
  }
  follow(engine.snapshot().settings)
  engine.subscribe((event) => {
    if (event.type === 'settings') follow(event.settings)
  })
  host.onStatus(show)
  show(host.status())
}

interface TrayDeps {
  platform: NodeJS.Platform
  log: Logger
  texts: Texts
  show: () => void
  setPaused: (paused: boolean) => void
  quit: () => void
}

export interface TrayIcon {
  readonly present: boolean
  update(status: HostStatus): void
  /** Says that Hangar is quitting; nothing can be chosen any more. */
  stopping(): void
}

/** Does nothing where the desktop has no tray. */
export function setupTray({ platform, log, texts, show, setPaused, quit }: TrayDeps): TrayIcon {
  const tray = makeTray(platform, log)
  if (tray === null) return { present: false, update: () => undefined, stopping: () => undefined }
  // On macOS a click opens the menu.
  if (platform !== 'darwin') tray.on('click', show)
  let shown = ''
  return {
    present: true,
    update(status) {
      const line = statusLine(texts, status)
      const key = JSON.stringify([line, status.paused, texts.language])
      if (key === shown) return
      shown = key
      const template: MenuItemConstructorOptions[] = [
        { label: line, enabled: false },
        { type: 'separator' },
        { label: texts.text('tray.show'), click: show },
        {
          label: texts.text(status.paused ? 'common:resumeSending' : 'common:pauseSending'),
          click: () => setPaused(!status.paused),
        },
        { type: 'separator' },
        { label: texts.text('menu.quit'), click: quit },
      ]
      tray.setToolTip(`Hangar · ${line}`)
      tray.setContextMenu(Menu.buildFromTemplate(template))
    },
    stopping() {
      const line = texts.text('quit.stopping')
      shown = line
      tray.setToolTip(`Hangar · ${line}`)
      tray.setContextMenu(Menu.buildFromTemplate([{ label: line, enabled: false }]))
    },
  }
}

function makeTray(platform: NodeJS.Platform, log: Logger): Tray | null {
  const file = platform === 'darwin' ? 'trayTemplate.png' : 'tray.png'
  try {
    return new Tray(nativeImage.createFromPath(resourcePath('icons', file)))
  } catch (error) {
    log.warn('there is no tray', { error: String(error) })
    return null
  }
}

const WATCHER = 'org.kde.StatusNotifierWatcher'

/** Whether this desktop shows tray icons ("IsStatusNotifierHostRegistered"): plain GNOME lets one be made and shows none. */
export async function showsTrayIcons(platform = process.platform): Promise<boolean> {
  if (platform !== 'linux') return true
  const isShown = await busFlag({
    name: WATCHER,
    path: '/StatusNotifierWatcher',
    interface: WATCHER,
    property: 'IsStatusNotifierHostRegistered',
  })
  return isShown === true
}
