import process from 'node:process'
import type { App } from 'electron'

/** What starts this program. An AppImage runs from a mount that is gone after it ends, so its own file is registered. */
export function startCommand(app: Pick<App, 'isPackaged' | 'getAppPath'>, env: NodeJS.ProcessEnv): string[] {
  const program = env['APPIMAGE'] ?? process.execPath
  return [program, ...(app.isPackaged ? [] : [app.getAppPath()])]
}
