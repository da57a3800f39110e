import { join } from 'node:path'
import { expect, it } from 'vitest'
import sharp from 'sharp'
import { describeWith, programs } from '../../needs.ts'
import { doImageTask } from '../../../src/main/images/image-work.ts'
import type { FileWithMetadata, Encoded } from '../../../src/main/images/image-messages.ts'
import type { MetadataPolicy } from '../../../src/shared/recipes/recipe.ts'
import { pngChunks, pngOf } from '../../../src/main/images/png-chunks.ts'
import { noteLost, type Finishing } from '../../../src/main/queue/finishing.ts'
import { jpegWithExif, noise } from '../pictures.ts'
import { bytesAt, everythingIn, exiftoolWith, run, scratch, written } from './judges.ts'

const limits = { framePixels: 1_000_000, totalPixels: 2_000_000 }
type Type = 'jpg' | 'png' | 'webp' | 'gif'

async function picture(type: Type): Promise<Buffer> {
  const image = noise(40, 30)
  if (type === 'jpg') return image.jpeg().toBuffer()
  return image.toFormat(type).toBuffer()
}

/** A picture with fields that exiftool wrote. */
async function withFields(dir: string, type: Type, fields: Record<string, string>): Promise<Buffer> {
  const path = written(dir, `source.${type}`, await picture(type))
  const lines = Object.entries(fields).map(([field, value]) => `-${field}=${value}`)
  exiftoolWith(dir, ['-m', '-q', '-overwrite_original', '-charset', 'iptc=utf8', ...lines, path])
  return bytesAt(path)
}

async function converted(bytes: Buffer, format: 'webp' | 'avif', metadata: MetadataPolicy): Promise<Encoded> {
  return (await doImageTask({ kind: 'encode', bytes, limits, options: { format, quality: 60, metadata } })) as Encoded
}

async function applied(served: Buffer, original: Buffer, metadata: MetadataPolicy): Promise<FileWithMetadata> {
  return (await doImageTask({ kind: 'applyMetadata', bytes: served, original, limits, metadata })) as FileWithMetadata
}

const fieldsOf = (dir: string, name: string, bytes: Uint8Array): Record<string, unknown> =>
  [...everythingIn([written(dir, name, bytes)]).values()][0] ?? {}

const IPTC = {
  'IPTC:CodedCharacterSet': 'UTF8',
  'IPTC:By-line': 'Zoë Ånn',
  'IPTC:Credit': 'Agency One',
  'IPTC:Source': 'The Source',
  'IPTC:CopyrightNotice': '© Zoë',
}
const XMP = {
  'XMP-dc:Creator': 'Zoë Ånn',
  'XMP-photoshop:Credit': 'Agency One',
  'XMP-photoshop:Source': 'The Source',
  'XMP-dc:Rights': '© Zoë',
  'XMP-xmpRights:UsageTerms': 'Ask first',
  'XMP-xmpRights:WebStatement': 'https://example.org/rights',
  'XMP-xmpRights:Marked': 'True',
}
const AGENCY = {
  'XMP-dc:Creator': 'Zoë Ånn',
  'XMP-photoshop:Credit': 'Agency One',
  'XMP-photoshop:Source': 'The Source',
  'XMP-dc:Rights': '© Zoë',
}
const AUTHOR = { 'XMP-dc:Creator': 'Zoë Ånn', 'XMP-dc:Rights': '© Zoë' }
const LICENCE = {
  'XMP-cc:License': 'https://creativecommons.org/licenses/by/4.0/',
  'XMP-cc:AttributionName': 'Zoë Ånn',
  'XMP-cc:AttributionURL': 'https://example.org/zoe',
}
const ALL_OF_XMP = { ...XMP, 'XMP-xmpRights:Marked': true }

