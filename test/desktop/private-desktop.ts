import { spawn, type ChildProcess } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, chown, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as delay } from 'node:timers/promises'
import { need, programs, type Need } from '../needs.ts'
import { until } from '../until.ts'

export const KEYRING_PASSWORD = 'of the test'

/** What the desktop of a test is made of. */
const PROGRAMS = ['Xvfb', 'openbox', 'dbus-daemon', 'gnome-keyring-daemon', 'xdotool', 'xprop', 'import', 'python3']
export const PRIVATE_DESKTOP: Need =
  programs(...PROGRAMS) ??
  need(
    'python3-dbus and python3-gi',
    ['dbus', 'gi'].every((name) => existsSync(`/usr/lib/python3/dist-packages/${name}`)),
  )

export interface DesktopChoices {
  /** Width and height in pixels. Default 1400 × 900. */
  size?: [number, number]
  /** Default true: a place for a tray, with a host that shows it. */
  trayHost?: boolean
  /** Whom its programs belong to; default: who runs the tests. */
  user?: { uid: number; gid: number }
}

/** The questions that `desktop-services.py` answers, and the type of each answer. */
interface Services {
  menu(): { label: string; enabled: boolean }[] | null
  choose(args: { label: string }): null
  activate(): null
  notifications(): { title: string }[]
  'click notification'(args: { number: number }): null
  inhibitors(): { what: string }[]
  sleep(args: { begins: boolean }): null
  shutdown(): null
  /** The attributes of what the keyring holds. */
  secrets(): Record<string, string>[]
  'lock keyring'(): null
  'unlock keyring'(args: { password: string }): null
}

/** Where a drag came to nothing, it never ends for the program that it began in. */
const DROPPED_WITHIN_MS = 10_000

/** A screen, a window manager, buses, a keyring and the services of a desktop, for one test and its programs alone. */
export class PrivateDesktop {
  readonly #programs: ChildProcess[] = []
  readonly #user: { uid?: number; gid?: number }
  readonly dir: string
  readonly env: Record<string, string> = {}
  #ask: (line: string) => Promise<string> = () => Promise.reject(new Error('not started'))

  private constructor(dir: string, user: DesktopChoices['user']) {
    this.dir = dir
    this.#user = user ?? {}
  }

  static async open({ size = [1400, 900], trayHost = true, user }: DesktopChoices = {}): Promise<PrivateDesktop> {
    const dir = await mkdtemp(join(tmpdir(), 'hangar-desktop-'))
    const desktop = new PrivateDesktop(dir, user)
    try {
      await desktop.#start(size, trayHost)
    } catch (error) {
      await desktop.close()
      throw error
    }
    return desktop
  }

