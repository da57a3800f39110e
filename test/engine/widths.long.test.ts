import { basename } from 'node:path'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import type { JobView } from '../../src/shared/contract/jobs.ts'
import { DEFAULT_RECIPE, type Recipe } from '../../src/shared/recipes/recipe.ts'
import type { Engine } from '../../src/main/engine/start-engine.ts'
import { noise } from '../images/pictures.ts'
import { RECIPE, runToEnd } from './engine-harness.ts'
import { at, names, openWorldForEachTest, put, sidecarOf, world } from './world-for-each-test.ts'

openWorldForEachTest()
const WIDTHS = { widths: [200, 100, 400, 600] }

const newEngine = () => world.engine(world.newDataFolder())
const photo = (width = 400, height = 300) => noise(width, height).jpeg({ quality: 98 })

async function run(engine: Engine, name: string, changes: Partial<Recipe> = {}): Promise<JobView> {
  const [job] = await runToEnd(engine, [at(name)], { recipe: { ...RECIPE, ...WIDTHS, ...changes } })
  return job!
}

async function sizeOf(name: string): Promise<string> {
  const { format, width, height } = await sharp(at(name)).metadata()
  return `${format} ${width}x${height}`
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
})
