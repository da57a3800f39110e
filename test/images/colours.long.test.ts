import { dirname, join } from 'node:path'
import { deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { describeWith, hasPrograms, programs } from '../needs.ts'
import type { Encoded } from '../../src/main/core/picture-tasks.ts'
import { MetadataPolicy } from '../../src/shared/recipes/recipe.ts'
import { doImageTask } from '../../src/main/images/image-work.ts'
import { pngChunks, pngOf } from '../../src/main/images/png-chunks.ts'
import { fileOf, judge } from './judges.ts'
import { asPng, flat, seededRandom, withSegment } from './pictures.ts'
import { applied, encoded, judged, LIMITS as limits } from './tasks.ts'

async function made(bytes: Buffer, kind: 'webp' | 'avif' | 'shrink' | 'thumbnail'): Promise<Buffer> {
  if (kind === 'webp' || kind === 'avif') return (await encoded(bytes, { format: kind, quality: 100 })).bytes
  const task = kind === 'shrink' ? ({ kind, maxBytes: 10_000_000 } as const) : ({ kind, px: 512 } as const)
  const answer = await doImageTask({ ...task, bytes, limits })
  expect(answer).toMatchObject({ ok: true })
  return Buffer.from((answer as Encoded).bytes)
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
  const image = sharp(cells, { raw: { width: 6, height: 4, channels: 3 } })
  return asPng(image.resize(width, height, { kernel: 'cubic' }))
}

function withChunks(png: Buffer, chunks: { name: string; data: Buffer }[]): Buffer {
  const [header, ...rest] = [...pngChunks(png)].filter(({ name }) => name !== 'gAMA' && name !== 'iCCP')
  return pngOf([header!, ...chunks, ...rest])
}

/** A press with an ink of red in place of cyan: what is decoded by a common profile comes out in other colours. */
function oddPress(): Buffer {
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
  return profile('prtrCMYKLab ', ['A2B0', Buffer.concat(table)])
}

/** An ICC profile (version 2.4) of these kinds of device, colours and connection, with what it says of them. */
function profile(kinds: string, ...about: [string, Buffer][]): Buffer {
  const latin = (text: string): Buffer => Buffer.from(text, 'latin1')
  const tags: [string, Buffer][] = [
    ['desc', Buffer.concat([latin('desc\0\0\0\0\0\0\0\x04odd\0'), Buffer.alloc(78)])],
    ['cprt', latin('text\0\0\0\0none\0')],
    ['wtpt', Buffer.concat([latin('XYZ \0\0\0\0'), whole(63190, 65536, 54061)])],
    ...about,
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
  header.write(kinds, 12)
  Buffer.from('07e400010001', 'hex').copy(header, 24)
  header.write('acsp', 36)
  whole(63190, 65536, 54061).copy(header, 68)
  const values = tags.map(([, value]) => Buffer.concat([value, Buffer.alloc(-value.length & 3)]))
  return Buffer.concat([header, whole(tags.length), ...rows, ...values])
}

/** Grey with a curve far from that of sRGB: numbers raised to 1.4 are light. */
const greyProfile = (): Buffer =>
  profile('mntrGRAYXYZ ', ['kTRC', Buffer.from([...Buffer.from('curv\0\0\0\0'), 0, 0, 0, 1, 1, 0x66])])

const withOddPress = (jpeg: Buffer): Buffer =>
  withSegment(jpeg, 0xe2, Buffer.concat([Buffer.from('ICC_PROFILE\0\x01\x01', 'latin1'), oddPress()]))

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
    const image = sharp(await colourful())
    const plain = await image.toColourspace('cmyk').jpeg({ quality: 100 }).toBuffer()
    const source = withOddPress(plain)
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
    const inks = sharp(await colourful()).withIccProfile('cmyk')
    const source = await inks.toColourspace('cmyk').jpeg({ quality: 100 }).toBuffer()
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
    const plain = await asPng(sharp(ramp, { raw: { width: 256, height: 16, channels: 1 } }).toColourspace(space))
    const data = Buffer.concat([Buffer.from('dot gain\0\0', 'latin1'), deflateSync(greyProfile())])
    const source = withChunks(plain, [{ name: 'iCCP', data }])
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
  const pink = () => flat(16, 16, { r: 200, g: 50, b: 100 })
  it.each(['uchar', 'ushort'] as const)('has a thumbnail in sRGB when its colours are wider (%s)', async (depth) => {
    const space = depth === 'ushort' ? 'rgb16' : 'srgb'
    const source = await asPng(pink().toColourspace(space).withIccProfile('p3'))
    const [red, green, blue] = await numbersOf(await made(source, 'thumbnail'))
    expect(Math.max(Math.abs(red! - 200), Math.abs(green! - 50), Math.abs(blue! - 100))).toBeLessThanOrEqual(4)
  })

  it('keeps its numbers and loses a profile that is about other ones', async () => {
    const source = withOddPress(await pink().jpeg({ quality: 100 }).toBuffer())
    expect(await iccOf(source)).toEqual(oddPress())
    const result = await made(source, 'webp')
    expect(await iccOf(result)).toBeUndefined()
    const [red, green, blue] = await numbersOf(result)
    expect(Math.max(Math.abs(red! - 200), Math.abs(green! - 50), Math.abs(blue! - 100))).toBeLessThanOrEqual(4)
  })
})

