import { beforeEach, expect, it } from 'vitest'
import type { Engine } from '../../src/main/engine/start-engine.ts'
import { ask, collect, RECIPE } from './engine-harness.ts'
import { openWorldForEachTest, world } from './world-for-each-test.ts'

openWorldForEachTest()
let engine: Engine

beforeEach(async () => {
  engine = await world.engine(world.newDataFolder())
})

it('each window is told that recipes changed', async () => {
  const events = collect(engine)
  const { id } = await ask(engine, 'recipes.save', { id: null, recipe: { ...RECIPE, name: 'Shop' } })
  await ask(engine, 'recipes.remove', { id })
  const stored = { type: 'stored', what: 'recipes' }
  expect(events).toMatchObject([stored, stored])
})

it('a recipe that was removed is there again once it is saved', async () => {
  const { id, recipe } = await ask(engine, 'recipes.save', { id: null, recipe: { ...RECIPE, name: 'Shop' } })
  await ask(engine, 'recipes.remove', { id })
  await ask(engine, 'recipes.save', { id, recipe })
  expect((await ask(engine, 'recipes.list', {})).recipes).toEqual([{ id, recipe }])
})

it('a cap leaves the others as they are, and the last one set is stored', async () => {
  await ask(engine, 'settings.set', { caps: { perDay: 50 } })
  await ask(engine, 'settings.set', { caps: { perMonth: 900 } })
  await ask(engine, 'settings.set', { caps: { perDay: 70 } })
  const before = await ask(engine, 'settings.get', {})
  expect(before.caps).toEqual({ perDay: 70, perMonth: 900, perFolderPerDay: null })
  await ask(engine, 'settings.set', { chargers: { notifyFavourites: true } })
  expect(await ask(engine, 'settings.get', {})).toEqual({
    ...before,
    chargers: { ...before.chargers, notifyFavourites: true },
  })
})

it('two changes of a folder at the same time are both made', async () => {
  const folder = { path: world.pictures, recipe: RECIPE, include: [], exclude: [], askAbove: 100 }
  const { id } = await ask(engine, 'folders.add', folder)
  await Promise.all([
    ask(engine, 'folders.update', { id, changes: { askAbove: 5 } }),
    ask(engine, 'folders.update', { id, changes: { exclude: ['drafts/**'] } }),
  ])
  expect((await ask(engine, 'folders.list', {})).folders).toMatchObject([{ askAbove: 5, exclude: ['drafts/**'] }])
})
