import type { App } from 'electron'
import { startCommand } from './start-command.ts'
import { autostartFolder, setAutostart } from './xdg-autostart.ts'

const HIDDEN = ['--hidden']

interface LoginItemDeps {
  app: Pick<App, 'setLoginItemSettings' | 'isPackaged' | 'getAppPath'>
  platform: NodeJS.Platform
  env: NodeJS.ProcessEnv
}

/** Sets whether the system starts Hangar, without a window, when this person logs in. */
export async function setStartAtLogin({ app, platform, env }: LoginItemDeps, enabled: boolean): Promise<void> {
  if (platform === 'linux')
    return setAutostart(autostartFolder(env), enabled ? [...startCommand(app, env), ...HIDDEN] : null)
  if (platform === 'win32') return app.setLoginItemSettings({ openAtLogin: enabled, args: HIDDEN })
  // macOS passes no arguments; at start it reports that it opened the program.
  app.setLoginItemSettings({ openAtLogin: enabled })
}
