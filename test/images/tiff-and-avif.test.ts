import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { doImageTask } from '../../src/main/images/image-work.ts'
import { readLeniently } from '../../src/main/images/metadata/gather.ts'
import { TIFF_TAGS, TiffDirectory } from '../../src/main/images/tiff-directory.ts'
import type { AnswerTo } from '../../src/main/core/picture-tasks.ts'
import { describeWith, programs } from '../needs.ts'
import { run, scratch, withFields, written } from './metadata/judges.ts'
import { noise } from './pictures.ts'

const limits = { framePixels: 1_000_000, totalPixels: 2_000_000 }
const inspect = (bytes: Buffer): Promise<AnswerTo<'inspect'>> => doImageTask({ kind: 'inspect', bytes, limits })

const ENTRY_BYTES = 12
const [BYTE, SHORT, LONG] = [1, 3, 4]

/** A TIFF of 4 × 4 grey pixels in little-endian order, with these fields in place of the usual ones or besides. */
function tinyTiff(changes: Readonly<Record<number, readonly [type: number, value: number]>> = {}): Buffer {
  const pixels = Buffer.alloc(16, 100)
  const fields = new Map<number, readonly [type: number, value: number]>([
    [256, [SHORT, 4]],
    [257, [SHORT, 4]],
    [TIFF_TAGS.bitsPerSample, [SHORT, 8]],
    [TIFF_TAGS.compression, [SHORT, 1]],
    [TIFF_TAGS.photometric, [SHORT, 1]],
    [TIFF_TAGS.stripOffsets, [LONG, 8]],
    [TIFF_TAGS.samplesPerPixel, [SHORT, 1]],
    [278, [SHORT, 4]],
    [TIFF_TAGS.stripByteCounts, [LONG, 16]],
  ])
  for (const [tag, field] of Object.entries(changes)) fields.set(Number(tag), field)
  const rows = [...fields].toSorted(([one], [other]) => one - other)
  const directory = Buffer.alloc(2 + rows.length * ENTRY_BYTES + 4)
  directory.writeUInt16LE(rows.length, 0)
  for (const [nth, [tag, [type, value]]] of rows.entries()) {
    const at = 2 + nth * ENTRY_BYTES
    directory.writeUInt16LE(tag, at)
    directory.writeUInt16LE(type, at + 2)
    directory.writeUInt32LE(1, at + 4)
    if (type === LONG) directory.writeUInt32LE(value, at + 8)
    else if (type === BYTE) directory.writeUInt8(value, at + 8)
    else directory.writeUInt16LE(value, at + 8)
  }
  const head = Buffer.from('49492a00', 'hex')
  const place = Buffer.alloc(4)
  place.writeUInt32LE(8 + pixels.length, 0)
  return Buffer.concat([head, place, pixels, directory])
}

