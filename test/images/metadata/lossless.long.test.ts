import { join } from 'node:path'
import { deflateSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import sharp from 'sharp'
import { describeWith, programs } from '../../needs.ts'
import { workedMs } from '../../worked-ms.ts'
import { doImageTask } from '../../../src/main/images/image-work.ts'
import type { FileWithMetadata } from '../../../src/main/core/picture-tasks.ts'
import { applyMetadata as applyTo } from '../../../src/main/images/metadata/apply-metadata.ts'
import { png } from '../../../src/main/images/metadata/png.ts'
import { webp } from '../../../src/main/images/metadata/webp.ts'
import { gif } from '../../../src/main/images/metadata/gif.ts'
import { MalformedImage } from '../../../src/main/images/metadata/container.ts'
import { MetadataPolicy, type OutputType } from '../../../src/shared/recipes/recipe.ts'
import {
  animation,
  exifBlock,
  jpegWithExif,
  noise,
  pictureCorpus,
  seededRandom,
  withSegment,
  xmpPacket,
} from '../pictures.ts'
import { pngChunks, pngOf } from '../../../src/main/images/png-chunks.ts'
import type { Tags } from '../../pictures/programs.ts'
import { wordsLeft } from '../../pictures/words-of-picture.ts'
import { applied, LIMITS } from '../tasks.ts'
import { everythingIn, pixelsOf, run, scratch, withFields, written } from './judges.ts'

const NO_SHAPES = { original: null, result: null }
const typeOf = (name: string): OutputType => name.split('.')[1]!.replace('jpg', 'jpeg') as OutputType

const applyMetadata = async (...task: Parameters<typeof applied>) => (await applied(...task)).bytes

const FIELDS = [
  '-XMP-dc:Creator=Ann Lee',
  '-XMP-drone-dji:GpsLatitude=47.376887',
  '-XMP-dc:Description=Canary Hill 47.376887, 8.541694',
  '-EXIF:Artist=Ann Lee',
  // As rationals: nothing of it is found as text.
  '-EXIF:GPSLatitude=47.376887',
  '-EXIF:GPSLatitudeRef=N',
  '-IPTC:City=Canary Hill',
  '-PNG:Comment=Canary Hill 47.376887, 8.541694',
  '-Comment=Canary Hill 47.376887, 8.541694',
]

/** The corpus, each with a place and an author as far as its format can hold them. */
async function locatedCorpus(dir: string): Promise<[name: string, bytes: Buffer][]> {
  const corpus = Object.entries(await pictureCorpus()).filter(([name]) => !name.endsWith('avif'))
  corpus.push(['turned.jpg', jpegWithExif(await noise(60, 20).jpeg().toBuffer(), exifBlock(6, 'MM'))])
  corpus.push(['wide-gamut.jpg', await noise(40, 30).withIccProfile('p3').jpeg().toBuffer()])
  corpus.push(['wide-gamut.webp', await noise(40, 30).withIccProfile('p3').webp().toBuffer()])
  corpus.push(['wide-gamut.png', await noise(40, 30).withIccProfile('p3').png().toBuffer()])
  const clear = {
    create: { width: 32, height: 24, channels: 4, background: { r: 9, g: 90, b: 200, alpha: 0.4 } },
  } as const
  corpus.push(['clear.webp', await sharp(clear).webp().toBuffer()], ['clear.png', await sharp(clear).png().toBuffer()])
  corpus.push(['clear-lossless.webp', await sharp(clear).webp({ lossless: true }).toBuffer()])
  return withFields(dir, corpus, FIELDS)
}

const JUDGES = ['exiftool', 'djpeg', 'dwebp', 'convert', 'pngcheck', 'webpmux']

describeWith(programs(...JUDGES))('a file of the service that is given other metadata', () => {
  it.each(MetadataPolicy.options)(
    'has the same pixels, profile and turn for other programs (%s)',
    async (policy) => {
      const dir = scratch()
      for (const [name, bytes] of await locatedCorpus(dir)) {
        const extension = name.split('.')[1]!
        const made = await applyMetadata(bytes, bytes, policy)
        if (policy !== 'keep-all') expect(made.includes('Canary') || made.includes('376887'), name).toBe(false)
        if (policy !== 'strip') expect(made.includes('Ann Lee'), name).toBe(true)
        if (name.startsWith('moving') && extension === 'webp') {
          const [before, after] = await Promise.all(
            [bytes, made].map((file) => sharp(file, { pages: -1 }).raw().toBuffer()),
          )
          expect(before!.equals(after!), name).toBe(true)
          expect(run('webpmux', ['-info', written(dir, 'made.webp', made)]).toString(), name).toMatch(/frames: 3/)
        } else expect(pixelsOf(dir, made, extension).equals(pixelsOf(dir, bytes, extension)), name).toBe(true)
        const [before, after] = await Promise.all([bytes, made].map((file) => sharp(file).metadata()))
        for (const key of ['icc', 'orientation', 'hasAlpha'] as const)
          expect([after![key], key], name).toEqual([
            key === 'orientation' && before![key] === 1 ? after![key] : before![key],
            key,
          ])
        const path = written(dir, `made.${extension}`, made)
        if (extension === 'png') expect(run('pngcheck', ['-q', path]).toString(), name).toBe('')
        const said = [...everythingIn([path]).values()][0]!
        const placed = Object.keys(said).some((key) => /GPS/i.test(key))
        if (extension !== 'gif') expect(placed, name).toBe(policy === 'keep-all')
        expect(
          Object.entries(said).filter(([key]) => /warning|error/i.test(key)),
          name,
        ).toEqual([])
      }
    },
    300_000,
  )

  it('is the very same file when there is nothing to do', async () => {
    for (const [name, bytes] of Object.entries(await pictureCorpus())) {
      if (name === 'with-exif.jpg' || name.endsWith('avif')) continue
      for (const policy of MetadataPolicy.options)
        expect((await applyMetadata(bytes, bytes, policy)).equals(bytes), `${name} ${policy}`).toBe(true)
    }
  })
})

describe('what stands behind or between the parts of a picture', () => {
  const secret = Buffer.from('Canary Hill 47.376887')

  it('is left out, whatever it is', async () => {
    const jpeg = await noise(40, 30).jpeg({ progressive: true }).toBuffer()
    const first = 4 + jpeg.readUInt16BE(4)
    const scan = jpeg.lastIndexOf(Buffer.from([0xff, 0xda]))
    const segment = Buffer.concat([Buffer.from([0xff, 0xe9, 0, secret.length + 2]), secret])
    const comment = Buffer.concat([Buffer.from([0xff, 0xfe, 0, secret.length + 2]), secret])
    const head = Buffer.from('\xff\xe0\0\x25JFIF\0\x01\x01\0\0\x01\0\x01\x07\x01', 'latin1')
    const jfif = Buffer.concat([head, secret])
    const webp = await noise(40, 30).webp().toBuffer()
    const chunk = Buffer.concat([Buffer.from('SECR\x15\0\0\0'), secret, Buffer.alloc(1)])
    const wider = Buffer.concat([webp, chunk])
    wider.writeUInt32LE(wider.length - 8, 4)
    const video = Buffer.concat([Buffer.from('\0\0\0\x18ftypmp42\0\0\0\0mp42isom', 'latin1'), secret])
    const files: Record<string, Buffer> = {
      'behind.jpg': Buffer.concat([jpeg, video]),
      'between-scans.jpg': Buffer.concat([jpeg.subarray(0, scan), segment, comment, jpeg.subarray(scan)]),
      'between-segments.jpg': Buffer.concat([jpeg.subarray(0, first), secret, jpeg.subarray(first)]),
      'jfif-thumbnail.jpg': Buffer.concat([jpeg.subarray(0, 2), jfif, jpeg.subarray(2)]),
      'behind.png': Buffer.concat([await noise(40, 30).png().toBuffer(), video]),
      'behind.gif': Buffer.concat([await animation('gif'), video]),
      'behind.webp': Buffer.concat([webp, video]),
      'chunk.webp': wider,
    }
    for (const [name, bytes] of Object.entries(files)) {
      expect(bytes.includes(secret), name).toBe(true)
      for (const policy of ['keep-without-location', 'strip'] as const) {
        const made = await applyMetadata(bytes, bytes, policy)
        expect(made.includes('Canary') || made.includes('376887'), name).toBe(false)
        const [before, after] = await Promise.all(
          [bytes, made].map((file) => sharp(file, { pages: -1, failOn: 'none' }).raw().toBuffer()),
        )
        expect(before!.equals(after!), name).toBe(true)
      }
      expect((await applyMetadata(bytes, bytes, 'keep-all')).equals(bytes), name).toBe(true)
    }
  })
})

describeWith(programs('exiftool'))('a file of the service under a recipe that removes metadata', () => {
  const block = (...parts: (string | number[])[]): Buffer =>
    Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : Buffer.from(part))))

  /** Of each format one with words in every place that another program reads, or passes over. */
  async function wordy(): Promise<[name: string, bytes: Buffer][]> {
    const ducky = 'Ducky\0\x01\0\x04\0\0\0\x50\0\x02\0\x0a\0\0\0\x06Canary'
    const segments: [marker: number, words: string][] = [
      [0xfe, 'Canary'],
      [0xee, 'Adobe\0\x64\0\0\0\0\x01Canary'],
      [0xea, 'Canary'],
      ...[0xef, 0xec, 0xeb, 0xea, 0xe9, 0xe8, 0xe7, 0xe6, 0xe5, 0xe4, 0xe3].map((of): [number, string] => [of, ducky]),
      [0xe0, 'JFXX\0\x10Canary'],
    ]
    let jpeg: Buffer = await noise(40, 30).jpeg().toBuffer()
    for (const [marker, words] of segments) jpeg = withSegment(jpeg, marker, Buffer.from(words, 'latin1'))
    const [header, ...chunks] = [...pngChunks(await noise(40, 30).png().toBuffer())]
    const time = { name: 'tIME', data: Buffer.from([7, 0xea, 8, 1, 12, 30, 15]) }
    const size = { name: 'sCAL', data: block([1], '0.0123\x000.0456') }
    const moved = { name: 'oFFs', data: Buffer.from([0, 0, 1, 1, 0, 0, 1, 1, 0]) }
    const comment = { name: 'tEXt', data: Buffer.from('Comment\0Canary') }
    const gif = await animation('gif')
    const first = gif.indexOf(Buffer.from([0x21, 0xf9, 4]))
    const inGif = Buffer.concat([
      gif.subarray(0, first),
      block([0x21, 0xff, 11], 'NETSCAPE2.0', [3, 1, 0, 0], [6], 'Canary', [0]),
      block([0x21, 0xfe, 6], 'Canary', [0]),
      block([0x21, 0xff, 11], 'Canary_1.00', [6], 'Canary', [0]),
      block([0x21, 0x01, 12], [0, 0, 0, 0, 9, 0, 9, 0, 8, 8, 1, 0], [6], 'Canary', [0]),
      gif.subarray(first, first + 7),
      block([6], 'Canary', [0]),
      gif.subarray(first + 8),
    ])
    const webp = Buffer.concat([await noise(40, 30).webp().toBuffer(), block('SECR', [6, 0, 0, 0], 'Canary')])
    webp.writeUInt32LE(webp.length - 8, 4)
    return [
      ['wordy.jpg', jpeg],
      ['wordy.png', pngOf([header!, time, size, moved, comment, ...chunks])],
      ['wordy.gif', inGif],
      ['wordy.webp', webp],
    ]
  }

  it('has no words, dates or places in it, by exiftool', async () => {
    const dir = scratch()
    const left: string[] = []
    for (const [name, bytes] of withFields(dir, await wordy(), FIELDS)) {
      const before = everythingIn([written(dir, name, bytes)]).get(join(dir, name)) as Tags
      expect(wordsLeft(before).length, name).toBeGreaterThan(2)
      const made = await applyMetadata(bytes, bytes, 'strip')
      const after = everythingIn([written(dir, `made-${name}`, made)]).get(join(dir, `made-${name}`)) as Tags
      left.push(...wordsLeft(after).map((words) => `${name}: ${words}`))
      expect(made.includes('Canary'), name).toBe(false)
      const [seen, now] = await Promise.all([bytes, made].map((file) => sharp(file, { pages: -1 }).raw().toBuffer()))
      expect(seen!.equals(now!), name).toBe(true)
    }
    expect(left).toEqual([])
  })
})

