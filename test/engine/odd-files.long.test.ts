import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { expect, it } from 'vitest'
import { hasPrograms } from '../needs.ts'
import type { JobView } from '../../src/shared/contract/jobs.ts'
import type { Recipe } from '../../src/shared/recipes/recipe.ts'
import { pngOf } from '../../src/main/images/png-chunks.ts'
import {
  appleDepth,
  appleGainMap,
  googleDepth,
  liveJpeg,
  microVideo,
  stereoPair,
  ultraHdr,
  withLargePreview,
} from '../images/extra-pictures.ts'
import { judge, fileOf } from '../images/judges.ts'
import { animatedPng, animation, exifBlock, jpegWithExif, noise, pngBomb } from '../images/pictures.ts'
import { RECIPE, runToEnd } from './engine-harness.ts'
import { openWorldForEachTest, world } from './world-for-each-test.ts'
import type { SentenceValue } from '../../src/shared/sentences/sentence.ts'

openWorldForEachTest()

/** Nothing is sent: what is wrong with a file is known here. */
const FREE: Recipe = { ...RECIPE, operation: 'convert', convertOn: 'here', format: 'webp', keepLarger: true }

/** Each has a folder of its own. Only `process` sends anything. */
const RECIPES = {
  webp: FREE,
  avif: { ...FREE, format: 'avif' },
  smaller: { ...FREE, keepLarger: false },
  process: RECIPE,
} satisfies Record<string, Recipe>

interface Odd {
  /** `webp` unless given. */
  recipe?: keyof typeof RECIPES
  /** Of the file, which says what it is called and what is in it. */
  name: string
  bytes: () => Buffer | Promise<Buffer>
  state: JobView['state']
  code?: string
  /** Which of Hangar's sentences the detail is, and what in it. */
  said?: string
  values?: Record<string, SentenceValue>
  /** In order, as in `gain_map_lost: both`; none unless given. */
  notes?: string[]
}

const jpeg = (): Promise<Buffer> => noise(60, 40).jpeg().toBuffer()
const png = (): Promise<Buffer> => noise(60, 40).png().toBuffer()
const gif = (): Promise<Buffer> => noise(60, 40).gif().toBuffer()
/** With `zeros` bytes of zero between its last block and its trailer, or in place of the trailer. */
async function gifWithZeros(zeros: number, trailer: boolean): Promise<Buffer> {
  const whole = await gif()
  return Buffer.concat([whole.subarray(0, -1), Buffer.alloc(zeros), whole.subarray(trailer ? -1 : whole.length)])
}
const webp = (): Promise<Buffer> => noise(60, 40).webp().toBuffer()
/** No result of another picture in the table has these bytes. */
const otherWebp = (): Promise<Buffer> => noise(60, 40, 7).webp().toBuffer()
const sharpJpeg = () => noise(160, 120).jpeg({ quality: 98 }).toBuffer()
const small = () => noise(60, 40).jpeg({ quality: 5 }).toBuffer()
const placed = async () => jpegWithExif(await jpeg(), exifBlock(6, 'MM'))
const placedCredit = () =>
  noise(60, 40)
    .withXmp(
      '<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description ' +
        'xmlns:p="http://ns.adobe.com/photoshop/1.0/" p:Credit="Agency at 47.376887, 8.541694"/></rdf:RDF></x:xmpmeta>',
    )
    .jpeg()
    .toBuffer()
const frameOf = (bytes: Buffer): number =>
  Math.max(bytes.indexOf(Buffer.from([0xff, 0xc0])), bytes.indexOf(Buffer.from([0xff, 0xc2])))
