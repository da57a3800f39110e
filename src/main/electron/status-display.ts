import process from 'node:process'
import { app, Menu, nativeTheme, powerMonitor, powerSaveBlocker, type BrowserWindow } from 'electron'
import type { Logger, RecentFolders } from '../../shared/runtime/ports.ts'
import type { Settings } from '../../shared/settings/settings.ts'
import type { App as RunningApp } from '../page/start-app.ts'
import type { HostStatus } from '../page/ui-host.ts'
import { setupAbout } from './about.ts'
import { setupJumpList, menuTemplate, type MenuDeps } from './menu-template.ts'
import { setupPower } from './power.ts'
import type { TrayIcon } from './tray.ts'
import { createWorkIndicator, isWorking } from './work-indicator.ts'

interface StatusDisplayDeps {
  running: RunningApp
  tray: TrayIcon
  menu: MenuDeps
  recent: Pick<RecentFolders, 'onChange'> | null
  window: () => BrowserWindow | null
  log: Logger
}

/** Keeps menu, tray, taskbar or Dock, theme and power management in step with the engine's state and the settings. */
export function setupStatusDisplay({ running, tray, menu, recent, window, log }: StatusDisplayDeps): void {
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
    const key = JSON.stringify([status.paused, host.texts.language, menu.recent()])
    if (key === menuShown) return
    menuShown = key
    Menu.setApplicationMenu(Menu.buildFromTemplate(menuTemplate(menu, status.paused)))
    setupAbout(app, host.texts)
    setupJumpList({ app, platform: menu.platform, program: process.execPath, texts: host.texts }, status.paused)
  }
  const follow = ({ appearance }: Settings): void => {
    if (nativeTheme.themeSource !== appearance.theme) nativeTheme.themeSource = appearance.theme
  }
  follow(engine.snapshot().settings)
  engine.subscribe((event) => {
    if (event.type === 'settings') follow(event.settings)
  })
  host.onStatus(show)
  recent?.onChange(() => show(host.status()))
  show(host.status())
}
