import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { Engine } from '../../src/main/engine/start-engine.ts'
import { tryRestore } from '../../src/main/engine/engine-files.ts'
import { ask, RECIPE, runToEnd, until } from './engine-harness.ts'
import { openWorldForEachTest, world } from './world-for-each-test.ts'

openWorldForEachTest()

const recipe = { ...RECIPE, output: { kind: 'replace' as const }, keepLarger: true }
const done = (engine: Engine, count: number) =>
  until(engine, `${count} are done`, async () => (await ask(engine, 'jobs.counts', {})).counts.done === count)

it('an original that a person restored is left alone by a replacing watch until it is asked for again', async () => {
  const path = await world.addPicture('a.jpg', 1)
  const original = await readFile(path)
  const data = world.newDataFolder()
  const first = await world.engine(data, { watch: true })
  await ask(first, 'folders.add', { path: world.pictures, recipe, include: [], exclude: [] })
  await done(first, 1)
  // What comes later is noticed later, and settles later: by then it has taken note of what stands in the place of the first.
  await world.addPicture('b.jpg', 2)
  await done(first, 2)
  expect(await readFile(path)).not.toEqual(original)
  expect(await tryRestore(path, world.pictures, false)).toMatchObject({ restored: true })

  await world.addPicture('c.jpg', 3)
  await done(first, 3)
  expect(await readFile(path)).toEqual(original)
  await world.stop(first)
  await world.addPicture('d.jpg', 4)
  const again = await world.engine(data, { watch: true })
  await done(again, 4)
  expect(await readFile(path)).toEqual(original)

  const [job] = await runToEnd(again, [join(world.pictures, 'a.jpg')], { recipe })
  expect(job?.state).toBe('done')
  expect(await readFile(path)).not.toEqual(original)
  expect(world.charges).toHaveLength(4)
})