const text = (value: string): Buffer => Buffer.from(value, 'latin1')
/** As cameras and phones begin such a file. */
const ftyp = (brand: string, ...others: string[]): Buffer => {
  const brands = text(others.join(''))
  return Buffer.concat([
    Buffer.from([0, 0, 0, 16 + brands.length]),
    text(`ftyp${brand}`),
    Buffer.alloc(4),
    brands,
    Buffer.alloc(400),
  ])
}
async function cut(make: () => Promise<Buffer>, share: number): Promise<Buffer> {
  const bytes = await make()
  return bytes.subarray(0, Math.floor(bytes.length * share))
}
async function jpegAs(change: (bytes: Buffer, frame: number) => void): Promise<Buffer> {
  const bytes = Buffer.from(await jpeg())
  change(bytes, frameOf(bytes))
  return bytes
}
/** No more of a file than how it begins. */
const begun = (head: string) => () => Buffer.concat([text(head), Buffer.alloc(60)])
const wide = (width: number, height: number) => sharp({ create: { width, height, channels: 3, background: 'teal' } })

const done = { state: 'done' } as const
const nothingToDo = { state: 'skipped', code: 'nothing_to_do' } as const
const noAvif = { ...nothingToDo, said: 'no_avif_of_animation', values: {} }
const failed = (code: string, said?: string, values?: Odd['values']) =>
  ({ state: 'failed', code, ...(said && { said }), ...(values && { values }) }) as const
const tooWide = (side: number) => failed('too_many_pixels', 'over_side_limit', { side, format: 'WebP', limit: 16_383 })
const other = (format: string) => failed('other_type', 'is_format', { format })
/** 8 × 8 grey pixels of one value (ITU T.81, annex H): one code table with one code, and each pixel as predicted. */
function losslessJpeg(): Buffer {
  const frame = 'ffc3000b080008000801011100'
  const table = `ffc4001400${'01'.padEnd(32, '0')}00`
  const scan = 'ffda0008010100010000'
  return Buffer.from(`ffd8${frame}${table}${scan}${'00'.repeat(8)}ffd9`, 'hex')
}

const CUT = failed('cut_off')

