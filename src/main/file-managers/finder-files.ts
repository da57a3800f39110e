import { join } from 'node:path'
import { shellArgument } from '../core/shell-argument.ts'
import type { ManagerFile } from './manager-file.ts'
import { seal } from '../files/sealed-file.ts'

const KEPT = '<!-- Hangar renews or removes this file only while this hash of all before it fits: '
const HEAD = `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
`

/** A Quick Action of Finder: a workflow of Automator that runs a shell script with the files as its arguments. Never tried on macOS. */
export function finderFiles(services: string, command: readonly string[]): ManagerFile[] {
  const folder = join(services, 'Hangar.workflow', 'Contents')
  const file = (name: string, root: Plist): ManagerFile => ({
    manager: 'finder',
    path: join(folder, name),
    mode: 0o644,
    bytes: seal(Buffer.from(`${HEAD}<plist version="1.0">\n${xml(root)}\n</plist>\n${KEPT}`), ' -->\n'),
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

/** Without waiting for the program: Automator shows its wheel as long as a script runs. */
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
