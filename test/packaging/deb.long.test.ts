import { execFile } from 'node:child_process'
import { chmodSync, copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import process from 'node:process'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Entry } from '../../scripts/packages/archive.mjs'
import { collect } from '../../scripts/packages/collect.mjs'
import { DEB_ARCH } from '../../scripts/packages/deb/debian-package.mjs'
import { describeCommands, makeDeb, type Commands } from '../../scripts/packages/deb/make-deb.mjs'
import { ownTarget } from '../../scripts/packages/targets.mjs'
import { jsonLines } from '../cli/harness.ts'
import { describeWith, itWith, need, programs } from '../needs.ts'
import { folderForAll } from '../temp-folder.ts'
import { NO_SPARE_MACHINE, spareMachine, well } from './spare-machine.ts'

const execute = promisify(execFile)
const ROOT = resolve(import.meta.dirname, '../..')
const MEGABYTE = 1e6
const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string }
const own = ownTarget(process) ?? ''
/** Not of the root that builds: a person who logs in. */
const PERSON = { user: 65_534, home: '/srv/person' }

let folder: string
let packages: string
let commands: Commands
let collected: { entries: Entry[]; remove: () => void }

/** The package in a file; its version as a release before or after this one would have it. */
function write(asVersion: string, level?: number): Buffer {
  const bytes = makeDeb({ collected: collected.entries, commands, version: asVersion, target: own, level })
  writeFileSync(join(packages, `hangar_${asVersion}.deb`), bytes)
  return bytes
}

describeWith(need('a system that Debian packages are made for', Object.hasOwn(DEB_ARCH, own)), programs('dpkg-deb'))(
  'the Debian package',
  () => {
    beforeAll(async () => {
      folder = folderForAll()
      // apt reads packages as a user of its own.
      chmodSync(folder, 0o755)
      packages = join(folder, 'packages')
      mkdirSync(packages)
      ;[commands, collected] = await Promise.all([describeCommands(), collect(own)])
      expect(write(version).length).toBeLessThan(75 * MEGABYTE)
    })

    afterAll(() => collected.remove())

    it('has the same bytes for the same files', () => {
      const [first, second] = [1, 1].map((level) => write('0.0.1', level))
      expect(first!.equals(second!)).toBe(true)
    })

    it('is a whole package for dpkg, which lists what a desktop and a server look for', async () => {
      const { stdout } = await execute('dpkg-deb', ['--contents', join(packages, `hangar_${version}.deb`)])
      const names = stdout.split('\n').map((line) => line.slice(line.indexOf(' ./') + 3))
      expect(names).toEqual(
        expect.arrayContaining([
          'usr/bin/hangar',
          'usr/share/applications/hangar.desktop',
          'usr/share/icons/hicolor/scalable/apps/hangar.svg',
          'usr/share/man/man1/hangar.1.gz',
          'lib/systemd/system/hangar-watch@.service',
          'usr/share/doc/hangar/copyright',
          'usr/share/doc/hangar/docs/operating.md',
        ]),
      )
      expect(
        names.filter((name) => /electron|\.map$|\.ts$|screenshots|\/test\//.test(name) && !/docs\//.test(name)),
      ).toEqual([])
    })

    itWith(programs('lintian'))('has no error that lintian would name', async () => {
      const file = join(packages, `hangar_${version}.deb`)
      const { stdout } = await execute('lintian', ['--no-cfg', '--allow-root', '--fail-on', 'none', file], {
        maxBuffer: 2 ** 26,
      })
      expect(stdout.split('\n').filter((line) => line.startsWith('E:'))).toEqual([])
    })

    itWith(NO_SPARE_MACHINE, programs('apt-get', 'adduser'))(
      'is installed, used, upgraded over the version before, removed and purged',
      async () => {
        write('0.0.1', 1)
        copyFileSync(join(ROOT, 'resources/samples/red-hangar.jpg'), join(packages, 'picture.jpg'))
        const spare = join(folder, 'spare')
        mkdirSync(spare)
        const machine = await spareMachine(spare, packages)
        const root = async (...command: string[]) => well(await machine.run(command))
        const person = async (...command: string[]) => well(await machine.run(command, PERSON))
        const isThere = async (path: string) => (await machine.run(['test', '-e', path])).code === 0
        const apt = (...what: string[]) => root('apt-get', 'install', '-y', '--no-install-recommends', ...what)

        await root('dpkg', '--purge', 'hangar')
        await root('install', '-d', '-o', '65534', '-g', '65534', PERSON.home, '/srv/pictures')
        await root('install', '-o', '65534', '-m', '644', '/mnt/picture.jpg', '/srv/pictures/picture.jpg')

        await apt('/mnt/hangar_0.0.1.deb')
        expect((await person('hangar', '--version')).stdout).toBe(`${version}\n`)
        const practice = await person('hangar', 'run', '--practice', '--json', '/srv/pictures')
        expect(jsonLines(practice.stdout).at(-1)).toMatchObject({ event: 'summary', done: 1 })
        const convert = [
          'hangar',
          'run',
          '--operation',
          'convert',
          '--format',
          'avif',
          '--json',
          '/srv/pictures/picture.jpg',
        ]
        expect(jsonLines((await person(...convert)).stdout).at(-1)).toMatchObject({ done: 1 })
        expect(await isThere('/srv/pictures/picture.avif')).toBe(true)
        const jobs = async () => jsonLines((await person('hangar', 'jobs', '--json')).stdout)
        const before = await jobs()
        expect(before.map(({ state }) => state)).toEqual(['done', 'done'])
        await root('sh', '-c', 'echo HANGAR_SERVICE_URL=https://images.example.org/api/v1 > /etc/hangar/hangar.env')
        await root('install', '-d', '-o', 'hangar', '/var/lib/hangar/srv-pictures')
        await root('sh', '-c', 'echo secret > /etc/hangar/image-key')
        if (hasSystemd) {
          const unit = await root(
            'systemd-analyze',
            'verify',
            '--man=no',
            '/lib/systemd/system/hangar-watch@srv-pictures.service',
          )
          expect(unit.stderr).not.toContain('hangar')
        }

        await apt(`/mnt/hangar_${version}.deb`)
        expect((await root('dpkg-query', '-W', '-f', '${Version} ${Status}', 'hangar')).stdout).toBe(
          `${version} install ok installed`,
        )
        expect(await jobs()).toEqual(before)
        expect(jsonLines((await person(...convert)).stdout).at(-1)).toMatchObject({ done: 0, skipped: 1 })
        expect((await root('cat', '/etc/hangar/hangar.env')).stdout).toContain('example.org')

        const files = (await root('dpkg', '-L', 'hangar')).stdout.trim().split('\n')
        await root('apt-get', 'remove', '-y', 'hangar')
        expect(await isThere('/usr/bin/hangar')).toBe(false)
        expect(await isThere('/etc/hangar/hangar.env')).toBe(true)
        await root('apt-get', 'purge', '-y', 'hangar')
        const left = await root(
          'sh',
          '-c',
          'for name in "$@"; do [ -d "$name" ] || [ ! -e "$name" ] || echo "$name"; done',
          'sh',
          ...files,
        )
        expect(left.stdout).toBe('')
        for (const gone of ['/usr/lib/hangar', '/etc/hangar', '/var/lib/hangar', '/usr/share/doc/hangar'])
          expect(await isThere(gone), gone).toBe(false)
        expect(await isThere(`${PERSON.home}/.local/share/hangar/journal.db`)).toBe(true)
      },
    )
  },
)

const hasSystemd = programs('systemd-analyze') === null
