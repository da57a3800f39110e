import { spawn, type ChildProcess } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { createHash } from 'node:crypto'
import sharp from 'sharp'
import type { PracticeOptions } from '../../src/practice/protocol.ts'
import { startPractice as startFaultyPractice } from '../practice/faulty-practice.ts'
import { childEnvironment } from '../child-environment.ts'
import { folderForAll } from '../temp-folder.ts'
import { until } from '../until.ts'

const ROOT = resolve(import.meta.dirname, '../..')
/** As they are built: what people run, and sooner there than from source. `npm test` builds them first. */
export const CLI = join(ROOT, 'out/main/cli.js')

export interface Ended {
  code: number | null
  signal: NodeJS.Signals | null
  stdout: string
  stderr: string
}

/** A `hangar` that runs. `ended` always resolves. */
export interface RunningCli {
  child: ChildProcess
  ended: Promise<Ended>
  /** What it said so far. */
  text: { stdout: string; stderr: string }
  /** Resolves when the output so far matches; rejects when it ended before. */
  said(pattern: RegExp): Promise<void>
  stop(signal?: NodeJS.Signals): Promise<Ended>
}

/** Only what a program needs: no key, address or keychain of the person running the tests gets in. */
function bareEnvironment(env: Record<string, string>): Record<string, string> {
  const kept = ['HOME', 'TMPDIR', 'SYSTEMROOT', 'LANG'].map((name) => [name, process.env[name]])
  return {
    ...childEnvironment(),
    ...Object.fromEntries(kept.filter(([, value]) => value !== undefined)),
    ...env,
  } as Record<string, string>
}

export function startCli(args: string[], options: CliOptions = {}): RunningCli {
  return startNode([CLI, ...args], options)
}

export function startNode(args: string[], { env = {}, input = '', cwd = ROOT }: CliOptions = {}): RunningCli {
  const child = spawn(process.execPath, args, { cwd, env: bareEnvironment(env), stdio: 'pipe' })
  const text = { stdout: '', stderr: '' }
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (text.stdout += chunk))
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (text.stderr += chunk))
  child.stdin.on('error', () => undefined)
  child.stdin.end(input)
  let isOver = false
  const ended = new Promise<Ended>((done) =>
    child.on('close', (code, signal) => {
      isOver = true
      done({ code, signal, ...text })
    }),
  )
  const said = async (pattern: RegExp) => {
    const matches = () => pattern.test(text.stdout + text.stderr)
    const describe = () => `in ${text.stdout}\n${text.stderr}`
    await until(`it says ${String(pattern)}`, () => matches() || isOver, { describe })
    if (!matches()) throw new Error(`it ended without ${String(pattern)} ${describe()}`)
  }
  const stop = (signal: NodeJS.Signals = 'SIGTERM') => {
    child.kill(signal)
    return ended
  }
  return { child, ended, text, said, stop }
}

interface CliOptions {
  env?: Record<string, string>
  input?: string
  cwd?: string
}

/** For the environment of a command: this runs in its process, before it. */
export const withScript = (script: string) => ({
  NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(script)}`,
})

export function runCli(args: string[], options: CliOptions = {}): Promise<Ended> {
  return startCli(args, options).ended
}

/** The objects that `--json` printed, one a line. */
export function jsonLines(stdout: string): Record<string, unknown>[] {
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Record<string, unknown>)
}

export type Practice = Awaited<ReturnType<typeof startPractice>>

/** A practice service whose jobs take 100 ms, with no limit that a test would meet. */
export async function startPractice(options: PracticeOptions = {}) {
  const server = await startFaultyPractice({
    jobTime: { kind: 'fixed', ms: 100 },
    requestsPerMinute: 100_000,
    ipRequestsPerMinute: 100_000,
    ...options,
  })
  return {
    ...server,
    /** What a `hangar` needs to use it. */
    env: { HANGAR_SERVICE_URL: server.imageBaseUrl, HANGAR_API_KEY: server.apiKey } as Record<string, string>,
    /** How many pictures whose names begin so were sent to it. */
    charges: async (namePrefix = '') =>
      server.ledger().charges.filter(({ filename }) => filename.startsWith(namePrefix)).length,
    stop: () => server.close(),
  }
}

/** A fresh folder with pictures, each with a content of its own; gone after the last test of the file. */
export async function folderWithPictures(names: string[]): Promise<string> {
  const folder = folderForAll()
  await Promise.all(names.map((name) => drawPicture(join(folder, name))))
  return folder
}

let drawn = 0

/** A small picture that compresses; no two are the same. */
export async function drawPicture(path: string): Promise<void> {
  drawn += 1
  const [width, height] = [160, 120]
  const pixels = Buffer.alloc(width * height * 3)
  // A linear congruential generator, so that a run can be repeated.
  let state = drawn * 7919
  for (let at = 0; at < pixels.length; at += 1) {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31
    pixels[at] = ((at / 3) % width) + (state % 12)
  }
  const picture = sharp(pixels, { raw: { width, height, channels: 3 } })
  await (path.endsWith('.png') ? picture.png() : picture.jpeg({ quality: 97 })).toFile(path)
}

/** Every file below a folder with a hash of what is in it. */
export async function contentOf(folder: string): Promise<Record<string, string>> {
  const names = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile())
  const entries = names.map(async ({ parentPath, name }) => {
    const path = join(parentPath, name)
    const hash = createHash('sha256').update(await readFile(path))
    return [path.slice(folder.length + 1), hash.digest('hex')] as const
  })
  return Object.fromEntries((await Promise.all(entries)).sort(([a], [b]) => (a < b ? -1 : 1)))
}
