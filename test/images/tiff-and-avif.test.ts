import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { doImageTask } from '../../src/main/images/image-work.ts'
import { TIFF_TAGS } from '../../src/main/images/metadata/tiff.ts'
import { readLeniently } from '../../src/main/images/metadata/gather.ts'
import { TiffBlock } from '../../src/main/images/metadata/tiff-block.ts'
import { pagesOf } from '../../src/main/images/tiff-kinds.ts'
import type { MetadataPolicy } from '../../src/shared/recipes/recipe.ts'
import type { AnswerTo } from '../../src/main/core/picture-tasks.ts'
import { describeWith, programs } from '../needs.ts'
import { run, scratch, withFields, written } from './metadata/judges.ts'
import { noise } from './pictures.ts'
import { encoded, inspect, SMALL as limits } from './tasks.ts'
import { BYTE, LONG, SHORT, tiffOf, type Changes, type TiffKind } from './tiff-writer.ts'

const GREY = { photometric: 1, bits: 8, samples: 1 }

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
    const soft = noise(60, 40).blur(3)
    const bytes = await soft.tiff({ compression, quality: 95, ...options }).toBuffer()
    const still = { animated: false, frames: 1, extras: [], transparent: false }
    expect(await inspect(bytes)).toEqual({ ok: true, type: 'tiff', width: 60, height: 40, ...still })
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
    const pages = pagesOf(TiffBlock.ofFile(chain)!)
    expect(pages > 1 && pages <= 100_000).toBe(true)
    // Ten million entries in one place: a directory of BigTIFF that would be longer than the file.
    const big = Buffer.alloc(64)
    big.write('II+\0\x08\0\0\0', 'latin1')
    big.writeBigUInt64LE(16n, 8)
    big.writeBigUInt64LE(0xffff_ffff_ffff_ffffn, 16)
    expect(TiffBlock.ofFile(big)?.main()).toBeNull()
  })
})

describe('a TIFF is refused with the field that is the reason', () => {
  const COLOUR = { photometric: 2, bits: 8, samples: 3 }
  const VIDEO = { photometric: 6, bits: 8, samples: 3 }

  it.each<[what: string, TiffKind, Changes]>([
    ['YCbCrSubSampling 1,1', { ...VIDEO, subsampling: [1, 1] }, {}],
    ['PlanarConfiguration 2', { ...VIDEO, subsampling: [2, 2], planes: 2 }, {}],
    ['TileOffsets', { ...VIDEO, subsampling: [2, 2], isTiled: true }, {}],
    ['PlanarConfiguration 2, TileOffsets', { ...COLOUR, planes: 2, isTiled: true }, {}],
    ['BitsPerSample 2', { ...COLOUR, bits: 2 }, {}],
    ['BitsPerSample 4', { ...COLOUR, bits: 4 }, {}],
    ['BitsPerSample 4', { ...GREY, bits: 4, samples: 2 }, {}],
    ['SamplesPerPixel 2', { ...GREY, photometric: 0, samples: 2 }, {}],
    ['InkSet 2', { photometric: 5, bits: 8, samples: 4 }, { [TIFF_TAGS.inkSet]: [SHORT, 2] }],
    ['Compression 34925', GREY, { [TIFF_TAGS.compression]: [SHORT, 34_925] }],
    ['PhotometricInterpretation 8', GREY, { [TIFF_TAGS.photometric]: [SHORT, 8] }],
    ['PhotometricInterpretation 32803', GREY, { [TIFF_TAGS.photometric]: [SHORT, 32_803] }],
    ['BitsPerSample 32', GREY, { [TIFF_TAGS.bitsPerSample]: [SHORT, 32] }],
    ['SampleFormat 3', GREY, { [TIFF_TAGS.sampleFormat]: [SHORT, 3] }],
    ['SamplesPerPixel 65535', GREY, { [TIFF_TAGS.samplesPerPixel]: [SHORT, 65_535] }],
    ['NewSubfileType 1', GREY, { [TIFF_TAGS.newSubfileType]: [LONG, 1] }],
  ])('%s', async (what, kind, changes) => {
    const answer = await inspect(tiffOf(kind, changes))
    expect(answer).toEqual({ ok: false, reason: 'unsupported', detail: { code: 'tiff_kind', values: { what } } })
  })

  it('that it lacks', async () => {
    const answer = await inspect(tiffOf(COLOUR, { [TIFF_TAGS.photometric]: null }))
    const detail = { code: 'tiff_lacks', values: { field: 'PhotometricInterpretation' } }
    expect(answer).toEqual({ ok: false, reason: 'unsupported', detail })
  })

  it('of a camera, whatever it is called', async () => {
    const dng = tiffOf(GREY, { [TIFF_TAGS.dngVersion]: [BYTE, 1] })
    expect(await inspect(dng)).toMatchObject({ detail: { code: 'is_format', values: { format: 'DNG' } } })
  })
})