describe('a TIFF', () => {
  it.each([
    ['none', {}],
    ['lzw', {}],
    ['deflate', { predictor: 'horizontal' }],
    ['packbits', {}],
    ['jpeg', {}],
    ['webp', {}],
    ['lzw', { tile: true, tileWidth: 16, tileHeight: 16 }],
    ['deflate', { bigtiff: true }],
    ['lzw', { pyramid: true, tile: true, tileWidth: 16, tileHeight: 16 }],
  ] as const)('is read with its pixels: %s, %j', async (compression, options) => {
    const bytes = await noise(60, 40)
      .blur(3)
      .tiff({ compression, quality: 95, ...options })
      .toBuffer()
    expect(await inspect(bytes)).toEqual({
      ok: true,
      type: 'tiff',
      width: 60,
      height: 40,
      animated: false,
      frames: 1,
      extras: [],
      transparent: false,
    })
  })

  it('with nothing but the usual fields is read', async () => {
    expect(await inspect(tinyTiff())).toMatchObject({ ok: true, width: 4, height: 4 })
  })

  it.each([
    ['Compression 34925', { [TIFF_TAGS.compression]: [SHORT, 34925] }],
    ['PhotometricInterpretation 8', { [TIFF_TAGS.photometric]: [SHORT, 8] }],
    ['PhotometricInterpretation 32803', { [TIFF_TAGS.photometric]: [SHORT, 32803] }],
    ['BitsPerSample 32', { [TIFF_TAGS.bitsPerSample]: [SHORT, 32] }],
    ['SampleFormat 3', { [TIFF_TAGS.sampleFormat]: [SHORT, 3] }],
    ['SamplesPerPixel 65535', { [TIFF_TAGS.samplesPerPixel]: [SHORT, 65535] }],
    ['NewSubfileType 1', { [TIFF_TAGS.newSubfileType]: [LONG, 1] }],
  ] as const)('that the decoder gets wrong or not at all is refused by its field: %s', async (what, changes) => {
    const answer = await inspect(tinyTiff(changes))
    expect(answer).toEqual({ ok: false, reason: 'unsupported', detail: { code: 'tiff_kind', values: { what } } })
  })

  it('of a camera is refused, whatever it is called', async () => {
    const dng = tinyTiff({ [TIFF_TAGS.dngVersion]: [BYTE, 1] })
    expect(await inspect(dng)).toMatchObject({ detail: { code: 'is_format', values: { format: 'DNG' } } })
  })

  it('of several pages is refused with their number', async () => {
    const pages = await Promise.all([1, 2, 3].map((seed) => noise(40, 30, seed).png().toBuffer()))
    const bytes = await sharp(pages, { join: { animated: true } })
      .tiff({ compression: 'lzw' })
      .toBuffer()
    expect(await inspect(bytes)).toMatchObject({ ok: false, detail: { code: 'tiff_pages', values: { count: 3 } } })
  })

  it('cut off anywhere, or with any byte wrong, is refused or read, and nothing else happens', async () => {
    const whole = await noise(40, 30).tiff({ compression: 'lzw' }).toBuffer()
    for (let length = 0; length < whole.length; length += Math.ceil(whole.length / 60)) {
      const answer = await inspect(whole.subarray(0, length))
      expect(answer.ok, `cut to ${length}`).toBe(false)
    }
    for (let at = 0; at < whole.length; at += Math.ceil(whole.length / 120)) {
      const bytes = Buffer.from(whole)
      bytes[at] = bytes[at]! ^ 0xff
      expect(typeof (await inspect(bytes)).ok, `byte ${at}`).toBe('boolean')
    }
  })

  it('with directories that are endless is looked at for a moment only', () => {
    // Each directory names the next, and the last names the first.
    const [count, size] = [200_000, 6]
    const chain = Buffer.alloc(8 + count * size)
    chain.write('II*\0', 'latin1')
    chain.writeUInt32LE(8, 4)
    for (let nth = 0; nth < count; nth += 1)
      chain.writeUInt32LE(nth + 1 === count ? 8 : 8 + (nth + 1) * size, 8 + nth * size + 2)
    const pages = TiffDirectory.of(chain)?.pages ?? 0
    expect(pages > 1 && pages <= 100_000).toBe(true)
    // Ten million entries in one place: a directory of BigTIFF that would be longer than the file.
    const big = Buffer.alloc(64)
    big.write('II+\0\x08\0\0\0', 'latin1')
    big.writeBigUInt64LE(16n, 8)
    big.writeBigUInt64LE(0xffff_ffff_ffff_ffffn, 16)
    expect(TiffDirectory.of(big)).toBeNull()
  })

  it('has no number or text beyond its bytes', () => {
    const bytes = tinyTiff({ [TIFF_TAGS.stripOffsets]: [LONG, 0xffff_fff0] })
    expect(TiffDirectory.of(bytes)?.isWhole()).toBe(false)
    const directory = TiffDirectory.of(tinyTiff({ [TIFF_TAGS.xmp]: [LONG, 7] }))
    expect(directory?.number(TIFF_TAGS.xmp)).toBe(7)
    expect(directory?.numbers(TIFF_TAGS.iptc)).toBeNull()
  })
})

describe('an AVIF', () => {
  it('is read as browsers show it, and one that moves is refused', async () => {
    const still = await noise(40, 30).ensureAlpha(0.5).avif().toBuffer()
    expect(await inspect(still)).toMatchObject({ ok: true, type: 'avif', width: 40, height: 30, transparent: true })
    const movie = Buffer.alloc(16)
    movie.writeUInt32BE(16, 0)
    movie.write('moov', 4, 'latin1')
    const moving = Buffer.concat([still.subarray(0, still.readUInt32BE(0)), movie, still])
    expect(await inspect(moving)).toMatchObject({ ok: false, detail: { code: 'avif_moves' } })
  })
})

