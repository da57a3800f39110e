import { cp, mkdir, rename, rm, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Engine } from '../../src/main/engine/start-engine.ts'
import { ask, EngineWorld, makePicture, RECIPE, until } from './engine-harness.ts'

const ANALYZE = { ...RECIPE, operation: 'analyze' as const }
const SETTINGS = { recipe: ANALYZE, include: [], exclude: [] }

let world: EngineWorld

beforeEach(async () => {
  world = await EngineWorld.open()
  await mkdir(world.pictures, { recursive: true })
})

afterEach(() => world.close())

const put = async (name: string, seed: number, folder = world.pictures) =>
  writeFile(join(folder, name), await makePicture(seed, 'jpeg'))
const paths = async (engine: Engine) =>
  (await ask(engine, 'jobs.list', {})).jobs.filter(({ state }) => state === 'done').map(({ source }) => source.path)
const untilDone = (engine: Engine, wanted: string[]) =>
  until(engine, `${wanted.length} are done`, async () => (await paths(engine)).sort().join() === wanted.sort().join())

describe('a folder of which only new pictures are wanted', () => {
  it('leaves what is there, also after a restart, and takes what comes and what changes', async () => {
    await put('old.jpg', 1)
    await put('changed.jpg', 2)
    const dataDir = world.newDataFolder()
    const engine = await world.engine(dataDir, { watch: true })
    await ask(engine, 'folders.add', { path: world.pictures, ...SETTINGS, existing: 'leave' })
    await put('new.jpg', 3)
    await untilDone(engine, [join(world.pictures, 'new.jpg')])
    await world.stop(engine)
    await put('changed.jpg', 4)
    const again = await world.engine(dataDir, { watch: true })
    await untilDone(
      again,
      ['new.jpg', 'changed.jpg'].map((name) => join(world.pictures, name)),
    )
    expect(world.charges).toHaveLength(2)
  })

  it('takes all when it is added again without that wish', async () => {
    await put('old.jpg', 1)
    const engine = await world.engine(world.newDataFolder(), { watch: true })
    const { id } = await ask(engine, 'folders.add', { path: world.pictures, ...SETTINGS, existing: 'leave' })
    await ask(engine, 'folders.remove', { id })
    await ask(engine, 'folders.add', { path: world.pictures, ...SETTINGS })
    await untilDone(engine, [join(world.pictures, 'old.jpg')])
  })
})

describe('a folder that has moved', () => {
  it('is watched where it is, with its jobs, and nothing of it is paid for or taken in again', async () => {
    await put('left.jpg', 1)
    const dataDir = world.newDataFolder()
    const engine = await world.engine(dataDir, { watch: true })
    const { id } = await ask(engine, 'folders.add', { path: world.pictures, ...SETTINGS, existing: 'leave' })
    await put('a.jpg', 2)
    await untilDone(engine, [join(world.pictures, 'a.jpg')])
    const to = `${world.pictures} moved`
    await rename(world.pictures, to)
    await ask(engine, 'folders.locate', { id, path: to })
    await put('b.jpg', 3, to)
    await untilDone(engine, [join(to, 'a.jpg'), join(to, 'b.jpg')])
    const [job] = (await ask(engine, 'jobs.list', { search: 'a.jpg' })).jobs
    expect(job).toMatchObject({ rootDir: to, folderId: id })
    for (const { path } of job!.outputs) expect(path.startsWith(to)).toBe(true)
    expect((await ask(engine, 'folders.list', {})).folders).toMatchObject([{ id, path: to, state: 'watching' }])
    expect(world.charges).toHaveLength(2)
    await world.stop(engine)
    const again = await world.engine(dataDir, { watch: true })
    await ask(again, 'folders.reconcile', { id })
    expect((await ask(again, 'jobs.list', {})).jobs).toHaveLength(2)
    expect(world.charges).toHaveLength(2)
  })

  it('leaves what was to be left, also where it was copied and has other times and numbers', async () => {
    await put('left.jpg', 1)
    const engine = await world.engine(world.newDataFolder(), { watch: true })
    const { id } = await ask(engine, 'folders.add', { path: world.pictures, ...SETTINGS, existing: 'leave' })
    const to = `${world.pictures} copied`
    await cp(world.pictures, to, { recursive: true })
    await utimes(join(to, 'left.jpg'), 1, 1)
    await rm(world.pictures, { recursive: true })
    await ask(engine, 'folders.locate', { id, path: to })
    await put('b.jpg', 3, to)
    await untilDone(engine, [join(to, 'b.jpg')])
    expect(world.charges).toHaveLength(1)
  })

  it('stays where it was when the other place is not there or watched already', async () => {
    const other = `${world.pictures} other`
    await mkdir(other)
    const engine = await world.engine(world.newDataFolder(), { watch: true })
    const { id } = await ask(engine, 'folders.add', { path: world.pictures, ...SETTINGS })
    await ask(engine, 'folders.add', { path: other, ...SETTINGS })
    for (const path of [other, join(other, 'nowhere')])
      await expect(ask(engine, 'folders.locate', { id, path })).rejects.toThrow('folders.locate')
    await put('a.jpg', 1)
    await untilDone(engine, [join(world.pictures, 'a.jpg')])
  })
})
