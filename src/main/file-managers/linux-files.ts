import { join } from 'node:path'
import { execArgument } from '../core/exec-argument.ts'
import { shellArgument } from '../core/shell-argument.ts'
import { MEDIA_TYPES } from '../../shared/jobs/picture-name.ts'
import type { ManagerId } from '../../shared/runtime/ports.ts'
import type { ManagerFile } from './manager-file.ts'
import { seal } from '../files/sealed-file.ts'

const KEPT = '# Hangar renews or removes this file only while this hash of all above fits: '
/** What Hangar takes, folders too. */
const TYPES = `${[...MEDIA_TYPES, 'inode/directory'].join(';')};`

/** `data` and `config` as the XDG base directory specification has them. */
export function linuxFiles(
  { data, config }: { data: string; config: string },
  command: readonly string[],
): ManagerFile[] {
  const file = (manager: ManagerId, path: string, mode: number, lines: readonly string[]): ManagerFile => ({
    manager,
    path,
    mode,
    bytes: seal(Buffer.from([...lines, KEPT].join('\n')), '\n'),
  })
  const exec = `Exec=${command.map(execArgument).join(' ')} %F`
  return [
    file('nautilus', join(data, 'nautilus/scripts/Hangar'), 0o755, script(command, 'NAUTILUS')),
    file('nemo', join(data, 'nemo/scripts/Hangar'), 0o755, script(command, 'NEMO')),
    file('caja', join(config, 'caja/scripts/Hangar'), 0o755, script(command, 'CAJA')),
    // Dolphin takes one in a home only if it may be executed.
    file('dolphin', join(data, 'kio/servicemenus/hangar.desktop'), 0o755, [
      '[Desktop Entry]',
      'Type=Service',
      'X-KDE-ServiceTypes=KonqPopupMenu/Plugin',
      `MimeType=${TYPES}`,
      'Actions=hangar;',
      '',
      '[Desktop Action hangar]',
      'Name=Hangar',
      'Icon=hangar-desktop',
      exec,
    ]),
    // Its "Send To" has a file for each program. Its custom actions are all in one file, which is a person's.
    file('thunar', join(data, 'Thunar/sendto/hangar.desktop'), 0o644, [
      '[Desktop Entry]',
      'Type=Application',
      'Version=1.0',
      'Name=Hangar',
      'Icon=hangar-desktop',
      exec,
      'Terminal=false',
      `MimeType=${TYPES}`,
    ]),
  ]
}

/**
 * A script as GNOME's file manager and the two that come of it run them. It takes the addresses: those have no line breaks,
 * spaces or leading dashes, whatever a file is called, and the shell reads nothing in them as a command or a pattern.
 */
const script = (command: readonly string[], manager: string): string[] => [
  '#!/bin/sh',
  'set -f',
  "IFS='",
  "'",
  `exec ${command.map(shellArgument).join(' ')} $${manager}_SCRIPT_SELECTED_URIS`,
]
