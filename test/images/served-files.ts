import { deflateSync } from 'node:zlib'
import sharp, { type Sharp } from 'sharp'
import { pngOf } from '../../src/main/images/png-chunks.ts'

/** A photograph of nothing: large shapes, strong colours and a little grain, the same for the same seed. 320 by 240 pixels. */
export function photo(seed: number): () => Sharp {
  const [width, height] = [320, 240]
  const pixels = Buffer.alloc(width * height * 3)
  const wave = (at: number, n: number): number => Math.sin(at / (17 + ((seed * 7 + n * 5) % 31)) + seed * n)
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1)
      for (let channel = 0; channel < 3; channel += 1) {
        const light = 128 + 60 * wave(x, channel + 1) + 50 * wave(y, channel + 2) + ((x * 31 + y * 17 + seed) % 13)
        pixels[(y * width + x) * 3 + channel] = Math.max(0, Math.min(255, light))
      }
  return () => sharp(pixels, { raw: { width, height, channels: 3 } })
}

/** A PNG of 16 bits whose shades need them: a slope of 320 by 240 pixels. */
export function deepGrey(): Buffer {
  const [width, height] = [320, 240]
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width)
  header.writeUInt32BE(height, 4)
  header[8] = 16
  const rows = Buffer.alloc((1 + width * 2) * height)
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) rows.writeUInt16BE((x * 137 + y * 89) & 0xffff, y * (1 + width * 2) + 1 + x * 2)
  const pixels = { name: 'IDAT', data: deflateSync(rows) }
  return pngOf([{ name: 'IHDR', data: header }, pixels, { name: 'IEND', data: Buffer.alloc(0) }])
}