/** One colour in all pixels. */
function plainPng(
  type: 'rgb' | 'grey' | 'palette',
  colour: number[],
  extra: { name: string; data: Buffer }[],
  deep = false,
): Buffer {
  const header = Buffer.from('00000010000000100800000000', 'hex')
  header[8] = deep ? 16 : 8
  header[9] = { rgb: 2, grey: 0, palette: 3 }[type]
  const samples = type === 'palette' ? [0] : deep ? colour.flatMap((value) => [value, value]) : colour
  const row = Buffer.from([0, ...Array.from({ length: 16 }, () => samples).flat()])
  const table = type === 'palette' ? [{ name: 'PLTE', data: Buffer.from(colour) }] : []
  return pngOf([
    { name: 'IHDR', data: header },
    ...extra,
    ...table,
    { name: 'IDAT', data: deflateSync(Buffer.concat(Array.from({ length: 16 }, () => row))) },
    { name: 'IEND', data: Buffer.alloc(0) },
  ])
}

const whole = (...values: number[]): Buffer => {
  const bytes = Buffer.alloc(values.length * 4)
  values.forEach((value, index) => bytes.writeUInt32BE(value, index * 4))
  return bytes
}
const gAMA = (value: number) => ({ name: 'gAMA', data: whole(value) })
const cHRM = (...values: number[]) => ({ name: 'cHRM', data: whole(...values) })
const SRGB = cHRM(31270, 32900, 64000, 33000, 30000, 60000, 15000, 6000)
const ADOBE = cHRM(31270, 32900, 64000, 33000, 21000, 71000, 15000, 6000)

/** With a wrong checksum for the chunks of this name: what cannot be read is as if it were not there. */
function damaged(png: Buffer, name: string): Buffer {
  const bytes = Buffer.from(png)
  for (const { data } of [...pngChunks(bytes)].filter((chunk) => chunk.name === name))
    bytes[data.byteOffset - bytes.byteOffset + data.length]! ^= 1
  return bytes
}

const rgb = (...extra: { name: string; data: Buffer }[]): Buffer => plainPng('rgb', [100, 150, 40], extra)
const chunk = (name: string, ...data: number[]) => ({ name, data: Buffer.from(data) })
/** A PNG and what a browser shows of it in sRGB: read off Chromium's canvas. */
const SHOWN: [what: string, png: Buffer, shown: number[]][] = [
  ['gAMA 1.0', rgb(gAMA(100_000)), [168, 202, 110]],
  ['gAMA 1.0 with 16 bits', plainPng('rgb', [100, 150, 40], [gAMA(100_000)], true), [168, 202, 110]],
  ['gAMA 1.0 in grey', plainPng('grey', [100], [gAMA(100_000)]), [168, 168, 168]],
  ['gAMA 1.0 in grey with cHRM', plainPng('grey', [100], [gAMA(100_000), ADOBE]), [168, 168, 168]],
  ['gAMA 1.0 with a palette', plainPng('palette', [100, 150, 40], [gAMA(100_000)]), [168, 202, 110]],
  ['gAMA 0.6', rgb(gAMA(60_000)), [126, 172, 60]],
  ['gAMA 1/2.2', plainPng('rgb', [10, 20, 5], [gAMA(45_455)]), [10, 20, 5]],
  ['gAMA 1/2.2 and the cHRM of sRGB', rgb(gAMA(45_455), SRGB), [100, 150, 40]],
  ['cHRM alone', rgb(ADOBE), [100, 150, 40]],
  ['gAMA 0', rgb(gAMA(0)), [100, 150, 40]],
  ['gAMA 1.0 and sRGB', rgb(gAMA(100_000), chunk('sRGB', 0)), [100, 150, 40]],
  ['a damaged gAMA', damaged(rgb(gAMA(100_000)), 'gAMA'), [100, 150, 40]],
]

