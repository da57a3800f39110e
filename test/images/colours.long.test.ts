import { dirname, join } from 'node:path'
import { deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { describeWith, itWith, programs } from '../needs.ts'
import type { Encoded } from '../../src/main/core/picture-tasks.ts'
import { doImageTask } from '../../src/main/images/image-work.ts'
import { pngChunks, pngOf } from '../../src/main/images/png-chunks.ts'
import { fileOf, judge } from './judges.ts'
import { seededRandom } from './pictures.ts'

const limits = { framePixels: 4_000_000, totalPixels: 8_000_000 }

type Kind = 'webp' | 'avif' | 'shrink' | 'thumbnail'
async function made(bytes: Buffer, kind: Kind): Promise<Buffer> {
  const options = { format: kind as 'webp', quality: 100, metadata: 'keep-without-location' } as const
  const task =
    kind === 'shrink'
      ? ({ kind, bytes, limits, maxBytes: 10_000_000 } as const)
      : kind === 'thumbnail'
        ? ({ kind, bytes, limits, px: 512 } as const)
        : ({ kind: 'encode', bytes, limits, options } as const)
  const answer = (await doImageTask(task)) as Encoded
  expect(answer).toMatchObject({ ok: true })
  return Buffer.from(answer.bytes)
}

const iccOf = async (bytes: Buffer): Promise<Buffer | undefined> => (await sharp(bytes).metadata()).icc
/** The numbers in the file, whatever its profile says. */
const numbersOf = async (bytes: Buffer): Promise<number[]> => [
  ...(await sharp(bytes, { ignoreIcc: true }).toColourspace('srgb').removeAlpha().raw().toBuffer()).subarray(0, 3),
]

/** Smooth areas in many colours: what a profile does to them is seen, and not what compression does. */
async function colourful(width = 192, height = 128): Promise<Buffer> {
  const random = seededRandom(5)
  const cells = Buffer.from(Array.from({ length: 6 * 4 * 3 }, () => Math.floor(random() * 256)))
  return sharp(cells, { raw: { width: 6, height: 4, channels: 3 } })
    .resize(width, height, { kernel: 'cubic' })
    .png()
    .toBuffer()
}

function withChunks(png: Buffer, chunks: { name: string; data: Buffer }[]): Buffer {
  const [header, ...rest] = [...pngChunks(png)].filter(({ name }) => name !== 'gAMA' && name !== 'iCCP')
  return pngOf([header!, ...chunks, ...rest])
}

/** Grey with a curve far from that of sRGB: numbers raised to 1.4 are light. */
const GREY_PROFILE = Buffer.from(
  'AAABWAAAAAAEQAAAbW50ckdSQVlYWVogB9AAAQABAAAAAAAAYWNzcAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAPbWAAEAAAAA0y0AAAAA' +
    'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAEZGVzYwAAALQAAAA0Y3BydAAAAOgAAABMd3RwdAAAATQAAAAU' +
    'a1RSQwAAAUgAAAAQbWx1YwAAAAAAAAABAAAADGVuVVMAAAAYAAAAHABHAHIAZQB5ACAAYgB5ACAAZwBBAE0AQW1sdWMAAAAAAAAAAQAAAAxlblVT' +
    'AAAAMAAAABwATgBvACAAYwBvAHAAeQByAGkAZwBoAHQALAAgAHUAcwBlACAAZgByAGUAZQBsAHlYWVogAAAAAAAA9tYAAQAAAADTLXBhcmEAAAAA' +
    'AAAAAAABZmY=',
  'base64',
)
const greyProfileChunk = (): Buffer => Buffer.concat([Buffer.from('dot gain\0\0', 'latin1'), deflateSync(GREY_PROFILE)])

/** A press with an ink of red in place of cyan: what is decoded by a common profile comes out in other colours. */
function oddPress(): Buffer {
  const words = (...values: number[]): Buffer => Buffer.from(values.flatMap((value) => [value >> 8, value & 255]))
  const ramp = Buffer.from(Array.from({ length: 256 }, (_, index) => index))
  // Lightness, and a and b around 128, for each of the sixteen ways to print inks in full or not at all.
  const papers = Array.from({ length: 16 }, (_, inks) => {
    const [cyan, magenta, yellow, black] = [8, 4, 2, 1].map((bit) => (inks & bit ? 1 : 0))
    const light = 250 - 60 * cyan! - 50 * magenta! - 15 * yellow! - 90 * black!
    return [light, 128 + 60 * cyan! - 40 * magenta!, 128 + 40 * yellow! - 30 * magenta!]
  })
  const head = Buffer.concat([Buffer.from('mft1\0\0\0\0', 'latin1'), Buffer.from([4, 3, 2, 0])])
  const identity = Buffer.concat([1, 0, 0, 0, 1, 0, 0, 0, 1].map((value) => whole(value * 65536)))
  const table = [head, identity, ramp, ramp, ramp, ramp, Buffer.from(papers.flat()), ramp, ramp, ramp]
  const text = (type: string, value: string): Buffer =>
    type === 'text'
      ? Buffer.from(`text\0\0\0\0${value}\0`, 'latin1')
      : Buffer.concat([
          Buffer.from('desc\0\0\0\0', 'latin1'),
          whole(value.length + 1),
          Buffer.from(`${value}\0`),
          Buffer.alloc(78),
        ])
  const tags: [string, Buffer][] = [
    ['desc', text('desc', 'odd press')],
    ['cprt', text('text', 'none')],
    ['wtpt', Buffer.concat([Buffer.from('XYZ \0\0\0\0', 'latin1'), whole(63190, 65536, 54061)])],
    ['A2B0', Buffer.concat(table)],
  ]
  let at = 128 + 4 + tags.length * 12
  const rows = tags.map(([name, value]) => {
    const row = Buffer.concat([Buffer.from(name), whole(at, value.length)])
    at += value.length + (-value.length & 3)
    return row
  })
  const header = Buffer.alloc(128)
  header.writeUInt32BE(at)
  header.writeUInt32BE(0x02400000, 8)
  header.write('prtrCMYKLab ', 12)
  words(2020, 1, 1).copy(header, 24)
  header.write('acsp', 36)
  whole(63190, 65536, 54061).copy(header, 68)
  const values = tags.map(([, value]) => Buffer.concat([value, Buffer.alloc(-value.length & 3)]))
  return Buffer.concat([header, whole(tags.length), ...rows, ...values])
}

function jpegWithProfile(jpeg: Buffer, icc: Buffer): Buffer {
  const parts: Buffer[] = []
  const count = Math.ceil(icc.length / 60_000)
  for (let nth = 0; nth < count; nth++) {
    const data = icc.subarray(nth * 60_000, (nth + 1) * 60_000)
    const head = Buffer.from([0xff, 0xe2, 0, 0, ...Buffer.from('ICC_PROFILE\0'), nth + 1, count])
    head.writeUInt16BE(data.length + head.length - 2, 2)
    parts.push(head, data)
  }
  return Buffer.concat([jpeg.subarray(0, 2), ...parts, jpeg.subarray(2)])
}

/** The mean colour difference (CIE 1976) of a result to what vips makes of the source with its profile. */
function differenceByVips(source: Buffer, name: string, result: Buffer, how: string[]): number {
  const path = fileOf(name, source)
  const folder = dirname(path)
  const wanted = join(folder, 'wanted.png')
  const converted = judge('vips', ['icc_transform', path, wanted, 'srgb', '--intent', 'perceptual', ...how])
  expect(converted.status, converted.words).toBe(0)
  const got = join(folder, 'got.png')
  expect(judge('convert', [fileOf('got.webp', result), '-strip', got]).status).toBe(0)
  expect(judge('vips', ['dE76', wanted, got, join(folder, 'd.v')]).status).toBe(0)
  return Number(judge('vips', ['avg', join(folder, 'd.v')]).words)
}

describeWith(programs('vips', 'convert'))('a picture that is not RGB (judged by vips and ImageMagick)', () => {
  it('in CMYK with a profile is brought to sRGB by it, and so are its copies and thumbnails', async () => {
    const plain = await sharp(await colourful())
      .toColourspace('cmyk')
      .jpeg({ quality: 100 })
      .toBuffer()
    const source = jpegWithProfile(plain, oddPress())
    expect((await iccOf(source))?.toString('latin1', 16, 20)).toBe('CMYK')
    for (const kind of ['webp', 'thumbnail', 'shrink'] as const) {
      const result = await made(source, kind)
      expect(await iccOf(result), kind).toBeUndefined()
      expect((await sharp(result).metadata()).space, kind).toBe('srgb')
      // Lossy encoders halve the colours' resolution, which costs up to 2 with colours as strong as these.
      expect(differenceByVips(source, 'a.jpg', result, ['--embedded']), kind).toBeLessThan(3)
      // By another profile it would be another picture.
      expect(differenceByVips(plain, 'a.jpg', result, ['--input-profile', 'cmyk']), kind).toBeGreaterThan(20)
    }
  })

  it('in CMYK without a profile is near to what vips takes it for', async () => {
    const source = await sharp(await colourful())
      .withIccProfile('cmyk')
      .toColourspace('cmyk')
      .jpeg({ quality: 100 })
      .toBuffer()
    const plain = await sharp(source, { ignoreIcc: true }).toColourspace('cmyk').jpeg({ quality: 100 }).toBuffer()
    expect(await iccOf(plain)).toBeUndefined()
    const wanted = ['--input-profile', 'cmyk', '--black-point-compensation']
    expect(differenceByVips(plain, 'a.jpg', await made(plain, 'webp'), wanted)).toBeLessThan(4)
  })

  it.each([
    ['8', 'b-w'],
    ['16', 'grey16'],
  ] as const)('in grey of %s bits with a profile is brought to sRGB by it', async (depth, space) => {
    const ramp = Buffer.from(Array.from({ length: 256 * 16 }, (_, index) => index % 256))
    const plain = await sharp(ramp, { raw: { width: 256, height: 16, channels: 1 } })
      .toColourspace(space)
      .png()
      .toBuffer()
    const source = withChunks(plain, [{ name: 'iCCP', data: greyProfileChunk() }])
    expect(await sharp(source).metadata()).toMatchObject({ space, depth: depth === '16' ? 'ushort' : 'uchar' })
    for (const kind of ['webp', 'thumbnail'] as const) {
      const result = await made(source, kind)
      expect(await iccOf(result)).toBeUndefined()
      const wanted = ['--embedded', '--depth', '8']
      expect(differenceByVips(source, 'a.png', result, wanted), kind).toBeLessThan(1.2)
    }
  })
})

describe('a picture in RGB', () => {
  it.each(['uchar', 'ushort'] as const)('has a thumbnail in sRGB when its colours are wider (%s)', async (depth) => {
    const source = await sharp({
      create: { width: 16, height: 16, channels: 3, background: { r: 200, g: 50, b: 100 } },
    })
      .toColourspace(depth === 'ushort' ? 'rgb16' : 'srgb')
      .withIccProfile('p3')
      .png()
      .toBuffer()
    const [red, green, blue] = await numbersOf(await made(source, 'thumbnail'))
    expect(Math.max(Math.abs(red! - 200), Math.abs(green! - 50), Math.abs(blue! - 100))).toBeLessThanOrEqual(4)
  })

  it('keeps its numbers and loses a profile that is about other ones', async () => {
    const cmyk = await iccOf(
      await sharp(await colourful(8, 8))
        .withIccProfile('cmyk')
        .toColourspace('cmyk')
        .jpeg()
        .toBuffer(),
    )
    const plain = await sharp({ create: { width: 16, height: 16, channels: 3, background: { r: 200, g: 50, b: 100 } } })
      .jpeg({ quality: 100 })
      .toBuffer()
    const source = jpegWithProfile(plain, cmyk!)
    expect(await iccOf(source)).toEqual(cmyk)
    const result = await made(source, 'webp')
    expect(await iccOf(result)).toBeUndefined()
    const [red, green, blue] = await numbersOf(result)
    expect(Math.max(Math.abs(red! - 200), Math.abs(green! - 50), Math.abs(blue! - 100))).toBeLessThanOrEqual(4)
  })
})

const whole = (...values: number[]): Buffer => {
  const bytes = Buffer.alloc(values.length * 4)
  values.forEach((value, index) => bytes.writeUInt32BE(value, index * 4))
  return bytes
}

describe('orientation', () => {
  /** Red on the left, blue on the right, and EXIF that says it is to be turned. */
  const lying = async (): Promise<Buffer> => {
    const red = { create: { width: 40, height: 20, channels: 3, background: 'red' } } as const
    const blue = { create: { width: 20, height: 20, channels: 3, background: 'blue' } } as const
    const image = sharp(red).composite([{ input: blue, left: 20, top: 0 }])
    return image.withMetadata({ orientation: 6 }).webp({ lossless: true }).toBuffer()
  }

  it('of a WebP is not applied, as in browsers, and is not left to be applied', async () => {
    const source = await lying()
    expect(await doImageTask({ kind: 'inspect', bytes: source, limits })).toMatchObject({ width: 40, height: 20 })
    for (const kind of ['avif', 'shrink', 'thumbnail'] as const) {
      const { width, height, orientation, autoOrient } = await sharp(await made(source, kind)).metadata()
      expect([width, height, orientation ?? 1, autoOrient.width], kind).toEqual([40, 20, 1, 40])
    }
    const left = await numbersOf(await made(source, 'avif'))
    expect(left[0]! > 200 && left[2]! < 60).toBe(true)
  })

  itWith(programs('exiftool'))('of an AVIF made of it is upright for exiftool', async () => {
    const file = fileOf('a.avif', await made(await lying(), 'avif'))
    const { words } = judge('exiftool', ['-n', '-Orientation', '-Rotation', file])
    expect(words).not.toMatch(/Rotation\s*: (?!0)/)
    expect(words).not.toMatch(/Orientation\s*: (?!1)/)
  })
})
