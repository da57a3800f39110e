import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { ask, EngineWorld, RECIPE as WHOLE, runToEnd, until } from '../engine/engine-harness.ts'
import { seededRandom } from '../../src/practice/seeded-random.ts'
import type { Recipe } from '../../src/shared/recipes/recipe.ts'
import { AppError } from '../../src/shared/sentences/errors.ts'
import { layDamaged, type JournalFiles } from './damage-journal.ts'

/** Texts alone: what is paid for matters here, not what is made of it. */
const RECIPE: Recipe = { ...WHOLE, operation: 'analyze' }

/** How one damaged journal ended. */
export interface End {
  seed: number
  kind: string
  /** `opened`, or the code of the refusal, or `problem`. */
  end: string
  problem: string | null
  /** Of this process's processor time: how fast a busy machine is says nothing. */
  ms: number
  peakKb: number
}

/** Paid pictures and two journals that know of them, as a kill leaves them; the service is still at work on some. */
export class DamagedWorld {
  readonly #world: EngineWorld
  readonly #whole: JournalFiles
  readonly #other: JournalFiles
  readonly #paid: number

  private constructor(world: EngineWorld, whole: JournalFiles, other: JournalFiles) {
    this.#world = world
    this.#whole = whole
    this.#other = other
    this.#paid = world.charges.length
  }

  static async open(): Promise<DamagedWorld> {
    const world = await EngineWorld.open()
    const other = await killed(world, 'other', 20)
    const whole = await killed(world, 'one', 0)
    return new DamagedWorld(world, whole, other)
  }

  /** Damages the journal by this seed, and runs Hangar with it on the pictures that were paid with it. */
  async meet(seed: number): Promise<End> {
    const dataDir = this.#world.newDataFolder()
    mkdirSync(dataDir, { mode: 0o700 })
    forgetResults(this.#world, 'one-0.jpg')
    const kind = layDamaged(dataDir, this.#whole, this.#other, seededRandom(seed))
    forgetPeak()
    const before = process.cpuUsage()
    const { end, problem } = await this.#run(dataDir).then(
      () => ({ end: 'opened', problem: null }),
      (error: unknown) =>
        error instanceof AppError
          ? { end: error.code, problem: null }
          : { end: 'problem', problem: String((error as Error).stack) },
    )
    const { user, system } = process.cpuUsage(before)
    const ms = Math.round((user + system) / 1000)
    const again = this.#world.charges.length - this.#paid
    rmSync(dataDir, { recursive: true })
    return { seed, kind, end, problem: again > 0 ? `paid again: ${again}` : problem, ms, peakKb: peakKb() }
  }

  async #run(dataDir: string): Promise<void> {
    const engine = await this.#world.engine(dataDir)
    try {
      await goThrough(this.#world, engine)
    } finally {
      await this.#world.stop(engine)
    }
  }

  close(): Promise<void> {
    return this.#world.close()
  }
}

function forgetResults(world: EngineWorld, picture: string): void {
  rmSync(join(world.pictures, `${picture}.alt.json`), { force: true })
}

type Engine = Awaited<ReturnType<EngineWorld['engine']>>

/** Hands all pictures in, and looks at what the window looks at, until nothing is left that might be sent. */
async function goThrough(world: EngineWorld, engine: Engine): Promise<void> {
  const { batchId } = await ask(engine, 'intake.add', { paths: [world.pictures], recipe: RECIPE, confirmed: true })
  await until(engine, 'nothing is left to send', async () => {
    if (engine.broken() !== null) return true
    if ((await ask(engine, 'batches.get', { id: batchId })).open) return false
    const { counts } = await ask(engine, 'jobs.counts', {})
    return counts.ready + counts.sending + counts.fetching + counts.writing === 0
  })
  if (engine.broken() === null) await ask(engine, 'jobs.list', {})
}

/** Of a Hangar that was killed: it knows of pictures with results, of one whose results are gone, and of some that are still worked on. */
async function killed(world: EngineWorld, name: string, firstSeed: number): Promise<JournalFiles> {
  const dataDir = join(world.dir, name)
  const engine = await world.engine(dataDir)
  for (let n = 0; n < 4; n += 1) await world.addPicture(`${name}-${n}.jpg`, firstSeed + n)
  await runToEnd(engine, [world.pictures], { recipe: RECIPE })
  forgetResults(world, `${name}-0.jpg`)
  await world.holdJobs()
  for (let n = 4; n < 7; n += 1) await world.addPicture(`${name}-${n}.jpg`, firstSeed + n)
  await ask(engine, 'intake.add', { paths: [world.pictures], recipe: RECIPE, confirmed: true })
  await until(engine, 'all are sent', async () => (await ask(engine, 'jobs.counts', {})).counts.waiting === 3)
  const files = {
    journal: readFileSync(join(dataDir, 'journal.db')),
    wal: readFileSync(join(dataDir, 'journal.db-wal')),
    sent: readFileSync(join(dataDir, 'journal.db-sent')),
  }
  await world.stop(engine)
  await world.practice.control({ type: 'set-job-time', jobTime: { kind: 'fixed', ms: 30 } })
  return files
}

/** Resets the peak (proc(5), clear_refs). */
function forgetPeak(): void {
  writeFileSync('/proc/self/clear_refs', '5')
}

function peakKb(): number {
  return Number(/VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1])
}
