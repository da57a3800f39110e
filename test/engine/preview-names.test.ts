import { copyFile, mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { RECIPE, runToEnd, previewToEnd } from './engine-harness.ts'
import { openWorldForEachTest, world } from './world-for-each-test.ts'

openWorldForEachTest()

describe('the names that a preview shows', () => {
  it('are never the same for two pictures, and are those that the files get', async () => {
    await world.addPicture('x.jpg', 1)
    await world.addPicture('x-optimized.jpg', 2)
    await world.addPicture('same.jpg', 3)
    await world.addPicture('same.png', 4, 'png')
    const before = await world.listing()
    const engine = await world.engine(world.newDataFolder())
    const { examples } = await previewToEnd(engine, { paths: [world.pictures], recipe: RECIPE })
    const shown = examples.flatMap(({ outputs }) => outputs)
    expect(new Set(shown).size).toBe(shown.length)

    await runToEnd(engine, [world.pictures])
    const after = await world.listing()
    expect(after).toMatchObject(before)
    expect(shown.sort()).toEqual(
      Object.keys(after)
        .filter((name) => !(name in before))
        .sort(),
    )
  })

  it('take a result that was copied without its sidecar for a picture of its own', async () => {
    const original = await world.addPicture('x.jpg', 1)
    const first = await world.engine(world.newDataFolder())
    await runToEnd(first, [original])
    await world.stop(first)
    const elsewhere = join(world.dir, 'copied')
    await mkdir(elsewhere)
    for (const name of ['x.jpg', 'x-optimized.jpg']) await copyFile(join(world.pictures, name), join(elsewhere, name))
    const engine = await world.engine(world.newDataFolder())
    const { examples } = await previewToEnd(engine, { paths: [elsewhere], recipe: RECIPE })
    const shown = examples.flatMap(({ outputs }) => outputs)
    await runToEnd(engine, [elsewhere])
    expect([...shown, 'x.jpg', 'x-optimized.jpg'].sort()).toEqual((await readdir(elsewhere)).sort())
  })
})
