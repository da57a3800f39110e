import { readdir, readFile, rename, unlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openJournal } from '../../src/main/journal/journal.ts'
import { partName, tagOf } from '../../src/main/files/leftovers.ts'
import { ask, collect, countsOf, EngineWorld, reached, RECIPE, runToEnd, until } from './engine-harness.ts'
import { openWorldForEachTest, world } from './world-for-each-test.ts'

openWorldForEachTest()

it('a run over a folder never overwrites what it did not write', async () => {
  await world.addPicture('a.jpg', 1)
  await writeFile(join(world.pictures, 'a-optimized.jpg'), 'mine')
  await writeFile(join(world.pictures, 'a.webp'), 'mine too')
  await writeFile(join(world.pictures, 'a.jpg.alt.json'), '{"mine": true}')
  const [job] = await runToEnd(await world.engine(world.newDataFolder()), [join(world.pictures, 'a.jpg')])
  expect(job?.state).toBe('done')
  expect(await readFile(join(world.pictures, 'a-optimized.jpg'), 'utf8')).toBe('mine')
  expect(await readFile(join(world.pictures, 'a.webp'), 'utf8')).toBe('mine too')
  expect(await readFile(join(world.pictures, 'a.jpg.alt.json'), 'utf8')).toBe('{"mine": true}')
  const names = Object.keys(await world.listing())
  expect(names).toEqual(expect.arrayContaining(['a-optimized-2.jpg', 'a-2.webp']))
})

it('takes away what a write of its own left when it was cut short, and not what another computer is writing there', async () => {
  const dataDir = world.newDataFolder()
  await world.addPicture('a.jpg', 1)
  const first = await world.engine(dataDir)
  const [job] = await runToEnd(first, [world.pictures])
  await world.stop(first)
  const db = openJournal(dataDir)
  const cutShort = `UPDATE jobs SET state = 'writing', doc = json_set(doc, '$.state', 'writing') WHERE id = ?`
  db.prepare(cutShort).run(job!.id)
  db.close()
  for (const name of ['a.jpg', 'a-optimized.jpg']) await unlink(join(world.pictures, name))
  const ours = `.hangar-${tagOf(job!.id)}-converted.part`
  const others = partName('01ARZ3NDEKTSV4RRFFQ69G5FAV', 'optimized')
  for (const name of [ours, others]) await writeFile(join(world.pictures, name), 'half')
  await world.engine(dataDir)
  const hidden = (await readdir(world.pictures)).filter((name) => name.startsWith('.hangar-'))
  expect(hidden).toEqual([others])
})

it('takes back that pictures were left unsent: each is as it was, and nothing is sent', async () => {
  const engine = await world.engine(world.newDataFolder())
  await world.practice.control({ type: 'fail-jobs', next: 1 })
  const failing = await runToEnd(engine, [await world.addPicture('a.jpg', 1)])
  await world.practice.control({
    type: 'add-weather',
    rules: [{ on: 'dispatch', times: 1, effect: { kind: 'reset', when: 'after-work' } }],
  })
  const others = await runToEnd(engine, [await world.addPicture('b.jpg', 2), await world.addPicture('c.jpg', 3)])
  const before = [...failing, ...others]
  expect(before.map(({ state }) => state).sort()).toEqual(['done', 'failed', 'unknown'])
  const ids = before.map(({ id }) => id)
  const charges = world.charges.length
  const jobs = async () => (await ask(engine, 'jobs.get', { ids })).jobs.map((job) => ({ ...job, updatedAtMs: 0 }))
  const asTheyWere = await jobs()
  expect(await ask(engine, 'jobs.resolve', { ids, how: 'drop' })).toEqual({ changed: 2 })
  expect((await ask(engine, 'jobs.counts', {})).counts).toMatchObject({ done: 1, cancelled: 2 })
  expect(await ask(engine, 'jobs.reopen', { ids })).toEqual({ changed: 2 })
  expect(await jobs()).toEqual(asTheyWere)
  // What was not left unsent, or is no longer, stays as it is.
  expect(await ask(engine, 'jobs.reopen', { ids })).toEqual({ changed: 0 })
  const failed = asTheyWere.find(({ state }) => state === 'failed')!
  await ask(engine, 'jobs.resolve', { ids: [failed.id], how: 'drop' })
  await ask(engine, 'jobs.retry', { ids: [failed.id] })
  expect(await ask(engine, 'jobs.reopen', { ids: [failed.id] })).toEqual({ changed: 0 })
  await until(engine, 'the retried one is done', async () => (await ask(engine, 'jobs.counts', {})).counts.done === 2)
  const removed = asTheyWere.find(({ state }) => state === 'unknown')!
  await ask(engine, 'jobs.resolve', { ids: [removed.id], how: 'drop' })
  await ask(engine, 'jobs.remove', { ids: [removed.id] })
  expect(await ask(engine, 'jobs.reopen', { ids: [removed.id, 'no-such-job'] })).toEqual({ changed: 0 })
  expect(world.charges).toHaveLength(charges + 1)
})

describe('the practice service', () => {
  const overrides = { imageBaseUrl: null, chargerBaseUrl: null }

  it('is sent to again at once when it no longer has a known result, without a word', async () => {
    const path = await world.addPicture('a.jpg', 1)
    const engine = await world.engine(world.newDataFolder(), { practice: world.practice, overrides })
    await runToEnd(engine, [path])
    await world.practice.control({ type: 'forget-jobs' })
    const renamed = join(world.pictures, 'renamed.jpg')
    await rename(path, renamed)
    const events = collect(engine)
    const jobs = await runToEnd(engine, [renamed])
    expect(jobs.map(({ state }) => state)).toEqual(['done'])
    expect(world.charges).toHaveLength(2)
    const states = events.flatMap((event) => (event.type === 'job' ? [event.job.state] : []))
    expect(states).not.toContain('failed')
  })

  it('is sent to again after a restart in which it forgot what was in flight', async () => {
    const later = await EngineWorld.open()
    onTestFinished(() => later.close())
    await world.holdJobs()
    await world.addPicture('a.jpg', 1)
    const dataDir = world.newDataFolder()
    const engine = await world.engine(dataDir, { practice: world.practice, overrides })
    await ask(engine, 'intake.add', { paths: [world.pictures], recipe: RECIPE })
    await reached(engine, 'waiting', 1)
    await world.stop(engine)
    const again = await world.engine(dataDir, { practice: later.practice, overrides })
    const events = collect(again)
    await reached(again, 'done', 1)
    expect(later.charges).toHaveLength(1)
    const states = events.flatMap((event) => (event.type === 'job' ? [event.job.state] : []))
    expect(states).not.toContain('unknown')
  })
})

it('a watched folder takes in what arrives, and never its own results', async () => {
  const engine = await world.engine(world.newDataFolder(), { watch: true })
  await ask(engine, 'folders.add', { path: world.pictures, recipe: RECIPE, include: [], exclude: [] })
  await world.addPicture('first.jpg', 1)
  await reached(engine, 'done', 1)
  await world.addPicture('second.jpg', 2)
  await reached(engine, 'done', 2)
  await ask(engine, 'folders.reconcile', { id: null })
  expect(await countsOf(engine)).toMatchObject({ done: 2, failed: 0 })
  expect(world.charges).toHaveLength(2)
  const events = collect(engine)
  await rename(join(world.pictures, 'first.webp'), join(world.pictures, 'moved.webp'))
  await reached(engine, 'skipped', 1)
  expect(events.some((event) => event.type === 'job' && event.job.reason?.code === 'own_output')).toBe(true)
  expect(world.charges).toHaveLength(2)
})
