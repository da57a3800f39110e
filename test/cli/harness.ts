import { fork, spawn, type ChildProcess } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createHash } from 'node:crypto'
import sharp from 'sharp'
import type { PracticeAddress, PracticeOptions } from '../../src/practice/protocol.ts'
import type { LedgerSnapshot } from '../practice/faulty-practice.ts'
import type { ControlInput } from '../practice/faulty-practice.ts'
import type { FromPracticeChild } from '../practice/practice-child.ts'
import { childEnvironment } from '../child-environment.ts'
import { until } from '../until.ts'

const ROOT = resolve(import.meta.dirname, '../..')
/** As they are built: what people run, and sooner there than from source. `npm test` builds them first. */
export const CLI = join(ROOT, 'out/main/cli.js')
const PRACTICE = join(ROOT, 'test/practice/practice-child.ts')

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

export function startCli(args: string[], { env = {}, input = '', cwd = ROOT }: CliOptions = {}): RunningCli {
  const child = spawn(process.execPath, [CLI, ...args], { cwd, env: bareEnvironment(env), stdio: 'pipe' })
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
  return { child, ended, text, said }
}

interface CliOptions {
  env?: Record<string, string>
  input?: string
  cwd?: string
}

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

export interface Practice extends PracticeAddress {
  /** What a `hangar` needs to use it. */
  env: Record<string, string>
  control(request: ControlInput): Promise<unknown>
  /** How many pictures whose names begin so were sent to it. */
  charges(namePrefix?: string): Promise<number>
  stop(): Promise<void>
}

/** A practice service in a process of its own whose jobs take 100 ms, with no limit that a test would meet. */
export async function startPractice(options: PracticeOptions = {}): Promise<Practice> {
  const child = fork(PRACTICE, [], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'], execArgv: [] })
  const answers = new Map<number, (message: FromPracticeChild) => void>()
  let nextId = 1
  const address = await new Promise<PracticeAddress>((done, failed) => {
    child.on('message', (message) => {
      const given = message as FromPracticeChild
      if (given.type === 'ready') done(given)
      else if (given.type === 'failed') failed(new Error(given.message))
      else answers.get(given.id)?.(given)
    })
    const config = {
      jobTime: { kind: 'fixed', ms: 100 },
      requestsPerMinute: 100_000,
      ipRequestsPerMinute: 100_000,
      ...options,
    }
    child.send({ type: 'start', config })
  })
  const control = (request: ControlInput) =>
    new Promise<unknown>((done, failed) => {
      const id = nextId++
      answers.set(id, (message) =>
        message.type === 'reply' ? done(message.result) : failed(new Error(JSON.stringify(message))),
      )
      child.send({ type: 'control', id, request })
    })
  return {
    ...address,
    env: { HANGAR_SERVICE_URL: address.imageBaseUrl, HANGAR_API_KEY: address.apiKey },
    control,
    charges: async (namePrefix = '') =>
      ((await control({ type: 'get-ledger' })) as LedgerSnapshot).charges.filter(({ filename }) =>
        filename.startsWith(namePrefix),
      ).length,
    stop: () =>
      new Promise((done) => {
        child.on('exit', () => done())
        child.disconnect()
      }),
  }
}

/** Folders that are removed together at the end. */
export class Folders {
  readonly #made: string[] = []

  async make(name: string): Promise<string> {
    const folder = await mkdtemp(join(tmpdir(), `hangar-cli-${name}-`))
    this.#made.push(folder)
    return folder
  }

  /** A fresh folder with pictures, each with a content of its own. */
  async withPictures(names: string[]): Promise<string> {
    const folder = await this.make('pictures')
    await Promise.all(names.map((name) => drawPicture(join(folder, name))))
    return folder
  }

  async removeAll(): Promise<void> {
    await Promise.all(this.#made.map((folder) => rm(folder, { recursive: true, force: true, maxRetries: 5 })))
  }
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
