import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { childEnvironment } from '../child-environment.ts'
import type { Result } from '../../src/shared/contract/call.ts'
import type { EngineCall, EngineRequest, EngineResponse } from '../../src/shared/contract/calls.ts'
import type { Job } from '../../src/shared/jobs/job.ts'
import { DEFAULT_RECIPE, type Recipe } from '../../src/shared/recipes/recipe.ts'
import { END_STATES } from '../../src/shared/sentences/job-states.ts'
import type { Settings } from '../../src/shared/settings/settings.ts'
import type { PracticeOptions } from '../../src/practice/protocol.ts'
import { startPractice, type ControlInput, type PracticeServer } from '../practice/faulty-practice.ts'
import { PATIENCE_MS, until } from '../until.ts'
import type { Engine } from '../../src/main/engine/start-engine.ts'
import { runEngine, type EngineConfig, type RunningEngine } from './engine-parts.ts'
import { checkInvariants, parseLedger, type CheckedWorld } from './invariants.ts'
import { readJobs, readJournal } from './journal-view.ts'
import { pictureNumber } from './pictures.ts'
import { scaledClock } from './scaled-clock.ts'
import { recordEntry, recordTree, type EntryRecord } from './tree-record.ts'

const ENDED = new Set<string>(END_STATES)

/** Whether this user can run the sources: not when they lie below a folder of root alone. */
export function mayRunAs(uid: number): boolean {
  const script = `require('node:fs').readdirSync(${JSON.stringify(import.meta.dirname)})`
  return process.getuid?.() === 0 && spawnSync(process.execPath, ['-e', script], { uid, gid: uid }).status === 0
}

export interface WorldOptions {
  /** How many times faster than real time Hangar and the service live. */
  speed?: number
  practice?: PracticeOptions
  overrides?: Partial<Settings>
  recipe?: Partial<Recipe>
}

export interface StartOptions {
  watch?: boolean
  dataDir?: string
  serviceUrl?: string
  overrides?: Partial<Settings>
  /** PEM to trust in place of the system's. */
  certificates?: string[]
  /** How many times shorter the time-outs of its requests are than they really are. */
  impatience?: number
  ledgerPassword?: string
  /** By how much its clock is wrong. */
  clockAheadMs?: number
  /** Runs the process as this user. */
  uid?: number
  /** Size of its thread pool. */
  threads?: number
  /** On file systems without hard links, as far as it can tell. */
  noLinks?: boolean
  /** Stops itself (SIGSTOP) before it starts the engine. */
  held?: boolean
}

/** A child process that runs the engine. */
export interface EngineProcess {
  child: ChildProcess
  pid: number
  /** Resolves when the engine runs; false when the process ended before. */
  ready: Promise<boolean>
  /** Resolves to the exit code, or the signal's name. */
  ended: Promise<number | string>
  call<Name extends EngineCall>(
    channel: Name,
    request: EngineRequest<Name>,
  ): Promise<Result<EngineResponse<Name>> | null>
  /** Resolves to the job when one is told in this state; null when the process ended before. */
  untilJob(state: Job['state']): Promise<Job | null>
  kill(): Promise<void>
}

/** A folder, a practice service that outlives every Hangar, and Hangars here or in processes of their own. `violations` checks the invariants. */
export class FaultWorld {
  readonly base: string
  readonly pictures: string
  readonly dataDir: string
  readonly practice: PracticeServer
  /** Apart from `base`: the service is another computer. */
  readonly ledgerFile: string
  readonly speed: number
  readonly epochMs: number
  readonly recipe: Recipe
  readonly originals = new Map<string, EntryRecord>()
  readonly foreign = new Map<string, EntryRecord>()
  readonly said: string[] = []
  readonly processTexts: string[] = []
  readonly approvedRepeats = new Map<string, number>()
  readonly dataDirs: string[]
  readonly folders: string[]
  /** Changes that tests make to what is checked. */
  readonly checks: Partial<CheckedWorld> = {}
  readonly #options: WorldOptions
  readonly #engines: RunningEngine[] = []
  readonly #processes: EngineProcess[] = []
  #surroundings: ReadonlyMap<string, EntryRecord> = new Map()
  #nth = 0
  readonly #passwords = new Set<string>()

