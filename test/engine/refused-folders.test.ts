import { mkdir, rename, rm, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Engine } from '../../src/main/engine/start-engine.ts'
import { ask, RECIPE, until } from './engine-harness.ts'
import { openWorldForEachTest, world } from './world-for-each-test.ts'

openWorldForEachTest()

const settings = { recipe: RECIPE, include: [], exclude: [] }
const at = (name: string) => join(world.dir, name)

async function folderOf(engine: Engine, path: string) {
  return (await ask(engine, 'folders.list', {})).folders.find((folder) => folder.path === path)!
}

async function stateIs(engine: Engine, path: string, state: string): Promise<void> {
  await until(engine, `${path} is ${state}`, async () => (await folderOf(engine, path)).state === state)
}

/** Two watched folders, remembered by a data folder whose engine has ended. */
async function twoRemembered(): Promise<string> {
  const dataDir = world.newDataFolder()
  const engine = await world.engine(dataDir, { watch: true })
  for (const name of ['one', 'two']) {
    await mkdir(at(name))
    await ask(engine, 'folders.add', { path: at(name), ...settings })
  }
  await world.stop(engine)
  return dataDir
}

describe('a watched folder that has become a link to another one', () => {
  it('is refused with the reason, ends nothing, and is watched again when the reason is gone', async () => {
    const dataDir = await twoRemembered()
    await rename(at('one'), at('away'))
    await symlink(at('two'), at('one'))
    const engine = await world.engine(dataDir, { watch: true })
    await stateIs(engine, at('one'), 'refused')
    await stateIs(engine, at('two'), 'watching')
    expect((await folderOf(engine, at('one'))).because).toEqual({ code: 'same_folder', values: { path: at('two') } })

    await rm(at('one'))
    await rename(at('away'), at('one'))
    await ask(engine, 'folders.reconcile', { id: null })
    await stateIs(engine, at('one'), 'watching')
  })

  it('is refused too when that happens while it is watched, and its pictures are taken in once', async () => {
    const engine = await world.engine(await twoRemembered(), { watch: true })
    await stateIs(engine, at('two'), 'watching')
    await rename(at('one'), at('away'))
    await symlink(at('two'), at('one'))
    await ask(engine, 'folders.reconcile', { id: null })
    await stateIs(engine, at('one'), 'refused')
    await world.addPicture('a.jpg', 1)
    await rename(join(world.pictures, 'a.jpg'), join(at('two'), 'a.jpg'))
    await until(engine, 'the picture is done', async () => (await ask(engine, 'jobs.counts', {})).counts.done === 1)
    const { jobs } = await ask(engine, 'jobs.list', {})
    expect(jobs.filter(({ state }) => state === 'done').map(({ source }) => source.path)).toEqual([
      join(at('two'), 'a.jpg'),
    ])
  })
})

it('A remembered folder inside the output folder of another is refused, and the start continues', async () => {
  const dataDir = world.newDataFolder()
  const first = await world.engine(dataDir, { watch: true })
  await mkdir(at('one'))
  await mkdir(at('two'))
  const recipe = { ...RECIPE, output: { kind: 'folder' as const, dir: at('out') } }
  await ask(first, 'folders.add', { path: at('one'), ...settings, recipe })
  await ask(first, 'folders.add', { path: at('two'), ...settings })
  await world.stop(first)
  await symlink(at('two'), at('out'))
  const engine = await world.engine(dataDir, { watch: true })
  await stateIs(engine, at('two'), 'refused')
  expect((await folderOf(engine, at('two'))).because?.code).toBe('in_output_folder')
  await stateIs(engine, at('one'), 'watching')
})
