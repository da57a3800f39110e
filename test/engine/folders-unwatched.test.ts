import { expect, it } from 'vitest'
import { ask, RECIPE } from './engine-harness.ts'
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
