import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { childEnvironment } from '../children/fork-child.ts'

/** Environment variables that select the desktop's browser and display. */
const DISPLAY = ['DISPLAY', 'WAYLAND_DISPLAY', 'XAUTHORITY', 'DBUS_SESSION_BUS_ADDRESS', 'DESKTOP_SESSION', 'BROWSER']
const XDG = ['RUNTIME_DIR', 'CURRENT_DESKTOP', 'DATA_DIRS', 'CONFIG_HOME', 'CONFIG_DIRS'].map((name) => `XDG_${name}`)

const wayIn = (dataDir: string) => join(dataDir, 'open-hangar.html')

/**
 * Opens a link in the person's default browser. Other users can read the arguments of its process, so it gets the address of a page
 * that only this user can read, and that sends it on. Resolves to whether it could be launched.
 */
export async function openBrowser(link: string, dataDir: string): Promise<boolean> {
  const page = wayIn(dataDir)
  removeWayIn(dataDir)
  const html = `<!doctype html><meta charset="utf-8"><title>Hangar</title><meta http-equiv="refresh" content="0; url=${link}">`
  writeFileSync(page, html, { flag: 'wx', mode: 0o600 })
  const [command, ...args] = commandFor(pathToFileURL(page).href)
  const env = childEnvironment(process.env, [...DISPLAY, ...XDG])
  const child = spawn(command, args, { env, stdio: 'ignore', detached: true })
  child.unref()
  return once(child, 'spawn').then(
    () => true,
    () => false,
  )
}

/** Its link was used, or the server stops. */
export function removeWayIn(dataDir: string): void {
  rmSync(wayIn(dataDir), { force: true })
}

function commandFor(url: string): [string, ...string[]] {
  if (process.platform === 'darwin') return ['open', url]
  if (process.platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler', url]
  return ['xdg-open', url]
}
