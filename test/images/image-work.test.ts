import sharp from 'sharp'
import { beforeAll, describe, expect, it } from 'vitest'
import { doImageTask } from '../../src/main/images/image-work.ts'
import type { Encoded, ImageFailure } from '../../src/main/core/picture-tasks.ts'
import type { MetadataPolicy } from '../../src/shared/recipes/recipe.ts'
import { asPng, exifBlock, flat, jpegWithExif, noise, pictureCorpus, pngBomb, seededRandom } from './pictures.ts'
import { encoded, inspect, SMALL as limits } from './tasks.ts'

const refusal = (bytes: Buffer) => inspect(bytes) as unknown as Promise<ImageFailure>
const encode = async (
  bytes: Buffer,
  format: 'webp' | 'avif',
  metadata: MetadataPolicy = 'keep-without-location',
  quality = 80,
): Promise<Buffer> => (await encoded(bytes, { format, metadata, quality })).bytes

let corpus: Record<string, Buffer>
beforeAll(async () => {
  corpus = await pictureCorpus()
})

describe('inspecting a picture', () => {
  it('tells type, size and animation of every kind', async () => {
    for (const [name, bytes] of Object.entries(corpus)) {
      const animated = name.startsWith('moving')
      const [width, height] = animated ? [32, 24] : [40, 30]
      const type = name.split('.')[1]?.replace('jpg', 'jpeg')
      const frames = animated ? 3 : 1
      const seen = { ok: true, type, width, height, animated, frames, extras: [] }
      expect(await inspect(bytes), name).toEqual(type === 'avif' ? { ...seen, transparent: false } : seen)
    }
  })

  it('refuses every kind cut off anywhere', async () => {
    for (const [name, bytes] of Object.entries(corpus)) {
      const step = Math.max(1, Math.floor(bytes.length / 120))
      const ends = [...Array(24).keys()].map((lost) => bytes.length - 1 - lost)
      for (let length = 0; length < bytes.length; length += step) ends.push(length)
      for (const length of ends.filter((end) => end >= 0)) {
        const answer = await refusal(bytes.subarray(0, length))
        expect(answer.ok, `${name} cut to ${length} of ${bytes.length}`).toBe(false)
        expect(['cut_off', 'damaged', 'not_an_image']).toContain(answer.reason)
      }
    }
  })

  it('refuses a picture whose last part is still zeros, as a preallocating copy leaves it', async () => {
    for (const name of ['baseline.jpg', 'progressive.jpg', 'plain.png', 'interlaced.png', 'still.gif', 'moving.gif']) {
      const bytes = Buffer.from(corpus[name] ?? [])
      bytes.fill(0, Math.floor(bytes.length * 0.6))
      expect((await refusal(bytes)).ok, name).toBe(false)
    }
  })

  it('takes data after the end as legal and says that it is there', async () => {
    const second = await noise(20, 20, 5).jpeg().toBuffer()
    for (const [name, bytes] of Object.entries(corpus)) {
      if (name.endsWith('.avif')) continue
      expect(await inspect(Buffer.concat([bytes, second])), name).toMatchObject({
        ok: true,
        extras: expect.arrayContaining([expect.any(String)]) as unknown,
      })
    }
  })

  it('answers for every picture with a flipped bit, without throwing', async () => {
    const random = seededRandom(20260101)
    for (const [name, bytes] of Object.entries(corpus)) {
      for (let round = 0; round < 60; round++) {
        const broken = Buffer.from(bytes)
        const at = Math.floor(random() * broken.length)
        broken[at] = (broken[at] ?? 0) ^ (1 << Math.floor(random() * 8))
        expect(typeof (await inspect(broken)).ok, `${name}, byte ${at}`).toBe('boolean')
      }
    }
  })

  it('refuses a bomb by its header, before a pixel is made', async () => {
    expect(await refusal(pngBomb(30_000, 30_000))).toMatchObject({ ok: false, reason: 'too_many_pixels' })
    expect(await refusal(await flat(1200, 900, 'red').webp().toBuffer())).toMatchObject({
      ok: false,
      reason: 'too_many_pixels',
    })
  })

  it('refuses what is no picture of the types that it takes, also when another decoder could read it', async () => {
    const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10"/>'
    const mp4 = '\0\0\0\u0014ftypisom\0\0\0\0mp41'
    for (const text of [svg, mp4, 'RIFF0000WAVE', '%PDF-1.7', '', 'GIF89a/*', 'GIF88a', '\0'.repeat(5000)])
      expect((await refusal(Buffer.from(text, 'latin1'))).ok, text.slice(0, 20)).toBe(false)
  })
})

