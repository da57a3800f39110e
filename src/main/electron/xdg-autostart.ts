import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { execArgument } from '../core/exec-argument.ts'

const NAME = 'hangar.desktop'

export function desktopEntry(command: readonly string[]): string {
  return [
    '[Desktop Entry]',
    'Type=Application',
    'Version=1.0',
    'Name=Hangar',
    `Exec=${command.map(execArgument).join(' ')}`,
    'Terminal=false',
    'X-GNOME-Autostart-enabled=true',
    '',
  ].join('\n')
}

/** Where the desktop session looks for what to start at login (Desktop Application Autostart Specification). */
export function autostartFolder(env: NodeJS.ProcessEnv, home = homedir()): string {
  const given = env['XDG_CONFIG_HOME']
  return join(given?.startsWith('/') === true ? given : join(home, '.config'), 'autostart')
}

/** Writes or removes Hangar's entry, and nothing else. Throws the disk's error. */
export function setAutostart(folder: string, command: readonly string[] | null): void {
  const path = join(folder, NAME)
  if (command === null) return rmSync(path, { force: true })
  mkdirSync(folder, { recursive: true })
  const part = `${path}.new`
  writeFileSync(part, desktopEntry(command), { mode: 0o644 })
  renameSync(part, path)
}
