import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { beforeEach, describe, expect, it } from 'vitest'
import { fileManagers } from '../../src/main/file-managers/file-managers.ts'
import { managerFiles, type ManagerFile } from '../../src/main/file-managers/manager-files.ts'
import { isSealed } from '../../src/main/files/sealed-file.ts'
import { startOptions } from '../../src/main/electron/start-options.ts'
import { describeWith, LINUX } from '../needs.ts'
import { folderForTest } from '../temp-folder.ts'

/** As people, and people who mean harm, name their files. */
const NAMES = [
  'a  b.jpg',
  'two\nlines.jpg',
  `it's "so".jpg`,
  '-rf.jpg',
  '--pause',
  '$(touch pwned).jpg',
  '`touch pwned`.jpg',
  '%F %u 100%.jpg',
  'a;b&c|d>e.jpg',
  '*.jpg',
  '\\n.jpg',
  'röter Hangar.jpg',
]

let home: string
let bin: string
let env: Record<string, string>
beforeEach(() => {
  home = folderForTest()
  bin = join(home, 'bin')
  mkdirSync(bin)
  for (const name of ['nautilus', 'nemo', 'caja', 'dolphin', 'thunar']) program(name, '')
  env = { PATH: bin }
})

function program(name: string, body: string): string {
  const path = join(bin, name)
  writeFileSync(path, `#!/bin/sh\n${body}\n`)
  chmodSync(path, 0o755)
  return path
}

const linux = (command: readonly string[], more = env) => fileManagers({ platform: 'linux', home, env: more }, command)
const filesOf = (command: readonly string[]) => managerFiles({ platform: 'linux', home, env }, command)
const entries = (states: { id: string; entry: string }[]) =>
  Object.fromEntries(states.map(({ id, entry }) => [id, entry]))
const all = (entry: string) =>
  Object.fromEntries(['nautilus', 'nemo', 'caja', 'dolphin', 'thunar'].map((id) => [id, entry]))
const APP = ['/opt/Hangar 1/hangar', '/opt/app']

describeWith(LINUX)('the entries of file managers', () => {
  it('are written where each looks, and taken away without a trace of Hangar', async () => {
    expect(entries(await linux(APP).list())).toEqual(all('absent'))
    expect(entries(await linux(APP).install())).toEqual(all('current'))
    const written = filesOf(APP)
    expect(written.map(({ path }) => path.slice(home.length))).toEqual([
      '/.local/share/nautilus/scripts/Hangar',
      '/.local/share/nemo/scripts/Hangar',
      '/.config/caja/scripts/Hangar',
      '/.local/share/kio/servicemenus/hangar.desktop',
      '/.local/share/Thunar/sendto/hangar.desktop',
    ])
    for (const { path, mode } of written) {
      expect(statSync(path).mode & 0o777, path).toBe(mode)
      expect(readdirSync(dirname(path))).toHaveLength(1)
    }
    expect(entries(await linux(APP).remove())).toEqual(all('absent'))
    for (const { path } of written) expect(readdirSync(dirname(path))).toEqual([])
  })

  it('are written for file managers that are there, and follow a person who moved their folders', async () => {
    rmSync(join(bin, 'caja'))
    const moved = { PATH: bin, XDG_DATA_HOME: join(home, 'data'), XDG_CONFIG_HOME: 'relative' }
    expect(entries(await linux(APP, moved).install())).toEqual({ ...all('current'), caja: 'absent' })
    expect(existsSync(join(home, 'data/nemo/scripts/Hangar'))).toBe(true)
    expect(readdirSync(home).toSorted()).toEqual(['bin', 'data'])
  })

  it('are renewed when the program is at another place, by the same command', async () => {
    await linux(['/old/hangar']).install()
    expect(entries(await linux(APP).list())).toEqual(all('older'))
    expect(entries(await linux(APP).install())).toEqual(all('current'))
    expect(entries(await linux(['/newer/hangar']).remove())).toEqual(all('absent'))
  })

  it('are written again when they may not be executed any more', async () => {
    await linux(APP).install()
    const [{ path }] = filesOf(APP) as [ManagerFile, ...ManagerFile[]]
    chmodSync(path, 0o644)
    expect(entries(await linux(APP).list())).toEqual({ ...all('current'), nautilus: 'older' })
    expect(entries(await linux(APP).install())).toEqual(all('current'))
    expect(statSync(path).mode & 0o777).toBe(0o755)
  })

  it.each([
    [
      'that a person changed',
      (path: string) => writeFileSync(path, readFileSync(path, 'utf8').replace('Hangar', 'Mine')),
    ],
    ['that a person added to', (path: string) => writeFileSync(path, 'echo mine\n', { flag: 'a' })],
    ['of another program', (path: string) => writeFileSync(path, '#!/bin/sh\n')],
    ['that is empty', (path: string) => writeFileSync(path, '')],
    [
      'that is a link to one of Hangar',
      (path: string) => {
        writeFileSync(join(home, 'target'), readFileSync(path))
        rmSync(path)
        symlinkSync(join(home, 'target'), path)
      },
    ],
    [
      'that is a folder',
      (path: string) => {
        rmSync(path)
        mkdirSync(path)
      },
    ],
  ])('leave one alone %s', async (_, change) => {
    await linux(APP).install()
    const [{ path }, ...others] = filesOf(APP) as [ManagerFile, ...ManagerFile[]]
    change(path)
    const look = () => [statSync(path).ino, statSync(path).isFile() ? readFileSync(path, 'utf8') : 'folder']
    const before = look()
    expect(entries(await linux(['/other']).install())).toEqual({ ...all('current'), nautilus: 'another' })
    expect(entries(await linux(APP).remove())).toEqual({ ...all('absent'), nautilus: 'another' })
    expect(look()).toEqual(before)
    for (const other of others) expect(existsSync(other.path)).toBe(false)
  })

  it('say what to do when the folder may not be written, and leave no part', async () => {
    const folder = join(home, '.local/share/nautilus')
    mkdirSync(dirname(folder), { recursive: true })
    writeFileSync(folder, 'a file')
    await expect(linux(APP).install()).rejects.toMatchObject({ code: 'not_writable' })
    expect(readFileSync(folder, 'utf8')).toBe('a file')
  })
})

