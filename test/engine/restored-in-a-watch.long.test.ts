import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { tryRestore } from '../../src/main/engine/engine-files.ts'
import { ask, reached, RECIPE, runToEnd } from './engine-harness.ts'
import { openWorldForEachTest, world } from './world-for-each-test.ts'

openWorldForEachTest()

const recipe = { ...RECIPE, output: { kind: 'replace' as const }, keepLarger: true }

it('an original that a person restored is left alone by a replacing watch until it is asked for again', async () => {
  const path = await world.addPicture('a.jpg', 1)
  const original = await readFile(path)
  const data = world.newDataFolder()
  const first = await world.engine(data, { watch: true })
  await ask(first, 'folders.add', { path: world.pictures, recipe, include: [], exclude: [] })
  await reached(first, 'done', 1)
  // What comes later is noticed later, and settles later: by then it has taken note of what stands in the place of the first.
  await world.addPicture('b.jpg', 2)
  await reached(first, 'done', 2)
  expect(await readFile(path)).not.toEqual(original)
  expect(await tryRestore(path, world.pictures, false)).toMatchObject({ restored: true })

  await world.addPicture('c.jpg', 3)
  await reached(first, 'done', 3)
  expect(await readFile(path)).toEqual(original)
  await world.stop(first)
  await world.addPicture('d.jpg', 4)
  const again = await world.engine(data, { watch: true })
  await reached(again, 'done', 4)
  expect(await readFile(path)).toEqual(original)

  const [job] = await runToEnd(again, [join(world.pictures, 'a.jpg')], { recipe })
  expect(job?.state).toBe('done')
  expect(await readFile(path)).not.toEqual(original)
  expect(world.charges).toHaveLength(4)
})
