import { readdir } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { ask, RECIPE, runToEnd, until } from './engine-harness.ts'
import { at, listed, madeSince, openWorldForEachTest, world } from './world-for-each-test.ts'

openWorldForEachTest()

const recipe = (naming: string, changes = {}) => ({ ...RECIPE, naming, ...changes })

describe('results that a template names', () => {
  it('are not taken in by a watch of the folder that they are below', async () => {
    const dataDir = world.newDataFolder()
    const engine = await world.engine(dataDir, { watch: true })
    const settings = { recipe: recipe('web/{seo}-{n}'), include: [], exclude: [] }
    await ask(engine, 'folders.add', { path: world.pictures, ...settings })
    const done = async () => (await ask(engine, 'jobs.counts', {})).counts.done
    for (const nth of [1, 2]) {
      await world.addPicture(`${nth}.jpg`, nth)
      await until(engine, `${nth} are done`, async () => (await done()) === nth)
    }
    await ask(engine, 'folders.reconcile', { id: null })
    await until(engine, 'the folder was looked through', async () => (await done()) === 2)
    await world.stop(engine)
    const again = await world.engine(dataDir, { watch: true })
    await world.addPicture('3.jpg', 3)
    await until(again, 'the third is done', async () => (await ask(again, 'jobs.counts', {})).counts.done === 3)
    expect((await ask(again, 'jobs.list', {})).jobs).toHaveLength(3)
    expect(world.charges).toHaveLength(3)
    const numbers = (await readdir(at('web'))).map((name) => /-(\d)(?:-optimized)?\.\w+$/.exec(name)?.[1])
    expect(numbers.toSorted()).toEqual(['1', '1', '2', '2', '3', '3'])
  })

  it('follow a name that a person chose, in the folder where they are, and back', async () => {
    await world.addPicture('a.jpg', 1)
    const before = await world.listing()
    const engine = await world.engine(world.newDataFolder())
    const [job] = await runToEnd(engine, [world.pictures], { recipe: recipe('{seo}/x-{seo}') })
    const files = await madeSince(before)
    const id = job!.id
    await ask(engine, 'jobs.editName', { id, languageCode: 'en', seoFilename: 'heron' })
    const { renamed, left } = await ask(engine, 'jobs.renameFiles', { id })
    expect([renamed.length, left]).toEqual([2, []])
    const folder = files[0]!.split('/')[0]!
    const now = [`${folder}/x-heron-optimized.jpg`, `${folder}/x-heron.webp`]
    expect([await madeSince(before), await listed()]).toEqual([now, now])
    expect(await runToEnd(engine, [world.pictures], { recipe: recipe('{seo}/x-{seo}') })).toEqual([])
    await ask(engine, 'jobs.renameFiles', { id, back: true })
    expect([await madeSince(before), await listed()]).toEqual([files, files])
    expect(world.charges).toHaveLength(1)
  })
})
