/** What some test suites need from the system. Installed on Debian as root; elsewhere the exact command is named. */
import { existsSync, readdirSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { isExecutable } from './find-browser.mjs'
import { run, say } from './project.mjs'

/** Debian package, how to see that it is there, and the suites that are skipped, by name, without it. */
const NEEDED = [
  { name: 'libsecret-1-0', present: () => hasLibrary('libsecret-1.so.0'), suites: 'keys in the keychain' },
  { name: 'gnome-keyring', present: () => hasCommand('gnome-keyring-daemon'), suites: 'keys in the keychain' },
  { name: 'dbus', present: () => hasCommand('dbus-run-session'), suites: 'keys in the keychain' },
  { name: 'strace', present: () => hasCommand('strace'), suites: 'crash at each system call' },
  { name: 'chromium', present: () => hasCommand('chromium'), suites: 'the UI in a browser' },
  {
    name: 'chromium-headless-shell',
    present: () => hasCommand('chromium-headless-shell'),
    suites: 'nothing (chromium takes its place, and more time)',
  },
  { name: 'postgresql', present: hasPostgres, suites: 'the team ledger' },
  { name: 'faketime', present: () => hasCommand('faketime'), suites: 'clock jumps' },
  { name: 'zzuf', present: () => hasCommand('zzuf'), suites: 'damaged images' },
  ...[
    ['lintian', 'lintian'],
    ['desktop-file-utils', 'desktop-file-validate'],
    ['man-db', 'man'],
    ['zsh', 'zsh'],
    ['fish', 'fish'],
  ].map(([name, command]) => ({ name, present: () => hasCommand(command), suites: 'the Debian package' })),
  ...(process.arch === 'x64'
    ? [
        ['wine', 'wine'],
        ['binutils-mingw-w64-x86-64', 'x86_64-w64-mingw32-ld'],
      ].map(([name, command]) => ({ name, present: () => hasCommand(command), suites: 'Hangar on Windows' }))
    : []),
  ...[
    ['libimage-exiftool-perl', 'exiftool'],
    ['libvips-tools', 'vips'],
    ['libjpeg-turbo-progs', 'djpeg'],
    ['pngcheck', 'pngcheck'],
    ['imagemagick', 'identify'],
    ['webp', 'cwebp'],
    ['libavif-bin', 'avifenc'],
    ['giflib-tools', 'giftext'],
    ['libjxl-devtools', 'ssimulacra_main'],
    ['ffmpeg', 'ffmpeg'],
  ].map(([name, command]) => ({
    name,
    present: () => hasCommand(command),
    suites: 'pictures judged by other programs',
  })),
  {
    name: 'python3-pil',
    present: () => existsSync('/usr/lib/python3/dist-packages/PIL'),
    suites: 'pictures judged by other programs',
  },
]

/** Never fails: what cannot be installed is named, and the suites that need it skip themselves. */
export async function installSystemPackages() {
  const missing = NEEDED.filter((entry) => !entry.present())
  if (missing.length === 0) return
  const names = missing.map((entry) => entry.name)
  if (process.platform === 'linux' && hasCommand('apt-get') && process.getuid?.() === 0) {
    say(`Installing system packages for the tests with apt-get: ${names.join(' ')}`)
    await aptInstall(names)
  }
  const left = NEEDED.filter((entry) => !entry.present())
  if (left.length === 0) return
  for (const entry of left) say(`Not installed: ${entry.name}. Skipped for that: ${entry.suites}.`)
  const command = `apt-get update && apt-get install -y --no-install-recommends ${left.map((entry) => entry.name).join(' ')}`
  if (process.platform === 'linux') say(`To run them, as root on Debian: ${command}`)
  else say('Those suites run on Linux only.')
}

async function aptInstall(names) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const patience = ['-o', 'Acquire::http::Timeout=20', '-o', 'Acquire::Retries=1', '-o', 'DPkg::Lock::Timeout=60']
  const quietly = { env, output: 'capture' }
  const install = (packages) =>
    run('apt-get', [...patience, 'install', '-y', '--no-install-recommends', ...packages], quietly)
  await run('apt-get', [...patience, 'update'], quietly)
  if ((await install(names)).code === 0) return
  // One package that cannot be had must not take the others with it.
  for (const name of names) {
    const { code, text } = await install([name])
    if (code !== 0) say(`apt-get could not install ${name}: ${text.trim().split('\n').at(-1)}`)
  }
}

function hasCommand(name) {
  return (process.env.PATH ?? '').split(path.delimiter).some((folder) => isExecutable(path.join(folder, name)))
}

/** Debian keeps the server's programs out of the path. */
function hasPostgres() {
  const base = '/usr/lib/postgresql'
  return existsSync(base) && readdirSync(base).some((version) => isExecutable(path.join(base, version, 'bin/initdb')))
}

function hasLibrary(name) {
  const folders = ['/lib', '/usr/lib', '/lib64', '/usr/lib64', '/usr/local/lib']
  return folders.some((folder) => existsSync(path.join(folder, name)) || isInTripletFolder(folder, name))
}

/** Debian keeps libraries one level down, in a folder named after the architecture. */
function isInTripletFolder(folder, name) {
  if (!existsSync(folder)) return false
  const inside = readdirSync(folder).filter((entry) => entry.includes('-linux-'))
  return inside.some((entry) => existsSync(path.join(folder, entry, name)))
}
