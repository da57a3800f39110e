import { copyFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { hasPrograms } from '../needs.ts'
import type { JobView } from '../../src/shared/contract/jobs.ts'
import { DEFAULT_RECIPE, type Recipe } from '../../src/shared/recipes/recipe.ts'
import type { Sidecar } from '../../src/shared/jobs/sidecar.ts'
import type { Engine } from '../../src/main/engine/start-engine.ts'
import { tryRestore } from '../../src/main/engine/engine-files.ts'
import { judge } from '../images/judges.ts'
import { animation, noise } from '../images/pictures.ts'
import { RECIPE, runToEnd } from './engine-harness.ts'
import { openWorldForEachTest, world } from './world-for-each-test.ts'

openWorldForEachTest()
const WIDTHS = { widths: [200, 100, 400, 600] }

const at = (name: string) => join(world.pictures, name)
const names = async () => (await readdir(world.pictures)).sort()
const newEngine = () => world.engine(world.newDataFolder())
const photo = (width = 400, height = 300) => noise(width, height).jpeg({ quality: 98 })
const put = async (name: string, bytes: Buffer) => writeFile(at(name), bytes)
const sidecarOf = async (name: string) => JSON.parse(await readFile(at(`${name}.alt.json`), 'utf8')) as Sidecar

async function run(engine: Engine, name: string, changes: Partial<Recipe> = {}): Promise<JobView> {
  const [job] = await runToEnd(engine, [at(name)], { recipe: { ...RECIPE, ...WIDTHS, ...changes } })
  return job!
}

/** Type and size as libvips reads them from the file, or as sharp does where there is no such program. */
async function sizeOf(name: string): Promise<string> {
  if (!hasPrograms('vipsheader')) {
    const { format, width, height } = await sharp(at(name)).metadata()
    return `${format} ${width}x${height}`
  }
  const field = (which: string) =>
    judge('vipsheader', ['-f', which, at(name)])
      .out.toString()
      .trim()
  return `${field('vips-loader').replace(/load.*/, '')} ${field('width')}x${field('height')}`
}

describe('the widths of a recipe', () => {
  it('are made where they are narrower than the picture, once, and paid for once', async () => {
    await put('photo.jpg', await photo().toBuffer())
    const engine = await newEngine()
    const job = await run(engine, 'photo.jpg')
    expect(job.state).toBe('done')
    const made = ['photo-100w.webp', 'photo-200w.webp', 'photo.webp']
    expect(await names()).toEqual([...made, 'photo-optimized.jpg', 'photo.jpg', 'photo.jpg.alt.json'].sort())
    expect(await Promise.all(made.map(sizeOf))).toEqual(['webp 100x75', 'webp 200x150', 'webp 400x300'])
    const variants = job.outputs.filter(({ role }) => role === 'variant')
    expect(variants.map(({ path, width, height, state }) => [basename(path), width, height, state])).toEqual([
      ['photo-200w.webp', 200, 150, 'published'],
      ['photo-100w.webp', 100, 75, 'published'],
    ])
    const { outputs } = await sidecarOf('photo.jpg')
    expect(outputs.map(({ role, name, width }) => [role, name, width])).toEqual([
      ['optimized', 'photo-optimized.jpg', undefined],
      ['converted', 'photo.webp', 400],
      ['converted', 'photo-200w.webp', 200],
      ['converted', 'photo-100w.webp', 100],
    ])
    const before = await world.listing()
    await runToEnd(engine, [world.pictures], { recipe: { ...RECIPE, ...WIDTHS } })
    await world.stop(engine)
    // A computer that knows the sidecar only: all of them are results, and the picture is done.
    const jobs = await runToEnd(await newEngine(), [world.pictures], { recipe: { ...RECIPE, ...WIDTHS } })
    expect(jobs.map(({ source, reason }) => `${basename(source.path)} ${reason?.code}`).sort()).toEqual([
      'photo-100w.webp own_output',
      'photo-200w.webp own_output',
      'photo-optimized.jpg own_output',
      'photo.jpg already_done',
      'photo.webp own_output',
    ])
    expect(jobs.find(({ reason }) => reason?.code === 'already_done')?.outputs.map(({ role }) => role)).toEqual([
      'sidecar',
      'optimized',
      'converted',
      'variant',
      'variant',
    ])
    expect(await world.listing()).toEqual(before)
    expect(world.charges).toHaveLength(1)
  })

  it('are added to a picture that was done, which is not paid for again', async () => {
    await put('photo.jpg', await photo().toBuffer())
    const engine = await newEngine()
    await run(engine, 'photo.jpg', { widths: [200] })
    const before = await world.listing()
    await run(engine, 'photo.jpg', { widths: [200, 100] })
    const after = await world.listing()
    expect(after).toMatchObject({ ...before, 'photo.jpg.alt.json': after['photo.jpg.alt.json'] })
    expect(Object.keys(after)).toHaveLength(Object.keys(before).length + 1)
    expect(world.charges).toHaveLength(1)
  })

  it('are of the picture as it is shown, and never wider than the long edge allows', async () => {
    await put('tall.jpg', await photo(400, 200).withMetadata({ orientation: 6 }).toBuffer())
    await put('edge.jpg', await photo().toBuffer())
    const engine = await newEngine()
    await run(engine, 'tall.jpg')
    expect([await sizeOf('tall.webp'), await sizeOf('tall-100w.webp')]).toEqual(['webp 200x400', 'webp 100x200'])
    expect(await names()).not.toContain('tall-200w.webp')
    await run(engine, 'edge.jpg', { longEdge: 200 })
    expect([await sizeOf('edge.webp'), await sizeOf('edge-100w.webp')]).toEqual(['webp 200x150', 'webp 100x75'])
    expect(await names()).not.toContain('edge-200w.webp')
  })

  it('leave files of other names alone, and take the next free one', async () => {
    await put('photo.jpg', await photo().toBuffer())
    const theirs = Buffer.from('not a picture of ours')
    await put('photo-200w.webp', theirs)
    const engine = await newEngine()
    await run(engine, 'photo.jpg')
    expect(await readFile(at('photo-200w.webp'))).toEqual(theirs)
    expect(await sizeOf('photo-200w-2.webp')).toBe('webp 200x150')
    // Another quality replaces what is ours, and nothing else.
    await run(engine, 'photo.jpg', { quality: 30 })
    expect(await names()).not.toContain('photo-200w-3.webp')
    expect(await readFile(at('photo-200w.webp'))).toEqual(theirs)
  })

  it('are made of a picture that has the format already', async () => {
    await put('banner.webp', await noise(400, 300).webp({ quality: 98 }).toBuffer())
    const job = await run(await newEngine(), 'banner.webp', { operation: 'convert' })
    expect(job.state).toBe('done')
    expect(await names()).toEqual(['banner-100w.webp', 'banner-200w.webp', 'banner.webp', 'banner.webp.alt.json'])
    expect(await sizeOf('banner-200w.webp')).toBe('webp 200x150')
    expect(world.charges).toHaveLength(0)
  })

  it('are AVIF where the recipe is for AVIF', async () => {
    await put('photo.jpg', await photo().toBuffer())
    await run(await newEngine(), 'photo.jpg', { operation: 'convert', format: 'avif', widths: [100] })
    const { compression, width, height } = await sharp(at('photo-100w.avif')).metadata()
    expect([compression, width, height]).toEqual(['av1', 100, 75])
  })

  it('are left out where they save nothing, and no later run tries again', async () => {
    // So small in bytes that no WebP of it is smaller, whatever its width.
    await put(
      'flat.png',
      await sharp({ create: { width: 130, height: 90, channels: 3, background: '#123' } })
        .png({ palette: true })
        .toBuffer(),
    )
    const recipe = {
      operation: 'convert' as const,
      keepLarger: DEFAULT_RECIPE.keepLarger,
      quality: 100,
      widths: [120, 110],
    }
    const engine = await newEngine()
    const job = await run(engine, 'flat.png', recipe)
    const kept = (await names()).filter((name) => name.endsWith('.webp'))
    const said = job.notes.find(({ code }) => code === 'widths_not_kept')?.detail ?? ''
    const missing = [120, 110].filter((width) => !kept.includes(`flat-${width}w.webp`))
    expect(missing.length).toBeGreaterThan(0)
    expect(said).toBe(missing.join(', '))
    await world.stop(engine)
    const before = await world.listing()
    expect(await run(await newEngine(), 'flat.png', recipe)).toMatchObject({ reason: { code: 'already_done' } })
    expect(await world.listing()).toEqual(before)
  })

  it('of an animation have all its frames as WebP, and there are none as AVIF', async () => {
    await put('moving.gif', await animation('gif', 3))
    const { width = 0 } = await sharp(at('moving.gif')).metadata()
    const half = { operation: 'convert' as const, widths: [width / 2] }
    const engine = await newEngine()
    await run(engine, 'moving.gif', half)
    const [whole, narrow] = await Promise.all(
      ['moving.webp', `moving-${width / 2}w.webp`].map((name) => sharp(at(name), { pages: -1 }).metadata()),
    )
    expect([narrow?.pages, narrow?.delay, narrow?.loop]).toEqual([whole?.pages, whole?.delay, whole?.loop])
    expect([narrow?.pages, narrow?.width]).toEqual([3, width / 2])
    if (hasPrograms('webpinfo')) {
      const said = judge('webpinfo', [at(`moving-${width / 2}w.webp`)]).words
      expect([said.match(/Chunk ANMF/g)?.length, said.includes('No error detected')]).toEqual([3, true])
    }
    await run(engine, 'moving.gif', { ...half, format: 'avif' })
    expect((await names()).filter((name) => name.endsWith('.avif'))).toEqual([])
  })

  it('tell no place and keep the credits', async () => {
    const gps = { IFD3: { GPSLatitude: '47/1 22/1 0/1', GPSLatitudeRef: 'N', GPSLongitude: '8/1 32/1 0/1' } }
    await put(
      'photo.jpg',
      await photo()
        .withExif({ IFD0: { Artist: 'Ann Lee' }, ...gps })
        .toBuffer(),
    )
    await run(await newEngine(), 'photo.jpg')
    for (const name of ['photo.webp', 'photo-200w.webp', 'photo-100w.webp']) {
      const { xmp } = await sharp(at(name)).metadata()
      expect([name, xmp?.includes('Ann Lee')]).toEqual([name, true])
      if (!hasPrograms('exiftool')) continue
      const said = judge('exiftool', ['-G1', '-a', '-s', at(name)]).words
      expect(said).not.toMatch(/GPS/)
      expect(said).toMatch(/Creator\s+: Ann Lee/)
    }
  })

  it('go beside an original that is replaced, which can be brought back', async () => {
    const original = await photo().toBuffer()
    await put('photo.jpg', original)
    const engine = await newEngine()
    const job = await run(engine, 'photo.jpg', { output: { kind: 'replace' } })
    expect(job.state).toBe('done')
    expect((await readFile(at('photo.jpg'))).equals(original)).toBe(false)
    expect((await names()).filter((name) => name.endsWith('.webp'))).toEqual([
      'photo-100w.webp',
      'photo-200w.webp',
      'photo.webp',
    ])
    expect(await tryRestore(at('photo.jpg'), world.pictures, false)).toMatchObject({ restored: true })
    expect((await readFile(at('photo.jpg'))).equals(original)).toBe(true)
  })

  it('go into the folder of the results, by the suggested name', async () => {
    await mkdir(at('sub'))
    await put('sub/photo.jpg', await photo().toBuffer())
    const dir = join(world.dir, 'out')
    const job = await run(await newEngine(), 'sub/photo.jpg', { output: { kind: 'folder', dir }, naming: 'seo' })
    const [narrowest] = job.outputs.filter(({ role, width }) => role === 'variant' && width === 100)
    expect(narrowest?.path.startsWith(dir)).toBe(true)
    expect(basename(narrowest?.path ?? '')).toMatch(/^(?!photo).+-100w\.webp$/)
  })

  it('are known for results wherever they are copied', async () => {
    await put('photo.jpg', await photo().toBuffer())
    const engine = await newEngine()
    await run(engine, 'photo.jpg')
    await mkdir(join(world.dir, 'elsewhere'))
    const copy = join(world.dir, 'elsewhere', 'a.webp')
    await copyFile(at('photo-200w.webp'), copy)
    expect(await runToEnd(engine, [copy])).toMatchObject([{ reason: { code: 'own_output' } }])
  })
})
