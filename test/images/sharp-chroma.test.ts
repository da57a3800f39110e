import { expect, it } from 'vitest'
import sharp from 'sharp'
import { doImageTask } from '../../src/main/images/image-work.ts'
import type { Encoded } from '../../src/main/core/picture-tasks.ts'
import { seededRandom } from './pictures.ts'

const limits = { framePixels: 4_000_000, totalPixels: 8_000_000 }
const [WIDTH, HEIGHT] = [160, 120]

/** Soft colours with grain as a photograph has them, and red lines of one pixel every 20 rows. */
function photograph(): ReturnType<typeof sharp> {
  const random = seededRandom(5)
  const pixels = Buffer.alloc(WIDTH * HEIGHT * 3)
  for (let at = 0; at < WIDTH * HEIGHT; at += 1) {
    const [x, y] = [at % WIDTH, Math.floor(at / WIDTH)]
    const isLine = y % 20 === 7
    const grain = random() * 30
    const colour = isLine ? [255, 0, 0] : [60 + x / 2 + grain, 90 + y / 2 + grain, 140 + grain]
    for (const [channel, value] of colour.entries()) pixels[at * 3 + channel] = Math.min(255, value)
  }
  return sharp(pixels, { raw: { width: WIDTH, height: HEIGHT, channels: 3 } })
}

async function webpOf(bytes: Buffer): Promise<Buffer> {
  const options = { format: 'webp', quality: 80, metadata: 'strip' } as const
  return Buffer.from(((await doImageTask({ kind: 'encode', bytes, limits, options })) as Encoded).bytes)
}

async function lineIn(bytes: Buffer): Promise<number[]> {
  const row = sharp(bytes).extract({ left: 0, top: 7, width: WIDTH, height: 1 })
  const means = await row.resize(1, 1, { fit: 'fill' }).raw().toBuffer()
  return [...means]
}

it('fine red lines stay red in WebP', async () => {
  const plain = await lineIn(await photograph().webp({ quality: 80 }).toBuffer())
  for (const bytes of [
    await photograph().png().toBuffer(),
    await photograph().jpeg({ quality: 95, chromaSubsampling: '4:4:4' }).toBuffer(),
  ]) {
    const made = await lineIn(await webpOf(bytes))
    expect(made[0]! - made[1]!).toBeGreaterThan(plain[0]! - plain[1]! + 15)
  }
})

it('a photograph with fewer colours than pixels is encoded as before', async () => {
  const halved = await photograph().jpeg({ quality: 90, chromaSubsampling: '4:2:0' }).toBuffer()
  expect((await webpOf(halved)).equals(await sharp(halved).webp({ quality: 80 }).toBuffer())).toBe(true)
})

it('a smaller copy for the service keeps them too', async () => {
  const bytes = await photograph().jpeg({ quality: 100, chromaSubsampling: '4:4:4' }).toBuffer()
  const copy = (await doImageTask({ kind: 'shrink', bytes, limits, maxBytes: bytes.length })) as Encoded
  const made = Buffer.from(copy.bytes)
  expect((await sharp(made).metadata()).chromaSubsampling).toBe('4:4:4')
  const [red, green] = await lineIn(made)
  expect(red! - green!).toBeGreaterThan(200)
})
