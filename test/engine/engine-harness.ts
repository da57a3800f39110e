import { mkdir, mkdtemp, readdir, readFile, realpath, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import sharp from 'sharp'
import type { EngineCall, EngineRequest, EngineResponse } from '../../src/shared/contract/calls.ts'
import type { EngineEvent } from '../../src/shared/contract/engine-port.ts'
import type { JobView } from '../../src/shared/contract/jobs.ts'
import type { AppErrorShape } from '../../src/shared/sentences/errors.ts'
import type { SecretStore } from '../../src/shared/runtime/ports.ts'
import type { JobState } from '../../src/shared/sentences/reasons.ts'
import { DEFAULT_RECIPE, type Recipe } from '../../src/shared/recipes/recipe.ts'
import type { Settings } from '../../src/shared/settings/settings.ts'
import { startEngine, type Engine } from '../../src/main/engine/start-engine.ts'
import type { EngineDeps } from '../../src/main/engine/engine-run.ts'
import { builtChildren } from '../built-children.ts'
import { hashOf } from '../simulation/memory-files.ts'
import { realClock } from '../../src/main/engine/real-clock.ts'
import { createMemoryStore } from '../../src/main/secrets/stores.ts'
import { createHttp } from '../../src/main/services/http.ts'
import { startPractice, type PracticeServer } from '../practice/faulty-practice.ts'
import type { PracticeOptions } from '../../src/practice/protocol.ts'
import { quiet } from '../simulation/world.ts'
import { PATIENCE_MS, until as untilItHolds } from '../until.ts'
import { englishText } from '../../src/shared/sentences/english-text.ts'

/** Every kind of file is written, whatever its size: these pictures are small. */
export const RECIPE: Recipe = { ...DEFAULT_RECIPE, languages: ['en', 'de'], keepLarger: true }

/** One folder of pictures, one practice service, and engines on them: real files, real SQLite, real HTTP. */
export class EngineWorld {
  readonly dir: string
  readonly pictures: string
  readonly practice: PracticeServer
  readonly secrets: SecretStore
  readonly #practiceTime: { aheadMs: number }
  readonly #engines: Engine[] = []
  #dataFolders = 0

  private constructor(dir: string, practice: PracticeServer, practiceTime: { aheadMs: number }) {
    this.dir = dir
    this.pictures = join(dir, 'pictures')
    this.practice = practice
    this.#practiceTime = practiceTime
    this.secrets = createMemoryStore('no_service')
  }

  static async open(options: PracticeOptions = {}): Promise<EngineWorld> {
    const dir = await realpath(await mkdtemp(join(tmpdir(), 'hangar-engine-')))
    const time = { aheadMs: 0 }
    const clock = { ...realClock, monotonicMs: () => realClock.monotonicMs() + time.aheadMs }
    const practice = await startPractice(
      { jobTime: { kind: 'fixed', ms: 30 }, requestsPerMinute: 10_000, credits: 1000, seed: 1, ...options },
      { clock },
    )
    const world = new EngineWorld(dir, practice, time)
    await mkdir(world.pictures)
    await world.secrets.set('image', new URL(practice.imageBaseUrl).origin, practice.apiKey)
    return world
  }

  get origin(): string {
    return new URL(this.practice.imageBaseUrl).origin
  }

  /** The practice service's jobs take an hour from now on, until the function that comes back lets that hour pass. */
  async holdJobs(): Promise<() => void> {
    const ms = 3_600_000
    await this.practice.control({ type: 'set-job-time', jobTime: { kind: 'fixed', ms } })
    return () => {
      this.#practiceTime.aheadMs += ms
    }
  }

  newDataFolder(): string {
    this.#dataFolders += 1
    return join(this.dir, `data-${this.#dataFolders}`)
  }

  /** Its settings begin with the practice service and a high limit, or are the stored ones where `overrides` is null. */
  async engine(
    dataDir: string,
    changes: Omit<Partial<EngineDeps>, 'overrides'> & { overrides?: Partial<Settings> | null } = {},
  ): Promise<Engine> {
    const addresses = { imageBaseUrl: this.practice.imageBaseUrl, chargerBaseUrl: this.practice.chargerBaseUrl }
    const engine = await startEngine({
      dataDir,
      clock: realClock,
      random: Math.random,
      log: quiet,
      secrets: this.secrets,
      http: createHttp({ clock: realClock, version: 'test' }),
      child: builtChildren,
      practice: null,
      scope: 'all',
      watch: false,
      ...changes,
      overrides: changes.overrides === null ? {} : { ...addresses, requestsPerMinute: 600, ...changes.overrides },
    })
    this.#engines.push(engine)
    return engine
  }

  async addPicture(name: string, seed: number, format: 'jpeg' | 'png' | 'webp' = 'jpeg'): Promise<string> {
    const path = join(this.pictures, name)
    await mkdir(join(path, '..'), { recursive: true })
    await writeFile(path, await makePicture(seed, format))
    return path
  }

  /** Names and hashes of everything in the pictures folder. */
  async listing(): Promise<Record<string, string>> {
    const hashes: Record<string, string> = {}
    for (const name of (await readdir(this.pictures, { recursive: true })).sort()) {
      const path = join(this.pictures, name)
      if ((await stat(path)).isFile()) hashes[name] = hashOf(await readFile(path))
    }
    return hashes
  }

  get charges() {
    return this.practice.ledger().charges
  }

  async close(): Promise<void> {
    for (const engine of this.#engines.splice(0)) await engine.stop(2000).catch(() => undefined)
    await this.practice.close()
    await rm(this.dir, { recursive: true, force: true })
  }

  /** Stops one engine now, with all that is sent answered; `close` leaves it alone then. */
  async stop(engine: Engine): Promise<void> {
    this.#engines.splice(this.#engines.indexOf(engine), 1)
    await engine.stop(PATIENCE_MS)
  }
}

/** A noisy gradient, different for every seed, small enough to be quick and large enough to be worth compressing. */
export async function makePicture(seed: number, format: 'jpeg' | 'png' | 'webp'): Promise<Buffer> {
  const [width, height] = [160, 120]
  const pixels = Buffer.alloc(width * height * 3)
  for (let n = 0; n < pixels.length; n += 1) pixels[n] = (n * (seed + 3) + ((n * n) >> (seed % 7))) & 0xff
  const image = sharp(pixels, { raw: { width, height, channels: 3 } }).blur(1 + (seed % 3))
  return format === 'jpeg' ? image.jpeg({ quality: 98 }).toBuffer() : image[format]().toBuffer()
}

/** The value of a call that must go well. */
export async function ask<Name extends EngineCall>(
  engine: Engine,
  channel: Name,
  request: EngineRequest<Name>,
): Promise<EngineResponse<Name>> {
  const result = await engine.call(channel, request)
  if (!result.ok) throw new Error(`${channel}: ${result.error.code} ${englishText(result.error.sentence)}`)
  return result.value
}

/** Why a call that must not go well is refused. */
export async function refusal<Name extends EngineCall>(
  engine: Engine,
  channel: Name,
  request: EngineRequest<Name>,
): Promise<AppErrorShape> {
  const result = await engine.call(channel, request)
  if (result.ok) throw new Error(`${channel} went well`)
  return result.error
}

/** A preview until it is complete. */
export async function previewToEnd(
  engine: Engine,
  order: EngineRequest<'intake.preview'>,
): Promise<EngineResponse<'intake.preview'>> {
  let seen = await ask(engine, 'intake.preview', order)
  while (seen.progress !== null) seen = await ask(engine, 'intake.morePreview', { id: seen.progress.id })
  return seen
}

/** Looks again with each event, and now and then without one. */
export async function until(engine: Engine, what: string, holds: () => boolean | Promise<boolean>): Promise<void> {
  let wake = () => undefined as void
  const unsubscribe = engine.subscribe(() => wake())
  try {
    await untilItHolds(what, holds, {
      pause: () => Promise.race([delay(200), new Promise<void>((resolve) => (wake = resolve))]),
    })
  } finally {
    unsubscribe()
  }
}

/** How many jobs there are in each state, of one batch or of all. */
export const countsOf = async (engine: Engine, of: EngineRequest<'jobs.counts'> = {}) =>
  (await ask(engine, 'jobs.counts', of)).counts

export const reached = (engine: Engine, state: JobState, count: number, of?: EngineRequest<'jobs.counts'>) =>
  until(engine, `${count} are ${state}`, async () => (await countsOf(engine, of))[state] === count)

export const totalOf = async (engine: Engine, of?: EngineRequest<'jobs.counts'>) =>
  Object.values(await countsOf(engine, of)).reduce((sum, count) => sum + count, 0)

export const batchCloses = (engine: Engine, id: string) =>
  until(engine, 'the batch is closed', async () => !(await ask(engine, 'batches.get', { id })).open)

/** Runs a batch to its end and returns its jobs. */
export async function runToEnd(
  engine: Engine,
  paths: string[],
  changes: Partial<EngineRequest<'intake.add'>> = {},
): Promise<JobView[]> {
  const { batchId } = await ask(engine, 'intake.add', { paths, recipe: RECIPE, confirmed: true, ...changes })
  await until(engine, 'the run ends', async () => {
    const batch = await ask(engine, 'batches.get', { id: batchId })
    if (batch.open) return false
    const counts = await countsOf(engine, { batchId })
    return counts.ready + counts.sending + counts.waiting + counts.fetching + counts.writing === 0
  })
  return (await ask(engine, 'jobs.list', { batchId })).jobs
}

export function collect(engine: Engine): EngineEvent[] {
  const events: EngineEvent[] = []
  engine.subscribe((event) => events.push(event))
  return events
}