const ODD: Odd[] = [
  // By another name: what counts is what is in it.
  { name: 'png-in.jpg', bytes: png, ...done },
  { name: 'gif-in.jpg', bytes: gif, ...done },
  { name: 'jpeg-in.png', bytes: jpeg, ...done },
  { name: 'jpeg-in.gif', bytes: jpeg, ...done },
  { name: 'jpeg-in.webp', bytes: jpeg, ...done },
  { name: 'webp-in.jpg', bytes: webp, ...nothingToDo, said: 'has_wanted_format', values: { format: 'WebP' } },
  { name: 'avif-in.jpg', bytes: () => noise(60, 40, 11).avif().toBuffer(), ...done, notes: ['converted_larger: *'] },
  { name: 'avis-in.png', bytes: () => ftyp('avis', 'avis', 'msf1'), ...CUT },
  { name: 'heic-in.jpg', bytes: () => ftyp('heic', 'mif1', 'heic'), ...CUT },
  { name: 'heic-by-second-brand-in.jpg', bytes: () => ftyp('mif1', 'mif1', 'heic'), ...CUT },
  { name: 'heif-in.jpg', bytes: () => ftyp('mif1', 'mif1'), ...CUT },
  { name: 'small-heif-in.jpg', bytes: () => ftyp('mif3', 'mif3'), ...other('HEIF') },
  { name: 'mp4-in.jpg', bytes: () => ftyp('isom', 'mp41'), ...other('MP4') },
  { name: 'tiff-in.jpg', bytes: () => noise(20, 20, 12).tiff().toBuffer(), ...done },
  { name: 'big-endian-tiff-in.jpg', bytes: begun('MM\0*'), ...CUT },
  { name: 'cr2-in.jpg', bytes: begun('II*\0\x10\0\0\0CR\x02'), ...other('CR2') },
  { name: 'bmp-in.png', bytes: begun('BM\x46\0\0\0\0\0\0\0\x36\0\0\0'), ...other('BMP') },
  { name: 'ico-in.png', bytes: begun('\0\0\x01\0\x01\0\x10\x10'), ...other('ICO') },
  { name: 'svg-in.png', bytes: () => text('<svg xmlns="http://www.w3.org/2000/svg"/>'), ...other('SVG') },
  {
    name: 'svg-with-declaration-in.png',
    bytes: () => text('<?xml version="1.0"?>\n<!-- made by hand -->\n<svg/>'),
    ...other('SVG'),
  },
  { name: 'psd-in.jpg', bytes: begun('8BPS\0\x01'), ...other('PSD') },
  { name: 'jxl-in.jpg', bytes: begun('\xff\n'), ...other('JPEG XL') },
  { name: 'jxl-box-in.jpg', bytes: begun('\0\0\0\x0cJXL \r\n\x87\n'), ...other('JPEG XL') },
  { name: 'jp2-in.jpg', bytes: begun('\0\0\0\x0cjP  \r\n\x87\n'), ...other('JPEG 2000') },
  { name: 'pdf-in.jpg', bytes: () => text('%PDF-1.7\n'), ...other('PDF') },
  { name: 'html-in.jpg', bytes: () => text('\n<!DOCTYPE html><html><body>404</body></html>'), ...other('HTML') },
  { name: 'zip-in.png', bytes: begun('PK\x03\x04'), ...other('ZIP') },
  // No picture at all.
  { name: 'text.jpg', bytes: () => text('Just a few words.\n'), ...failed('not_an_image', 'bytes_unknown', {}) },
  { name: 'zeros.jpg', bytes: () => Buffer.alloc(5000), ...failed('not_an_image', 'bytes_unknown', {}) },
  { name: 'empty.jpg', bytes: () => Buffer.alloc(0), ...failed('not_an_image', 'file_empty', {}) },
  // Kinds of JPEG.
  { name: 'progressive.jpg', bytes: () => noise(60, 40).jpeg({ progressive: true }).toBuffer(), ...done },
  { name: 'cmyk.jpg', bytes: () => noise(60, 40).toColourspace('cmyk').jpeg().toBuffer(), ...done },
  { name: 'grey.jpg', bytes: () => noise(60, 40).greyscale().jpeg().toBuffer(), ...done },
  {
    name: 'twelve-bits.jpg',
    bytes: () => jpegAs((bytes, frame) => (bytes[frame + 4] = 12)),
    ...failed('unsupported', 'jpeg_precision', { bits: 12 }),
  },
  {
    name: 'lossless.jpg',
    bytes: () => jpegAs((bytes, frame) => (bytes[frame + 1] = 0xc3)),
    ...failed('unsupported', 'jpeg_process', { process: 'SOF3' }),
  },
  // Eight bits, which this decoder can do, and most others cannot.
  {
    name: 'lossless-and-whole.jpg',
    bytes: losslessJpeg,
    ...failed('unsupported', 'jpeg_process', { process: 'SOF3' }),
  },
  {
    name: 'hierarchical.jpg',
    bytes: () => jpegAs((bytes, frame) => (bytes[frame + 1] = 0xc5)),
    ...failed('unsupported', 'jpeg_process', { process: 'SOF5' }),
  },
  {
    name: 'taller-in-its-head.jpg',
    bytes: () => jpegAs((bytes, frame) => bytes.writeUInt16BE(400, frame + 5)),
    ...failed('damaged', 'pixels_broken'),
  },
  {
    name: 'film-behind-it.jpg',
    bytes: async () => Buffer.concat([await jpeg(), ftyp('isom')]),
    ...done,
    notes: ['motion_lost: converted'],
  },
  // Sizes.
  { name: 'one-pixel.png', bytes: () => noise(1, 1).png().toBuffer(), ...done },
  { name: 'one-pixel.jpg', bytes: () => noise(1, 1).jpeg().toBuffer(), ...done },
  { name: 'one-pixel.gif', bytes: () => noise(1, 1).gif().toBuffer(), ...done },
  { name: 'as-wide-as-webp.jpg', bytes: () => wide(16_383, 3).jpeg().toBuffer(), ...done },
  { name: 'wider-than-webp.png', bytes: () => wide(16_384, 1).png().toBuffer(), ...tooWide(16_384) },
  { name: 'widest-jpeg.jpg', bytes: () => wide(65_500, 1).jpeg().toBuffer(), ...tooWide(65_500) },
  {
    name: 'bomb.png',
    bytes: () => pngBomb(30_000, 30_000),
    ...failed('too_many_pixels', 'over_pixel_limit', { pixels: 900_000_000, limit: 100_000_000 }),
  },
  // Animations.
  { name: 'zero-before-its-trailer.gif', bytes: () => gifWithZeros(1, true), ...done },
  { name: 'moving.gif', bytes: () => animation('gif'), ...done, notes: ['animation_kept', 'converted_larger: *'] },
  { recipe: 'avif', name: 'moving.gif', bytes: () => animation('gif'), ...noAvif },
  { name: 'moving.png', bytes: () => animatedPng(2), ...failed('unsupported', 'animated_type', { type: 'PNG' }) },
  { recipe: 'avif', name: 'moving.webp', bytes: () => animation('webp'), ...noAvif },
  // What a JPEG holds beside its picture.
  { name: 'ultra-hdr.jpg', bytes: () => ultraHdr(), ...done, notes: ['gain_map_lost: converted'] },
  { name: 'ultra-hdr-by-iso.jpg', bytes: () => ultraHdr({ iso: true }), ...done, notes: ['gain_map_lost: converted'] },
  { name: 'apple-gain-map.jpg', bytes: appleGainMap, ...done, notes: ['gain_map_lost: converted'] },
  { name: 'google-depth.jpg', bytes: googleDepth, ...done, notes: ['depth_lost: converted'] },
  { name: 'apple-depth.jpg', bytes: appleDepth, ...done, notes: ['depth_lost: converted'] },
  { name: 'micro-video.jpg', bytes: () => microVideo(), ...done, notes: ['motion_lost: converted'] },
  { name: 'second-eye.jpg', bytes: stereoPair, ...done, notes: ['other_views_lost: converted'] },
  { name: 'large-preview.jpg', bytes: withLargePreview, ...done },
  { name: 'live-photo.jpg', bytes: liveJpeg, ...done },
  { recipe: 'avif', name: 'ultra-hdr.jpg', bytes: () => ultraHdr(), ...done, notes: ['gain_map_lost: converted'] },
  { name: 'place-and-credits.jpg', bytes: placed, ...done },
  { name: 'place-in-its-credits.jpg', bytes: placedCredit, ...done, notes: ['credits_lost: credit'] },
  // Nothing saved.
  { recipe: 'smaller', name: 'small-already.jpg', bytes: small, ...done, notes: ['converted_not_kept: *'] },
  { recipe: 'webp', name: 'small-already.jpg', bytes: small, ...done, notes: ['converted_larger: *'] },
  { recipe: 'smaller', name: 'smaller.png', bytes: png, ...done },
  // The full pipeline.
  { recipe: 'process', name: 'noise.jpg', bytes: sharpJpeg, ...done, notes: ['converted_larger: *'] },
  {
    recipe: 'process',
    name: 'ultra-hdr.jpg',
    bytes: () => ultraHdr({ side: 200 }),
    ...done,
    notes: ['converted_larger: *', 'gain_map_lost: both'],
  },
  { recipe: 'process', name: 'noise.gif', bytes: gif, ...done, notes: ['analyzed_only: gif'] },
  {
    recipe: 'process',
    name: 'moving.gif',
    bytes: () => animation('gif'),
    ...done,
    notes: ['analyzed_only: gif', 'animation_kept', 'converted_larger: *'],
  },
  {
    recipe: 'process',
    name: 'noise.webp',
    bytes: otherWebp,
    ...done,
    notes: ['analyzed_only: webp', 'nothing_to_convert: webp'],
  },
  { recipe: 'process', name: 'cut.jpg', bytes: () => cut(jpeg, 0.4), ...CUT },
  { recipe: 'process', name: 'heic-in.jpg', bytes: () => ftyp('heic', 'mif1', 'heic'), ...CUT },
  // Not whole.
  { name: 'header-only.jpg', bytes: async () => (await jpeg()).subarray(0, 20), ...CUT },
  { name: 'signature-only.png', bytes: async () => (await png()).subarray(0, 8), ...CUT },
  { name: 'space-not-filled-yet.gif', bytes: () => gifWithZeros(4000, false), ...CUT },
  { name: 'header-only.gif', bytes: async () => (await gif()).subarray(0, 13), ...CUT },
  { name: 'header-only.webp', bytes: async () => (await webp()).subarray(0, 20), ...CUT },
  ...(
    [
      ['jpg', jpeg],
      ['png', png],
      ['gif', gif],
      ['webp', webp],
      ['tif', () => noise(60, 40).tiff({ compression: 'lzw' }).toBuffer()],
      ['avif', () => noise(60, 40).avif().toBuffer()],
    ] as const
  ).flatMap(([suffix, make]) =>
    [0.4, 0.95].map((share) => ({ name: `cut-at-${share}.${suffix}`, bytes: () => cut(make, share), ...CUT })),
  ),
  {
    name: 'cut-with-an-end.jpg',
    bytes: async () => Buffer.concat([await cut(jpeg, 0.7), Buffer.from([0xff, 0xd9])]),
    ...failed('damaged', 'pixels_broken'),
  },
  { name: 'broken-checksum.png', bytes: async () => withBrokenData(await png()), ...failed('damaged') },
  {
    name: 'impossible-header.png',
    bytes: () =>
      pngOf([
        { name: 'IHDR', data: Buffer.from('00000010000000100702000000', 'hex') },
        { name: 'IDAT', data: deflateSync(Buffer.alloc(900)) },
        { name: 'IEND', data: Buffer.alloc(0) },
      ]),
    ...failed('damaged', 'header_broken', {}),
  },
]