/** Where credits stand, and what is read of them in every result. */
const SOURCES: [from: string, type: Type, fields: Record<string, string>, credits: Record<string, unknown>][] = [
  ['IPTC alone', 'jpg', IPTC, AGENCY],
  ['EXIF', 'jpg', { 'EXIF:Artist': 'Zoë Ånn', 'EXIF:Copyright': '© Zoë' }, AUTHOR],
  ["Windows' author", 'jpg', { 'EXIF:XPAuthor': 'Zoë Ånn' }, { 'XMP-dc:Creator': 'Zoë Ånn' }],
  ['XMP', 'jpg', XMP, ALL_OF_XMP],
  ['PNG text', 'png', { 'PNG:Author': 'Zoë Ånn', 'PNG:Copyright': '© Zoë' }, AUTHOR],
  ['IPTC in a raw profile of PNG', 'png', IPTC, AGENCY],
  ['XMP of PNG', 'png', XMP, ALL_OF_XMP],
  ['XMP of WebP', 'webp', XMP, ALL_OF_XMP],
  ['EXIF of WebP', 'webp', { 'EXIF:Artist': 'Zoë Ånn', 'EXIF:Copyright': '© Zoë' }, AUTHOR],
  ['XMP of GIF', 'gif', XMP, ALL_OF_XMP],
  ['Creative Commons', 'jpg', LICENCE, LICENCE],
  ['Creative Commons of PNG', 'png', LICENCE, LICENCE],
  ["XMP's copy of EXIF", 'jpg', { 'XMP-tiff:Artist': 'Zoë Ånn', 'XMP-tiff:Copyright': '© Zoë' }, AUTHOR],
]

