import { execFile } from 'node:child_process'
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join, resolve } from 'node:path'
import process from 'node:process'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, it } from 'vitest'
import { tarGz, type Entry } from '../../scripts/packages/archive.mjs'
import { collectNpm } from '../../scripts/packages/npm-package.mjs'
import { jsonLines } from '../cli/harness.ts'
import { itWith, POSIX } from '../needs.ts'
import { folderForAll } from '../temp-folder.ts'

const execute = promisify(execFile)
const ROOT = resolve(import.meta.dirname, '../..')
const { version, dependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  version: string
  dependencies: Record<string, string>
}

let entries: Entry[]
const folder = folderForAll()
beforeAll(async () => {
  entries = await collectNpm()
})

describe('the package for npm', () => {
  it('has what runs, and no tests, sources, pictures of the window or shell of Electron', () => {
    const names = entries.map(({ name }) => name.replace(/^package\//, ''))
    expect(names).toEqual(
      expect.arrayContaining([
        'package.json',
        'npm-shrinkwrap.json',
        'LICENSE',
        'README.md',
        'out/main/cli.js',
        'out/main/image-worker.js',
        'out/main/licenses.md',
        'out/renderer/index.html',
        'resources/samples/red-hangar.jpg',
        'docs/command-line.md',
      ]),
    )
    expect(names.filter((name) => /\.(?:map|ts|tsx|mjs)$|screenshots|main\/index\.js/.test(name))).toEqual([])
  })

  it('asks for the packages that run, by the hashes of the lock file, and for no other', () => {
    const read = (name: string) =>
      JSON.parse(entries.find((entry) => entry.name === `package/${name}`)!.bytes!.toString()) as Record<string, never>
    expect(read('package.json')).toMatchObject({ name: 'hangar', version, private: true, dependencies })
    for (const key of ['devDependencies', 'optionalDependencies', 'scripts'])
      expect(read('package.json')).not.toHaveProperty(key)
    const locked = Object.entries(read('npm-shrinkwrap.json')['packages']!) as [
      string,
      { dev?: boolean; integrity?: string },
    ][]
    const names = locked.map(([place]) => place)
    expect(names).toEqual(
      expect.arrayContaining(['node_modules/sharp', 'node_modules/better-sqlite3', 'node_modules/keytar']),
    )
    expect(names.filter((name) => /vitest|electron|node-linux|node-win/.test(name))).toEqual([])
    for (const [place, { integrity }] of locked.filter(([name]) => name !== ''))
      expect(integrity, place).toMatch(/^sha512-/)
  })

  itWith(POSIX)('is installed with npm install -g, and processes a picture', async () => {
    const file = join(folder, `hangar-${version}.tgz`)
    writeFileSync(file, tarGz(entries, 1))
    const prefix = join(folder, 'prefix')
    // Not the settings of this checkout: a person installs it from anywhere.
    await execute('npm', ['install', '-g', '--prefix', prefix, '--no-audit', '--no-fund', file], { cwd: folder })
    const installed = join(prefix, 'lib/node_modules/hangar')
    expect(
      readdirSync(join(installed, 'node_modules'))
        .filter((name) => !name.startsWith('.'))
        .toSorted(),
    ).toEqual(['@img', 'better-sqlite3', 'detect-libc', 'keytar', 'libheif-js', 'node-addon-api', 'semver', 'sharp'])
    const home = join(folder, 'home')
    mkdirSync(home)
    copyFileSync(join(ROOT, 'resources/samples/red-hangar.jpg'), join(home, 'picture.jpg'))
    const env = {
      HOME: home,
      PATH: [join(prefix, 'bin'), dirname(process.execPath), '/usr/bin', '/bin'].join(delimiter),
    }
    expect((await execute('hangar', ['--version'], { env })).stdout).toBe(`${version}\n`)
    const { stdout } = await execute('hangar', ['run', '--practice', '--json', home], { env })
    expect(jsonLines(stdout).at(-1)).toMatchObject({ event: 'summary', done: 1 })
    expect(readdirSync(home)).toContain('picture.webp')
  })
})
