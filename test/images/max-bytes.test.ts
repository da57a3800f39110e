import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import type { Encoded, EncodeOptions } from '../../src/main/core/picture-tasks.ts'
import { animation, asPng, noise } from './pictures.ts'
import { encoded as encode } from './tasks.ts'

const encoded = (bytes: Buffer, options: Partial<EncodeOptions>) => encode(bytes, { metadata: 'keep-all', ...options })

/** With credits, so that there is metadata to count. */
const photo = () =>
  noise(60, 40)
    .resize(240, 160, { kernel: 'linear' })
    .withExif({ IFD0: { Copyright: `© ${'Ada '.repeat(100)}`, Artist: 'Ada' } })
    .jpeg({ quality: 90 })
    .toBuffer()

describe('the largest size of a file', () => {
  it.each(['webp', 'avif'] as const)('is kept to by a lower quality of %s, and used up', async (format) => {
    const bytes = await photo()
    const free = (await encoded(bytes, { format })).bytes.byteLength
    for (const share of [0.9, 0.7, 0.5]) {
      const maxBytes = Math.floor(free * share)
      const made = await encoded(bytes, { format, maxBytes })
      expect(made.bytes.byteLength).toBeLessThanOrEqual(maxBytes)
      expect(made.bytes.byteLength).toBeGreaterThan(maxBytes * 0.85)
      expect(made.bytes.includes('Ada Ada Ada')).toBe(true)
    }
  })

  it('changes nothing of a file that is small enough', async () => {
    const bytes = await photo()
    const free = await encoded(bytes, {})
    expect((await encoded(bytes, { maxBytes: free.bytes.byteLength })).bytes).toEqual(free.bytes)
    expect((await encoded(bytes, { maxBytes: null })).bytes).toEqual(free.bytes)
  })

  it('never makes a file larger, such as a graphic that is smallest without losses', async () => {
    const pixels = Buffer.from(Array.from({ length: 64 * 64 }, (_, n) => (((n >> 3) ^ (n >> 9)) & 1 ? 255 : 0)))
    const squares = sharp(pixels, { raw: { width: 64, height: 64, channels: 1 } })
    const graphic = await asPng(squares.resize(512, 512, { kernel: 'nearest' }))
    const free = await encoded(graphic, {})
    const least = await encoded(graphic, { maxBytes: 10 })
    expect(least.bytes.byteLength).toBeLessThanOrEqual(free.bytes.byteLength)
  })

  it('holds for each width by itself', async () => {
    const MOST = 7000
    const made = await encoded(await photo(), { widths: [null, 120, 60], maxBytes: MOST })
    const free = await encoded(await photo(), { widths: [null, 120, 60] })
    const sizes = ({ bytes, others = [] }: Encoded) =>
      [bytes, ...others.map((other) => other.bytes)].map((one) => one.byteLength)
    expect(sizes(free)[0]).toBeGreaterThan(MOST)
    expect(sizes(made).every((size) => size <= MOST)).toBe(true)
    expect(sizes(made)[2]).toBe(sizes(free)[2])
  })

  it('holds for animations, graphics and pictures with transparency', async () => {
    const graphic = await noise(120, 120).ensureAlpha(0.5).png().toBuffer()
    for (const bytes of [await animation('gif'), graphic]) {
      const free = await encoded(bytes, {})
      const least = await encoded(bytes, { maxBytes: 1 })
      const between = Math.floor((free.bytes.byteLength + least.bytes.byteLength) / 2)
      const made = await encoded(bytes, { maxBytes: between })
      expect(made.bytes.byteLength).toBeLessThanOrEqual(between)
      expect((await sharp(made.bytes).metadata()).pages ?? 1).toBe((await sharp(bytes).metadata()).pages ?? 1)
    }
  })
})
