import { utimes } from 'node:fs/promises'
import { beforeEach, expect, it } from 'vitest'
import type { JobView } from '../../src/shared/contract/jobs.ts'
import type { Recipe } from '../../src/shared/recipes/recipe.ts'
import type { Engine } from '../../src/main/engine/start-engine.ts'
import { ask, batchCloses, countsOf, previewToEnd, reached, RECIPE, runToEnd, until } from './engine-harness.ts'
import { openWorldForEachTest, reopenWorld, world } from './world-for-each-test.ts'

openWorldForEachTest()
let photo: string

beforeEach(async () => {
  photo = await world.addPicture('photo.jpg', 1)
})

const OTHER: Recipe = { ...RECIPE, languages: ['fr'] }

const jobs = async (engine: Engine) => (await ask(engine, 'jobs.list', {})).jobs
const states = async (engine: Engine) =>
  (await jobs(engine)).map(({ state, recipe }) => `${state} ${recipe.languages.join()}`)

/** An engine whose account has no credits, and the job that is held for them. */
async function withHeld(): Promise<{ engine: Engine; held: JobView }> {
  await world.practice.control({ type: 'set-credits', credits: 0 })
  const engine = await world.engine(world.newDataFolder())
  const [held] = await runToEnd(engine, [photo])
  expect(held).toMatchObject({ state: 'held', reason: { code: 'credits_short' } })
  return { engine, held: held! }
}

async function topUp(engine: Engine): Promise<void> {
  await world.practice.control({ type: 'top-up', credits: 500 })
  await ask(engine, 'credits.balance', {})
  await until(engine, 'nothing is held or under way', async () => {
    const counts = await countsOf(engine)
    return counts.held + counts.ready + counts.sending + counts.waiting + counts.fetching + counts.writing === 0
  })
}

it('pays once for a held picture that is processed with another recipe', async () => {
  const { engine, held } = await withHeld()
  await runToEnd(engine, [photo], { recipe: OTHER, insteadOf: [held.id] })
  expect(await states(engine)).toEqual(['held fr'])
  await topUp(engine)
  expect(await states(engine)).toEqual(['done fr'])
  expect(world.charges).toHaveLength(1)
})

it('pays for both where a person adds the picture again with another recipe', async () => {
  const { engine } = await withHeld()
  await runToEnd(engine, [photo], { recipe: OTHER })
  await topUp(engine)
  expect((await states(engine)).sort()).toEqual(['done en,de', 'done fr'])
  expect(world.charges).toHaveLength(2)
})

it('keeps a held picture that the other recipe cannot process', async () => {
  const webp = await world.addPicture('photo.webp', 1, 'webp')
  await world.practice.control({ type: 'set-credits', credits: 0 })
  const engine = await world.engine(world.newDataFolder())
  const [held] = await runToEnd(engine, [webp])
  const convert: Recipe = { ...RECIPE, operation: 'convert', convertOn: 'service' }
  await runToEnd(engine, [webp], { recipe: convert, insteadOf: [held!.id] })
  expect((await jobs(engine)).map(({ state }) => state).sort()).toEqual(['failed', 'held'])
})

it('sends nothing in place of a picture that may have been charged, and its preview says so', async () => {
  await reopenWorld({ jobTime: { kind: 'fixed', ms: 3_600_000 } })
  photo = await world.addPicture('photo.jpg', 1)
  const engine = await world.engine(world.newDataFolder())
  await ask(engine, 'intake.add', { paths: [photo], recipe: RECIPE, confirmed: true })
  await reached(engine, 'waiting', 1)
  const [sent] = await jobs(engine)
  const again = { paths: [photo], recipe: OTHER, insteadOf: [sent!.id] }
  expect(await previewToEnd(engine, again)).toMatchObject({ toSend: 0, done: 1 })
  const { batchId } = await ask(engine, 'intake.add', { ...again, confirmed: true })
  await batchCloses(engine, batchId)
  expect(await states(engine)).toEqual(['waiting en,de'])
  expect(world.charges).toHaveLength(1)
})

it('still knows after a restart in place of which jobs a batch is taken in', async () => {
  const dataDir = world.newDataFolder()
  const paused = { overrides: { paused: true } }
  const engine = await world.engine(dataDir, paused)
  await ask(engine, 'intake.add', { paths: [photo], recipe: RECIPE })
  await until(engine, 'it is taken in', async () => (await jobs(engine)).length === 1)
  // Written just now, so that it is not taken in again before the engine stops.
  await utimes(photo, new Date(), new Date())
  const insteadOf = (await jobs(engine)).map(({ id }) => id)
  const { batchId } = await ask(engine, 'intake.add', { paths: [photo], recipe: OTHER, insteadOf })
  await world.stop(engine)
  const again = await world.engine(dataDir, paused)
  await batchCloses(again, batchId)
  expect(await states(again)).toEqual(['ready fr'])
})
