import { join } from 'node:path'
import { seal, type SealedFile } from '../files/sealed-file.ts'
import { execArgument } from '../core/exec-argument.ts'
import { MEDIA_TYPES } from '../../shared/jobs/picture-name.ts'
import type { ManagerId } from '../../shared/runtime/ports.ts'

/** Absolute paths. */
export interface PersonFolders {
  platform: NodeJS.Platform
  home: string
  env: NodeJS.ProcessEnv
}

/**
 * The files for every file manager of the platform, there or not. `command`: the absolute desktop program with the
 * arguments before the files; it is started once for all that is selected.
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

const KEPT = '# Hangar renews or removes this file only while this hash of all above fits: '
/** Folders too. */
const TYPES = `${[...MEDIA_TYPES, 'inode/directory'].join(';')};`

/** `data` and `config` as the XDG base directory specification has them. */
function linuxFiles({ data, config }: { data: string; config: string }, command: readonly string[]): ManagerFile[] {
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
 * A script for Nautilus, Nemo or Caja. It takes addresses, which have no line breaks, spaces or leading dashes, and
 * in which the shell reads no command or pattern.
 */
const script = (command: readonly string[], manager: string): string[] => [
  '#!/bin/sh',
  'set -f',
  "IFS='",
  "'",
  `exec ${command.map(shellArgument).join(' ')} $${manager}_SCRIPT_SELECTED_URIS`,
]

/** Of [MS-SHLLINK] 2.1: the class of shell links. */
const CLASS = Buffer.from('0114020000000000c000000000000046', 'hex')
const HEADER_BYTES = 0x4c
/** LinkFlags: HasName, HasArguments, IsUnicode, HasExpString. */
const [HAS_NAME, HAS_ARGUMENTS, IS_UNICODE, HAS_TARGET] = [0x04, 0x20, 0x80, 0x200] as const
const SHOW_NORMAL = 1
/** EnvironmentVariableDataBlock (2.5.4): the target, once as ANSI and once as UTF-16, each in a field of 260 characters. */
const [TARGET_BYTES, TARGET_SIGNATURE, TARGET_CHARS] = [0x314, 0xa0000001, 260] as const

/**
 * A shortcut (.lnk); Explorer puts the selected files after the arguments. Throws if the path is too long for one.
 * Never tried in Explorer.
 */
function shortcut([program = '', ...args]: readonly string[]): Buffer {
  if (program.length >= TARGET_CHARS) throw new RangeError('the path of the program is too long for a shortcut')
  const header = Buffer.alloc(HEADER_BYTES)
  header.writeUInt32LE(HEADER_BYTES, 0)
  CLASS.copy(header, 4)
  header.writeUInt32LE(HAS_NAME | IS_UNICODE | HAS_TARGET | (args.length > 0 ? HAS_ARGUMENTS : 0), 20)
  header.writeUInt32LE(SHOW_NORMAL, 60)
  const target = Buffer.alloc(TARGET_BYTES)
  target.writeUInt32LE(TARGET_BYTES, 0)
  target.writeUInt32LE(TARGET_SIGNATURE, 4)
  target.write(program, 8, 'latin1')
  target.write(program, 8 + TARGET_CHARS, 'utf16le')
  const strings = [stringData('Hangar'), ...(args.length > 0 ? [stringData(args.map(argument).join(' '))] : [])]
  return Buffer.concat([header, ...strings, target, Buffer.alloc(4)])
}

/** StringData (2.4): the count of characters, then the characters. */
function stringData(text: string): Buffer {
  const bytes = Buffer.alloc(2 + text.length * 2)
  bytes.writeUInt16LE(text.length, 0)
  bytes.write(text, 2, 'utf16le')
  return bytes
}

/** Windows reads backslashes literally except before a quotation mark. */
const argument = (text: string): string => `"${text.replace(/\\+$/, '$&$&')}"`

export interface ManagerFile extends SealedFile {
  manager: ManagerId
}

const KEPT_IN_XML = '<!-- Hangar renews or removes this file only while this hash of all before it fits: '
const HEAD = `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
`

/** A Quick Action of Finder: a workflow of Automator that runs a shell script with the files as its arguments. Never tried on macOS. */
function finderFiles(services: string, command: readonly string[]): ManagerFile[] {
  const folder = join(services, 'Hangar.workflow', 'Contents')
  const file = (name: string, root: Plist): ManagerFile => ({
    manager: 'finder',
    path: join(folder, name),
    mode: 0o644,
    bytes: seal(Buffer.from(`${HEAD}<plist version="1.0">\n${xml(root)}\n</plist>\n${KEPT_IN_XML}`), ' -->\n'),
  })
  return [file('Info.plist', SERVICE), file('document.wflow', workflow(command))]
}

type Plist = string | number | boolean | readonly Plist[] | { readonly [key: string]: Plist }

const SERVICE: Plist = {
  NSServices: [
    {
      NSMenuItem: { default: 'Hangar' },
      NSMessage: 'runWorkflowAsService',
      NSRequiredContext: { NSApplicationIdentifier: 'com.apple.finder' },
      NSSendFileTypes: ['public.image', 'public.folder'],
    },
  ],
}

/** In the background: Automator shows its wheel as long as a script runs. */
const workflow = (command: readonly string[]): Plist => ({
  AMApplicationVersion: '2.10',
  AMDocumentVersion: '2',
  actions: [
    {
      action: {
        AMAccepts: { Container: 'List', Optional: true, Types: ['com.apple.cocoa.string'] },
        AMActionVersion: '2.0.3',
        AMApplication: ['Automator'],
        AMProvides: { Container: 'List', Types: ['com.apple.cocoa.string'] },
        ActionBundlePath: '/System/Library/Automator/Run Shell Script.action',
        ActionName: 'Run Shell Script',
        ActionParameters: {
          COMMAND_STRING: `${command.map(shellArgument).join(' ')} "$@" > /dev/null 2>&1 &`,
          CheckedForUserDefaultShell: true,
          // The files are arguments, not lines of the standard input.
          inputMethod: 1,
          shell: '/bin/sh',
          source: '',
        },
        BundleIdentifier: 'com.apple.RunShellScript',
        CFBundleVersion: '2.0.3',
        'Class Name': 'RunShellScriptAction',
        InputUUID: '6B6A9E1C-52B6-4C0C-9E3A-0C7B0B3A8F01',
        OutputUUID: '6B6A9E1C-52B6-4C0C-9E3A-0C7B0B3A8F02',
        UUID: '6B6A9E1C-52B6-4C0C-9E3A-0C7B0B3A8F03',
      },
    },
  ],
  connectors: {},
  workflowMetaData: {
    serviceInputTypeIdentifier: 'com.apple.Automator.fileSystemObject',
    serviceApplicationBundleID: 'com.apple.finder',
    serviceOutputTypeIdentifier: 'com.apple.Automator.nothing',
    workflowTypeIdentifier: 'com.apple.Automator.servicesMenu',
  },
})

function xml(value: Plist): string {
  if (typeof value === 'string') return `<string>${escaped(value)}</string>`
  if (typeof value === 'number') return `<integer>${value}</integer>`
  if (typeof value === 'boolean') return value ? '<true/>' : '<false/>'
  if (isList(value)) return ['<array>', ...value.map(xml), '</array>'].join('\n')
  const members = Object.entries(value).map(([key, member]) => `<key>${escaped(key)}</key>\n${xml(member)}`)
  return ['<dict>', ...members, '</dict>'].join('\n')
}

const isList = (value: Plist): value is readonly Plist[] => Array.isArray(value)
const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** One word for a POSIX shell, whatever is in it. */
function shellArgument(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`
}
