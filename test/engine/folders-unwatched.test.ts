import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { ask, reached, RECIPE } from './engine-harness.ts'
import { openWorldForEachTest, world } from './world-for-each-test.ts'

openWorldForEachTest()

it('an engine that does not watch stores folders and their changes, and begins no watch of them', async () => {
  const dataDir = world.newDataFolder()
  const idle = await world.engine(dataDir, { scope: 'none', watch: false })
  const phases: string[] = []
  idle.subscribe((event) => event.type === 'folder' && phases.push(event.state))
  const folder = { path: world.pictures, recipe: RECIPE, include: [], exclude: [], askAbove: 9 }
  const { id } = await ask(idle, 'folders.add', folder)
  await ask(idle, 'folders.update', { id, changes: { exclude: ['drafts/'] } })
  expect(phases.filter((phase) => phase !== 'paused')).toEqual([])
  await world.stop(idle)

  const watch = await world.engine(dataDir, { watch: true })
  const { folders } = await ask(watch, 'folders.list', {})
  expect(folders).toMatchObject([{ id, path: world.pictures, askAbove: 9, exclude: ['drafts/'], paused: false }])
  expect(folders[0]!.state).not.toBe('paused')
})

it('an engine that does not watch leaves a picture that is tried again to the next watch, and none of a removed folder', async () => {
  const dataDir = world.newDataFolder()
  await writeFile(join(world.pictures, 'text.jpg'), 'no picture')
  const watch = await world.engine(dataDir, { watch: true })
  const { id } = await ask(watch, 'folders.add', { path: world.pictures, recipe: RECIPE, include: [], exclude: [] })
  await reached(watch, 'failed', 1)
  const [job] = (await ask(watch, 'jobs.list', {})).jobs
  await world.stop(watch)

  const idle = await world.engine(dataDir, { scope: 'none', watch: false })
  expect(await ask(idle, 'jobs.retry', { ids: [job!.id] })).toEqual({ changed: 1 })
  await ask(idle, 'folders.remove', { id })
  expect(await ask(idle, 'jobs.retry', { ids: [job!.id] })).toEqual({ changed: 0 })
})
