import { execFile, spawn, spawnSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { menuEntry } from '../../scripts/packages/desktop/menu-entry.mjs'
import { jsonLines } from '../cli/harness.ts'
import { PrivateDesktop } from '../desktop/private-desktop.ts'
import { REAL_ELECTRON } from '../desktop/desktop-app.ts'
import { ROOT } from '../desktop/runtime/runtime-place.ts'
import { describeWith, itWith, need, programs } from '../needs.ts'
import { until } from '../until.ts'
import { folderForAll } from '../temp-folder.ts'
import { makeDesktopPackages } from './packable-runtime.ts'
import { NO_SPARE_MACHINE, openSpareMachine, well, type SpareMachine } from './spare-machine.ts'

const execute = promisify(execFile)
const PERSON = { uid: 65_534, gid: 65_534 }
const INSTALLED = '/usr/lib/hangar-desktop'
const SAMPLES = 8

/** Starts the menu entry as a desktop does, with GLib: an action of it, or the files. */
const LAUNCH = `
import sys
from gi.repository import Gio
entry = Gio.DesktopAppInfo.new('hangar-desktop.desktop')
what, *files = sys.argv[1:]
if what: entry.launch_action(what, None)
elif not entry.launch([Gio.File.new_for_path(file) for file in files], None): sys.exit(1)
`

let folder: string
let packages: string
let desktop: PrivateDesktop
let mark: string
const only = (pattern: string) => {
  const [name, ...others] = globSync(pattern, { cwd: packages })
  expect([name, others]).toEqual([expect.any(String), []])
  return join(packages, name!)
}

/** Those of the app under test, wherever they were started from: Chromium's own ones have their environment overwritten. */
function processes(): { pid: number; command: string }[] {
  const read = (pid: string, name: string) => {
    try {
      return readFileSync(`/proc/${pid}/${name}`, 'utf8').replaceAll('\0', ' ')
    } catch {
      return ''
    }
  }
  const all = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => ({
      pid,
      parent: read(pid, 'stat')
        .replace(/^.*\) /, '')
        .split(' ')[1],
      command: read(pid, 'cmdline'),
    }))
  const ours = new Set(
    all.map(({ pid }) => pid).filter((pid) => read(pid, 'environ').includes(`HANGAR_TEST_MARK=${mark} `)),
  )
  for (let known = -1; known < ours.size;) {
    known = ours.size
    for (const { pid, parent } of all) if (ours.has(parent ?? '')) ours.add(pid)
  }
  return all
    .filter(({ pid, command }) => ours.has(pid) && command.includes('hangar-desktop'))
    .map(({ pid, command }) => ({ pid: Number(pid), command }))
}

function endAll(): void {
  for (const { pid } of processes())
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // It ended with another of them.
    }
}

const label = async (text: string) =>
  until(`the tray's menu has "${text}"`, async () =>
    ((await desktop.ask('menu').catch(() => null)) ?? []).some((entry) => entry.label === text),
  )
const title = () => desktop.run('sh', ['-c', 'xdotool getwindowname "$(xdotool search --class Hangar | tail -n 1)"'])

