import type { App } from 'electron'
import { dataDirOption, startCommand } from './start-options.ts'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { AppError } from '../../shared/sentences/errors.ts'
import { say } from '../../shared/sentences/sentence.ts'
import { execArgument } from '../core/exec-argument.ts'
import { putSealed, seal, takeSealed } from '../files/sealed-file.ts'

const HIDDEN = ['--hidden']

interface LoginItemDeps {
  app: Pick<App, 'setLoginItemSettings' | 'isPackaged' | 'getAppPath'>
  platform: NodeJS.Platform
  env: NodeJS.ProcessEnv
  dataDir: string
}

/** Sets whether the system starts Hangar, without a window, when this person logs in. */
export async function setStartAtLogin({ app, platform, env, dataDir }: LoginItemDeps, enabled: boolean): Promise<void> {
  if (platform === 'linux')
    return setAutostart(autostartFolder(env), enabled ? [...startCommand(app, env, dataDir), ...HIDDEN] : null)
  if (platform === 'win32')
    return app.setLoginItemSettings({ openAtLogin: enabled, args: [...dataDirOption(env, dataDir), ...HIDDEN] })
  // macOS passes no arguments; at start it reports that it opened the program.
  app.setLoginItemSettings({ openAtLogin: enabled })
}

const NAME = 'hangar.desktop'

/** With its seal: only what is as Hangar wrote it is replaced or removed. */
function desktopEntry(command: readonly string[]): Buffer {
  const lines = [
    '[Desktop Entry]',
    'Type=Application',
    'Version=1.0',
    'Name=Hangar',
    `Exec=${command.map(execArgument).join(' ')}`,
    'Terminal=false',
    'X-GNOME-Autostart-enabled=true',
    '# Hangar renews or removes this file only while this hash of all above fits: ',
  ]
  return seal(Buffer.from(lines.join('\n')), '\n')
}

/** Desktop Application Autostart Specification. */
export function autostartFolder(env: NodeJS.ProcessEnv, home = homedir()): string {
  const given = env['XDG_CONFIG_HOME']
  return join(given?.startsWith('/') === true ? given : join(home, '.config'), 'autostart')
}

/** Writes or removes the entry. Rejects with the disk's error, or with `name_taken` if a file of that name is not as Hangar wrote it. */
export async function setAutostart(folder: string, command: readonly string[] | null): Promise<void> {
  const path = join(folder, NAME)
  const file = { path, bytes: desktopEntry(command ?? []), mode: 0o644 }
  const found = command === null ? await takeSealed(file) : await putSealed(file)
  if (found === 'another') throw new AppError('name_taken', say('autostart_not_ours', { path }))
}