describe('a PNG with gAMA in place of a profile', () => {
  it.each(SHOWN)('looks as in a browser: %s', async (_what, png, shown) => {
    for (const kind of ['webp', 'thumbnail', 'shrink'] as const) {
      const result = await made(png, kind)
      // As anything that knows profiles shows it.
      const seen = [...(await sharp(result).toColourspace('srgb').removeAlpha().raw().toBuffer()).subarray(0, 3)]
      const off = Math.max(...seen.map((value, band) => Math.abs(value - shown[band]!)))
      expect(off, `${kind}: ${seen.join(' ')}`).toBeLessThanOrEqual(4)
    }
  })
})

describe('a compressed PNG whose service dropped gAMA and cHRM', () => {
  const LINEAR = gAMA(100_000)
  async function finished(served: Buffer, original: Buffer, metadata: MetadataPolicy = 'strip'): Promise<Buffer> {
    const verdict = await judged(served, original)
    expect(verdict).toMatchObject({ fits: true })
    return (await applied(Buffer.from((verdict.fits && verdict.bytes) || served), original, metadata)).bytes
  }
  /** As a compressor writes it that knows nothing of them: a palette of the same numbers. */
  const compressed = (png: Buffer): Promise<Buffer> => sharp(png).png({ palette: true, quality: 70 }).toBuffer()
  const names = (png: Buffer): string[] => [...pngChunks(png)].map(({ name }) => name)

  it.each(MetadataPolicy.options)('has them again under %s, and is the same otherwise', async (metadata) => {
    const original = withChunks(await colourful(), [LINEAR, ADOBE])
    const served = await compressed(original)
    const result = await finished(served, original, metadata)
    expect(names(result)).toEqual(names(served).toSpliced(1, 0, 'gAMA', 'cHRM'))
    expect(withoutChunks(result, ['gAMA', 'cHRM'])).toEqual(served)
    if (hasPrograms('pngcheck'))
      expect(judge('pngcheck', ['-q', fileOf('a.png', result)])).toMatchObject({ status: 0, words: '' })
  })

  const linear = async () => withChunks(await colourful(), [LINEAR])
  it.each<[what: string, original: () => Promise<Buffer>, served: (original: Buffer) => Promise<Buffer>]>([
    ['was brought to sRGB', linear, (png) => inSrgb(png)],
    ['has a curve of its own', linear, async (png) => withChunks(await compressed(png), [gAMA(50_000)])],
    ['says that it is sRGB', linear, async (png) => withChunks(await compressed(png), [chunk('sRGB', 0)])],
    ['has the curve of sRGB from the start', async () => withChunks(await colourful(), [gAMA(45_455)]), compressed],
    ['has an original with no curve', colourful, compressed],
  ])('stays as it is where it %s', async (_what, makeOriginal, serve) => {
    const original = await makeOriginal()
    const served = await serve(original)
    expect(await finished(served, original)).toEqual(served)
  })

  /** As a compressor writes it that applies the curve. */
  async function inSrgb(png: Buffer): Promise<Buffer> {
    const { data, info } = await sharp(png).removeAlpha().raw().toBuffer({ resolveWithObject: true })
    const curve = Uint8Array.from({ length: 256 }, (_, value) => Math.round(255 * (value / 255) ** (1 / 2.2)))
    const raw = { width: info.width, height: info.height, channels: 3 } as const
    const brought = data.map((value) => curve[value]!)
    return asPng(sharp(brought, { raw }))
  }
  const withoutChunks = (png: Buffer, gone: string[]): Buffer =>
    pngOf([...pngChunks(png)].filter(({ name }) => !gone.includes(name)))
})

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
})
