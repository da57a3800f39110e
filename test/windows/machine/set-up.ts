/**
 * Makes a Windows out of Wine for the tests: a prefix, Windows' Node, sharp's binary, the library that Wine lacks, and
 * the built program with its packages side by side. Run as `flock FOLDER.lock node set-up.ts FOLDER`: several test files
 * may ask at once. Does nothing when all is there; says what it does on stderr.
 */
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import process from 'node:process'
import { promisify } from 'node:util'
import { wineEnvironment } from './wine-environment.ts'

const execute = promisify(execFile)
const HERE = import.meta.dirname
const ROOT = resolve(HERE, '../../..')
const INPUTS = ['set-up.ts', 'wine-environment.ts', 'package-lock.json', 'bcryptprimitives.def', 'no-keep-alive.cjs']

const folder = resolve(process.argv[2]!)
const stamp = join(folder, 'made-of')
const hash = createHash('sha256')
for (const name of INPUTS) hash.update(readFileSync(join(HERE, name)))
const madeOf = hash.digest('hex')

if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== madeOf) {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(join(folder, 'home'), { recursive: true })
  await Promise.all([makePrefix(), installPackages()])
  layOutProgram()
  writeFileSync(stamp, madeOf)
}

function say(line: string): void {
  process.stderr.write(`${line}\n`)
}

async function makePrefix(): Promise<void> {
  const env = { ...process.env, ...wineEnvironment(folder) }
  const { stdout } = await execute('wine', ['--version'], { env })
  say(`Setting up a Windows 10 with ${stdout.trim()} in ${folder}`)
  await execute('wineboot', ['--init'], { env })
  await execute('wine', ['reg', 'add', 'HKCU\\Software\\Wine', '/v', 'Version', '/d', 'win10', '/f'], { env })
  // Until it has ended, what was set is not on the disk.
  await execute('wineserver', ['--wait'], { env })
  const library = join(env.WINEPREFIX, 'drive_c/windows/system32/bcryptprimitives.dll')
  if (existsSync(library)) return
  const exports = join(folder, 'bcryptprimitives.exp')
  const tool = (name: string) => `x86_64-w64-mingw32-${name}`
  await execute(tool('dlltool'), ['--def', join(HERE, 'bcryptprimitives.def'), '--output-exp', exports])
  await execute(tool('ld'), ['-shared', exports, '-o', library])
}

async function installPackages(): Promise<void> {
  const { optionalDependencies } = JSON.parse(readFileSync(join(HERE, 'package.json'), 'utf8')) as {
    optionalDependencies: Record<string, string>
  }
  const list = Object.entries(optionalDependencies).map((entry) => entry.join(' '))
  say(`Installing for it with npm: ${list.join(', ')}`)
  for (const name of ['package.json', 'package-lock.json']) copyFileSync(join(HERE, name), join(folder, name))
  await execute('npm', ['ci', '--os=win32', '--cpu=x64', '--ignore-scripts', '--no-audit', '--no-fund'], {
    cwd: folder,
  })
}

/** The rest of the packages have the binaries of every system. Wine follows these links itself: a program sees none. */
function layOutProgram(): void {
  const link = (place: string) => {
    mkdirSync(dirname(join(folder, place)), { recursive: true })
    symlinkSync(join(ROOT, place), join(folder, place))
  }
  for (const place of ['out', 'resources', 'docs']) link(place)
  // Last, so that npm does not take it for its own.
  copyFileSync(join(ROOT, 'package.json'), join(folder, 'package.json'))
  const waiting = dependenciesIn(join(ROOT, 'package.json'))
  const linked = new Set<string>()
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    const place = join('node_modules', name)
    if (linked.has(name) || !existsSync(join(ROOT, place))) continue
    linked.add(name)
    link(place)
    waiting.push(...dependenciesIn(join(ROOT, place, 'package.json')))
  }
}

function dependenciesIn(manifest: string): string[] {
  const { dependencies = {} } = JSON.parse(readFileSync(manifest, 'utf8')) as { dependencies?: Record<string, string> }
  return Object.keys(dependencies)
}
