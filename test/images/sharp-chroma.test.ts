import { expect, it } from 'vitest'
import sharp from 'sharp'
import { doImageTask } from '../../src/main/images/image-work.ts'
import type { Encoded } from '../../src/main/core/picture-tasks.ts'
import { seededRandom } from './pictures.ts'
import { encoded, LIMITS } from './tasks.ts'

const [WIDTH, HEIGHT] = [160, 120]

/** Soft colours with grain as a photograph has them; with red lines of one pixel every 20 rows, or without. */
function photograph(hasLines: boolean, [width, height] = [WIDTH, HEIGHT]): ReturnType<typeof sharp> {
  const random = seededRandom(5)
  const pixels = Buffer.alloc(width * height * 3)
  for (let at = 0; at < width * height; at += 1) {
    const [x, y] = [at % width, Math.floor(at / width)]
    const isLine = hasLines && y % 20 === 7
    const grain = random() * 30
    const colour = isLine ? [255, 0, 0] : [60 + x / 2 + grain, 90 + y / 2 + grain, 140 + grain]
    for (const [channel, value] of colour.entries()) pixels[at * 3 + channel] = Math.min(255, value)
  }
  return sharp(pixels, { raw: { width, height, channels: 3 } })
}

const webpOf = async (bytes: Buffer) => (await encoded(bytes, { metadata: 'strip' })).bytes

async function lineIn(bytes: Buffer): Promise<number[]> {
  const row = sharp(bytes).extract({ left: 0, top: 7, width: WIDTH, height: 1 })
  const means = await row.resize(1, 1, { fit: 'fill' }).raw().toBuffer()
  return [...means]
}

it('fine red lines stay red in WebP', async () => {
  const plain = await lineIn(await photograph(true).webp({ quality: 80 }).toBuffer())
  for (const bytes of [
    await photograph(true).png().toBuffer(),
    await photograph(true).jpeg({ quality: 95, chromaSubsampling: '4:4:4' }).toBuffer(),
  ]) {
    const made = await lineIn(await webpOf(bytes))
    expect(made[0]! - made[1]!).toBeGreaterThan(plain[0]! - plain[1]! + 15)
  }
})

it('a photograph is encoded as before', async () => {
  const full = await photograph(false).png().toBuffer()
  const made = await webpOf(full)
  expect(made.equals(await sharp(full).webp({ quality: 80 }).toBuffer())).toBe(true)
  const halved = await photograph(true).jpeg({ quality: 90, chromaSubsampling: '4:2:0' }).toBuffer()
  expect((await webpOf(halved)).equals(await sharp(halved).webp({ quality: 80 }).toBuffer())).toBe(true)
})

it('a smaller copy for the service keeps them too', async () => {
  const bytes = await photograph(true).jpeg({ quality: 100, chromaSubsampling: '4:4:4' }).toBuffer()
  const copy = (await doImageTask({ kind: 'shrink', bytes, limits: LIMITS, maxBytes: bytes.length })) as Encoded
  const made = Buffer.from(copy.bytes)
  expect((await sharp(made).metadata()).chromaSubsampling).toBe('4:4:4')
  const [red, green] = await lineIn(made)
  expect(red! - green!).toBeGreaterThan(200)
})