  private constructor(
    base: string,
    ledgerFile: string,
    practice: PracticeServer,
    epochMs: number,
    options: WorldOptions,
  ) {
    this.base = base
    this.ledgerFile = ledgerFile
    this.pictures = join(base, 'pictures')
    this.dataDir = join(base, 'data')
    this.practice = practice
    this.speed = options.speed ?? 1
    this.epochMs = epochMs
    // Every kind of file there is: pictures of faults are a little wider than this.
    this.recipe = { ...DEFAULT_RECIPE, keepLarger: true, widths: [16], ...options.recipe }
    this.dataDirs = [this.dataDir]
    this.folders = [this.pictures]
    this.#options = options
  }

  static async make(options: WorldOptions = {}): Promise<FaultWorld> {
    const base = realpathSync(mkdtempSync(join(tmpdir(), 'hangar-fault-')))
    const epochMs = Date.now()
    const ledgerFile = join(mkdtempSync(join(tmpdir(), 'hangar-ledger-')), 'ledger.jsonl')
    for (const name of ['pictures', 'outside']) mkdirSync(join(base, name))
    writeFileSync(join(base, 'outside', 'kept.txt'), 'not Hangar’s')
    const jobTime = { kind: 'fixed', ms: 300 } as const
    const practice = await startPractice(
      { requestsPerMinute: 1_000_000, credits: 1_000_000, jobTime, seed: 1, ledgerFile, ...options.practice },
      { clock: scaledClock(options.speed ?? 1, epochMs) },
    )
    const world = new FaultWorld(base, ledgerFile, practice, epochMs, options)
    world.surround()
    return world
  }

  /** Records what lies around the folders now. */
  surround(): void {
    this.#surroundings = recordTree(this.base, [...this.folders, ...this.dataDirs])
  }

  /** For what tests write down; apart from what is checked. */
  get logDir(): string {
    return dirname(this.ledgerFile)
  }

