import { stat } from 'node:fs/promises'
import { beforeEach, expect, it } from 'vitest'
import { RECIPE, runToEnd } from './engine-harness.ts'
import { at, names, openWorldForEachTest, put, world } from './world-for-each-test.ts'
import { noise } from '../images/pictures.ts'

openWorldForEachTest()

beforeEach(async () => {
  const grain = noise(100, 75).resize(400, 300, { kernel: 'linear' })
  await put('grain.jpg', await grain.jpeg({ quality: 95 }).toBuffer())
})

const sizeOf = async (name: string) => (await stat(at(name))).size
const SMALL = { ...RECIPE, maxSizeKb: 30, quality: 90, keepLarger: true }

it('converted files keep to it, with the texts in them, and a changed size makes them again for free', async () => {
  const engine = await world.engine(world.newDataFolder())
  const [plain] = await runToEnd(engine, [world.pictures], { recipe: { ...SMALL, maxSizeKb: null } })
  expect(plain!.state).toBe('done')
  expect(await sizeOf('grain.webp')).toBeGreaterThan(30_000)
  for (const maxSizeKb of [30, 25]) {
    const [job] = await runToEnd(engine, [world.pictures], { recipe: { ...SMALL, maxSizeKb, embedTexts: true } })
    expect(job).toMatchObject({ state: 'done', recipe: { maxSizeKb } })
    expect(job!.notes.map(({ code }) => code)).not.toContain('size_not_reached')
    expect(await sizeOf('grain.webp')).toBeLessThanOrEqual(maxSizeKb * 1000)
    expect(await sizeOf('grain.webp')).toBeGreaterThan(maxSizeKb * 850)
    expect(await runToEnd(engine, [world.pictures], { recipe: { ...SMALL, maxSizeKb, embedTexts: true } })).toEqual([])
  }
  expect(world.charges).toHaveLength(1)
})

it('says how large a file is that cannot be so small', async () => {
  const engine = await world.engine(world.newDataFolder())
  const recipe = { ...SMALL, maxSizeKb: 2, operation: 'convert' as const }
  const [job] = await runToEnd(engine, [world.pictures], { recipe })
  const kb = Math.ceil((await sizeOf('grain.webp')) / 1000)
  expect(kb).toBeGreaterThan(2)
  expect(job).toMatchObject({
    state: 'done',
    notes: expect.arrayContaining([{ code: 'size_not_reached', detail: `${kb}` }]) as unknown,
  })
  expect(await names()).toEqual(['grain.jpg', 'grain.jpg.alt.json', 'grain.webp'])
})
