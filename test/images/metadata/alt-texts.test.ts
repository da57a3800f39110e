import { describe, expect, it } from 'vitest'
import sharp from 'sharp'
import { describeWith, programs } from '../../needs.ts'
import type { AltText } from '../../../src/shared/jobs/job.ts'
import type { OutputType } from '../../../src/shared/recipes/recipe.ts'
import { chooseAltTexts, writeAltTexts } from '../../../src/main/images/metadata/alt-texts.ts'
import { MalformedImage } from '../../../src/main/images/metadata/container.ts'
import { gather, readLeniently } from '../../../src/main/images/metadata/gather.ts'
import { textsOf } from '../../../src/main/images/metadata/xmp.ts'
import { doImageTask } from '../../../src/main/images/image-work.ts'
import { exifBlock, jpegWithExif, noise, pictureCorpus } from '../pictures.ts'
import { bytesAt, everythingIn, pixelsOf, run, scratch, withFields, written } from './judges.ts'

const TEXTS: AltText[] = [
  { language: 'x-default', text: 'A heron & two <egrets> at “dawn”, 3 > 2' },
  { language: 'en', text: 'A heron & two <egrets> at “dawn”, 3 > 2' },
  { language: 'de', text: 'Ein Graureiher im Schilf, fünf Meter weit' },
  { language: 'ar', text: 'مالك الحزين عند الفجر' },
  { language: 'he', text: 'אנפה אפורה בשחר' },
  { language: 'ja', text: '夜明けのアオサギ 🐦‍⬛🌅' },
  { language: 'hi', text: 'भोर में बगुला' },
]

const typeOf = (name: string): OutputType => name.split('.')[1]!.replace('jpg', 'jpeg') as OutputType
const write = (bytes: Buffer, name: string, texts: readonly AltText[]): Buffer =>
  writeAltTexts({ bytes, type: typeOf(name) }, texts)

/** The alternatives in each file as exiftool reads them, by path. */
function readBack(paths: readonly string[]): Map<string, Record<string, string>> {
  const out = run('exiftool', ['-j', '-struct', '-a', '-XMP-iptcCore:all', ...paths]).toString()
  const rows = JSON.parse(out) as ({ SourceFile: string } & Record<string, unknown>)[]
  return new Map(
    rows.map(({ SourceFile, ...row }) => {
      const found = Object.entries(row).filter(([key]) => key.startsWith('AltTextAccessibility'))
      const nameOf = (key: string) => key.replace(/^AltTextAccessibility-?/, '') || 'x-default'
      return [SourceFile, Object.fromEntries(found.map(([key, value]) => [nameOf(key), String(value)]))]
    }),
  )
}

const asRecord = (texts: readonly AltText[]) => Object.fromEntries(texts.map(({ language, text }) => [language, text]))

/** The corpus of all five types, each also with as much metadata as exiftool can put into it. */
async function corpus(dir: string): Promise<[name: string, bytes: Buffer][]> {
  const plain = Object.entries(await pictureCorpus())
  const still = noise(64, 48)
  plain.push(['still.avif', await still.clone().avif().toBuffer()])
  plain.push(['clear-lossless.webp', await still.clone().ensureAlpha(0.4).webp({ lossless: true }).toBuffer()])
  plain.push(['turned.jpg', jpegWithExif(await still.clone().jpeg().toBuffer(), exifBlock(6, 'MM'))])
  plain.push(['wide-gamut.jpg', await still.clone().withIccProfile('p3').jpeg().toBuffer()])
  const fields = [
    '-XMP-photoshop:City=Zürich',
    ...['XMP-dc:Creator', 'EXIF:Artist', 'IPTC:By-line'].map((tag) => `-${tag}=Ann Lee`),
  ]
  const rich = plain.map(([name, bytes]) => [`rich-${name}`, bytes] as const)
  return [...plain, ...withFields(dir, rich, fields)]
}