describeWith(programs('exiftool'))('credits', () => {
  it.each(SOURCES)('from %s (%s) stand in XMP of every result', async (_from, type, fields, credits) => {
    const dir = scratch()
    const original = await withFields(dir, type, fields)
    for (const policy of ['keep-without-location', 'keep-all'] as const) {
      if (type !== 'webp') {
        const made = await converted(original, 'webp', policy)
        expect(made.lost).toEqual([])
        expect(fieldsOf(dir, 'made.webp', made.bytes), policy).toMatchObject(credits)
      }
      const bare = await picture(type)
      for (const served of [bare, original]) {
        const back = await applied(served, original, policy)
        expect(back.lost).toEqual([])
        const read = fieldsOf(dir, `back.${type}`, back.bytes)
        // Everything kept: what is there in its own place is left there.
        if (!(policy === 'keep-all' && served === original)) expect(read, policy).toMatchObject(credits)
      }
    }
  })

  it('stand in the results also from what comes after the pixels of a PNG', async () => {
    const dir = scratch()
    for (const fields of [XMP, { 'EXIF:Artist': 'Zoë Ånn', 'EXIF:Copyright': '© Zoë' }, LICENCE] as Record<
      string,
      string
    >[]) {
      const chunks = [...pngChunks(await withFields(dir, 'png', fields))]
      const isWords = ({ name }: { name: string }): boolean => ['iTXt', 'eXIf'].includes(name)
      const [end] = chunks.splice(-1)
      const late = pngOf([...chunks.filter((chunk) => !isWords(chunk)), ...chunks.filter(isWords), end!])
      expect(late.lastIndexOf('IDAT')).toBeLessThan(Math.max(late.indexOf('iTXt'), late.indexOf('eXIf')))
      const credits = 'EXIF:Artist' in fields ? AUTHOR : fields === XMP ? ALL_OF_XMP : LICENCE
      const made = await converted(late, 'webp', 'keep-without-location')
      expect(made.lost).toEqual([])
      expect(fieldsOf(dir, 'late.webp', made.bytes)).toMatchObject(credits)
      const back = await applied(await picture('png'), late, 'keep-without-location')
      expect(fieldsOf(dir, 'late.png', back.bytes)).toMatchObject(credits)
    }
  })

  it('stand in the results also from the photographer of Exif 3.0', async () => {
    const name = Buffer.from('Zoë Ånn\0')
    const head = Buffer.from(
      '457869660000' + '49492a0008000000' + '0100' + '69870400010000001a000000' + '00000000',
      'hex',
    )
    const entry = Buffer.from('0100' + '37a48100' + '000000002c000000' + '00000000', 'hex')
    entry.writeUInt32LE(name.length, 6)
    const original = jpegWithExif(await picture('jpg'), Buffer.concat([head, entry, name]))
    const dir = scratch()
    const author = { 'XMP-dc:Creator': 'Zoë Ånn' }
    const made = await converted(original, 'webp', 'keep-without-location')
    expect(fieldsOf(dir, 'made.webp', made.bytes)).toMatchObject(author)
    const back = await applied(await picture('jpg'), original, 'keep-without-location')
    expect(fieldsOf(dir, 'back.jpg', back.bytes)).toMatchObject(author)
  })

  it('go into AVIF too, and the picture is still one for other programs', async () => {
    const dir = scratch()
    const original = await withFields(dir, 'jpg', {
      ...IPTC,
      'EXIF:Make': 'Camera',
      'EXIF:DateTimeOriginal': '2026:01:02 03:04:05',
    })
    const made = await converted(original, 'avif', 'keep-without-location')
    expect(fieldsOf(dir, 'made.avif', made.bytes)).toMatchObject({ ...AGENCY, 'IFD0:Make': 'Camera' })
    const bare = await converted(original, 'avif', 'strip')
    const pixels = (name: string, bytes: Uint8Array): Buffer => {
      run('avifdec', [written(dir, name, bytes), join(dir, 'out.png')])
      return run('convert', [join(dir, 'out.png'), '-strip', 'rgba:-'])
    }
    expect(pixels('a.avif', made.bytes).equals(pixels('b.avif', bare.bytes))).toBe(true)
  })

  it('are not put back where metadata is removed', async () => {
    const dir = scratch()
    const original = await withFields(dir, 'jpg', { ...IPTC, ...XMP })
    const back = await applied(await picture('jpg'), original, 'strip')
    expect(Buffer.from(back.bytes).equals(await picture('jpg'))).toBe(true)
    const stripped = fieldsOf(dir, 'stripped.jpg', (await applied(original, original, 'strip')).bytes)
    expect(Object.keys(stripped).filter((key) => /^(?:XMP|IPTC|IFD|ExifIFD|Photoshop)/.test(key))).toEqual([])
  })

  it('stand in a packet that is split over segments too, and a depth map that is split is no lost credit', async () => {
    const jpeg = await picture('jpg')
    const rdf = (body: string): string =>
      `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:g="http://ns.google.com/photos/1.0/depthmap/">${body}</rdf:Description></rdf:RDF></x:xmpmeta>`
    const split = (guid: string, packet: Buffer): Buffer[] => {
      const parts: Buffer[] = []
      for (let at = 0; at < packet.length; at += 60_000) {
        const head = Buffer.from(`\xff\xe1..http://ns.adobe.com/xmp/extension/\0${guid}........`, 'latin1')
        const part = packet.subarray(at, at + 60_000)
        head.writeUInt32BE(packet.length, head.length - 8)
        head.writeUInt32BE(at, head.length - 4)
        head.writeUInt16BE(head.length - 2 + part.length, 2)
        parts.unshift(Buffer.concat([head, part]))
      }
      return parts
    }
    const words = Buffer.from(rdf(`<dc:rights>© Zoë</dc:rights><dc:identifier>${'x'.repeat(90_000)}</dc:identifier>`))
    const depth = Buffer.from(rdf(`<g:Data>${'A'.repeat(400_000)}</g:Data>`))
    const segments = [...split('1'.repeat(32), words), ...split('2'.repeat(32), depth)]
    const original = Buffer.concat([jpeg.subarray(0, 2), ...segments, jpeg.subarray(2)])
    const made = await converted(original, 'webp', 'keep-without-location')
    expect(made.lost).toEqual([])
    expect(Buffer.from(made.bytes).includes('© Zoë')).toBe(true)
  })

  it('that could not be kept are listed', async () => {
    const dir = scratch()
    const original = await withFields(dir, 'jpg', {
      'XMP-dc:Creator': 'Ann',
      'XMP-photoshop:Credit': 'Agency at 47.376887, 8.541694',
    })
    expect((await converted(original, 'webp', 'keep-without-location')).lost).toEqual(['credit'])
    expect((await converted(original, 'webp', 'keep-all')).lost).toEqual([])
    const broken = Buffer.from('<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF')
    const jpeg = await picture('jpg')
    const head = Buffer.from('\xff\xe1..http://ns.adobe.com/xap/1.0/\0', 'latin1')
    head.writeUInt16BE(head.length - 2 + broken.length, 2)
    const odd = Buffer.concat([jpeg.subarray(0, 2), head, broken, jpeg.subarray(2)])
    expect((await converted(odd, 'webp', 'keep-without-location')).lost).toEqual(['unreadable'])
  })
})