  async #start(size: [number, number], trayHost: boolean): Promise<void> {
    const { uid = process.getuid!(), gid = process.getgid!() } = this.#user
    const home = join(this.dir, 'home')
    const runtime = join(this.dir, 'run')
    for (const folder of [home, runtime]) await mkdir(folder, { mode: 0o700 })
    await chmod(this.dir, 0o755)
    for (const folder of [this.dir, home, runtime]) await chown(folder, uid, gid)
    Object.assign(this.env, {
      HOME: home,
      XDG_RUNTIME_DIR: runtime,
      XDG_CURRENT_DESKTOP: 'test',
      PATH: process.env['PATH']!,
    })
    this.env['DISPLAY'] = `:${await this.#xvfb(size)}`
    this.env['DBUS_SESSION_BUS_ADDRESS'] = await this.#bus('--session')
    const config = join(this.dir, 'system-bus.conf')
    await writeFile(config, SYSTEM_BUS)
    this.env['DBUS_SYSTEM_BUS_ADDRESS'] = await this.#bus(`--config-file=${config}`)
    this.#run('openbox', [])
    const keyring = this.#run('gnome-keyring-daemon', ['--foreground', '--unlock', '--components=secrets'], 'pipe')
    keyring.stdin!.end(KEYRING_PASSWORD)
    await this.#services(trayHost ? [] : ['--without-tray-host'])
  }

  async #xvfb([width, height]: [number, number]): Promise<string> {
    const args = ['-displayfd', '3', '-screen', '0', `${width}x${height}x24`, '-nolisten', 'tcp', '-noreset']
    const xvfb = spawn('Xvfb', args, { ...this.#user, env: this.env, stdio: ['ignore', 'ignore', 'ignore', 'pipe'] })
    this.#programs.push(xvfb)
    return firstLine(xvfb.stdio[3] as NodeJS.ReadableStream, xvfb)
  }

  async #bus(kind: string): Promise<string> {
    const address = `unix:dir=${join(this.dir, 'run')}`
    const bus = this.#run('dbus-daemon', [kind, '--nofork', '--print-address', `--address=${address}`], 'pipe')
    return firstLine(bus.stdout!, bus)
  }

  async #services(args: string[]): Promise<void> {
    const services = this.#run('/usr/bin/python3', [join(import.meta.dirname, 'desktop-services.py'), ...args], 'pipe')
    const lines = createInterface(services.stdout!)
    const waiting: ((line: string) => void)[] = []
    lines.on('line', (line) => waiting.shift()?.(line))
    const next = () => new Promise<string>((take) => waiting.push(take))
    const ready = next()
    this.#ask = (line) => {
      const reply = next()
      services.stdin!.write(`${line}\n`)
      return reply
    }
    await ready
  }

  #run(program: string, args: string[], stdio: 'ignore' | 'pipe' = 'ignore'): ChildProcess {
    const child = spawn(program, args, { ...this.#user, env: this.env, stdio: [stdio, stdio, 'ignore'] })
    child.on('error', () => undefined)
    child.stdin?.on('error', () => undefined)
    this.#programs.push(child)
    return child
  }

  /** Asks the tray, the notifications or login1, see `desktop-services.py`. */
  async ask<Name extends keyof Services>(
    name: Name,
    ...[args]: Parameters<Services[Name]>
  ): Promise<ReturnType<Services[Name]>> {
    const reply = JSON.parse(await this.#ask(JSON.stringify({ do: name, ...args }))) as {
      value: unknown
      error?: string
    }
    if (reply.error !== undefined) throw new Error(`${name}: ${reply.error}`)
    return reply.value as ReturnType<Services[Name]>
  }

  /** Moves the pointer, presses keys and buttons: arguments of xdotool. */
  async xdotool(...args: string[]): Promise<string> {
    return this.run('xdotool', args)
  }

  /**
   * Presses a key in the window with this name, again until something holds: a window that was shown a moment ago may not listen
   * yet. Nothing is pressed while there is no such window.
   */
  async press(key: string, name: string, isDone: () => boolean | Promise<boolean>): Promise<void> {
    const listens = ['search', '--onlyvisible', '--name', name, 'windowfocus', '--sync']
    await until(
      `${key} is pressed in ${name}`,
      async () => {
        await this.xdotool(...listens, 'key', key)
        return isDone()
      },
      { pause: () => delay(2000) },
    )
  }

  /** What a program prints that runs on this desktop. */
  async run(program: string, args: string[]): Promise<string> {
    const child = spawn(program, args, { ...this.#user, env: this.env, stdio: ['ignore', 'pipe', 'ignore'] })
    let text = ''
    for await (const chunk of child.stdout) text += String(chunk)
    return text.trim()
  }

  /**
   * Drags files out of another program's window at (x, y), and drops them at `to`, with a mouse. It moves at its own pace: where the
   * machine does not keep up, nothing is dropped.
   */
  async drag(files: string[], [x, y]: [number, number], to: [number, number]): Promise<void> {
    const source = this.#run(
      '/usr/bin/python3',
      [join(import.meta.dirname, 'drag-source.py'), String(x), String(y), ...files],
      'pipe',
    )
    source.stdin!.end()
    const lines = createInterface(source.stdout!)[Symbol.asyncIterator]()
    await lines.next()
    await this.xdotool('search', '--sync', '--onlyvisible', '--name', '^Files to drag$')
    const steps = [1, 2, 3, 4].map((part) =>
      [x, y].map((from, axis) => from + 100 + ((to[axis]! - from - 100) * part) / 4),
    )
    await this.xdotool('mousemove', String(x + 100), String(y + 100), 'mousedown', '1')
    for (const step of [[x + 110, y + 110], [x + 130, y + 130], ...steps, [to[0] + 2, to[1] + 2]])
      await this.xdotool('mousemove', ...step.map((at) => String(Math.round(at))), 'sleep', '0.1')
    await this.xdotool('mouseup', '1')
    await Promise.race([lines.next(), delay(DROPPED_WITHIN_MS)])
    source.kill('SIGKILL')
  }

  /** Has another program copy something of this type, such as `image/png`. */
  async copy(type: string, bytes: Buffer): Promise<void> {
    const source = this.#run('/usr/bin/python3', [join(import.meta.dirname, 'copy-source.py'), type], 'pipe')
    const ready = firstLine(source.stdout!, source)
    source.stdin!.end(bytes)
    await ready
  }

  /** The whole screen, as a PNG at this path. */
  async screenshot(path: string): Promise<void> {
    await this.run('import', ['-window', 'root', path])
  }

  /** Ends all of it, the newest first. */
  async close(): Promise<void> {
    for (const child of this.#programs.toReversed()) {
      if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) continue
      const ended = new Promise((done) => child.once('exit', done))
      child.kill('SIGKILL')
      await ended
    }
    await rm(this.dir, { recursive: true, force: true, maxRetries: 5 })
  }
}

function firstLine(stream: NodeJS.ReadableStream, child: ChildProcess): Promise<string> {
  return new Promise((take, fail) => {
    const lines = createInterface(stream)
    lines.once('line', take)
    child.once('exit', (code) => fail(new Error(`${child.spawnfile} ended with ${code}`)))
    child.once('error', fail)
  })
}

/** As a system bus, but that everybody on it may own what a desktop's own services own. */
const SYSTEM_BUS = `<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-BUS Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <type>system</type>
  <listen>unix:tmpdir=/tmp</listen>
  <auth>EXTERNAL</auth>
  <policy context="default">
    <allow user="*"/><allow own="*"/><allow send_type="*"/><allow send_destination="*" eavesdrop="true"/>
    <allow receive_type="*"/>
  </policy>
</busconfig>
`
