import { cp, readdir, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { PracticeOptions, ToPractice } from '../../src/practice/protocol.ts'
import type { JobState } from '../../src/shared/sentences/reasons.ts'
import type { ChildHandle } from '../../src/shared/runtime/ports.ts'
import { PRACTICE_SERVICE } from '../../src/shared/recipes/recipe.ts'
import type { Engine } from '../../src/main/engine/start-engine.ts'
import type { EngineDeps } from '../../src/main/engine/engine-run.ts'
import { quiet } from '../simulation/world.ts'
import { startPractice, type PracticeServer } from '../practice/faulty-practice.ts'
import { ask, EngineWorld, reached, RECIPE, runToEnd } from './engine-harness.ts'
import { realClock } from '../../src/main/engine/real-clock.ts'
import { PracticeOnDemand } from '../../src/main/page/practice-on-demand.ts'
import { createHttp } from '../../src/main/services/http.ts'

const SAMPLES = await realpath(join(import.meta.dirname, '..', '..', 'resources', 'samples'))
const NAMES = (await readdir(SAMPLES)).filter((name) => /\.(?:jpg|png|gif|webp)$/.test(name)).sort()

/** `world` has the account's service, in whose ledger no sample may stand; `practice` is the one of the latest start. */
let world: EngineWorld
let practice: PracticeServer
let onDemand: PracticeOnDemand
let starts: number
let refusesToStart: boolean
let jobMs: number
let end: () => Promise<void>

beforeEach(async () => {
  world = await EngineWorld.open()
  starts = 0
  refusesToStart = false
  jobMs = 30
  end = async () => undefined
  onDemand = new PracticeOnDemand({
    child: { spawn: startInProcess },
    http: createHttp({ clock: realClock, version: 'test' }),
    log: { ...quiet, hideSecret() {} },
    options: { requestsPerMinute: 10_000, ipRequestsPerMinute: 10_000, credits: 1000, seed: 2 },
  })
})

afterEach(async () => {
  await world.close()
  await onDemand.close()
})

/** The practice service's program, within reach of the test. `end` ends it: another one knows nothing of what was sent. */
function startInProcess(): ChildHandle {
  const { promise: exit, resolve: ended } = Promise.withResolvers<void>()
  let tell: (message: unknown) => void
  end = async () => {
    await practice.close()
    ended()
    await exit
  }
  const start = async (config: PracticeOptions) => {
    if (refusesToStart) return ended()
    starts += 1
    practice = await startPractice({ ...config, jobTime: { kind: 'fixed', ms: jobMs } })
    const { imageBaseUrl, chargerBaseUrl, apiKey, partnerToken } = practice
    tell({ type: 'ready', imageBaseUrl, chargerBaseUrl, apiKey, partnerToken })
  }
  return {
    send: (message) => {
      const told = message as ToPractice
      ;(told.type === 'stop' ? end() : start(told.config)).catch(ended)
    },
    kill: () => undefined,
    onMessage: (listener) => {
      tell = listener
    },
    onExit: (listener) => {
      exit.then(() => listener(0)).catch(() => undefined)
    },
  }
}

function engineAt(dataDir: string, changes: Partial<EngineDeps> = {}): Promise<Engine> {
  return world.engine(dataDir, { practice: onDemand.address, http: onDemand, samplesDir: SAMPLES, ...changes })
}

const allJobs = async (engine: Engine) => (await ask(engine, 'jobs.list', {})).jobs
const chargesOf = (server: PracticeServer) => server.ledger().charges
const allReached = (engine: Engine, state: JobState) => reached(engine, state, NAMES.length)
const nothingReachedTheAccount = () => {
  expect(world.charges).toEqual([])
  expect(world.practice.ledger().requests.filter(({ method }) => method === 'POST')).toEqual([])
}

/** Stops the engine while the samples wait for a practice service that then ends; resolves to the data folder. */
async function stoppedWhileWaiting(): Promise<string> {
  jobMs = 600_000
  const dataDir = world.newDataFolder()
  const engine = await engineAt(dataDir)
  await ask(engine, 'intake.samples', {})
  await allReached(engine, 'waiting')
  await world.stop(engine)
  await end()
  jobMs = 30
  return dataDir
}

describe('sample pictures', () => {
  it('go to the practice service although an account is set up, and cost it nothing', async () => {
    const engine = await engineAt(world.newDataFolder())
    const { place: dir } = await ask(engine, 'intake.samples', {})
    await allReached(engine, 'done')
    nothingReachedTheAccount()
    expect(starts).toBe(1)
    expect(
      chargesOf(practice)
        .map(({ filename }) => filename)
        .sort(),
    ).toEqual(NAMES)
    expect((await allJobs(engine)).every(({ serviceId }) => serviceId === PRACTICE_SERVICE)).toBe(true)
    expect(await readdir(dir)).toEqual(expect.arrayContaining(NAMES.map((name) => `${name}.alt.json`)))
    expect(engine.snapshot().service).toMatchObject({ practice: false, serviceId: world.origin, hold: null })
  })

  it('are processed beside the work of the account, each with its own credits', async () => {
    for (let n = 0; n < 4; n += 1) await world.addPicture(`mine-${n}.jpg`, n)
    const engine = await engineAt(world.newDataFolder())
    const [mine] = await Promise.all([runToEnd(engine, [world.pictures]), ask(engine, 'intake.samples', {})])
    await reached(engine, 'done', NAMES.length + 4)
    expect(mine.every(({ serviceId }) => serviceId === world.origin)).toBe(true)
    expect(world.charges).toHaveLength(4)
    expect(chargesOf(practice)).toHaveLength(NAMES.length)
    const { balance } = await ask(engine, 'credits.balance', {})
    expect(balance).toBe((await world.practice.control({ type: 'get-state' })).balance)
    const history = await ask(engine, 'credits.history', { days: 7 })
    expect(history.days.reduce((sum, { sent }) => sum + sent, 0)).toBe(4)
  })

  it('stay at the practice service when they are sent again, and start it for that', async () => {
    const engine = await engineAt(world.newDataFolder())
    const url = `${onDemand.address.imageBaseUrl}/languages`
    const limits = { maxBytes: 100_000, idleTimeoutMs: 10_000, connectTimeoutMs: 10_000 }
    await onDemand.request({ method: 'GET', url, headers: {}, ...limits })
    await practice.control({ type: 'fail-jobs', next: 100 })
    await ask(engine, 'intake.samples', {})
    await allReached(engine, 'failed')
    await end()
    await ask(engine, 'jobs.retry', { ids: [], all: true })
    await allReached(engine, 'done')
    expect(starts).toBe(2)
    expect(chargesOf(practice)).toHaveLength(NAMES.length)
    nothingReachedTheAccount()
  })

  it('wait, and say for what, where there is no practice service, and continue at one that was started for them', async () => {
    const dataDir = await stoppedWhileWaiting()
    const again = await engineAt(dataDir, { practice: null })
    await allReached(again, 'held')
    expect((await allJobs(again)).every(({ reason }) => reason?.code === 'key_missing')).toBe(true)
    nothingReachedTheAccount()
    await world.stop(again)
    await allReached(await engineAt(dataDir), 'done')
    expect(starts).toBe(2)
    nothingReachedTheAccount()
  })

  it('wait while the practice service does not start, and continue when it does', async () => {
    refusesToStart = true
    const engine = await engineAt(world.newDataFolder())
    await ask(engine, 'intake.samples', {})
    await allReached(engine, 'ready')
    refusesToStart = false
    await ask(engine, 'queue.resume', {})
    await allReached(engine, 'done')
    nothingReachedTheAccount()
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
  await world.addPicture('a.jpg', 1)
  const dataDir = world.newDataFolder()
  const engine = await engineAt(dataDir, { overrides: { imageBaseUrl: null } })
  await ask(engine, 'queue.pause', {})
  await ask(engine, 'intake.add', { paths: [world.pictures], recipe: RECIPE })
  await reached(engine, 'ready', 1)
  await world.stop(engine)
  const later = await engineAt(dataDir)
  await ask(later, 'queue.resume', {})
  await reached(later, 'held', 1)
  expect(await allJobs(later)).toMatchObject([{ reason: { code: 'other_service' } }])
  expect(starts).toBe(0)
})
