import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { describe, expect, it, vi } from 'vitest'
import type { HookPayload, HookRun, HookSetup } from '../../src/main/hooks/hook.ts'
import type { Hook } from '../../src/shared/contract/hooks.ts'
import { realClock } from '../../src/main/engine/real-clock.ts'
import type { Clock } from '../../src/shared/runtime/ports.ts'
import { Documents } from '../../src/main/journal/documents.ts'
import { EngineEvents } from '../../src/main/engine/engine-events.ts'
import { EngineHooks } from '../../src/main/engine/engine-hooks.ts'
import { viewOf } from '../../src/main/engine/calls/job-view.ts'
import type { Queue } from '../../src/main/engine/engine-queue.ts'
import { createHttp } from '../../src/main/services/http.ts'
import { QueueBench } from '../queue/queue-bench.ts'
import { quiet } from '../simulation/world.ts'
import { createMemoryStore } from '../../src/main/secrets/stores.ts'
import { childEnvironment } from '../child-environment.ts'
import { PATIENCE_MS, until as untilItHolds } from '../until.ts'
import { ask, runToEnd } from './engine-harness.ts'
import { openWorldForEachTest, world } from './world-for-each-test.ts'

openWorldForEachTest()

/** A program that appends what it reads to a file, then does `more`. */
function tell(file: string, more = ''): Pick<Hook, 'run'> {
  const path = join(world.dir, `tell-${file}.mjs`)
  writeFileSync(
    path,
    `import { appendFileSync, existsSync } from 'node:fs'
     import { text } from 'node:stream/consumers'
     const json = await text(process.stdin)
     ${more}
     appendFileSync(${JSON.stringify(join(world.dir, file))}, json)`,
  )
  return { run: [process.execPath, path] }
}

function told(file: string): HookPayload[] {
  const path = join(world.dir, file)
  if (!existsSync(path)) return []
  const lines = readFileSync(path, 'utf8').trim().split('\n')
  return lines.map((line) => JSON.parse(line) as HookPayload)
}

const setupOf = (hooks: Hook[], ended: HookRun[] = []): HookSetup => ({
  hooks: () => hooks,
  secret: async () => 'secret',
  env: childEnvironment(),
  onEnd: (end) => ended.push(end),
})
const setup = (hooks: Hook[], ended?: HookRun[]) => async () => setupOf(hooks, ended)

/** How long hooks have when Hangar stops. */
const MOMENT_MS = 3000

const NO_TEAM = { trouble: () => null } as Queue['team']

/** The real clock, but with the time of day that it will be in some hours. */
const laterBy = (hours: number) => ({ ...realClock, nowMs: () => realClock.nowMs() + hours * 3_600_000 })

describe('A hook for batches', () => {
  it('is told once of each that ended, in order, and a hook that hangs holds up no picture', async () => {
    const go = join(world.dir, 'go')
    const wait = `while (!existsSync(${JSON.stringify(go)})) await new Promise((done) => setTimeout(done, 20))`
    const hooks: Hook[] = [
      { on: 'done', ...tell('slow', wait) },
      { on: 'done', ...tell('quick') },
    ]
    const engine = await world.engine(world.newDataFolder(), { hooks: setup(hooks) })
    const first = await runToEnd(engine, [await world.addPicture('a.jpg', 1), await world.addPicture('b.jpg', 2)])
    const second = await runToEnd(engine, [await world.addPicture('c.jpg', 3)])
    expect([...first, ...second].map(({ state }) => state)).toEqual(['done', 'done', 'done'])
    expect(told('quick')).toEqual([])
    const finished = engine.finishHooks()
    writeFileSync(go, '')
    await finished
    const batches = [first, second].map(([job]) => job!.batchId)
    expect(told('slow').map(({ batch }) => batch)).toEqual(batches)
    expect(told('quick')).toEqual(told('slow'))
    expect(told('quick')[0]).toMatchObject({ event: 'done', folder: null, counts: { done: 2, failed: 0 } })
  })

  it('is told of what was done in a batch whose last picture was added again, and so belongs to the next', async () => {
    const engine = await world.engine(world.newDataFolder(), {
      hooks: setup([{ on: 'done', ...tell('done') }]),
      overrides: { caps: { perDay: 1, perMonth: null, perFolderPerDay: null } },
    })
    const paths = [await world.addPicture('a.jpg', 1), await world.addPicture('b.jpg', 2)]
    const first = await runToEnd(engine, paths)
    const held = first.find(({ state }) => state === 'held')
    expect(first.map(({ state }) => state).sort()).toEqual(['done', 'held'])
    // Looks at the batch, so that nothing but the move makes it be looked at again.
    await engine.finishHooks()
    expect(told('done')).toEqual([])
    await runToEnd(engine, [held!.source.path])
    await untilItHolds('it is told', () => told('done').length === 1)
    expect(told('done')[0]).toMatchObject({ batch: held!.batchId, counts: { done: 1, held: 0 } })
  })

  it('gets a moment when Hangar stops', async () => {
    // On a busy machine a program may take longer to start.
    const setTimer = vi.fn<Clock['setTimer']>((delayMs, then) =>
      realClock.setTimer(delayMs === MOMENT_MS ? PATIENCE_MS : delayMs, then),
    )
    const hooks = setup([{ on: 'done', ...tell('done') }])
    const engine = await world.engine(world.newDataFolder(), { hooks, clock: { ...realClock, setTimer } })
    await runToEnd(engine, [await world.addPicture('a.jpg', 1)])
    await world.stop(engine)
    expect(told('done')).toHaveLength(1)
    expect(setTimer.mock.calls.filter(([delayMs]) => delayMs === MOMENT_MS)).toHaveLength(1)
  })
})

