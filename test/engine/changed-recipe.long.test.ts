import { unlink, writeFile } from 'node:fs/promises'
import sharp from 'sharp'
import { beforeEach, expect, it } from 'vitest'
import type { JobView } from '../../src/shared/contract/jobs.ts'
import type { Recipe } from '../../src/shared/recipes/recipe.ts'
import type { Engine } from '../../src/main/engine/start-engine.ts'
import { noise } from '../images/pictures.ts'
import { RECIPE, runToEnd } from './engine-harness.ts'
import { at, names, openWorldForEachTest, put, read, sidecarOf, world } from './world-for-each-test.ts'

openWorldForEachTest()
let photo: string

beforeEach(async () => {
  const bytes = await noise(300, 200)
    .withExif({ IFD0: { Artist: 'Ada Example', Software: 'a camera' } })
    .jpeg({ quality: 98 })
    .toBuffer()
  photo = await put('photo.jpg', bytes)
})

const sidecar = () => sidecarOf('photo.jpg')

async function run(engine: Engine, changes: Partial<Recipe> = {}): Promise<JobView> {
  const [job] = await runToEnd(engine, [photo], { recipe: { ...RECIPE, ...changes } })
  return job!
}

const newEngine = () => world.engine(world.newDataFolder())

const sizes = async () => ({
  optimized: (await read('photo-optimized.jpg')).length,
  converted: (await read('photo.webp')).length,
})

it('makes the converted file again with another quality, and keeps the compressed one without a download', async () => {
  const engine = await newEngine()
  await run(engine)
  const before = await sizes()
  const downloads = () => world.practice.ledger().requests.filter(({ path }) => path.endsWith('/optimized')).length
  const earlier = downloads()
  expect(await run(engine, { quality: 30 })).toMatchObject({ state: 'done' })
  const after = await sizes()
  expect(after.converted).toBeLessThan(before.converted)
  expect(after.optimized).toBe(before.optimized)
  expect(await names()).toEqual(['photo-optimized.jpg', 'photo.jpg', 'photo.jpg.alt.json', 'photo.webp'])
  expect(downloads()).toBe(earlier)
  expect(world.charges).toHaveLength(1)
  const listing = await world.listing()
  await run(engine, { quality: 30 })
  expect(await world.listing()).toEqual(listing)
  await run(engine)
  expect((await sizes()).converted).toBe(before.converted)
  expect(world.charges).toHaveLength(1)
})

it('says in the sidecar what shaped each file', async () => {
  await run(await newEngine(), { quality: 70, longEdge: 200 })
  const { recipe, outputs } = await sidecar()
  expect(recipe).toMatchObject({ quality: 70, longEdge: 200, metadata: 'keep-without-location', minSavingPercent: 0 })
  for (const [name, width] of [
    ['photo.webp', 200],
    ['photo-optimized.jpg', 300],
  ] as const)
    expect((await sharp(await read(name)).metadata()).width, name).toBe(width)
  const shapes = Object.fromEntries(outputs.map(({ role, made }) => [role, made]))
  expect(shapes).toEqual({
    optimized: { metadata: 'keep-without-location' },
    converted: { metadata: 'keep-without-location', quality: 70, longEdge: 200 },
  })
})

it('gives both files the metadata of another policy, and pays nothing for it', async () => {
  const engine = await newEngine()
  await run(engine)
  expect((await sharp(await read('photo-optimized.jpg')).metadata()).xmp).toBeDefined()
  await run(engine, { metadata: 'strip' })
  for (const name of ['photo-optimized.jpg', 'photo.webp']) {
    const { exif, xmp } = await sharp(await read(name)).metadata()
    expect([name, exif, xmp]).toEqual([name, undefined, undefined])
  }
  expect(world.charges).toHaveLength(1)
})

it('writes what saved too little for an earlier recipe, and pays nothing for it', async () => {
  const engine = await newEngine()
  const first = await run(engine, { minSavingPercent: 99 })
  expect(first.notes.map(({ code }) => code)).toContain('saved_too_little')
  expect(await names()).not.toContain('photo-optimized.jpg')
  await run(engine)
  expect(await names()).toContain('photo-optimized.jpg')
  expect(world.charges).toHaveLength(1)
})

it('leaves a file alone that a person changed, and writes beside it', async () => {
  const engine = await newEngine()
  await run(engine)
  const theirs = await noise(20, 20).webp().toBuffer()
  await writeFile(at('photo.webp'), theirs)
  await run(engine, { quality: 30 })
  expect(await read('photo.webp')).toEqual(theirs)
  expect(await names()).toContain('photo-2.webp')
  expect(world.charges).toHaveLength(1)
})

it('makes new files on a computer that knows the sidecar only, beside the others, without paying again', async () => {
  const first = await newEngine()
  await run(first)
  const before = await read('photo.webp')
  await world.stop(first)
  const second = await newEngine()
  expect(await run(second)).toMatchObject({ state: 'skipped', reason: { code: 'already_done' } })
  expect(await run(second, { quality: 30 })).toMatchObject({ state: 'done' })
  expect(await read('photo.webp')).toEqual(before)
  expect((await read('photo-2.webp')).length).toBeLessThan(before.length)
  expect((await read('photo-optimized.jpg')).length).toBeGreaterThan(0)
  expect(await names()).not.toContain('photo-optimized-2.jpg')
  expect(world.charges).toHaveLength(1)
  await world.stop(second)
  const listing = await world.listing()
  const third = await newEngine()
  for (const quality of [80, 30])
    expect(await run(third, { quality })).toMatchObject({ state: 'skipped', reason: { code: 'already_done' } })
  expect(await world.listing()).toEqual(listing)
})

it('fetches the compressed file again where it is gone', async () => {
  const engine = await newEngine()
  await run(engine)
  const before = await read('photo-optimized.jpg')
  await unlink(at('photo-optimized.jpg'))
  await run(engine, { quality: 30 })
  expect(await read('photo-optimized.jpg')).toEqual(before)
  expect(world.charges).toHaveLength(1)
})
