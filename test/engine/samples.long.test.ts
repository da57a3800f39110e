import { cp, readdir, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { AppError } from '../../src/shared/sentences/errors.ts'
import { PRACTICE_SERVICE } from '../../src/shared/recipes/recipe.ts'
import type { Engine } from '../../src/main/engine/start-engine.ts'
import type { EngineDeps } from '../../src/main/engine/engine-run.ts'
import { startPractice, type PracticeServer } from '../practice/faulty-practice.ts'
import { ask, EngineWorld, RECIPE, runToEnd, until } from './engine-harness.ts'
import { raw } from '../../src/shared/sentences/sentence.ts'

const SAMPLES = await realpath(join(import.meta.dirname, '..', '..', 'resources', 'samples'))
const NAMES = (await readdir(SAMPLES)).filter((name) => /\.(?:jpg|png|gif|webp)$/.test(name)).sort()

/** `world` has the account's service, in whose ledger no sample may stand; `practice` runs once it was started. */
let world: EngineWorld
let practice: PracticeServer | null
let starts: number
let refusesToStart: boolean
const practiced: PracticeServer[] = []

beforeEach(async () => {
  world = await EngineWorld.open()
  practice = null
  starts = 0
  refusesToStart = false
})

afterEach(async () => {
  await world.close()
  for (const server of practiced.splice(0)) await server.close()
})

async function startIt(): Promise<AppError | null> {
  if (refusesToStart) return new AppError('internal', raw('it does not start here'))
  if (practice !== null) return null
  starts += 1
  practice = await startPractice({
    jobTime: { kind: 'fixed', ms: 30 },
    requestsPerMinute: 10_000,
    ipRequestsPerMinute: 10_000,
    credits: 1000,
    seed: 2,
  })
  practiced.push(practice)
  return null
}

/** Its process ended; another one has another address and key, and knows nothing of what was sent. */
async function end(): Promise<void> {
  await practice!.close()
  practice = null
}

function engineAt(dataDir: string, changes: Partial<EngineDeps> = {}): Promise<Engine> {
  return world.engine(dataDir, {
    practice: () => practice,
    samples: { dir: SAMPLES, startPractice: startIt },
    ...changes,
  })
}

const counts = async (engine: Engine) => (await ask(engine, 'jobs.counts', {})).counts
const allJobs = async (engine: Engine) => (await ask(engine, 'jobs.list', {})).jobs
const chargesOf = (server: PracticeServer) => server.ledger().charges
const reached = (engine: Engine, state: 'done' | 'waiting' | 'held' | 'failed', count = NAMES.length) =>
  until(engine, `${count} are ${state}`, async () => (await counts(engine))[state] === count)
const nothingReachedTheAccount = () => {
  expect(world.charges).toEqual([])
  expect(world.practice.ledger().requests.filter(({ method }) => method === 'POST')).toEqual([])
}

/** Stops the engine while the samples wait for a practice service that then ends; resolves to the data folder. */
async function stoppedWhileWaiting(): Promise<string> {
  await startIt()
  await practice!.control({ type: 'set-job-time', jobTime: { kind: 'fixed', ms: 600_000 } })
  const dataDir = world.newDataFolder()
  const engine = await engineAt(dataDir)
  await ask(engine, 'intake.samples', {})
  await reached(engine, 'waiting')
  expect(engine.needsPractice()).toBe(true)
  await world.stop(engine)
  await end()
  return dataDir
}

describe('sample pictures', () => {
  it('go to the practice service although an account is set up, and cost it nothing', async () => {
    const engine = await engineAt(world.newDataFolder())
    const { place: dir } = await ask(engine, 'intake.samples', {})
    await reached(engine, 'done')
    nothingReachedTheAccount()
    expect(starts).toBe(1)
    expect(
      chargesOf(practice!)
        .map(({ filename }) => filename)
        .sort(),
    ).toEqual(NAMES)
    expect((await allJobs(engine)).every(({ serviceId }) => serviceId === PRACTICE_SERVICE)).toBe(true)
    expect(await readdir(dir)).toEqual(expect.arrayContaining(NAMES.map((name) => `${name}.alt.json`)))
    expect(engine.snapshot().service).toMatchObject({ practice: false, serviceId: world.origin, hold: null })
    expect(engine.needsPractice()).toBe(false)
  })

  it('are processed beside the work of the account, each with its own credits', async () => {
    for (let n = 0; n < 4; n += 1) await world.addPicture(`mine-${n}.jpg`, n)
    const engine = await engineAt(world.newDataFolder())
    const [mine] = await Promise.all([runToEnd(engine, [world.pictures]), ask(engine, 'intake.samples', {})])
    await reached(engine, 'done', NAMES.length + 4)
    expect(mine.every(({ serviceId }) => serviceId === world.origin)).toBe(true)
    expect(world.charges).toHaveLength(4)
    expect(chargesOf(practice!)).toHaveLength(NAMES.length)
    const { balance } = await ask(engine, 'credits.balance', {})
    expect(balance).toBe((await world.practice.control({ type: 'get-state' })).balance)
    const history = await ask(engine, 'credits.history', { days: 7 })
    expect(history.days.reduce((sum, { sent }) => sum + sent, 0)).toBe(4)
  })

  it('stay at the practice service when they are sent again, and start it for that', async () => {
    await startIt()
    await practice!.control({ type: 'fail-jobs', next: 100 })
    const engine = await engineAt(world.newDataFolder())
    await ask(engine, 'intake.samples', {})
    await reached(engine, 'failed')
    await end()
    await ask(engine, 'jobs.retry', { ids: [], all: true })
    await reached(engine, 'done')
    expect(starts).toBe(2)
    expect(chargesOf(practice!)).toHaveLength(NAMES.length)
    nothingReachedTheAccount()
  })

  it('continue after a restart at a practice service that was started for them', async () => {
    const dataDir = await stoppedWhileWaiting()
    const again = await engineAt(dataDir)
    await reached(again, 'done')
    expect(starts).toBe(2)
    nothingReachedTheAccount()
  })

  it('wait, and say for what, where nothing starts the practice service', async () => {
    const dataDir = await stoppedWhileWaiting()
    refusesToStart = true
    const again = await engineAt(dataDir)
    await reached(again, 'held')
    expect((await allJobs(again)).every(({ reason }) => reason?.code === 'key_missing')).toBe(true)
    nothingReachedTheAccount()
    await world.stop(again)
    refusesToStart = false
    await reached(await engineAt(dataDir), 'done')
    nothingReachedTheAccount()
  })

  it('are not copied when the practice service does not start', async () => {
    refusesToStart = true
    const dataDir = world.newDataFolder()
    const engine = await engineAt(dataDir)
    expect(await engine.call('intake.samples', {})).toMatchObject({
      ok: false,
      error: { sentence: raw('it does not start here') },
    })
    expect((await readdir(dataDir)).filter((name) => name.startsWith('samples'))).toEqual([])
    expect(engine.needsPractice()).toBe(false)
  })

  it('are ordinary pictures when a person orders them at the service in use', async () => {
    const engine = await engineAt(world.newDataFolder())
    const copies = join(world.dir, 'copies')
    await cp(SAMPLES, copies, { recursive: true })
    const jobs = await runToEnd(engine, [join(copies, NAMES[0]!)])
    expect(jobs).toMatchObject([{ serviceId: world.origin, state: 'done' }])
    expect(world.charges).toHaveLength(1)
    expect(starts).toBe(0)
  })
})

it('pictures that were taken in by the practice service wait for it once an account is in use', async () => {
  await startIt()
  await world.addPicture('a.jpg', 1)
  const dataDir = world.newDataFolder()
  const engine = await engineAt(dataDir, { overrides: { imageBaseUrl: null } })
  await ask(engine, 'queue.pause', {})
  await ask(engine, 'intake.add', { paths: [world.pictures], recipe: RECIPE })
  await until(engine, 'it is ready', async () => (await counts(engine)).ready === 1)
  await world.stop(engine)
  const later = await engineAt(dataDir)
  await ask(later, 'queue.resume', {})
  await reached(later, 'held', 1)
  expect(await allJobs(later)).toMatchObject([{ reason: { code: 'other_service' } }])
  expect(chargesOf(practice!)).toEqual([])
})
