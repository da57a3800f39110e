import { homedir } from 'node:os'
import { join, resolve } from 'node:path'

export function defaultDataDir(platform: NodeJS.Platform, env: NodeJS.ProcessEnv, home = homedir()): string {
  if (platform === 'darwin') return join(home, 'Library', 'Application Support', 'Hangar')
  if (platform === 'win32') return join(given(env['APPDATA']) ?? join(home, 'AppData', 'Roaming'), 'Hangar')
  const base = given(env['XDG_DATA_HOME'])
  // Relative paths have to be ignored (XDG base directory specification).
  return join(base?.startsWith('/') === true ? base : join(home, '.local', 'share'), 'hangar')
}

/** For compiled code of this program: below the platform's folder for caches. */
export function compiledDir(platform: NodeJS.Platform, env: NodeJS.ProcessEnv, home = homedir()): string {
  if (platform === 'darwin') return join(home, 'Library', 'Caches', 'Hangar')
  if (platform === 'win32') return join(given(env['LOCALAPPDATA']) ?? join(home, 'AppData', 'Local'), 'Hangar', 'Cache')
  const base = given(env['XDG_CACHE_HOME'])
  return join(base?.startsWith('/') === true ? base : join(home, '.cache'), 'hangar')
}

/** The flag, else the environment variable, else the platform's default; absolute. */
export function chooseDataDir(flag: string | undefined, env: NodeJS.ProcessEnv): string {
  return resolve(given(flag) ?? given(env['HANGAR_DATA_DIR']) ?? defaultDataDir(process.platform, env))
}

const given = (text: string | undefined) => (text === undefined || text.trim() === '' ? undefined : text)
