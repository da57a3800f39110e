import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Engine } from '../../src/main/engine/start-engine.ts'
import { ask, collect, EngineWorld, RECIPE } from './engine-harness.ts'

/* What a form stores that was filled before something else stored a change: refused, and nothing is lost. */

let world: EngineWorld
let engine: Engine

beforeEach(async () => {
  world = await EngineWorld.open()
  engine = await world.engine(world.newDataFolder())
})
afterEach(() => world.close())

const REFUSED = { ok: false, error: { code: 'bad_request', sentence: { code: 'changed_meanwhile' } } }

it('a recipe is saved only over what was seen of it', async () => {
  const { id, recipe } = await ask(engine, 'recipes.save', { id: null, recipe: { ...RECIPE, name: 'Shop' } })
  const theirs = { ...recipe, quality: 60 }
  await ask(engine, 'recipes.save', { id, recipe: theirs, seen: recipe })
  expect(await engine.call('recipes.save', { id, recipe: { ...recipe, format: 'avif' }, seen: recipe })).toMatchObject(
    REFUSED,
  )
  expect((await ask(engine, 'recipes.list', {})).recipes).toEqual([{ id, recipe: theirs }])
  // With the stored value as `seen`, or without `seen`, it is replaced.
  await ask(engine, 'recipes.save', { id, recipe, seen: theirs })
  await ask(engine, 'recipes.save', { id, recipe: theirs })
})

it('each window is told that recipes changed', async () => {
  const events = collect(engine)
  const { id } = await ask(engine, 'recipes.save', { id: null, recipe: { ...RECIPE, name: 'Shop' } })
  await ask(engine, 'recipes.remove', { id })
  const stored = { type: 'stored', what: 'recipes' }
  expect(events).toMatchObject([stored, stored])
})

it('a setting is stored only over what was seen of it, and a cap leaves the others as they are', async () => {
  await ask(engine, 'settings.set', { caps: { perDay: 50 } })
  await ask(engine, 'settings.set', { caps: { perMonth: 900 }, seen: { caps: { perMonth: null } } })
  expect(await engine.call('settings.set', { caps: { perDay: 70 }, seen: { caps: { perDay: null } } })).toMatchObject(
    REFUSED,
  )
  expect((await ask(engine, 'settings.get', {})).caps).toEqual({ perDay: 50, perMonth: 900, perFolderPerDay: null })
  expect(await engine.call('settings.set', { retentionDays: 7, seen: { retentionDays: 30 } })).toMatchObject(REFUSED)
  await ask(engine, 'settings.set', { retentionDays: 7, seen: { retentionDays: 90, caps: { perDay: 50 } } })
  const before = await ask(engine, 'settings.get', {})
  expect(before.retentionDays).toBe(7)
  await ask(engine, 'settings.set', { chargers: { hoursIn: 'utc' } })
  expect(await ask(engine, 'settings.get', {})).toEqual({ ...before, chargers: { ...before.chargers, hoursIn: 'utc' } })
})

it('a folder is changed only over what was seen of it, also by two at the same time', async () => {
  const folder = { path: world.pictures, recipe: RECIPE, include: [], exclude: [], askAbove: 100 }
  const { id } = await ask(engine, 'folders.add', folder)
  const seen = { recipe: RECIPE, include: [], exclude: [], askAbove: 100 }
  const both = await Promise.all([
    engine.call('folders.update', { id, changes: { askAbove: 5 }, seen }),
    engine.call('folders.update', { id, changes: { exclude: ['drafts/**'] }, seen }),
  ])
  expect(both).toMatchObject([{ ok: true }, REFUSED])
  expect((await ask(engine, 'folders.list', {})).folders).toMatchObject([{ askAbove: 5, exclude: [] }])
  // A pause says nothing of what is set.
  await ask(engine, 'folders.update', { id, changes: { paused: true } })
  expect((await ask(engine, 'folders.list', {})).folders).toMatchObject([{ askAbove: 5, paused: true }])
})
