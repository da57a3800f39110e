/** A browser of the Chromium family, which can show one page in a window of its own. */
import { accessSync, constants } from 'node:fs'
import path from 'node:path'
import process from 'node:process'

const NAMES = [
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  'microsoft-edge',
  'brave-browser',
]

/** Null when there is none. `CHROME_PATH` names one that is elsewhere. */
export function findBrowser(platform = process.platform, env = process.env) {
  const given = env.CHROME_PATH === undefined ? [] : [env.CHROME_PATH]
  return [...given, ...places(platform, env)].find(isExecutable) ?? null
}

function places(platform, env) {
  if (platform === 'darwin')
    return ['Google Chrome', 'Chromium', 'Microsoft Edge', 'Brave Browser'].map(
      (name) => `/Applications/${name}.app/Contents/MacOS/${name}`,
    )
  if (platform === 'win32') {
    const folders = [env.PROGRAMFILES, env['PROGRAMFILES(X86)'], env.LOCALAPPDATA].filter(Boolean)
    return folders.flatMap((folder) => [
      path.join(folder, 'Google', 'Chrome', 'Application', 'chrome.exe'),
      path.join(folder, 'Microsoft', 'Edge', 'Application', 'msedge.exe'),
    ])
  }
  const folders = (env.PATH ?? '').split(':').filter(Boolean)
  return NAMES.flatMap((name) => folders.map((folder) => path.join(folder, name)))
}

export function isExecutable(file) {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** Whether a window can be shown at all. */
export function hasDisplay(platform = process.platform, env = process.env) {
  return platform !== 'linux' || Boolean(env.DISPLAY) || Boolean(env.WAYLAND_DISPLAY)
}

/** Chromium and Electron keep their sandbox from root on Linux: they start without it, or not at all. */
export function isLinuxRoot(platform = process.platform) {
  return platform === 'linux' && process.getuid?.() === 0
}

/** A window with that one page, and a profile of its own: no extensions, no other tabs. */
export function appWindowArguments(url, profileDir, asRoot) {
  return [
    `--app=${url}`,
    `--user-data-dir=${profileDir}`,
    '--window-size=1280,800',
    '--no-first-run',
    '--no-default-browser-check',
    '--disable-sync',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-quic',
    ...(asRoot ? ['--no-sandbox', '--test-type'] : []),
  ]
}