function withBrokenData(bytes: Buffer): Buffer {
  const broken = Buffer.from(bytes)
  broken[bytes.indexOf('IDAT') + 200]! ^= 0x55
  return broken
}

if (hasPrograms('convert'))
  ODD.push({
    name: 'ycck.jpg',
    bytes: async () => {
      const inks = await noise(60, 40).toColourspace('cmyk').tiff().toBuffer()
      const made = judge('convert', [fileOf('a.tif', inks), '-strip', '-colorspace', 'CMYK', 'jpeg:-'])
      expect(made.status, made.words).toBe(0)
      expect(made.out[made.out.indexOf('Adobe') + 11]).toBe(2)
      return made.out
    },
    ...done,
  })

it('odd files come to a state, each with the reason and the notes that are right for it, and none is sent for nothing', async () => {
  const pathOf = ({ recipe = 'webp', name }: Odd) => join(world.pictures, recipe, name)
  const jobs = new Map<string, JobView>()
  const engine = await world.engine(world.newDataFolder())
  for (const [folder, recipe] of Object.entries(RECIPES)) {
    await mkdir(join(world.pictures, folder))
    for (const odd of ODD) if ((odd.recipe ?? 'webp') === folder) await writeFile(pathOf(odd), await odd.bytes())
    const ended = await runToEnd(engine, [join(world.pictures, folder)], { recipe })
    for (const job of ended) jobs.set(job.source.path, job)
  }
  const wrong = ODD.flatMap((odd) => {
    const { name, state, code, said, values, notes = [] } = odd
    const job = jobs.get(pathOf(odd))
    const detail = job?.reason?.detail ?? null
    const read = detail !== null && 'code' in detail ? detail : null
    const shown = job?.notes.map((note) => (note.detail === null ? note.code : `${note.code}: ${note.detail}`))
    const seen = {
      state: job?.state,
      code: job?.reason?.code,
      // How much larger a file is depends on the encoder.
      notes: shown?.map((note) => note.replace(/^(converted_\w+): \d+$/, '$1: *')),
      ...(said && { said: read?.code }),
      ...(values && { values: read?.values ?? {} }),
    }
    const wanted = { state, code, notes, ...(said && { said }), ...(values && { values }) }
    return JSON.stringify(seen) === JSON.stringify(wanted)
      ? []
      : [{ recipe: odd.recipe ?? 'webp', name, seen, wanted, detail: job?.reason?.detail }]
  })
  expect(wrong).toEqual([])
  expect(ODD.length).toBeGreaterThanOrEqual(50)
  expect(world.charges).toHaveLength(ODD.filter(({ recipe, state }) => recipe === 'process' && state === 'done').length)
  for (const { reason } of jobs.values())
    expect(JSON.stringify(reason?.detail ?? null)).not.toMatch(/Vips|Unknown error|header:|\(\)/)
})
