import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import type { Engine } from '../../src/main/engine/start-engine.ts'
import type { EngineDeps } from '../../src/main/engine/engine-run.ts'
import { ask, batchCloses, makePicture, reached, RECIPE, totalOf, until } from './engine-harness.ts'
import { openWorldForEachTest, world } from './world-for-each-test.ts'

const PICTURES = 24

openWorldForEachTest()
let drive: string

beforeEach(async () => {
  drive = join(world.dir, 'media', 'drive')
  await mkdir(join(drive, 'pictures'), { recursive: true })
  for (let n = 0; n < PICTURES; n += 1)
    await writeFile(join(drive, 'pictures', `${n}.jpg`), await makePicture(n, 'jpeg'))
})

const unplug = () => rename(drive, join(world.dir, 'unplugged'))
const plugIn = () => rename(join(world.dir, 'unplugged'), drive)
const paths = () => [join(drive, 'pictures')]

/** A batch that Hangar ends in the middle of; then its drive is taken away. */
async function interrupted(dataDir: string, changes: Partial<EngineDeps> = {}): Promise<string> {
  const engine = await world.engine(dataDir, changes)
  const { batchId: id } = await ask(engine, 'intake.add', { paths: paths(), recipe: RECIPE, confirmed: true })
  await until(engine, 'some are taken in', async () => (await ask(engine, 'batches.get', { id })).takenIn > 0)
  await world.stop(engine)
  await unplug()
  return id
}

const away = (engine: Engine) => engine.snapshot().away

async function untilAway(engine: Engine, id: string): Promise<void> {
  await until(engine, 'it waits for its drive', () => away(engine).some(({ batchId }) => batchId === id))
}

describe('a batch whose drive is away when Hangar starts', () => {
  it('waits where it can be seen, through further restarts, and continues when the drive is back', async () => {
    const dataDir = world.newDataFolder()
    const id = await interrupted(dataDir)
    for (let start = 0; start < 2; start += 1) {
      const engine = await world.engine(dataDir)
      await untilAway(engine, id)
      expect(away(engine)).toEqual([{ batchId: id, paths: paths(), count: 1 }])
      await world.stop(engine)
    }
    const engine = await world.engine(dataDir)
    await untilAway(engine, id)
    await plugIn()
    await reached(engine, 'done', PICTURES, { batchId: id })
    expect(away(engine)).toEqual([])
    expect(world.charges).toHaveLength(PICTURES)
    await world.stop(engine)
    const next = await world.engine(dataDir)
    expect(away(next)).toEqual([])
    expect((await ask(next, 'batches.get', { id })).open).toBe(false)
  })

  it('is gone for good once a person has dismissed it', async () => {
    const dataDir = world.newDataFolder()
    const id = await interrupted(dataDir)
    const engine = await world.engine(dataDir)
    await untilAway(engine, id)
    await ask(engine, 'batches.stopWaiting', { id: null })
    await until(engine, 'it is gone', () => away(engine).length === 0)
    await plugIn()
    await world.stop(engine)
    const next = await world.engine(dataDir)
    expect(away(next)).toEqual([])
    expect(next.snapshot().counts.done).toBeLessThan(PICTURES)
  })
})

it('A drive that goes while its pictures are taken in is waited for, and none of them is dropped', async () => {
  const engine = await world.engine(world.newDataFolder())
  const { batchId: id } = await ask(engine, 'intake.add', { paths: paths(), recipe: RECIPE, confirmed: true })
  await until(engine, 'some are taken in', async () => (await ask(engine, 'batches.get', { id })).takenIn > 0)
  await unplug()
  await untilAway(engine, id)
  await plugIn()
  await until(engine, 'all are taken in', async () => (await totalOf(engine, { batchId: id })) === PICTURES)
  await batchCloses(engine, id)
  expect(away(engine)).toEqual([])
})

it('One run of the command line does not wait for a drive', async () => {
  const dataDir = world.newDataFolder()
  await interrupted(dataDir, { scope: 'batch' })
  expect(away(await world.engine(dataDir))).toEqual([])
})
