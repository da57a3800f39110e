import { cp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { expect, it } from 'vitest'
import { type Recipe } from '../../src/shared/recipes/recipe.ts'
import { fingerprint } from '../files/temp-folder.ts'
import { ask, RECIPE, runToEnd, until } from './engine-harness.ts'
import { openWorldForEachTest, outcomes, put, read, world } from './world-for-each-test.ts'

openWorldForEachTest()

/** A picture of smooth colours, as no noise is. */
const colours = (alpha?: number) => {
  const [width, height] = [160, 120]
  const channels = alpha === undefined ? 3 : 4
  const pixels = Buffer.alloc(width * height * channels)
  for (let at = 0, x = 0; at < pixels.length; at += channels, x += 1) {
    pixels.set([(x % width) + 60, Math.floor(x / width) + 40, 90], at)
    if (alpha !== undefined) pixels[at + 3] = x % width < 40 ? alpha : 255
  }
  return sharp(pixels, { raw: { width, height, channels } })
}
const lzw = { compression: 'lzw' } as const

const run = async (recipe: Partial<Recipe> = {}, dataDir = world.newDataFolder()) => {
  const engine = await world.engine(dataDir)
  return { engine, jobs: await runToEnd(engine, [world.pictures], { recipe: { ...RECIPE, ...recipe } }) }
}

it('a TIFF is sent as a JPEG, compressed, described and converted, and stays as it was', async () => {
  const path = await put('photo.TIF', await colours().withIccProfile('p3').tiff(lzw).toBuffer())
  const before = await fingerprint(path)
  const { engine, jobs } = await run()
  expect(outcomes(jobs)).toEqual({ 'photo.TIF': ['done', null, ['sent_converted: JPEG, 160 × 120']] })
  expect(world.charges.map(({ operation, filename }) => [operation, filename])).toEqual([['process', 'photo.jpg']])
  expect(await fingerprint(path)).toBe(before)
  const [compressed, converted] = [await read('photo-optimized.jpg'), await read('photo.webp')]
  for (const bytes of [compressed, converted]) {
    const { width, height, icc } = await sharp(bytes).metadata()
    expect([width, height]).toEqual([160, 120])
    expect(icc?.includes('P3', 0, 'latin1') || icc?.includes(Buffer.from('P\u00003', 'latin1'))).toBe(true)
  }
  expect((await sharp(compressed).metadata()).format).toBe('jpeg')
  // Known by its content from now on, whichever recipe option about large pictures is used.
  await runToEnd(engine, [world.pictures], { recipe: { ...RECIPE, oversize: 'downscale' } })
  const again = await run()
  expect(new Set(again.jobs.map(({ reason }) => reason?.code))).toEqual(new Set(['own_output', 'already_done']))
  expect(world.charges).toHaveLength(1)
})

it('an AVIF is described from a JPEG and converted here; no compressed file is paid for', async () => {
  await put('photo.avif', await colours().avif({ quality: 60 }).toBuffer())
  const { jobs } = await run()
  expect(outcomes(jobs)).toEqual({
    'photo.avif': ['done', null, ['sent_converted: JPEG, 160 × 120', 'analyzed_only: avif']],
  })
  expect(world.charges.map(({ operation }) => operation)).toEqual(['analyze'])
  expect(Object.keys(await world.listing())).toEqual(['photo.avif', 'photo.avif.alt.json', 'photo.webp'])
  const { jobs: compressed } = await run({ operation: 'optimize' })
  const ofAvif = compressed.filter(({ source }) => source.path.endsWith('.avif'))
  expect(outcomes(ofAvif)).toEqual({ 'photo.avif': ['skipped', 'nothing_to_do', []] })
  expect(ofAvif[0]?.reason?.detail).toEqual({ code: 'avif_is_smallest' })
  expect(world.charges).toHaveLength(1)
})

const avif: Partial<Recipe> = { format: 'avif', widths: [64] }

it('Hangar’s own AVIF files are never taken in: with the journal, without it, and copied elsewhere with their sidecars', async () => {
  await world.addPicture('a.jpg', 1)
  await put('b.tif', await colours().tiff(lzw).toBuffer())
  const dataDir = world.newDataFolder()
  const { engine } = await run(avif, dataDir)
  const files = Object.keys(await world.listing())
  expect(files.filter((name) => name.endsWith('.avif'))).toEqual(['a-64w.avif', 'a.avif', 'b-64w.avif', 'b.avif'])
  const charges = world.charges.length

  // By the journal alone.
  const sidecars = files.filter((name) => name.endsWith('.alt.json'))
  const aside = new Map(await Promise.all(sidecars.map(async (name) => [name, await read(name)] as const)))
  for (const name of sidecars) await rm(join(world.pictures, name))
  const onlyResults = join(world.dir, 'results')
  await cp(world.pictures, onlyResults, { recursive: true })
  for (const name of ['a.jpg', 'b.tif']) await rm(join(onlyResults, name))
  const alone = await runToEnd(engine, [onlyResults], { recipe: { ...RECIPE, ...avif } })
  expect(alone.map(({ reason }) => reason?.code)).toEqual(Array.from({ length: 6 }, () => 'own_output'))
  for (const [name, bytes] of aside) await writeFile(join(world.pictures, name), bytes)
  expect(world.charges).toHaveLength(charges)

  // By the sidecars alone.
  const copy = join(world.dir, 'copy')
  await cp(world.pictures, copy, { recursive: true })
  await world.stop(engine)
  const other = await world.engine(world.newDataFolder())
  for (const folder of [world.pictures, copy]) {
    const jobs = await runToEnd(other, [folder], { recipe: { ...RECIPE, ...avif } })
    const codes = Object.groupBy(jobs, ({ reason }) => reason?.code ?? 'none')
    expect(Object.keys(codes).toSorted()).toEqual(['already_done', 'own_output'])
    expect(codes['already_done']).toHaveLength(2)
  }
  expect(world.charges).toHaveLength(charges)
})

it('a watched folder leaves TIFF and AVIF out, and says so, until they are chosen', async () => {
  const taken: string[] = []
  await put('old.avif', await colours().avif().toBuffer())
  await put('scan.tif', await colours().tiff(lzw).toBuffer())
  await world.addPicture('a.jpg', 1)
  const engine = await world.engine(world.newDataFolder(), { watch: true })
  engine.subscribe((event) => {
    if (event.type === 'job') taken.push(event.job.source.path.slice(world.pictures.length + 1))
  })
  const order = { path: world.pictures, recipe: RECIPE, include: [], exclude: [], askAbove: 100 }
  const { id } = await ask(engine, 'folders.add', order)
  const folder = async () => (await ask(engine, 'folders.list', {})).folders[0]!
  await until(engine, 'the picture is done', async () => (await folder()).counts.done === 1)
  expect(new Set(taken)).toEqual(new Set(['a.jpg']))
  expect((await folder()).leftOut).toEqual({
    count: 1,
    first: [{ path: '', reason: { code: 'format_left_out', values: { count: 2 } } }],
  })
  await ask(engine, 'folders.update', { id, changes: { alsoTakes: ['tiff'] }, reprocess: false })
  await until(engine, 'the TIFF is done', async () => (await folder()).counts.done === 2)
  expect(new Set(taken)).toEqual(new Set(['a.jpg', 'scan.tif']))
  expect(world.charges).toHaveLength(2)
})