describe('damaged files', () => {
  const seed = Number(process.env['HANGAR_METADATA_SEED'] ?? 20_260_801)

  it(`come out clean or are refused, and nothing else is thrown (HANGAR_METADATA_SEED=${seed})`, async () => {
    const dir = scratch()
    const random = seededRandom(seed)
    const below = (limit: number): number => Math.floor(random() * limit)
    const corpus = programs('exiftool') === null ? await locatedCorpus(dir) : Object.entries(await pictureCorpus())
    const results = { clean: 0, refused: 0 }
    for (const [name, bytes] of corpus)
      for (let round = 0; round < 300; round++) {
        const broken = Buffer.from(round % 3 === 0 ? bytes.subarray(0, below(bytes.length)) : bytes)
        // Where the metadata is: what is in the pixels is no business of this.
        const reach = round % 2 === 0 ? Math.min(broken.length, 900) : broken.length
        for (let n = 0; n <= round % 4 && broken.length > 0; n++) broken[below(reach)] = below(256)
        const type = typeOf(name)
        try {
          const made = applyTo({ bytes: broken, type }, { bytes, type }, 'keep-without-location', NO_SHAPES)
          results.clean += 1
          // A colour table of a GIF that became longer swallows what is behind it: those are colours then.
          const left = name.endsWith('gif') ? Buffer.from(JSON.stringify(gif.read(made.bytes))) : made.bytes
          expect(left.includes('376887') || left.includes('Canary Hill'), `${name}, round ${round}`).toBe(false)
        } catch (error) {
          if (!(error instanceof MalformedImage) && !(error instanceof RangeError)) throw error
          results.refused += 1
        }
      }
    expect(results.clean).toBeGreaterThan(500)
    expect(results.refused).toBeGreaterThan(500)
  })

  it('as originals give nothing to a conversion and do not stop it', async () => {
    const random = seededRandom(seed + 1)
    const encoded = await noise(40, 30).webp().toBuffer()
    const original = jpegWithExif(await noise(60, 20).jpeg().toBuffer(), exifBlock(6, 'II'))
    for (let round = 0; round < 500; round++) {
      const broken = Buffer.from(original.subarray(0, Math.floor(random() * original.length)))
      for (let n = 0; n < 5 && broken.length > 0; n++)
        broken[Math.floor(random() * broken.length)] = Math.floor(random() * 256)
      for (const policy of MetadataPolicy.options)
        expect(
          applyTo({ bytes: encoded, type: 'webp' }, { bytes: broken, type: 'jpeg' }, policy, NO_SHAPES).bytes.length,
        ).toBeGreaterThan(0)
    }
  })

  it('cannot be cleaned, says the worker, which leaves them as they are only where everything is kept', async () => {
    const jpeg = await noise(40, 30).jpeg().toBuffer()
    const cut = jpeg.subarray(0, jpeg.length - 20)
    const original = jpegWithExif(jpeg, exifBlock(1, 'II'))
    const task = { kind: 'applyMetadata', bytes: cut, original, limits: LIMITS } as const
    for (const metadata of ['keep-without-location', 'strip'] as const)
      expect(await doImageTask({ ...task, metadata })).toEqual({ ok: true, bytes: null })
    const kept = (await doImageTask({ ...task, metadata: 'keep-all' })) as FileWithMetadata
    expect(Buffer.from(kept.bytes).equals(cut)).toBe(true)
  })
})

