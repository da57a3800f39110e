import { createHash } from 'node:crypto'
import { readFile, stat, unlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { MAX_UPLOAD_BYTES, type Recipe } from '../../src/shared/recipes/recipe.ts'
import { seededRandom } from '../images/pictures.ts'
import { EngineWorld, RECIPE, runToEnd } from './engine-harness.ts'

const [WIDTH, HEIGHT] = [2300, 1725]
const DOWNSCALE: Recipe = { ...RECIPE, oversize: 'downscale', quality: 10 }

let world: EngineWorld
beforeEach(async () => {
  world = await EngineWorld.open()
})
afterEach(() => world.close())

/** Noise in full quality: more than two bytes a pixel. */
async function largeJpeg(): Promise<Buffer> {
  const random = seededRandom(7)
  const pixels = Buffer.alloc(WIDTH * HEIGHT * 3)
  for (let at = 0; at < pixels.length; at += 1) pixels[at] = random() * 256
  return sharp(pixels, { raw: { width: WIDTH, height: HEIGHT, channels: 3 } })
    .jpeg({ quality: 100, chromaSubsampling: '4:4:4' })
    .toBuffer()
}

const fingerprint = async (path: string) => {
  const { mtimeNs, ino, size } = await stat(path, { bigint: true })
  return {
    mtimeNs,
    ino,
    size,
    sha256: createHash('sha256')
      .update(await readFile(path))
      .digest('hex'),
  }
}

describe('a JPEG of more than 10 MB', () => {
  it('is sent once as a smaller copy, and its original is left as it was', async () => {
    const path = join(world.pictures, 'large.jpg')
    await writeFile(path, await largeJpeg())
    const before = await fingerprint(path)
    expect(Number(before.size)).toBeGreaterThan(MAX_UPLOAD_BYTES)
    const dataDir = world.newDataFolder()
    const engine = await world.engine(dataDir)

    const [refused] = await runToEnd(engine, [world.pictures])
    expect(refused).toMatchObject({ state: 'failed', reason: { code: 'too_large' } })

    const [job] = await runToEnd(engine, [world.pictures], { recipe: DOWNSCALE })
    expect(job).toMatchObject({ state: 'done' })
    const optimized = await sharp(await readFile(join(world.pictures, 'large-optimized.jpg'))).metadata()
    // Re-encoded it fits: its sides are as long as they were.
    expect(job?.notes).toEqual([{ code: 'sent_downscaled', detail: `${WIDTH} × ${HEIGHT}` }])
    expect([optimized.width, optimized.height]).toEqual([WIDTH, HEIGHT])
    expect(optimized.size).toBeLessThan(MAX_UPLOAD_BYTES / 2)
    const converted = await sharp(await readFile(join(world.pictures, 'large.webp'))).metadata()
    expect([converted.width, converted.height]).toEqual([WIDTH, HEIGHT])

    const again = await runToEnd(engine, [world.pictures], { recipe: DOWNSCALE })
    expect(again.filter(({ state }) => state === 'done')).toHaveLength(0)
    await world.stop(engine)

    // Another computer knows it by its sidecar, also when a result has to be written again.
    await unlink(join(world.pictures, 'large-optimized.jpg'))
    const [elsewhere] = await runToEnd(await world.engine(world.newDataFolder()), [path], { recipe: DOWNSCALE })
    expect(elsewhere).toMatchObject({ state: 'done' })
    expect(elsewhere?.notes.map(({ code }) => code)).toEqual(['sent_downscaled', 'published_from_kept_result'])

    expect(world.charges).toHaveLength(1)
    expect(await fingerprint(path)).toEqual(before)
  })
})
