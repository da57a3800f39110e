import { join } from 'node:path'
import { finderFiles } from './finder-files.ts'
import { linuxFiles } from './linux-files.ts'
import type { ManagerFile } from './manager-file.ts'
import { shortcut } from './shortcut.ts'
import { seal } from '../files/sealed-file.ts'

/** Where a person's programs keep what is theirs; absolute. */
export interface PersonFolders {
  platform: NodeJS.Platform
  home: string
  env: NodeJS.ProcessEnv
}

/**
 * The files of every file manager of the platform, whether it is there or not. `command`: the desktop program, absolute, with
 * the arguments that go before the files. Each starts it as "Open with" does, once for all that is selected.
 */
export function managerFiles({ platform, home, env }: PersonFolders, command: readonly string[]): ManagerFile[] {
  if (platform === 'darwin') return finderFiles(join(home, 'Library', 'Services'), command)
  if (platform === 'win32') {
    const sendTo = join(env['APPDATA'] ?? join(home, 'AppData', 'Roaming'), 'Microsoft', 'Windows', 'SendTo')
    const bytes = seal(shortcut(command), '')
    return [{ manager: 'explorer', path: join(sendTo, 'Hangar.lnk'), bytes, mode: 0o644 }]
  }
  const base = (given: string | undefined, ...usual: string[]) =>
    given?.startsWith('/') === true ? given : join(home, ...usual)
  return linuxFiles(
    {
      data: base(env['XDG_DATA_HOME'], '.local', 'share'),
      config: base(env['XDG_CONFIG_HOME'], '.config'),
    },
    command,
  )
}