describe('XMP and texts that are made to take long', () => {
  const namespaces = 'xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:a="http://ns.adobe.com/photoshop/1.0/"'
  const rdf = (body: string): Buffer => Buffer.from(xmpPacket(namespaces, body))
  const times = (count: number, part: (n: number) => string): string =>
    Array.from({ length: count }, (_, n) => part(n)).join('')
  const list = (name: string, item: string): string =>
    `<${name}><rdf:Bag>${times(5000, (n) => `<rdf:li>${item}${n}</rdf:li>`)}</rdf:Bag></${name}>`

  // Unbounded, each of these took between seconds and a minute; the test's own limit is what they may take together.
  it.each<[string, string]>([
    ['many properties', times(9000, (n) => `<dc:p${n}>x</dc:p${n}>`)],
    ['many places and keywords', list('a:City', 'place') + list('dc:subject', 'word ')],
    ['long runs of digits', times(12, (n) => `<dc:p${n}>${'1 '.repeat(9900)}</dc:p${n}>`)],
    ['digits and hemispheres', times(12, (n) => `<dc:p${n}>${'2222'.repeat(4900)}</dc:p${n}>`)],
    ['many attributes', `<dc:x ${times(12_000, (n) => `a:q${n}="1"`.concat(' '))}/>`],
    ['depth', '<dc:a>'.repeat(30_000)],
  ])('are done with soon: %s', async (_what, body) => {
    const encoded = await noise(16, 16).webp().toBuffer()
    const packed = await noise(16, 16).webp().withXmp('<x/>').toBuffer()
    const planted = webp.rewrite(packed, { xmp: rdf(body) }, 'picture')
    const startMs = workedMs()
    const [served, original] = [encoded, planted].map((bytes) => ({ bytes, type: 'webp' as const }))
    const made = applyTo(served!, original!, 'keep-without-location', NO_SHAPES)
    expect(made.bytes.length).toBeGreaterThan(0)
    expect(workedMs() - startMs).toBeLessThan(30_000)
  })

  it('are not inflated beyond a bound, however many there are', async () => {
    const bomb = deflateSync(Buffer.alloc(7 * 1_048_576, 'a'))
    const chunk = (n: number): Buffer => {
      const named = Buffer.concat([Buffer.from(`zTXtAuthor${n}\0\0`, 'latin1'), bomb])
      const whole = Buffer.alloc(named.length + 8)
      whole.writeUInt32BE(named.length - 4, 0)
      named.copy(whole, 4)
      return whole
    }
    const bytes = await noise(16, 16).png().toBuffer()
    const found = png.read(
      Buffer.concat([bytes.subarray(0, 33), ...Array.from({ length: 40 }, (_, n) => chunk(n)), bytes.subarray(33)]),
    )
    expect(found.texts.reduce((sum, { value }) => sum + value.length, 0)).toBeLessThanOrEqual(8 * 1_048_576)
  })
})