describe('the copy that is sent', () => {
  const copyOf = (bytes: Buffer, wanted: object): Promise<AnswerTo<'shrink'>> =>
    doImageTask({ kind: 'shrink', bytes, limits, maxBytes: 100_000, ...wanted })

  it('keeps its pixels or does not exist, where pixels may not be given up', async () => {
    const bytes = await noise(300, 200).tiff({ compression: 'lzw' }).toBuffer()
    expect(await copyOf(bytes, { type: 'jpeg', keepsPixels: true })).toMatchObject({
      ok: true,
      width: 300,
      height: 200,
    })
    const tight = { type: 'jpeg', maxBytes: 20_000 }
    expect(await copyOf(bytes, { ...tight, keepsPixels: true })).toMatchObject({ ok: false, reason: 'too_large' })
    const small = await copyOf(bytes, tight)
    expect(small.ok && small.width < 300 && small.bytes.byteLength <= 20_000).toBe(true)
  })

  it('of ink is in sRGB, and of deep colours has eight bits', async () => {
    const ink = await noise(60, 40)
      .blur(5)
      .toColourspace('cmyk')
      .withIccProfile('cmyk')
      .tiff({ compression: 'lzw' })
      .toBuffer()
    const deep = await noise(60, 40).blur(5).toColourspace('rgb16').tiff({ compression: 'lzw' }).toBuffer()
    for (const bytes of [ink, deep])
      for (const type of ['jpeg', 'png'] as const) {
        const made = await copyOf(bytes, { type })
        const { space, depth, format } = await sharp(made.ok ? made.bytes : undefined).metadata()
        expect({ space, depth, format }).toEqual({ space: 'srgb', depth: 'uchar', format: type })
      }
  })
})

describeWith(programs('exiftool'))('the metadata of a TIFF', () => {
  const FIELDS = [
    '-XMP-dc:Creator=Ann Lee',
    '-IPTC:By-line=Ann Lee',
    '-IPTC:Caption-Abstract=A heron',
    '-IFD0:Copyright=Lee 2026',
    '-IFD0:Make=Camera',
    '-ExifIFD:ExposureTime=1/125',
    '-GPS:GPSLatitude=47.3',
    '-GPS:GPSLatitudeRef=N',
  ]

  it.each(['lzw', 'jpeg'] as const)('is in the results by each policy (%s)', async (compression) => {
    const dir = scratch()
    const plain = await noise(60, 40).blur(3).tiff({ compression }).toBuffer()
    const [[, bytes]] = withFields(dir, [['rich.tif', plain]], FIELDS) as [[string, Buffer]]
    const found = readLeniently({ bytes, type: 'tiff' })
    expect(found.xmp).toHaveLength(1)
    expect(found.iptc?.includes('A heron')).toBe(true)
    // Not the file itself, which is its directory too.
    expect(found.exif!.length).toBeLessThan(1000)
    const tagsOf = async (metadata: 'keep-all' | 'keep-without-location' | 'strip') => {
      const options = { format: 'webp', quality: 80, metadata } as const
      const made = await doImageTask({ kind: 'encode', bytes, limits, options })
      const path = written(dir, `${metadata}.webp`, Buffer.from(made.ok && made.bytes !== null ? made.bytes : []))
      const [tags] = JSON.parse(run('exiftool', ['-j', '-G1', path]).toString()) as Record<string, unknown>[]
      return tags!
    }
    const kept = { 'IFD0:Copyright': 'Lee 2026', 'IFD0:Make': 'Camera', 'ExifIFD:ExposureTime': '1/125' }
    const all = await tagsOf('keep-all')
    expect(all).toMatchObject({ ...kept, 'XMP-dc:Creator': 'Ann Lee', 'XMP-dc:Description': 'A heron' })
    expect(Object.keys(all).some((tag) => tag.startsWith('GPS:'))).toBe(true)
    const placeless = await tagsOf('keep-without-location')
    expect(placeless).toMatchObject({ ...kept, 'XMP-dc:Creator': 'Ann Lee' })
    const none = await tagsOf('strip')
    for (const tag of Object.keys({ ...placeless, ...none })) expect(tag.startsWith('GPS:')).toBe(false)
    expect(Object.keys(none).some((tag) => /^(?:IFD0|XMP-dc|ExifIFD):/.test(tag))).toBe(false)
  })
})