describe('encoding on this computer', () => {
  const xmp =
    '<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description xmlns:exif="http://ns.adobe.com/exif/1.0/" xmlns:dc="http://purl.org/dc/elements/1.1/" exif:GPSLatitude="51,30.5N"><dc:rights>Rights of Ann</dc:rights></rdf:Description></rdf:RDF></x:xmpmeta>'
  const located = async (orientation: number, order: 'II' | 'MM' = 'II'): Promise<Buffer> =>
    jpegWithExif(await noise(60, 20).withXmp(xmp).jpeg().toBuffer(), exifBlock(orientation, order))

  it.each(['II', 'MM'] as const)('drops the place and keeps author, rights and date by default (%s)', async (order) => {
    const source = await located(1, order)
    const latitude = order === 'II' ? Buffer.from([0x87, 0xd6, 0x12, 0x00]) : Buffer.from([0x00, 0x12, 0xd6, 0x87])
    expect(source.includes('Canary Hill') && source.includes(latitude)).toBe(true)
    for (const format of ['webp', 'avif'] as const) {
      const made = await encode(source, format)
      const { exif, xmp: kept } = await sharp(made).metadata()
      for (const text of ['Ann Lee', 'Rights of Ann', '2026:05:01']) expect(exif?.includes(text), text).toBe(true)
      expect(kept?.toString()).toContain('Rights of Ann')
      for (const trace of ['Canary', 'GPSLat', '51,30', 'secret place', latitude]) {
        expect(made.includes(trace), `${format}: ${trace.toString()}`).toBe(false)
      }
      // Reading it again with a writer that rebuilds the block proves that it is still a sound one.
      const again = (await sharp(await sharp(made).keepExif().jpeg().toBuffer()).metadata()).exif
      expect(again?.includes('Ann Lee')).toBe(true)
      for (const pointer of ['\x25\x88', '\x88\x25'])
        expect(again?.includes(Buffer.from(pointer, 'latin1'))).toBe(false)
    }
  })

  it('keeps nothing of a GPS folder that leads out of its block, and author and rights all the same', async () => {
    const block = exifBlock(1, 'II')
    block.writeUInt32LE(0x7fffffff, 6 + 2000 + 2 + 12 + 8)
    const made = await encode(jpegWithExif(await noise(60, 20).jpeg().toBuffer(), block), 'webp')
    expect(made.includes('Canary')).toBe(false)
    expect(made.includes('Ann Lee')).toBe(true)
  })

  it('applies the orientation to the pixels, once', async () => {
    const source = await located(6)
    expect(await inspect(source)).toMatchObject({ width: 20, height: 60 })
    for (const format of ['webp', 'avif'] as const) {
      const { width, height, orientation } = await sharp(await encode(source, format)).metadata()
      expect([width, height]).toEqual([20, 60])
      expect(orientation ?? 1).toBe(1)
    }
  })

  it('keeps a wide-gamut profile and the numbers that belong to it, whatever the policy', async () => {
    const source = await asPng(flat(16, 16, { r: 200, g: 50, b: 100 }).withIccProfile('p3'))
    const [r, g, b] = await sharp(source, { ignoreIcc: true }).raw().toBuffer()
    for (const policy of ['keep-without-location', 'strip'] as const) {
      const made = await encode(source, 'webp', policy, 100)
      expect((await sharp(made).metadata()).icc).toEqual((await sharp(source).metadata()).icc)
      const [r2, g2, b2] = await sharp(made, { ignoreIcc: true }).raw().toBuffer()
      expect(Math.max(Math.abs(r! - r2!), Math.abs(g! - g2!), Math.abs(b! - b2!))).toBeLessThanOrEqual(3)
    }
  })

  it('makes thumbnails without any metadata, no larger than asked for', async () => {
    const bytes = await located(6)
    const made = (await doImageTask({ kind: 'thumbnail', bytes, px: 30, limits })) as Encoded
    const { width, height, format, exif } = await sharp(made.bytes).metadata()
    expect([width, height, format, exif]).toEqual([10, 30, 'webp', undefined])
  })
})
