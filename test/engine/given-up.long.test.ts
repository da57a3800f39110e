import { mkdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, it } from 'vitest'
import { exitCodeOfRun } from '../../src/main/cli/exit-code.ts'
import { followRun } from '../../src/main/cli/follow-run.ts'
import { orThrow } from '../../src/shared/contract/call.ts'
import type { Engine } from '../../src/main/engine/start-engine.ts'
import { openJournal, openScratchJournal } from '../../src/main/journal/journal.ts'
import { guardJournal } from '../../src/main/journal/journal-guard.ts'
import { ask, RECIPE, runToEnd, until } from './engine-harness.ts'
import { openWorldForEachTest, world } from './world-for-each-test.ts'

openWorldForEachTest()

const NOTHING = {
  jobs: { add: () => false, addKnown: () => undefined },
  onCounts: () => undefined,
  onUnreachable: () => undefined,
  confirmSpend: () => Promise.resolve(false),
}

function follow(engine: Engine) {
  const order = { paths: [world.pictures], recipe: RECIPE, confirmed: true }
  const begin = () => orThrow(engine.call('intake.add', order))
  const waits = { needsService: true, waitMs: 60_000, stop: new AbortController().signal }
  return followRun(engine, begin, NOTHING, waits)
}

it('a run counts pictures that could not be taken in, and does not end well', async () => {
  for (const seed of [1, 2, 3]) await world.addPicture(`${seed}.jpg`, seed)
  const dataDir = world.newDataFolder()
  const engine = await world.engine(dataDir, { scope: 'batch' })
  const journal = new Database(join(dataDir, 'journal.db'))
  journal.exec(`CREATE TRIGGER refused BEFORE INSERT ON jobs WHEN new.path LIKE '%2.jpg'
      BEGIN SELECT raise(ABORT, 'not this one'); END`)
  journal.close()
  const followed = await follow(engine)
  expect(followed).toMatchObject({ found: 3, missed: 1, counts: { done: 2 } })
  expect(exitCodeOfRun(followed)).toBe(1)
})

it.each([
  ['removed', (dataDir: string) => rm(dataDir, { recursive: true })],
  [
    'replaced by another one',
    async (dataDir: string) => {
      await rename(dataDir, `${dataDir}-aside`)
      await mkdir(dataDir)
      openJournal(dataDir).close()
    },
  ],
])(
  'a data folder that is no longer there because it was %s costs nothing twice: nothing more is sent, and what was sent is finished',
  async (_, take) => {
    await world.addPicture('1.jpg', 1)
    const dataDir = world.newDataFolder()
    const engine = await world.engine(dataDir)
    await world.practice.control({ type: 'set-job-time', jobTime: { kind: 'fixed', ms: 2000 } })
    await ask(engine, 'intake.add', { paths: [world.pictures], recipe: RECIPE })
    const waiting = async () => (await ask(engine, 'jobs.counts', {})).counts.waiting
    await until(engine, 'the first picture is at the service', async () => (await waiting()) === 1)
    await take(dataDir)
    for (const seed of [2, 3]) await world.addPicture(`${seed}.jpg`, seed)
    await ask(engine, 'intake.add', { paths: [world.pictures], recipe: RECIPE })
    await until(engine, 'it has given up', () => engine.broken() !== null)
    expect(engine.broken()).toMatchObject({ code: 'data_folder_gone' })
    await expect(follow(engine)).rejects.toMatchObject({ code: 'data_folder_gone' })
    expect(world.charges).toHaveLength(1)
    expect(Object.keys(await world.listing())).toContain('1-optimized.jpg')
    await world.stop(engine)
    const next = await world.engine(dataDir)
    await runToEnd(next, [world.pictures])
    expect(world.charges).toHaveLength(3)
    expect(next.broken()).toBe(null)
  },
)

it('the guard of a journal remembers damage that a statement met, and nothing that passes', () => {
  const guard = guardJournal(world.dir, openScratchJournal())
  guard.note(Object.assign(new Error('database is locked'), { code: 'SQLITE_BUSY' }))
  guard.note(new Error('a bug'))
  guard.check()
  guard.note(Object.assign(new Error('database disk image is malformed'), { code: 'SQLITE_CORRUPT_INDEX' }))
  expect(guard.broken).toMatchObject({ code: 'journal_damaged' })
  expect(() => guard.check()).toThrow(/journal\.db is damaged/)
})