describeWith(
  REAL_ELECTRON,
  NO_SPARE_MACHINE,
  programs('apt-get', 'dpkg-deb', 'ar'),
)('a package of the desktop app', () => {
  beforeAll(async () => {
    folder = folderForAll()
    mark = folder
    packages = join(folder, 'packages')
    mkdirSync(packages)
    for (const place of [folder, packages]) chmodSync(place, 0o755)
    await makeDesktopPackages(['--deb', '--tar'], packages, folder)
    // In a place that the spare machine sees as well.
    const before = process.env['TMPDIR']
    process.env['TMPDIR'] = packages
    desktop = await PrivateDesktop.open({ user: PERSON })
    if (before === undefined) delete process.env['TMPDIR']
    else process.env['TMPDIR'] = before
  })

  afterAll(async () => {
    endAll()
    await desktop?.close()
  })

  describe('that apt installed', () => {
    let home: string
    let picture: string
    let machine: SpareMachine
    const root = async (...command: string[]) => well(await machine.run(command))

    beforeAll(async () => {
      home = join(packages, 'person')
      picture = join(home, 'röter Hangar 100%.jpg')
      mkdirSync(home)
      copyFileSync(join(ROOT, 'resources/samples/red-hangar.jpg'), picture)
      for (const path of [home, picture]) chownSync(path, PERSON.uid, PERSON.gid)
      const spare = join(folder, 'spare')
      mkdirSync(spare)
      machine = await openSpareMachine(spare, packages)
      await root(
        'apt-get',
        'install',
        '-y',
        '--no-install-recommends',
        `/mnt/${only('*.deb').slice(packages.length + 1)}`,
      )
    })

    afterAll(async () => {
      endAll()
      await machine?.close()
    })

    it('opens its window from the menu, in a sandbox', async () => {
      const { launch } = asPerson(machine, home)
      await launch('')
      await until('the window is there', async () => (await title()).endsWith('– Hangar'))
      const [x11, hint] = [
        await desktop.run('sh', ['-c', 'xprop -id "$(xdotool search --class Hangar | tail -n 1)" WM_CLASS']),
        /^StartupWMClass=(.*)$/m,
      ]
      expect(x11).toContain(`"${hint.exec(menuEntry())![1]}"`)
      const renderers = processes().filter(({ command }) => command.includes('--type=renderer'))
      expect(renderers.length).toBeGreaterThan(0)
      for (const { pid } of renderers) expect(readFileSync(`/proc/${pid}/status`, 'utf8')).toMatch(/^Seccomp:\t2$/m)
      expect(processes().filter(({ command }) => command.includes('--no-sandbox'))).toEqual([])
    })

    it('makes the samples when its palette is asked, and the picture that the file manager gives it', async () => {
      const { inside, launch, jobs } = asPerson(machine, home)
      // What is typed before the window listens is lost.
      await until('the samples are in the list', async () => {
        await desktop.xdotool('key', 'Escape', 'ctrl+k')
        await desktop.xdotool('type', 'samples')
        await desktop.xdotool('key', 'Return')
        return (await jobs()).length > 0
      })
      const done = async () => (await jobs()).filter(({ state }) => state === 'done').length
      await until(
        'the samples are done',
        async () => (await done()) >= SAMPLES && (await done()) === (await jobs()).length,
      )
      const samplesDone = await done()

      await launch('', inside(picture))
      await until('the picture of the file manager is done', async () => {
        await desktop.xdotool('key', 'Return')
        return (await done()) > samplesDone
      })
    })

    it('runs nothing that others put into the environment', async () => {
      const { person } = asPerson(machine, home)
      writeFileSync(join(packages, 'evil.cjs'), `require('node:fs').writeFileSync('/mnt/person/evil', '')`)
      well(
        await person(['hangar-desktop', '--show', 'credits'], {
          ELECTRON_RUN_AS_NODE: '1',
          NODE_OPTIONS: '--require /mnt/evil.cjs',
        }),
      )
      await until('the credits are shown', async () => (await title()).startsWith('Credits'))
      expect(existsSync(join(home, 'evil'))).toBe(false)
    })

    it('does what the actions of its menu entry say', async () => {
      const { launch } = asPerson(machine, home)
      await launch('pause')
      await label('Resume sending')
      await launch('resume')
      await label('Pause sending')
      await launch('jobs')
      await until('the pictures are shown', async () => (await title()).includes('Pictures'))
    })

    it('ends when it is told to, without an error', async () => {
      const log = () => logOf(home)
      await desktop.ask('choose', { label: 'Quit Hangar' })
      await until('it has ended', () => processes().length === 0)
      expect(log().at(-1)).toContain('stopped')
      expect(log().filter((line) => line.includes('"level":"error"'))).toEqual([])
      expect(readFileSync(join(home, 'said'), 'utf8')).not.toMatch(/GLib|g_object|CRITICAL|assertion/)
    })

    it('is removed whole, and keeps what a person has', async () => {
      const isThere = async (path: string) => (await machine.run(['test', '-e', path])).code === 0
      const files = (await root('dpkg', '-L', 'hangar-desktop')).stdout.trim().split('\n')
      await root('apt-get', 'purge', '-y', 'hangar-desktop')
      const left = ['sh', '-c', 'for name; do [ -d "$name" ] || [ ! -e "$name" ] || echo "$name"; done', 'sh', ...files]
      expect((await root(...left)).stdout).toBe('')
      expect(await isThere(INSTALLED)).toBe(false)
      expect(statSync(join(home, '.local/share/hangar/journal.db')).size).toBeGreaterThan(0)
      expect(existsSync(`${picture}.alt.json`)).toBe(true)
    })
  })

  const hasNamespaces = spawnSync('unshare', ['--user', 'true'], PERSON).status === 0
  itWith(need('namespaces of their own for people', hasNamespaces))(
    'as a .tar.gz starts where it was unpacked',
    async () => {
      await execute('tar', ['-xzf', only('*.tar.gz'), '-C', folder])
      const [program] = globSync('hangar-desktop-*/hangar-desktop', { cwd: folder })
      const home = join(packages, 'other')
      mkdirSync(home)
      chownSync(home, PERSON.uid, PERSON.gid)
      const app = spawn(join(folder, program!), ['--hidden'], {
        ...PERSON,
        cwd: home,
        env: { ...desktop.env, HOME: home, HANGAR_TEST_MARK: mark, LANG: 'C.UTF-8' },
        stdio: 'ignore',
      })
      const exited = new Promise((done) => app.once('exit', (code, signal) => done({ code, signal })))
      await until('it has started', () => logOf(home).some((line) => line.includes('"started"')))
      await label('Show Hangar')
      app.kill('SIGTERM')
      expect(await exited).toEqual({ code: 0, signal: null })
      expect(logOf(home).at(-1)).toContain('stopped')
    },
  )
})

const logOf = (home: string): string[] =>
  globSync(join(home, '.local/share/hangar/logs/*'))
    .toSorted()
    .flatMap((file) => readFileSync(file, 'utf8').trim().split('\n'))

/** What a person does on the spare machine with the desktop of the test; their home is in what it shares. */
function asPerson(machine: SpareMachine, home: string) {
  const inside = (path: string) => path.replaceAll(packages, '/mnt')
  const person = (command: string[], env: Record<string, string> = {}) => {
    const all = { ...desktop.env, PATH: '/usr/bin:/bin', HOME: home, HANGAR_TEST_MARK: mark, LANG: 'C.UTF-8', ...env }
    const pairs = Object.entries(all).map(
      ([name, value]) => `${name}=${name === 'HANGAR_TEST_MARK' ? value : inside(value)}`,
    )
    return machine.run(['env', '-C', inside(home), ...pairs, ...command], { user: PERSON.uid, home: inside(home) })
  }
  return {
    inside,
    person,
    launch: async (...what: string[]) => {
      const start = ['sh', '-c', 'exec "$@" >> said 2>&1', 'sh', '/usr/bin/python3', '-c', LAUNCH, ...what]
      well(await person(start))
    },
    jobs: async () => {
      const cli = [`${INSTALLED}/resources/node`, `${INSTALLED}/resources/app.asar.unpacked/out/main/cli.js`]
      return jsonLines(well(await person([...cli, 'jobs', '--json'])).stdout)
    },
  }
}
