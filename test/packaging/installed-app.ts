import { chmodSync, globSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Starter } from '../desktop/desktop-app.ts'
import type { DesktopChoices } from '../desktop/private-desktop.ts'
import { folderForAll } from '../temp-folder.ts'
import { INSPECT, makeDesktopPackages } from './packable-runtime.ts'
import { openSpareMachine } from './spare-machine.ts'

/** Becomes what the menu entry starts, as GLib reads its `Exec`, with what the arguments are in the place of its field. */
const FROM_MENU = `
import os, sys
from gi.repository import Gio, GLib
entry = Gio.DesktopAppInfo.new('hangar-desktop.desktop')
command = [part for part in GLib.shell_parse_argv(entry.get_commandline())[1] if not part.startswith('%')]
os.execvp(command[0], command + sys.argv[1:])
`

export interface InstalledApp {
  starter: Starter
  /** Where everything has to be that the app may see. */
  shared: string
  close(): Promise<void>
}

/** The desktop app's Debian package, made, installed with apt on a spare machine, and started by its menu entry as `user`. */
export async function installedApp(user: NonNullable<DesktopChoices['user']>): Promise<InstalledApp> {
  const folder = folderForAll()
  const [shared, spare, made] = ['shared', 'spare', 'made'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ]
  for (const place of [shared, spare, made]) mkdirSync(place)
  for (const place of [folder, shared]) chmodSync(place, 0o755)
  const machine = await openSpareMachine(spare, shared)
  try {
    await makeDesktopPackages(['--deb'], shared, made)
    const deb = globSync(join(shared, '*.deb'))[0]!
    const { code, stderr } = await machine.run(['apt-get', 'install', '-y', '--no-install-recommends', deb])
    if (code !== 0) throw new Error(`apt-get install: ${stderr}`)
  } catch (error) {
    await machine.close()
    throw error
  }
  const starter: Starter = {
    dataDir: (home) => join(home, '.local/share/hangar'),
    launch({ args = [], env = {}, cwd, inspected = true }, home, desktopEnv) {
      const person = ['setpriv', `--reuid=${user.uid}`, `--regid=${user.gid}`, '--clear-groups']
      const own = { HOME: home, LANG: 'C.UTF-8', ...(inspected ? { [INSPECT]: '1' } : {}) }
      const start = ['env', '-C', cwd ?? home, 'PATH=/usr/bin:/bin', '/usr/bin/python3', '-c', FROM_MENU, ...args]
      return {
        program: 'nsenter',
        args: [...machine.enter, ...person, ...start],
        options: { env: { ...desktopEnv, ...own, ...env } },
      }
    },
  }
  return { starter, shared, close: () => machine.close() }
}