it('an AVIF is read as browsers show it, and one that moves is refused', async () => {
  const still = await noise(40, 30).ensureAlpha(0.5).avif().toBuffer()
  expect(await inspect(still)).toMatchObject({ ok: true, type: 'avif', width: 40, height: 30, transparent: true })
  const movie = Buffer.alloc(16)
  movie.writeUInt32BE(16, 0)
  movie.write('moov', 4, 'latin1')
  const moving = Buffer.concat([still.subarray(0, still.readUInt32BE(0)), movie, still])
  expect(await inspect(moving)).toMatchObject({
    ok: false,
    detail: { code: 'animated_type', values: { type: 'AVIF' } },
  })
})

describe('the copy that is sent', () => {
  const copyOf = (bytes: Buffer, wanted: object): Promise<AnswerTo<'shrink'>> =>
    doImageTask({ kind: 'shrink', bytes, limits, maxBytes: 100_000, ...wanted })

  it('keeps its pixels or does not exist, where pixels may not be given up', async () => {
    const bytes = await noise(300, 200).tiff({ compression: 'lzw' }).toBuffer()
    const expected = { ok: true, width: 300, height: 200 }
    expect(await copyOf(bytes, { type: 'jpeg', keepsPixels: true })).toMatchObject(expected)
    const tight = { type: 'jpeg', maxBytes: 20_000 }
    expect(await copyOf(bytes, { ...tight, keepsPixels: true })).toMatchObject({ ok: false, reason: 'too_large' })
    const small = await copyOf(bytes, tight)
    expect(small.ok && small.width < 300 && small.bytes.byteLength <= 20_000).toBe(true)
  })

  it('of ink is in sRGB, and of deep colours has eight bits', async () => {
    const inks = noise(60, 40).blur(5).toColourspace('cmyk').withIccProfile('cmyk')
    const ink = await inks.tiff({ compression: 'lzw' }).toBuffer()
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
  const FIELDS = (
    '-XMP-dc:Creator=Ann Lee|-IPTC:By-line=Ann Lee|-IPTC:Caption-Abstract=A heron|' +
    '-IFD0:Copyright=Lee 2026|-IFD0:Make=Camera|-ExifIFD:ExposureTime=1/125|-GPS:GPSLatitude=47.3|' +
    '-GPS:GPSLatitudeRef=N'
  ).split('|')

  it.each(['lzw', 'jpeg'] as const)('is in the results by each policy (%s)', async (compression) => {
    const dir = scratch()
    const plain = await noise(60, 40).blur(3).tiff({ compression }).toBuffer()
    const [[, bytes]] = withFields(dir, [['rich.tif', plain]], FIELDS) as [[string, Buffer]]
    const found = readLeniently({ bytes, type: 'tiff' })
    expect(found.xmp).toHaveLength(1)
    expect(found.iptc?.includes('A heron')).toBe(true)
    // Not the file itself, which is its directory too.
    expect(found.exif!.length).toBeLessThan(1000)
    const tagsOf = async (metadata: MetadataPolicy) => {
      const path = written(dir, `${metadata}.webp`, (await encoded(bytes, { metadata })).bytes)
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
