import { readdir, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { ask, previewToEnd, RECIPE, refusal, runToEnd, until } from './engine-harness.ts'
import { openWorldForEachTest, world } from './world-for-each-test.ts'

openWorldForEachTest()
let dataDir: string

/** A data folder inside the pictures, with a picture in the profile of the browser that Hangar opened. */
beforeEach(async () => {
  dataDir = join(world.pictures, 'data')
  await world.addPicture('data/browser/of-a-picture.jpg', 1)
})

const settings = { recipe: RECIPE, include: [], exclude: [] }
const charged = () => world.charges.map(({ filename }) => filename)

describe('what Hangar keeps in its data folder', () => {
  it('is neither watched nor run, and the refusal says why', async () => {
    const engine = await world.engine(dataDir)
    for (const path of [dataDir, join(dataDir, 'browser'), join(dataDir, 'browser', 'of-a-picture.jpg')]) {
      const order = { paths: [path], recipe: RECIPE }
      const named = { code: 'bad_request', sentence: { values: { path } } }
      for (const call of ['intake.add', 'intake.preview'] as const)
        expect(await refusal(engine, call, order)).toMatchObject(named)
    }
    const own = { code: 'bad_request', sentence: { code: 'folder_own' } }
    for (const path of [dataDir, join(dataDir, 'browser')])
      expect(await refusal(engine, 'folders.add', { path, ...settings })).toMatchObject(own)
    expect(charged()).toEqual([])
  })

  it('is left out of a run, a preview and a watch of the folder around it', async () => {
    await world.addPicture('data/samples-2026-01-01/sample.jpg', 5)
    const engine = await world.engine(dataDir, { watch: true })
    await world.addPicture('mine.jpg', 2)
    const preview = await previewToEnd(engine, { paths: [world.pictures], recipe: RECIPE })
    expect(preview).toMatchObject({ pictures: 1, toSend: 1 })
    expect(await runToEnd(engine, [world.pictures])).toHaveLength(1)
    await world.addPicture('watched.jpg', 3)
    await ask(engine, 'folders.add', { path: world.pictures, ...settings })
    await until(engine, 'both are done', async () => (await ask(engine, 'jobs.counts', {})).counts.done === 2)
    await ask(engine, 'folders.reconcile', { id: null })
    expect(charged().sort()).toEqual(['mine.jpg', 'watched.jpg'])
    expect(await readdir(join(dataDir, 'browser'))).toEqual(['of-a-picture.jpg'])
  })
})

it('samples are processed again as a person likes, once they are named', async () => {
  const sample = await world.addPicture('data/samples-2026-01-01/sample.jpg', 5)
  const engine = await world.engine(dataDir)
  expect(await previewToEnd(engine, { paths: [sample], recipe: RECIPE })).toMatchObject({ toSend: 1 })
  expect(await runToEnd(engine, [sample])).toMatchObject([{ state: 'done' }])
})

it('an inbox for uploads that lies in the data folder holds pictures of a person, which are processed', async () => {
  const inboxDir = join(dataDir, 'inbox')
  await world.addPicture('data/inbox/uploaded.jpg', 4)
  const engine = await world.engine(dataDir, { overrides: { inboxDir } })
  const jobs = await runToEnd(engine, [join(inboxDir, 'uploaded.jpg')])
  expect(jobs.map(({ state }) => state)).toEqual(['done'])
  await rename(join(dataDir, 'browser', 'of-a-picture.jpg'), join(inboxDir, 'another.jpg'))
  await runToEnd(engine, [inboxDir])
  expect(charged().sort()).toEqual(['another.jpg', 'uploaded.jpg'])
})
