import { spawn } from 'node:child_process'
import { childEnvironment } from '../children/fork-child.ts'

/** Environment variables that select the desktop's browser and display. */
const DESKTOP = ['DISPLAY', 'WAYLAND_DISPLAY', 'XAUTHORITY', 'XDG_RUNTIME_DIR', 'XDG_CURRENT_DESKTOP', 'XDG_DATA_DIRS']
const SESSION = ['DBUS_SESSION_BUS_ADDRESS', 'DESKTOP_SESSION', 'BROWSER', 'XDG_CONFIG_HOME', 'XDG_CONFIG_DIRS']

/** Opens the person's default browser. Resolves to whether it could be launched. */
export function openBrowser(url: string, platform = process.platform): Promise<boolean> {
  const [command, args] = commandFor(url, platform)
  return new Promise((resolve) => {
    const env = childEnvironment(process.env, [...DESKTOP, ...SESSION])
    const child = spawn(command, args, { env, stdio: 'ignore', detached: true })
    child.on('error', () => resolve(false))
    child.on('spawn', () => resolve(true))
    child.unref()
  })
}

function commandFor(url: string, platform: NodeJS.Platform): [string, string[]] {
  if (platform === 'darwin') return ['open', [url]]
  if (platform === 'win32') return ['rundll32', ['url.dll,FileProtocolHandler', url]]
  return ['xdg-open', [url]]
}