  /** Puts a new picture into the folder and records it as an original. */
  async add(name = `photo-${this.#nth}.jpg`, bytes?: Buffer): Promise<string> {
    const nth = this.#nth++
    const path = join(this.pictures, name)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, bytes ?? (await pictureNumber(nth, name.endsWith('.png') ? 'png' : 'jpeg')))
    this.own(path)
    return path
  }

  /** Records a file that a person put there as it is now. */
  own(path: string): void {
    this.originals.set(path, recordEntry(path)!)
  }

  addForeign(name: string, text: string): string {
    const path = join(this.pictures, name)
    writeFileSync(path, text)
    this.foreign.set(path, recordEntry(path)!)
    return path
  }

  config(start: StartOptions = {}): EngineConfig {
    if (start.ledgerPassword !== undefined) this.#passwords.add(start.ledgerPassword)
    return {
      dataDir: start.dataDir ?? this.dataDir,
      serviceUrl: start.serviceUrl ?? this.practice.imageBaseUrl,
      watch: start.watch ?? false,
      speed: this.speed,
      epochMs: this.epochMs + (start.clockAheadMs ?? 0),
      overrides: { requestsPerMinute: 600, ...this.#options.overrides, ...start.overrides },
      ...(start.certificates && { certificates: start.certificates }),
      ...(start.impatience !== undefined && { impatience: start.impatience }),
      ...(start.ledgerPassword !== undefined && { ledgerPassword: start.ledgerPassword }),
    }
  }

  get apiKey(): string {
    return this.practice.apiKey
  }

  /** Waits until this is so; what did not end is told when it never is. */
  until(what: string, isSo: () => boolean | Promise<boolean>, patienceMs = PATIENCE_MS): Promise<void> {
    return until(what, isSo, { patienceMs, describe: () => this.describeUnrest() })
  }

  async addSome(count: number): Promise<void> {
    for (let nth = 0; nth < count; nth += 1) await this.add()
  }

  /** The engine in this process. */
  async open(start: StartOptions = {}): Promise<RunningEngine> {
    const running = await runEngine(this.config(start), this.apiKey, (line) => this.said.push(line))
    this.#engines.push(running)
    const close = async (graceMs: number) => {
      this.#engines.splice(this.#engines.indexOf(running), 1)
      await running.close(graceMs)
    }
    return { engine: running.engine, close }
  }

  /** The engine in a process of its own. */
  spawn(start: StartOptions = {}, wrapper: string[] = []): EngineProcess {
    const script = join(import.meta.dirname, 'engine-process.ts')
    const preload = start.noLinks === true ? ['--import', join(import.meta.dirname, 'no-links.ts')] : []
    const { ledgerPassword, ...config } = this.config(start)
    const command = [...wrapper, process.execPath, ...preload, script, JSON.stringify(config)]
    const child = spawn(command[0]!, command.slice(1), {
      env: {
        ...childEnvironment(),
        HOME: this.base,
        HANGAR_API_KEY: this.apiKey,
        ...(ledgerPassword !== undefined && { HANGAR_TEST_LEDGER_PASSWORD: ledgerPassword }),
        UV_THREADPOOL_SIZE: `${start.threads ?? 2}`,
        ...(start.held === true && { HANGAR_TEST_HELD: '1' }),
      },
      stdio: ['pipe', 'pipe', 'pipe'],
      ...(start.uid === undefined ? {} : { uid: start.uid, gid: start.uid }),
    })
    const running = superviseProcess(child, this.said)
    this.processTexts.push(command.join('\n'))
    this.#processes.push(running)
    return running
  }

  /** The same, once it runs. */
  async start(start: StartOptions = {}): Promise<EngineProcess> {
    const hangar = this.spawn(start)
    if (!(await hangar.ready)) throw new Error(`the engine did not start: ${this.said.slice(-5).join('')}`)
    return hangar
  }

  /** Takes in everything in the folder, once. */
  get everything(): EngineRequest<'intake.add'> {
    return { paths: [this.pictures], recipe: this.recipe, confirmed: true }
  }

  get folder(): EngineRequest<'folders.add'> {
    return { path: this.pictures, recipe: this.recipe, include: [], exclude: [] }
  }

  /** Takes in everything and waits until all of it was looked at. False when that was refused. */
  async look(hangar: Pick<EngineProcess, 'call'>): Promise<boolean> {
    const added = await hangar.call('intake.add', this.everything)
    if (added?.ok !== true) return false
    await until('the folder was scanned', async () => {
      const batch = await hangar.call('batches.get', { id: added.value.batchId })
      return batch?.ok !== true || !batch.value.open
    })
    return true
  }

  weather(...rules: Extract<ControlInput, { type: 'add-weather' }>['rules']): Promise<unknown> {
    return this.practice.control({ type: 'add-weather', rules })
  }

  rest(patienceMs = PATIENCE_MS): Promise<void> {
    return this.until('every picture has ended', () => this.isAtRest(), patienceMs)
  }

  /** Takes in everything and waits until all of it has ended. */
  async run(hangar: Pick<EngineProcess, 'call'> | Engine): Promise<void> {
    await hangar.call('intake.add', this.everything)
    await this.rest()
  }

  /** Every picture that was put there is listed and ended, as the journal says. */
  isAtRest(paths: Iterable<string> = this.originals.keys(), dataDir = this.dataDir): boolean {
    const jobs = readJobs(dataDir)
    if (jobs === null || !jobs.every((job) => ENDED.has(job.state))) return false
    const listed = new Set(jobs.map((job) => job.path))
    return [...paths].every((path) => listed.has(path))
  }

  /** How many jobs are in each state, as the journal says. */
  counts(dataDir = this.dataDir): Record<string, number> {
    return countBy(readJobs(dataDir) ?? [], ({ state }) => state)
  }

  /** The same with reasons, e.g. `{ done: 3, 'held disk_full': 1 }`. */
  tally(dataDir = this.dataDir): Record<string, number> {
    return countBy(readJobs(dataDir) ?? [], ({ state, reason }) => `${state} ${reason ?? ''}`.trim())
  }

  reasons(dataDir = this.dataDir): string[] {
    return Object.keys(this.tally(dataDir)).sort()
  }

  /** For a failure's message: what did not end, what was never listed, and what was said last. */
  describeUnrest(): string {
    const journal = readJournal(this.dataDir)
    const listed = new Set(journal?.jobs.map((job) => job.path))
    const open = journal?.jobs.filter((job) => !ENDED.has(job.state)).map(({ path, state }) => `${path}: ${state}`)
    const missing = [...this.originals.keys()].filter((path) => !listed.has(path))
    const facts = { tally: this.tally(), open, missing, quarantined: journal?.quarantined }
    return `${JSON.stringify(facts)}\n${this.said.slice(-30).join('').slice(-4000)}`
  }

  /** `settled`: Hangar has come to rest after its last start, so parts and unfinished jobs are violations too. */
  async violations(settled: boolean): Promise<string[]> {
    const ledger = existsSync(this.ledgerFile) ? parseLedger(readFileSync(this.ledgerFile, 'utf8')) : []
    return checkInvariants({
      base: this.base,
      folders: this.folders,
      dataDirs: this.dataDirs,
      surroundings: this.#surroundings,
      originals: this.originals,
      foreign: this.foreign,
      ledger,
      approvedRepeats: this.approvedRepeats,
      canaries: [this.apiKey, ...this.#passwords],
      said: this.said,
      processTexts: this.processTexts,
      requestsPerMinute: this.config().overrides.requestsPerMinute ?? 60,
      afterRestart: settled,
      ...(settled ? { eligible: [...this.originals.keys()], served: (id: string) => this.#download(id) } : {}),
      ...this.checks,
    })
  }

  async #download(imageId: string): Promise<Buffer | null> {
    const headers = { authorization: `Bearer ${this.apiKey}` }
    const response = await fetch(`${this.practice.imageBaseUrl}/images/${imageId}/optimized`, { headers })
    return response.ok ? Buffer.from(await response.arrayBuffer()) : null
  }

  async end(): Promise<void> {
    for (const process of this.#processes) await process.kill()
    for (const engine of this.#engines.slice()) await engine.close(0)
    await this.practice.close()
    if (process.env['HANGAR_KEEP'] !== undefined) return
    for (const dir of [this.base, dirname(this.ledgerFile)]) rmSync(dir, { recursive: true, force: true })
  }
}

function countBy<Item>(items: readonly Item[], keyOf: (item: Item) => string): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const key of items.map(keyOf)) counts[key] = (counts[key] ?? 0) + 1
  return counts
}

function superviseProcess(child: ChildProcess, said: string[]): EngineProcess {
  const ended = new Promise<number | string>((resolve) => {
    child.once('close', (code, signal) => resolve(code ?? signal ?? -1))
  })
  child.stderr!.setEncoding('utf8').on('data', (text: string) => said.push(text))
  child.stdin!.on('error', () => undefined)
  const replies = new Map<number, (result: never) => void>()
  const watchers = new Set<(job: Job) => void>()
  let tellReady = (): void => undefined
  const ready = Promise.race([
    new Promise<boolean>((resolve) => (tellReady = () => resolve(true))),
    ended.then(() => false),
  ])
  createInterface({ input: child.stdout! }).on('line', (line) => {
    said.push(line)
    let told: { ready?: true; id?: number; result?: never; event?: { type: string; job?: Job } }
    try {
      told = JSON.parse(line) as typeof told
    } catch {
      return // A kill can cut the last line.
    }
    if (told.ready === true) tellReady()
    if (told.id !== undefined) replies.get(told.id)?.(told.result!)
    if (told.event?.type === 'job') for (const watcher of Array.from(watchers)) watcher(told.event.job!)
  })
  let calls = 0
  return {
    child,
    pid: child.pid!,
    ready,
    ended,
    call: (channel, request) => {
      const id = calls++
      const reply = new Promise<never>((resolve) => replies.set(id, resolve))
      child.stdin!.write(`${JSON.stringify({ id, channel, request })}\n`)
      return Promise.race([reply, ended.then(() => null)])
    },
    untilJob: (state) => {
      const seen = new Promise<Job>((resolve) => {
        const watcher = (job: Job) => {
          if (job.state !== state) return
          watchers.delete(watcher)
          resolve(job)
        }
        watchers.add(watcher)
      })
      return Promise.race([seen, ended.then(() => null)])
    },
    kill: async () => {
      child.kill('SIGKILL')
      await ended
    },
  }
}
