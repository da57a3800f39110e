import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { beforeEach, expect, it } from 'vitest'
import { noise } from '../images/pictures.ts'
import { RECIPE, runToEnd } from './engine-harness.ts'
import { openWorldForEachTest, world } from './world-for-each-test.ts'

openWorldForEachTest()

beforeEach(async () => {
  await mkdir(world.pictures, { recursive: true })
  await writeFile(join(world.pictures, 'photo.jpg'), await noise(300, 200).jpeg({ quality: 98 }).toBuffer())
})

const width = async () => (await sharp(await readFile(join(world.pictures, 'photo.webp'))).metadata()).width
const photo = () => [join(world.pictures, 'photo.jpg')]

it('scales the converted file alone, again after it was changed, and never pays twice', async () => {
  const engine = await world.engine(world.newDataFolder())
  const scaled = { ...RECIPE, longEdge: 150 }
  await runToEnd(engine, photo(), { recipe: RECIPE })
  expect(await width()).toBe(300)
  const [job] = await runToEnd(engine, photo(), { recipe: scaled })
  expect(job!.state).toBe('done')
  expect(await width()).toBe(150)
  const optimized = await readFile(join(world.pictures, 'photo-optimized.jpg'))
  expect((await sharp(optimized).metadata()).width).toBe(300)
  const before = await world.listing()
  await runToEnd(engine, photo(), { recipe: scaled })
  await world.stop(engine)
  // A computer that knows the sidecar only: the same order is done.
  const second = await world.engine(world.newDataFolder())
  await runToEnd(second, photo(), { recipe: scaled })
  expect(await world.listing()).toEqual(before)
  expect(world.charges).toHaveLength(1)
})
