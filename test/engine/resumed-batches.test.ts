import { beforeEach, describe, expect, it } from 'vitest'
import type { Engine } from '../../src/main/engine/start-engine.ts'
import type { EngineDeps } from '../../src/main/engine/engine-run.ts'
import { ask, RECIPE, until } from './engine-harness.ts'
import { openWorldForEachTest, world } from './world-for-each-test.ts'

const PICTURES = 24

openWorldForEachTest()

beforeEach(async () => {
  for (let n = 0; n < PICTURES; n += 1) await world.addPicture(`${n}.jpg`, n)
})

/** An order that Hangar ends in the middle of. */
async function interrupted(dataDir: string, changes: Partial<EngineDeps> = {}): Promise<{ id: string; jobs: number }> {
  const engine = await world.engine(dataDir, changes)
  const order = { paths: [world.pictures], recipe: RECIPE, confirmed: true, force: true }
  const { batchId: id } = await ask(engine, 'intake.add', order)
  await until(engine, 'some are taken in', async () => (await ask(engine, 'batches.get', { id })).takenIn > 0)
  await world.stop(engine)
  const again = await world.engine(dataDir, { scope: 'none' })
  const jobs = await jobsOf(again, id)
  await world.stop(again)
  expect(jobs).toBeLessThan(PICTURES)
  return { id, jobs }
}

async function jobsOf(engine: Engine, batchId: string): Promise<number> {
  return Object.values((await ask(engine, 'jobs.counts', { batchId })).counts).reduce((sum, count) => sum + count, 0)
}

async function untilClosed(engine: Engine, id: string): Promise<void> {
  await until(engine, 'the order is closed', async () => !(await ask(engine, 'batches.get', { id })).open)
}

describe('a batch that Hangar was ended in the middle of', () => {
  it('is gone on with at the next start, and every picture is sent once', async () => {
    const dataDir = world.newDataFolder()
    const { id } = await interrupted(dataDir)
    const engine = await world.engine(dataDir)
    expect((await ask(engine, 'batches.get', { id })).open).toBe(true)
    await untilClosed(engine, id)
    expect((await ask(engine, 'batches.get', { id })).found).toBe(PICTURES)
    await until(engine, 'all are done', async () => {
      const { counts } = await ask(engine, 'jobs.counts', { batchId: id })
      return counts.done === PICTURES
    })
    expect(await jobsOf(engine, id)).toBe(PICTURES)
    expect(world.charges).toHaveLength(PICTURES)
    await world.stop(engine)
    const third = await world.engine(dataDir)
    expect((await ask(third, 'batches.get', { id })).open).toBe(false)
  })

  it('brings nothing more once a person has cancelled it', async () => {
    const dataDir = world.newDataFolder()
    const { id } = await interrupted(dataDir)
    const engine = await world.engine(dataDir)
    await ask(engine, 'batches.cancel', { id })
    await untilClosed(engine, id)
    expect(await jobsOf(engine, id)).toBeLessThan(PICTURES)
    await world.stop(engine)
    const next = await world.engine(dataDir)
    expect((await ask(next, 'batches.get', { id })).open).toBe(false)
  })
})

it('batches of the same folder at the same time list and send each picture once', async () => {
  const engine = await world.engine(world.newDataFolder())
  const order = { paths: [world.pictures], recipe: RECIPE, confirmed: true }
  const batches = await Promise.all([1, 2, 3].map(() => ask(engine, 'intake.add', order)))
  for (const { batchId } of batches) await untilClosed(engine, batchId)
  await until(engine, 'all are done', async () => (await ask(engine, 'jobs.counts', {})).counts.done === PICTURES)
  const { counts } = await ask(engine, 'jobs.counts', {})
  expect(Object.values(counts).reduce((sum, count) => sum + count, 0)).toBe(PICTURES)
  expect(world.charges).toHaveLength(PICTURES)
})