describeWith(LINUX)('an entry as its file manager runs it', () => {
  /** The program writes each of its arguments, ended by a NUL. */
  const recorder = () => program('records $it', `printf '%s\\0' "$@" > "${home}/argv"`)
  const argv = () => readFileSync(join(home, 'argv'), 'utf8').split('\0').slice(0, -1)
  const selected = () => {
    const folder = join(home, 'pictures')
    mkdirSync(folder)
    return NAMES.map((name) => join(folder, name))
  }

  it.each([
    ['nautilus', 'NAUTILUS'],
    ['nemo', 'NEMO'],
    ['caja', 'CAJA'],
  ])('%s: every name reaches the program as it is, all in one start', async (manager, prefix) => {
    const command = [recorder(), `an 'app' $HOME`]
    await linux(command).install()
    const paths = selected()
    for (const path of paths) writeFileSync(path, '')
    const { path } = filesOf(command).find((file) => file.manager === manager)!
    // Those of the others, as of a start out of one of them, are not looked at.
    const others = {
      NAUTILUS_SCRIPT_SELECTED_URIS: 'file:///other',
      NEMO_SCRIPT_SELECTED_URIS: 'file:///other',
      CAJA_SCRIPT_SELECTED_URIS: 'file:///other',
    }
    execFileSync(path, NAMES, {
      cwd: dirname(paths[0]!),
      env: {
        ...others,
        HOME: home,
        PATH: ['/usr/bin', '/bin'].join(delimiter),
        [`${prefix}_SCRIPT_SELECTED_FILE_PATHS`]: paths.map((each) => `${each}\n`).join(''),
        [`${prefix}_SCRIPT_SELECTED_URIS`]: paths.map((each) => `${pathToFileURL(each).href}\n`).join(''),
      },
    })
    const [app, ...args] = argv()
    expect(app).toBe(`an 'app' $HOME`)
    expect(startOptions(args, '/elsewhere', { HANGAR_DATA_DIR: '/d' })).toMatchObject({ paths, paused: null })
    expect(readdirSync(dirname(paths[0]!)).toSorted()).toEqual(NAMES.toSorted())
  })

  it.each(['dolphin', 'thunar'])('%s: its line of the program is read back as it was written', (manager) => {
    const command = ['/opt/Hangar 1/$(x)`"%\\hangar\nExec=/tmp/other\t\r\n[Desktop Action hangar]', 'an app']
    const text = filesOf(command)
      .find((file) => file.manager === manager)!
      .bytes.toString()
    const value = /^Exec=(.*)$/m
      .exec(text)![1]!
      .replaceAll(/\\(.)/g, (_, character: string) => ({ n: '\n', r: '\r', t: '\t' })[character] ?? character)
    const words = [...value.matchAll(/"((?:[^"\\]|\\.)*)"|(\S+)/g)].map(([, quoted, plain]) =>
      quoted === undefined ? plain : quoted.replaceAll(/\\(.)/g, '$1').replaceAll('%%', '%'),
    )
    expect(words).toEqual([...command, '%F'])
    expect(value.replaceAll('%%', '').match(/%./g)).toEqual(['%F'])
    expect(text.split('\n').filter((line) => line.startsWith('Exec'))).toHaveLength(1)
  })
})

