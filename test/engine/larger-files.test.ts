import { beforeEach, expect, it } from 'vitest'
import { DEFAULT_RECIPE } from '../../src/shared/recipes/recipe.ts'
import { ask, RECIPE, runToEnd } from './engine-harness.ts'
import { at, names, openWorldForEachTest, put, world } from './world-for-each-test.ts'
import { noise } from '../images/pictures.ts'

openWorldForEachTest()

beforeEach(async () => {
  // Grain that a JPEG has thrown away most of: WebP at full quality keeps what is left, and needs more for it.
  await put('grain.jpg', await noise(240, 160).jpeg({ quality: 15 }).toBuffer())
})

const DROP = { ...RECIPE, quality: 100, keepLarger: DEFAULT_RECIPE.keepLarger }
const KEEP = { ...DROP, keepLarger: true }

it('a converted file that is larger is left out where the recipe says nothing else, without paying again', async () => {
  const recipe = DROP
  const dataDir = world.newDataFolder()
  const engine = await world.engine(dataDir)
  const [job] = await runToEnd(engine, [world.pictures], { recipe })
  expect(job!.state).toBe('done')
  expect(job!.notes.map(({ code }) => code)).toContain('converted_not_kept')
  expect(job!.outputs.map(({ role }) => role)).not.toContain('converted')
  expect(await names()).not.toContain('grain.webp')
  expect(world.charges).toHaveLength(1)
  // The same order again finds it done; the other choice brings the file, for nothing.
  expect(await runToEnd(engine, [world.pictures], { recipe })).toEqual([])
  const [again] = await runToEnd(engine, [at('grain.jpg')], { recipe: KEEP })
  expect(again!.state).toBe('done')
  expect(again!.notes).toContainEqual({ code: 'converted_larger', detail: expect.stringMatching(/^\d+$/) as string })
  expect(await names()).toContain('grain.webp')
  expect(world.charges).toHaveLength(1)
  expect((await ask(engine, 'jobs.counts', {})).counts.failed).toBe(0)
})

it('what was left out is done also for another computer that knows the sidecar only', async () => {
  const recipe = DROP
  const first = await world.engine(world.newDataFolder())
  await runToEnd(first, [world.pictures], { recipe })
  await world.stop(first)
  const second = await world.engine(world.newDataFolder())
  const jobs = await runToEnd(second, [at('grain.jpg')], { recipe })
  expect(jobs).toMatchObject([{ state: 'skipped', reason: { code: 'already_done' } }])
  const [wanted] = await runToEnd(second, [at('grain.jpg')], { recipe: KEEP })
  expect(wanted!.state).toBe('done')
  expect(await names()).toContain('grain.webp')
  expect(world.charges).toHaveLength(1)
})