describeWith(programs('exiftool'))('words beside the credits', () => {
  it('are named as lost where a JPEG has no room for them, and are in the converted file', async () => {
    const dir = scratch()
    const words = Object.fromEntries(
      ['dc:Description', 'photoshop:Headline', 'photoshop:Instructions'].map((field) => [
        `XMP-${field}`,
        'word '.repeat(3950),
      ]),
    )
    const served = await withFields(dir, 'jpg', { ...words, 'XMP-dc:Title': 'A title' })
    const original = await withFields(dir, 'jpg', {
      'EXIF:Artist': 'Zoë Ånn',
      'EXIF:Copyright': `© ${'Zoë '.repeat(200)}`,
    })
    const back = await applied(served, original, 'keep-without-location')
    expect(back.lost).toEqual(['descriptions'])
    const read = fieldsOf(dir, 'back.jpg', back.bytes)
    expect(read).toMatchObject({ 'XMP-dc:Creator': 'Zoë Ånn' })
    expect(read).not.toHaveProperty('XMP-dc:Title')
    expect((await applied(served, served, 'keep-without-location')).lost).toEqual([])
    const made = await converted(served, 'webp', 'keep-without-location')
    expect(made.lost).toEqual([])
    expect(fieldsOf(dir, 'made.webp', made.bytes)).toMatchObject({ 'XMP-dc:Title': 'A title' })
  })

  it('are one note of a job, beside that on credits', () => {
    const work = { notes: [], lostCredits: new Set() } as unknown as Finishing
    noteLost(work, ['descriptions', 'creator'])
    noteLost(work, ['descriptions', 'license', 'creator'])
    expect(work.notes).toEqual([
      { code: 'descriptions_lost', detail: null },
      { code: 'credits_lost', detail: 'creator,license' },
    ])
  })
})

describeWith(programs('exiftool'))('keeping all', () => {
  it('carries IPTC over as the equivalents in XMP, names of places included', async () => {
    const dir = scratch()
    const original = await withFields(dir, 'jpg', {
      ...IPTC,
      'IPTC:City': 'Zürich',
      'IPTC:Keywords': 'lake',
      'IPTC:Headline': 'A lake',
      'IPTC:Caption-Abstract': 'A lake in Zürich',
    })
    const made = await converted(original, 'webp', 'keep-all')
    expect(fieldsOf(dir, 'made.webp', made.bytes)).toMatchObject({
      ...AGENCY,
      'XMP-photoshop:City': 'Zürich',
      'XMP-photoshop:Headline': 'A lake',
      'XMP-dc:Description': 'A lake in Zürich',
    })
  })

  it('leaves the file of the service exactly as it came when it has all credits', async () => {
    const dir = scratch()
    const original = await withFields(dir, 'jpg', { ...IPTC, 'EXIF:GPSLatitude': '47.3', 'EXIF:GPSLatitudeRef': 'N' })
    const back = await applied(original, original, 'keep-all')
    expect(Buffer.from(back.bytes).equals(original)).toBe(true)
  })
})

describeWith(programs('exiftool'))('the EXIF of a converted file', () => {
  it.each(['webp', 'avif'] as const)('is one that exiftool calls proper (%s)', async (format) => {
    const dir = scratch()
    const block = {
      'EXIF:Make': 'Camera',
      'EXIF:Artist': 'Ann',
      'EXIF:ISO': '200',
      'EXIF:Orientation#': '6',
      'EXIF:GPSLatitude': '47.3',
    }
    const original = await withFields(dir, 'jpg', block)
    for (const policy of ['keep-without-location', 'keep-all'] as const) {
      const made = await converted(original, format, policy)
      const read = fieldsOf(dir, `made.${format}`, made.bytes)
      expect(Object.keys(read).filter((key) => /warning|error/i.test(key))).toEqual([])
      expect(read).toMatchObject({ 'IFD0:Make': 'Camera', 'ExifIFD:ISO': 200 })
      const validation = run('exiftool', [
        '-validate',
        '-warning',
        '-error',
        '-a',
        written(dir, `v.${format}`, made.bytes),
      ])
      expect(validation.toString()).not.toMatch(/Improper EXIF|Error|Bad|offset/i)
      expect((await sharp(made.bytes).metadata()).orientation ?? 1).toBe(1)
    }
  })
})