/** The pixels by a program that is not sharp; AVIF by libavif. */
function pixels(dir: string, bytes: Buffer, name: string): Promise<Buffer> | Buffer {
  const extension = name.split('.')[1]!
  if (extension === 'avif') {
    const png = `${dir}/decoded.png`
    run('avifdec', ['--jobs', '1', written(dir, 'pixels.avif', bytes), png])
    return bytesAt(png)
  }
  if (name.includes('moving') && extension === 'webp') return sharp(bytes, { pages: -1 }).raw().toBuffer()
  return pixelsOf(dir, bytes, extension)
}

const JUDGES = ['exiftool', 'djpeg', 'dwebp', 'convert', 'pngcheck', 'webpmux', 'avifdec']

describeWith(programs(...JUDGES))('alt texts in a file', () => {
  it('are read back by exiftool in every language and type, with the same pixels and all other metadata', async () => {
    const dir = scratch()
    const fewer = [
      { language: 'x-default', text: 'Other' },
      { language: 'en', text: 'Other' },
    ]
    const files = (await corpus(dir)).map(([name, bytes]) => {
      const made = write(bytes, name, TEXTS)
      const changed = write(made, name, fewer)
      const paths = {
        before: written(dir, `before-${name}`, bytes),
        made: written(dir, `made-${name}`, made),
        changed: written(dir, `changed-${name}`, changed),
        none: written(dir, `none-${name}`, write(changed, name, [])),
      }
      return { name, bytes, made, changed, paths }
    })
    expect(files.length).toBeGreaterThan(20)
    const texts = readBack(files.flatMap(({ paths: { made, changed, none } }) => [made, changed, none]))
    const said = everythingIn(files.flatMap(({ paths: { before, made } }) => [before, made]))
    for (const { name, bytes, made, changed, paths } of files) {
      expect(texts.get(paths.made), name).toEqual(asRecord(TEXTS))
      expect((await pixels(dir, made, name)).equals(await pixels(dir, bytes, name)), name).toBe(true)
      if (name.endsWith('png')) expect(run('pngcheck', ['-q', paths.made]).toString(), name).toBe('')
      // What exiftool wrote into a lossless one before is not to the taste of webpmux.
      if (name.endsWith('webp') && !name.startsWith('rich')) run('webpmux', ['-info', paths.made])
      const OF_TEXTS = /AltTextAccessibility|XMPToolkit|^(?:File|Composite|Meta|QuickTime|RIFF|Extended):|MediaData/
      const others = (row: object) => Object.fromEntries(Object.entries(row).filter(([key]) => !OF_TEXTS.test(key)))
      expect(others(said.get(paths.made)!), name).toEqual(others(said.get(paths.before)!))
      const complaints = Object.keys(said.get(paths.made)!).filter((key) => /warning|error/i.test(key))
      expect(complaints, name).toEqual([])
      // Written again it is the same file, changed it has the new words only, and without them it has none.
      expect(write(made, name, TEXTS).equals(made), name).toBe(true)
      expect(texts.get(paths.changed), name).toEqual(asRecord(fewer))
      expect(changed.includes('Graureiher'), name).toBe(false)
      expect(texts.get(paths.none), name).toEqual({})
    }
  })

  it('do not make a file grow each time they change', async () => {
    let bytes: Buffer = await noise(64, 48).withXmp(packet('<dc:rights>Ann</dc:rights>')).jpeg().toBuffer()
    const sizes = new Set<number>()
    for (let n = 0; n < 20; n++) {
      bytes = write(bytes, 'a.jpg', [{ language: 'x-default', text: `Words ${n % 10}` }])
      sizes.add(bytes.length)
    }
    expect(sizes.size).toBe(1)
  })
})

const packet = (body: string, attributes = ''): string =>
  `<?xpacket begin="\uFEFF" id="W5M0MpCehiHzreSzNTczkc9d"?>\n<x:xmpmeta xmlns:x="adobe:ns:meta/" x:xmptk="Adobe XMP Core">\n ` +
  `<r:RDF xmlns:r="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><r:Description r:about="uuid:1 &amp; 2" xmlns:dc="http://purl.org/dc/elements/1.1/" ` +
  `xmlns:i="http://iptc.org/std/Iptc4xmpCore/1.0/xmlns/"${attributes}>${body}</r:Description></r:RDF></x:xmpmeta>${' '.repeat(100)}<?xpacket end="w"?>`