describe('an entry for a system that the tests do not run on', () => {
  it('of Finder is a workflow of Automator whose files are whole property lists, with the files as arguments', () => {
    const files = managerFiles({ platform: 'darwin', home: '/Users/jo', env: {} }, ["/Applications/Jo's & Co/Hangar"])
    expect(files.map(({ path }) => path)).toEqual([
      '/Users/jo/Library/Services/Hangar.workflow/Contents/Info.plist',
      '/Users/jo/Library/Services/Hangar.workflow/Contents/document.wflow',
    ])
    for (const { bytes } of files) {
      expect(isSealed(bytes)).toBe(true)
      const open = [...bytes.toString().matchAll(/<(\/?)(dict|array|string|key|integer|plist)\b/g)]
      for (const name of ['dict', 'array', 'string', 'key', 'integer', 'plist'])
        expect(open.filter((tag) => tag[2] === name && tag[1] === '').length, name).toBe(
          open.filter((tag) => tag[2] === name && tag[1] === '/').length,
        )
    }
    expect(files[1]!.bytes.toString()).toContain(
      String.raw`<string>'/Applications/Jo'\''s &amp; Co/Hangar' "$@" &gt; /dev/null 2&gt;&amp;1 &amp;</string>`,
    )
  })

  it('of Explorer is a shortcut in SendTo that names the program', () => {
    const target = 'C:\\Users\\Jö\\AppData\\Local\\Programs\\Hangar\\Hangar.exe'
    const [file] = managerFiles({ platform: 'win32', home: 'C:\\Users\\Jö', env: { APPDATA: 'R' } }, [target])
    const { bytes, path } = file!
    expect(path).toBe(join('R', 'Microsoft', 'Windows', 'SendTo', 'Hangar.lnk'))
    expect(isSealed(bytes)).toBe(true)
    expect(bytes.readUInt32LE(0)).toBe(0x4c)
    const flags = bytes.readUInt32LE(20)
    expect(flags).toBe(0x04 | 0x80 | 0x200)
    const name = bytes.readUInt16LE(0x4c)
    expect(bytes.toString('utf16le', 0x4e, 0x4e + name * 2)).toBe('Hangar')
    const block = 0x4e + name * 2
    expect([bytes.readUInt32LE(block), bytes.readUInt32LE(block + 4)]).toEqual([0x314, 0xa0000001])
    expect(bytes.toString('utf16le', block + 8 + 260, block + 0x314).replace(/\0+$/, '')).toBe(target)
    expect(bytes.readUInt32LE(block + 0x314)).toBe(0)
  })

  it('names a program of a checkout with what goes before the files', () => {
    const [file] = managerFiles({ platform: 'win32', home: 'C:\\', env: {} }, ['C:\\e.exe', 'C:\\an app\\'])
    expect(file!.bytes.readUInt32LE(20) & 0x20).toBe(0x20)
    expect(file!.bytes.toString('utf16le')).toContain('"C:\\an app\\\\"')
  })
})
