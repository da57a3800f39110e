import { beforeEach, describe, expect, it } from 'vitest'
import { ask, batchCloses, reached, RECIPE, totalOf, until } from './engine-harness.ts'
import { openWorldForEachTest, world } from './world-for-each-test.ts'

const PICTURES = 24

openWorldForEachTest()

beforeEach(async () => {
  for (let n = 0; n < PICTURES; n += 1) await world.addPicture(`${n}.jpg`, n)
})

/** An order that Hangar ends in the middle of. */
async function interrupted(dataDir: string): Promise<string> {
  const engine = await world.engine(dataDir)
  const order = { paths: [world.pictures], recipe: RECIPE, confirmed: true, force: true }
  const { batchId: id } = await ask(engine, 'intake.add', order)
  await until(engine, 'some are taken in', async () => (await ask(engine, 'batches.get', { id })).takenIn > 0)
  await world.stop(engine)
  const again = await world.engine(dataDir, { scope: 'none' })
  expect(await totalOf(again, { batchId: id })).toBeLessThan(PICTURES)
  await world.stop(again)
  return id
}

describe('a batch that Hangar was ended in the middle of', () => {
  it('is gone on with at the next start, and every picture is sent once', async () => {
    const dataDir = world.newDataFolder()
    const id = await interrupted(dataDir)
    const engine = await world.engine(dataDir)
    expect((await ask(engine, 'batches.get', { id })).open).toBe(true)
    await batchCloses(engine, id)
    expect((await ask(engine, 'batches.get', { id })).found).toBe(PICTURES)
    await reached(engine, 'done', PICTURES, { batchId: id })
    expect(await totalOf(engine, { batchId: id })).toBe(PICTURES)
    expect(world.charges).toHaveLength(PICTURES)
    await world.stop(engine)
    const third = await world.engine(dataDir)
    expect((await ask(third, 'batches.get', { id })).open).toBe(false)
  })

  it('brings nothing more once a person has cancelled it', async () => {
    const dataDir = world.newDataFolder()
    const id = await interrupted(dataDir)
    const engine = await world.engine(dataDir)
    await ask(engine, 'batches.cancel', { id })
    await batchCloses(engine, id)
    expect(await totalOf(engine, { batchId: id })).toBeLessThan(PICTURES)
    await world.stop(engine)
    const next = await world.engine(dataDir)
    expect((await ask(next, 'batches.get', { id })).open).toBe(false)
  })
})

it('batches of the same folder at the same time list and send each picture once', async () => {
  const engine = await world.engine(world.newDataFolder())
  const order = { paths: [world.pictures], recipe: RECIPE, confirmed: true }
  const batches = await Promise.all([1, 2, 3].map(() => ask(engine, 'intake.add', order)))
  for (const { batchId } of batches) await batchCloses(engine, batchId)
  await reached(engine, 'done', PICTURES)
  expect(await totalOf(engine)).toBe(PICTURES)
  expect(world.charges).toHaveLength(PICTURES)
})