describe('A hook for what needs a person', () => {
  it('is told once that a key is refused, also over a restart, and a batch that is held has not ended', async () => {
    const dataDir = world.newDataFolder()
    const hooks = setup([
      { on: 'attention', ...tell('attention') },
      { on: 'done', ...tell('done') },
    ])
    const secrets = createMemoryStore('no_service')
    await secrets.set('image', world.origin, 'wrong')
    const engine = await world.engine(dataDir, { hooks, secrets })
    const jobs = await runToEnd(engine, [await world.addPicture('a.jpg', 1), await world.addPicture('b.jpg', 2)])
    expect(jobs.map(({ state }) => state)).toEqual(['held', 'held'])
    await engine.finishHooks()
    await engine.finishHooks()
    expect(told('attention')).toMatchObject([{ event: 'attention', batch: null, counts: { held: 2 } }])
    const [{ reasons }] = told('attention') as [Extract<HookPayload, { event: 'attention' }>]
    expect(reasons).toMatchObject([{ code: 'key_refused', subject: null }])
    expect(reasons[0]!.text).toMatch(/^2 held: .*key/i)
    await world.stop(engine)
    const again = await world.engine(dataDir, { hooks, secrets, clock: laterBy(1) })
    await untilItHolds('it is held again', async () => (await ask(again, 'jobs.counts', {})).counts.held === 2)
    await ask(again, 'jobs.cancel', { ids: [jobs[0]!.id], all: false })
    await again.finishHooks()
    expect(told('attention')).toHaveLength(1)
    expect(told('done')).toEqual([])
    await again.call('keys.set', { name: 'image', key: world.practice.apiKey, sameAccount: false })
    await untilItHolds('the batch is done', () => told('done').length === 1)
    expect(told('done')[0]).toMatchObject({ batch: jobs[0]!.batchId, counts: { done: 1, cancelled: 1, held: 0 } })
  })
})

describe('A hook for low credits', () => {
  it('is told each time that the balance falls below its figure', async () => {
    const dataDir = world.newDataFolder()
    const hooks = setup([
      { on: 'low_credits', below: 990, ...tell('990') },
      { on: 'low_credits', below: 500, ...tell('500') },
    ])
    const engine = await world.engine(dataDir, { hooks })
    const credits = async (credits: number, one = engine) => {
      await world.practice.control({ type: 'set-credits', credits })
      await ask(one, 'credits.balance', {})
      await one.finishHooks()
    }
    await credits(1000)
    expect(told('990')).toEqual([])
    await credits(989)
    expect(told('990')).toMatchObject([{ event: 'low_credits', credits: 989, below: 990 }])
    await credits(600)
    expect(told('990')).toHaveLength(1)
    await credits(400)
    expect(told('500')).toMatchObject([{ credits: 400, below: 500 }])
    await credits(990)
    await credits(100)
    expect([told('990').length, told('500').length]).toEqual([2, 2])
    await world.stop(engine)
    // What was low before a restart is no news.
    await credits(99, await world.engine(dataDir, { hooks }))
    expect([told('990').length, told('500').length]).toEqual([2, 2])
  })
})

it('While the journal cannot be read, no end of a batch is lost, and nothing is asked without a pause', async () => {
  const bench = new QueueBench()
  const { clock, store, db } = bench
  const events = new EngineEvents(quiet)
  const hooks = new EngineHooks(
    setupOf([
      { on: 'done', ...tell('done') },
      { on: 'attention', ...tell('attention') },
    ]),
    {
      dataDir: world.dir,
      scope: 'all',
      data: {
        db,
        documents: new Documents(db),
        makeId: () => bench.makeId(),
        settings: () => bench.settings,
      },
      queue: { context: bench.context, startedMs: 0, status: () => null, team: NO_TEAM },
      folders: null,
      background: bench.background,
      events,
      clock,
      random: () => 0.5,
      http: createHttp({ clock: realClock, version: 'test' }),
      log: quiet,
    },
  )
  try {
    bench.batch('C')
    const [ended, held] = [await bench.add('1'), await bench.add('2', '2', { batchId: 'C' })]
    let asked = 0
    let isBroken = false
    const count = store.count.bind(store)
    store.count = (query) => {
      asked += 1
      if (isBroken && asked < 1000) throw new Error('the disk cannot be read')
      return count(query)
    }
    for (const [job, event] of [
      [ended, { type: 'fail', reason: { code: 'encode_failed', detail: null } }],
      [held, { type: 'hold', reason: { code: 'disk_full', detail: null } }],
    ] as const)
      events.emit({ type: 'job', job: viewOf(db, store.apply(job.id, event)), from: 'ready', toReview: 0 })
    // By then it is known that a picture is held, and not for how long it lasts.
    await clock.advance(500)
    isBroken = true
    await clock.advance(20_000)
    expect(asked).toBeLessThan(50)
    isBroken = false
    await clock.advance(10_000)
    await hooks.finish()
    expect(told('done').map(({ batch }) => batch)).toEqual(['B'])
    expect(told('attention')).toHaveLength(1)
  } finally {
    await hooks.close()
    await bench.dispose()
  }
})
