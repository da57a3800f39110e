import { describe, expect, it } from 'vitest'
import type { Settings } from '../../src/shared/settings/settings.ts'
import { say } from '../../src/shared/sentences/sentence.ts'
import { ask, collect, RECIPE, refusal, until } from './engine-harness.ts'
import { openWorldForEachTest, world } from './world-for-each-test.ts'

openWorldForEachTest()

it('the list tells when a picture is in another order now', async () => {
  await world.addPicture('a.jpg', 1)
  const engine = await world.engine(world.newDataFolder(), { overrides: { paused: true } })
  const first = await ask(engine, 'intake.add', { paths: [world.pictures], recipe: RECIPE })
  await until(engine, 'it is ready', async () => (await ask(engine, 'jobs.counts', {})).counts.ready === 1)
  const events = collect(engine)
  const second = await ask(engine, 'intake.add', { paths: [world.pictures], recipe: RECIPE })
  await until(engine, 'it has moved', () => events.some((event) => event.type === 'job'))
  const moved = events.find((event) => event.type === 'job')!
  expect(moved).toMatchObject({ from: 'ready', job: { batchId: second.batchId, state: 'ready' } })
  expect((await ask(engine, 'jobs.counts', { batchId: first.batchId })).counts.ready).toBe(0)
})

describe('a change of what is set', () => {
  it('is announced to all, and keeps what is not part of it', async () => {
    const engine = await world.engine(world.newDataFolder())
    const events = collect(engine)
    const changes: Partial<Settings> = {
      appearance: { theme: 'dark', language: 'de' },
      inboxDir: '/in',
      verboseLog: true,
    }
    expect(await ask(engine, 'settings.set', changes)).toMatchObject({ ...changes, retentionDays: 90 })
    await ask(engine, 'queue.pause', {})
    await ask(engine, 'queue.resume', {})
    const told = events.flatMap((event) => (event.type === 'settings' ? [event.settings] : []))
    expect(told.map(({ paused }) => paused)).toEqual([false, true, false])
    expect(told.at(-1)).toMatchObject(changes)
  })

  it('is refused with the member that does not fit and why, in words of our own', async () => {
    const engine = await world.engine(world.newDataFolder())
    const where = 'requestsPerMinute'
    for (const [given, why] of [
      [0, say('value_at_least', { least: 1 })],
      [60_001, say('value_at_most', { most: 60_000 })],
      ['many', say('value_unfit')],
      [1.5, say('value_unfit')],
    ] as const) {
      const { sentence } = await refusal(engine, 'settings.set', { requestsPerMinute: given as number })
      expect(sentence).toEqual(say('request_invalid', { where, why }))
    }
  })

  it('is told for folders, and a removed one comes back as it was', async () => {
    const engine = await world.engine(world.newDataFolder(), { watch: true })
    const events = collect(engine)
    const order = { path: world.pictures, recipe: { ...RECIPE, name: 'Mine' }, include: ['*.jpg'], exclude: [] }
    const { id } = await ask(engine, 'folders.add', order)
    await ask(engine, 'folders.update', { id, changes: { paused: true } })
    const [before] = (await ask(engine, 'folders.list', {})).folders
    await ask(engine, 'folders.remove', { id })
    expect((await ask(engine, 'folders.list', {})).folders).toEqual([])
    await ask(engine, 'folders.putBack', { id })
    expect((await ask(engine, 'folders.list', {})).folders).toEqual([before])
    expect(events.filter(({ type }) => type === 'folders')).toHaveLength(4)
    expect((await refusal(engine, 'folders.putBack', { id })).code).toBe('not_found')
  })
})

it('a cap leaves the others as they are, and the last one set is stored', async () => {
  const engine = await world.engine(world.newDataFolder())
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

it('recipes are kept under their names, each of which there is once', async () => {
  const dataDir = world.newDataFolder()
  const engine = await world.engine(dataDir)
  const web = await ask(engine, 'recipes.save', { id: null, recipe: { ...RECIPE, name: 'Web' } })
  const print = await ask(engine, 'recipes.save', { id: null, recipe: { ...RECIPE, name: ' Print ' } })
  expect(print.recipe.name).toBe('Print')
  for (const [id, name] of [
    [null, 'web'],
    [print.id, 'Web'],
  ] as const)
    expect((await refusal(engine, 'recipes.save', { id, recipe: { ...RECIPE, name } })).code).toBe('name_taken')
  await ask(engine, 'recipes.save', { id: web.id, recipe: { ...RECIPE, name: 'WEB', quality: 50 } })
  await world.stop(engine)
  const again = await world.engine(dataDir)
  const names = async () => (await ask(again, 'recipes.list', {})).recipes.map(({ recipe }) => recipe.name)
  expect(await names()).toEqual(['Print', 'WEB'])
  await ask(again, 'recipes.remove', { id: web.id })
  expect(await names()).toEqual(['Print'])
  // Another window still had it open.
  await ask(again, 'recipes.save', { id: web.id, recipe: { ...RECIPE, name: 'Web' } })
  expect(await names()).toEqual(['Print', 'Web'])
})
