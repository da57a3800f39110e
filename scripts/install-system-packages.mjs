/** What some test suites need from the system. Installed on Debian as root; elsewhere the exact command is named. */
import { existsSync, readdirSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { isExecutable } from './find-browser.mjs'
import { run, say } from './project.mjs'

/** Debian package, how to see that it is there, and the suites that are skipped, by name, without it. */
const withProgram = (name, program, suites) => ({ name, program, present: () => hasCommand(program), suites })

const KEYS = 'keys in the keychain'
const JUDGED = 'pictures judged by other programs'
const EXPORTS = 'exports judged by other programs'
/** Only for the schema that is in it. */
const XLIFF_SCHEMA = '/usr/share/php/Symfony/Component/Translation/Resources/schemas/xliff-core-2.0.xsd'

const QUICK = [
  { name: 'libsecret-1-0', present: () => hasLibrary('libsecret-1.so.0'), suites: KEYS },
  withProgram('gnome-keyring', 'gnome-keyring-daemon', KEYS),
  withProgram('dbus', 'dbus-run-session', KEYS),
  withProgram('strace', 'strace', 'crash at each system call'),
  withProgram('chromium', 'chromium', 'the UI in a browser'),
  withProgram(
    'chromium-headless-shell',
    'chromium-headless-shell',
    'nothing (chromium takes its place, and more time)',
  ),
  withProgram('libimage-exiftool-perl', 'exiftool', JUDGED),
  withProgram('libvips-tools', 'vips', JUDGED),
  withProgram('libjpeg-turbo-progs', 'djpeg', JUDGED),
  withProgram('pngcheck', 'pngcheck', JUDGED),
  withProgram('imagemagick', 'identify', JUDGED),
  withProgram('webp', 'cwebp', JUDGED),
  withProgram('libavif-bin', 'avifenc', JUDGED),
  withProgram('libheif-examples', 'heif-enc', 'HEIC'),
  withProgram('libjxl-devtools', 'ssimulacra_main', JUDGED),
  withProgram('attr', 'setfattr', 'extended attributes of originals'),
]

const DESKTOP = 'the desktop app in Electron'

/** A screen and a desktop of its own, and what Electron is linked with. */
const ELECTRON = [
  withProgram('xvfb', 'Xvfb', DESKTOP),
  withProgram('openbox', 'openbox', DESKTOP),
  withProgram('xdotool', 'xdotool', DESKTOP),
  withProgram('x11-utils', 'xprop', DESKTOP),
  withProgram('unzip', 'unzip', DESKTOP),
  { name: 'g++', present: () => hasCommand('g++'), suites: DESKTOP },
  { name: 'make', present: () => hasCommand('make'), suites: DESKTOP },
  { name: 'python3-dbus', present: () => existsSync('/usr/lib/python3/dist-packages/dbus'), suites: DESKTOP },
  { name: 'python3-gi', present: () => existsSync('/usr/lib/python3/dist-packages/gi'), suites: DESKTOP },
  { name: 'libgtk-3-0', present: () => hasLibrary('libgtk-3.so.0'), suites: DESKTOP },
  { name: 'libnss3', present: () => hasLibrary('libnss3.so'), suites: DESKTOP },
  { name: 'libasound2', present: () => hasLibrary('libasound.so.2'), suites: DESKTOP },
  { name: 'libgbm1', present: () => hasLibrary('libgbm.so.1'), suites: DESKTOP },
  { name: 'libnotify4', present: () => hasLibrary('libnotify.so.4'), suites: DESKTOP },
]

/** The same, needed by the long suite alone. */
const LONG = [
  withProgram('libxml2-utils', 'xmllint', EXPORTS),
  { name: 'php-symfony-translation', present: () => existsSync(XLIFF_SCHEMA), suites: EXPORTS },
  { name: 'postgresql', present: hasPostgres, suites: 'the team ledger' },
  withProgram('nginx-light', 'nginx', 'the page behind a reverse proxy'),
  withProgram('caddy', 'caddy', 'the page behind a reverse proxy'),
  withProgram('acl', 'setfacl', 'who may use results'),
  withProgram('lintian', 'lintian', 'the Debian package'),
  withProgram('man-db', 'man', 'the Debian package'),
  withProgram('zsh', 'zsh', 'the Debian package'),
  withProgram('fish', 'fish', 'the Debian package'),
  withProgram('faketime', 'faketime', 'clock jumps'),
  withProgram('bindfs', 'bindfs', 'drives that come and go in watched folders'),
  withProgram('encfs', 'encfs', 'where names are short'),
  withProgram('giflib-tools', 'giftext', JUDGED),
  withProgram('libtiff-tools', 'tiff2rgba', JUDGED),
  withProgram('ffmpeg', 'ffmpeg', JUDGED),
  ...ELECTRON,
  { name: 'python3-pil', present: () => existsSync('/usr/lib/python3/dist-packages/PIL'), suites: JUDGED },
  ...(process.arch === 'x64'
    ? [
        withProgram('wine', 'wine', 'Hangar on Windows'),
        withProgram('binutils-mingw-w64-x86-64', 'x86_64-w64-mingw32-ld', 'Hangar on Windows'),
      ]
    : []),
]

/** What a test of the quick suite must not need. */
export const LONG_PROGRAMS = LONG.flatMap(({ program }) => program ?? [])

/** For the quick suite, or for all tests. Never fails: what cannot be installed is named, and the files that need it skip themselves. */
export async function installSystemPackages(suite) {
  const needed = suite === 'quick' ? QUICK : [...QUICK, ...LONG]
  const missing = needed.filter((entry) => !entry.present())
  if (missing.length === 0) return
  const names = missing.map((entry) => entry.name)
  if (process.platform === 'linux' && hasCommand('apt-get') && process.getuid?.() === 0) {
    say(`Installing system packages for the tests with apt-get: ${names.join(' ')}`)
    await aptInstall(names)
  }
  const left = needed.filter((entry) => !entry.present())
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
