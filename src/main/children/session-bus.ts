import { execFile } from 'node:child_process'
import process from 'node:process'

interface BusProperty {
  name: string
  path: string
  interface: string
  property: string
}

const GET = 'org.freedesktop.DBus.Properties.Get'
const PATIENCE_MS = 1500

/** One of these is on every desktop: of D-Bus itself, of GLib and of systemd. */
const ways = ({ name, path, interface: at, property }: BusProperty): [program: string, args: string[]][] => [
  [
    'dbus-send',
    ['--session', '--print-reply=literal', `--dest=${name}`, path, GET, `string:${at}`, `string:${property}`],
  ],
  ['gdbus', ['call', '--session', '--dest', name, '--object-path', path, '--method', GET, at, property]],
  ['busctl', ['--user', 'get-property', name, path, at, property]],
]

/** A yes or no that another program of the session states on its bus; null if it cannot be asked. */
export async function busFlag(wanted: BusProperty): Promise<boolean | null> {
  if ((process.env['DBUS_SESSION_BUS_ADDRESS'] ?? process.env['XDG_RUNTIME_DIR']) === undefined) return null
  for (const [program, args] of ways(wanted)) {
    const { isThere, answer } = await ask(program, args)
    if (isThere) return /\btrue\b/.test(answer) ? true : /\bfalse\b/.test(answer) ? false : null
  }
  return null
}

function ask(program: string, args: readonly string[]): Promise<{ isThere: boolean; answer: string }> {
  return new Promise((done) => {
    execFile(program, args, { timeout: PATIENCE_MS, killSignal: 'SIGKILL' }, (error, stdout) => {
      done({ isThere: error?.code !== 'ENOENT', answer: error === null ? stdout : '' })
    })
  })
}

/** Whether the Secret Service of a Linux desktop says that the keychain is open; asking shows no dialog. False elsewhere. */
export async function isKeychainUnlocked(): Promise<boolean> {
  if (process.platform !== 'linux') return false
  const isLocked = await busFlag({
    name: 'org.freedesktop.secrets',
    path: '/org/freedesktop/secrets/aliases/default',
    interface: 'org.freedesktop.Secret.Collection',
    property: 'Locked',
  })
  return isLocked === false
}
