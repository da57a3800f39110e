import { cp, mkdir, rename, rm, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import type { Engine } from '../../src/main/engine/start-engine.ts'
import { JobStore } from '../../src/main/journal/job-store.ts'
import { openJournal } from '../../src/main/journal/journal.ts'
import { ask, makePicture, RECIPE, until } from './engine-harness.ts'
import { openWorldForEachTest, world } from './world-for-each-test.ts'

const ANALYZE = { ...RECIPE, operation: 'analyze' as const }
const SETTINGS = { recipe: ANALYZE, include: [], exclude: [] }

openWorldForEachTest()

const put = async (name: string, seed: number, folder = world.pictures) =>
  writeFile(join(folder, name), await makePicture(seed, 'jpeg'))
const paths = async (engine: Engine) =>
  (await ask(engine, 'jobs.list', {})).jobs.filter(({ state }) => state === 'done').map(({ source }) => source.path)
const untilDone = (engine: Engine, wanted: string[]) =>
  until(engine, `${wanted.length} are done`, async () => (await paths(engine)).sort().join() === wanted.sort().join())

async function watching(more: { existing?: 'leave' } = {}, dataDir = world.newDataFolder()) {
  const engine = await world.engine(dataDir, { watch: true })
  return { engine, ...(await ask(engine, 'folders.add', { path: world.pictures, ...SETTINGS, ...more })) }
}

describe('pictures that were left', () => {
  const left = { ...SETTINGS, existing: 'leave' as const }

  it('stay left when they changed while their folder was not watched, and it is added again that way', async () => {
    await put('old.jpg', 1)
    const { engine, id } = await watching({ existing: 'leave' })
    await ask(engine, 'folders.remove', { id })
    await put('old.jpg', 2)
    await ask(engine, 'folders.add', { path: world.pictures, ...left })
    await put('new.jpg', 3)
    await untilDone(engine, [join(world.pictures, 'new.jpg')])
    expect(world.charges).toHaveLength(1)
  })

  it('are those of the folder itself, and not of a paused folder in it', async () => {
    const inner = join(world.pictures, 'inner')
    await mkdir(inner)
    const engine = await world.engine(world.newDataFolder(), { watch: true })
    const { id } = await ask(engine, 'folders.add', { path: inner, ...SETTINGS })
    await ask(engine, 'folders.update', { id, changes: { paused: true } })
    await put('waiting.jpg', 1, inner)
    await ask(engine, 'folders.add', { path: world.pictures, ...left })
    await ask(engine, 'folders.update', { id, changes: { paused: false } })
    await untilDone(engine, [join(inner, 'waiting.jpg')])
  })
})

describe('a folder that has moved', () => {
  it('is watched where it is, with its jobs, and nothing of it is paid for or taken in again', async () => {
    await put('left.jpg', 1)
    const dataDir = world.newDataFolder()
    const { engine, id } = await watching({ existing: 'leave' }, dataDir)
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

  it('has all its jobs with it after a crash in the middle', async () => {
    await put('a.jpg', 1)
    const [dataDir, crashed] = [world.newDataFolder(), world.newDataFolder()]
    const { engine, id } = await watching({}, dataDir)
    await untilDone(engine, [join(world.pictures, 'a.jpg')])
    await world.stop(engine)
    await mkdir(crashed)
    const db = openJournal(dataDir)
    const store = new JobStore(db, Date.now)
    const [job] = store.list()
    for (let n = 0; n < 1000; n += 1) {
      const path = join(world.pictures, `copy-${n}.jpg`)
      const id = `${job!.id.startsWith('0') ? '1' : '0'}${job!.id.slice(1, -4)}${String(n).padStart(4, '0')}`
      store.insert({ ...job!, id, source: { ...job!.source, path }, outputs: [] })
    }
    const to = `${world.pictures} moved`
    const moved = () =>
      db.prepare<[string], number>('SELECT count(*) FROM jobs WHERE path LIKE ?').pluck().get(`${to}/%`)!
    const again = await world.engine(dataDir, { watch: true })
    await rename(world.pictures, to)
    const located = ask(again, 'folders.locate', { id, path: to })
    while (moved() === 0) await setImmediate()
    db.prepare('VACUUM INTO ?').run(join(crashed, 'journal.db'))
    expect(moved()).toBeLessThan(1001)
    await located
    db.close()
    await world.stop(again)
    const after = await world.engine(crashed, { watch: true })
    await ask(after, 'folders.reconcile', { id })
    const { jobs } = await ask(after, 'jobs.list', { limit: 2000 })
    expect(jobs).toHaveLength(1001)
    expect(jobs.filter(({ source, rootDir }) => rootDir !== to || !source.path.startsWith(to))).toEqual([])
    expect(world.charges).toHaveLength(1)
  })

  it('leaves what was to be left, also where it was copied and has other times and numbers', async () => {
    await put('left.jpg', 1)
    const { engine, id } = await watching({ existing: 'leave' })
    const to = `${world.pictures} copied`
    await cp(world.pictures, to, { recursive: true })
    await utimes(join(to, 'left.jpg'), 1, 1)
    await rm(world.pictures, { recursive: true })
    await ask(engine, 'folders.locate', { id, path: to })
    await put('b.jpg', 3, to)
    await untilDone(engine, [join(to, 'b.jpg')])
    expect(world.charges).toHaveLength(1)
  })

  it('has the watched folders inside it with it, and none of their pictures is taken in by it', async () => {
    const inner = join(world.pictures, 'inner')
    await mkdir(inner)
    await put('a.jpg', 1)
    const engine = await world.engine(world.newDataFolder(), { watch: true })
    const outerId = (await ask(engine, 'folders.add', { path: world.pictures, ...SETTINGS })).id
    await put('left.jpg', 2, inner)
    const left = { path: inner, ...SETTINGS, existing: 'leave' as const }
    await ask(engine, 'folders.update', { id: outerId, changes: { paused: true } })
    const innerId = (await ask(engine, 'folders.add', left)).id
    await ask(engine, 'folders.update', { id: outerId, changes: { paused: false } })
    await untilDone(engine, [join(world.pictures, 'a.jpg')])
    const to = `${world.pictures} moved`
    await rename(world.pictures, to)
    await ask(engine, 'folders.locate', { id: outerId, path: to })
    expect((await ask(engine, 'folders.list', {})).folders.map(({ id, path }) => [id, path])).toEqual([
      [outerId, to],
      [innerId, join(to, 'inner')],
    ])
    await put('b.jpg', 3, join(to, 'inner'))
    await untilDone(engine, [join(to, 'a.jpg'), join(to, 'inner', 'b.jpg')])
    expect(world.charges).toHaveLength(2)
    const { jobs } = await ask(engine, 'jobs.list', {})
    expect(jobs.map(({ folderId }) => folderId).sort()).toEqual([outerId, innerId].sort())
  })

  it('is not taken to be a folder that has none of its pictures: those would be paid for', async () => {
    const other = `${world.pictures} other`
    await mkdir(other)
    await put('a.jpg', 1)
    await put('z.jpg', 2, other)
    const { engine, id } = await watching()
    await untilDone(engine, [join(world.pictures, 'a.jpg')])
    const moved = `${world.pictures} moved`
    await rename(world.pictures, moved)
    await expect(ask(engine, 'folders.locate', { id, path: other })).rejects.toThrow('folders.locate')
    await ask(engine, 'folders.locate', { id, path: moved })
    await put('b.jpg', 3, moved)
    await untilDone(engine, [join(moved, 'a.jpg'), join(moved, 'b.jpg')])
    expect(world.charges).toHaveLength(2)
    expect((await ask(engine, 'jobs.list', { search: 'z.jpg' })).jobs).toEqual([])
  })
})