describe("a photographer's packet", () => {
  const OLD = '<r:Alt><r:li xml:lang="x-default">Old</r:li></r:Alt>'
  it.each([
    ['as an element', `<i:AltTextAccessibility>${OLD}</i:AltTextAccessibility>`, ''],
    ['as an attribute', '', ' i:AltTextAccessibility="Old"'],
  ])('with an alt text %s gets the new one, and its other properties stay alone', async (_how, old, attribute) => {
    const others = '<dc:rights><!-- mine --><r:Alt><r:li xml:lang="x-default">© Ann</r:li></r:Alt></dc:rights>'
    const xmp = packet(`${old}\n${others}`, attribute)
    const bytes = await noise(64, 48).withXmp(xmp).jpeg().toBuffer()
    const made = write(bytes, 'a.jpg', [{ language: 'x-default', text: 'New' }])
    for (const file of [made, write(made, 'a.jpg', [])]) {
      const { properties } = gather(readLeniently({ bytes: file, type: 'jpeg' }))
      expect(properties.map(({ name }) => name)).toEqual(
        file === made ? ['rights', 'AltTextAccessibility'] : ['rights'],
      )
      expect(properties.flatMap(({ value }) => textsOf(value))).toEqual(file === made ? ['© Ann', 'New'] : ['© Ann'])
    }
  })

  it('that cannot be read is not touched: the file is refused', async () => {
    const bytes = await noise(64, 48).withXmp('<x:xmpmeta xmlns:x="adobe:ns:meta/"><broken').jpeg().toBuffer()
    expect(() => write(bytes, 'a.jpg', TEXTS)).toThrow(MalformedImage)
    const long = [
      { language: 'x-default', text: 'ü'.repeat(9000) },
      ...'abcde'.split('').map((l) => ({ language: l, text: 'ü'.repeat(9000) })),
    ]
    const jpeg = await noise(64, 48).jpeg().toBuffer()
    const task = { kind: 'writeTexts', bytes: jpeg, texts: long } as const
    expect(await doImageTask(task)).toEqual({ ok: true, bytes: null })
    const webp = await noise(64, 48).webp().toBuffer()
    expect(await doImageTask({ ...task, bytes: webp })).toMatchObject({ ok: true, bytes: expect.anything() as object })
  })
})

describe('what is chosen for the files of an original', () => {
  const own =
    '<i:AltTextAccessibility><r:Alt><r:li xml:lang="x-default">My heron</r:li><r:li xml:lang="fr">Mon héron</r:li></r:Alt></i:AltTextAccessibility>'
  const texts: AltText[] = [
    { language: 'en', text: 'A heron on Lake Constance' },
    { language: 'de', text: 'Ein Reiher bei 47.6543, 9.1754' },
    { language: 'fr', text: 'Un héron' },
  ]
  const original = async (body: string) => ({
    bytes: await noise(64, 48).withXmp(packet(body)).jpeg().toBuffer(),
    type: 'jpeg' as const,
  })
  const city = '<p:City xmlns:p="http://ns.adobe.com/photoshop/1.0/">Lake Constance</p:City>'

  it('are the words of the original that the recipe keeps, and the texts that tell its place are held back', async () => {
    const file = await original(own + city)
    const words = [
      { language: 'x-default', text: 'My heron' },
      { language: 'fr', text: 'Mon héron' },
    ]
    expect(chooseAltTexts(file, 'keep-all', texts)).toEqual({ own: words, withheld: [] })
    expect(chooseAltTexts(file, 'keep-without-location', texts)).toEqual({ own: words, withheld: ['en', 'de'] })
    expect(chooseAltTexts(file, 'strip', texts)).toEqual({ own: [], withheld: ['en', 'de'] })
  })

  it('leave out words of the original that tell the place', async () => {
    const file = await original(own.replace('My heron', 'A heron at 47.6543, 9.1754'))
    expect(chooseAltTexts(file, 'keep-without-location', []).own).toEqual([{ language: 'fr', text: 'Mon héron' }])
  })
})
