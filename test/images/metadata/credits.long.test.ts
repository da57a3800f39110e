import { join } from 'node:path'
import { expect, it } from 'vitest'
import sharp from 'sharp'
import { describeWith, programs } from '../../needs.ts'
import type { MetadataPolicy } from '../../../src/shared/recipes/recipe.ts'
import { pngChunks, pngOf } from '../../../src/main/images/png-chunks.ts'
import { noteLost, type Finishing } from '../../../src/main/queue/finishing.ts'
import { exifDirectory, exifOf, jpegWithExif, noise, withSegment, withXmp, xmpPacket } from '../pictures.ts'
import { applied, encoded } from '../tasks.ts'
import { fieldsOf, run, scratch, tagged, withFields as writtenBy, written } from './judges.ts'

type Type = 'jpg' | 'png' | 'webp' | 'gif'

const picture = (type: Type) =>
  noise(40, 30)
    .toFormat(type === 'jpg' ? 'jpeg' : type)
    .toBuffer()

/** A picture with fields that exiftool wrote. */
const withFields = async (dir: string, type: Type, fields: Record<string, string>): Promise<Buffer> =>
  tagged(dir, type, await picture(type), fields)

const converted = (bytes: Buffer, format: 'webp' | 'avif', metadata: MetadataPolicy) =>
  encoded(bytes, { format, quality: 60, metadata })

const AUTHOR = { 'XMP-dc:Creator': 'Zoë Ånn', 'XMP-dc:Rights': '© Zoë' }
const AGENCY = { ...AUTHOR, 'XMP-photoshop:Credit': 'Agency One', 'XMP-photoshop:Source': 'The Source' }
const EXIF = { 'EXIF:Artist': 'Zoë Ånn', 'EXIF:Copyright': '© Zoë' }
const IPTC = {
  'IPTC:CodedCharacterSet': 'UTF8',
  'IPTC:By-line': 'Zoë Ånn',
  'IPTC:Credit': 'Agency One',
  'IPTC:Source': 'The Source',
  'IPTC:CopyrightNotice': '© Zoë',
}
const XMP = {
  ...AGENCY,
  'XMP-xmpRights:UsageTerms': 'Ask first',
  'XMP-xmpRights:WebStatement': 'https://example.org/rights',
  'XMP-xmpRights:Marked': 'True',
}
const LICENCE = {
  'XMP-cc:License': 'https://creativecommons.org/licenses/by/4.0/',
  'XMP-cc:AttributionName': 'Zoë Ånn',
  'XMP-cc:AttributionURL': 'https://example.org/zoe',
}
const ALL_OF_XMP = { ...XMP, 'XMP-xmpRights:Marked': true }

/** The payload of a segment with IPTC records. */
function photoshop(records: readonly (readonly [record: number, dataSet: number, value: string])[]): Buffer {
  const iim = Buffer.concat(
    records.map(([record, dataSet, value]) =>
      Buffer.concat([Buffer.from([0x1c, record, dataSet, 0, value.length]), Buffer.from(value, 'latin1')]),
    ),
  )
  const head = Buffer.from('Photoshop 3.0\x008BIM\x04\x04\0\0\0\0\0\0', 'latin1')
  head.writeUInt32BE(iim.length, head.length - 4)
  return Buffer.concat([head, iim, Buffer.alloc(iim.length & 1)])
}

/** Where credits stand, and what is read of them in every result. */
const SOURCES: [from: string, type: Type, fields: Record<string, string>, credits: Record<string, unknown>][] = [
  ['IPTC alone', 'jpg', IPTC, AGENCY],
  ['EXIF', 'jpg', EXIF, AUTHOR],
  ["Windows' author", 'jpg', { 'EXIF:XPAuthor': 'Zoë Ånn' }, { 'XMP-dc:Creator': 'Zoë Ånn' }],
  ['XMP', 'jpg', XMP, ALL_OF_XMP],
  ['PNG text', 'png', { 'PNG:Author': 'Zoë Ånn', 'PNG:Copyright': '© Zoë' }, AUTHOR],
  ['IPTC in a raw profile of PNG', 'png', IPTC, AGENCY],
  ['XMP of PNG', 'png', XMP, ALL_OF_XMP],
  ['XMP of WebP', 'webp', XMP, ALL_OF_XMP],
  ['EXIF of WebP', 'webp', EXIF, AUTHOR],
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
    for (const [fields, credits] of [
      [XMP, ALL_OF_XMP] as const,
      [EXIF, AUTHOR] as const,
      [LICENCE, LICENCE] as const,
    ]) {
      const chunks = [...pngChunks(await withFields(dir, 'png', fields))]
      const isWords = ({ name }: { name: string }): boolean => ['iTXt', 'eXIf'].includes(name)
      const [end] = chunks.splice(-1)
      const late = pngOf([...chunks.filter((chunk) => !isWords(chunk)), ...chunks.filter(isWords), end!])
      expect(late.lastIndexOf('IDAT')).toBeLessThan(Math.max(late.indexOf('iTXt'), late.indexOf('eXIf')))
      const made = await converted(late, 'webp', 'keep-without-location')
      expect(made.lost).toEqual([])
      expect(fieldsOf(dir, 'late.webp', made.bytes)).toMatchObject(credits)
      const back = await applied(await picture('png'), late, 'keep-without-location')
      expect(fieldsOf(dir, 'late.png', back.bytes)).toMatchObject(credits)
    }
  })

  it('stand in the results also from the photographer of Exif 3.0', async () => {
    const name = Buffer.from('Zoë Ånn\0')
    const exifAt = 26
    const main = exifDirectory(8, [[0x8769, 4, 1, Buffer.from([exifAt, 0, 0, 0])]])
    const block = exifOf(main, exifDirectory(exifAt, [[0xa437, 129, name.length, name]]))
    const original = jpegWithExif(await picture('jpg'), block)
    const dir = scratch()
    const author = { 'XMP-dc:Creator': 'Zoë Ånn' }
    const made = await converted(original, 'webp', 'keep-without-location')
    expect(fieldsOf(dir, 'made.webp', made.bytes)).toMatchObject(author)
    const back = await applied(await picture('jpg'), original, 'keep-without-location')
    expect(fieldsOf(dir, 'back.jpg', back.bytes)).toMatchObject(author)
  })

  it('stand in XMP as they were written, whatever characters the program knew', async () => {
    const dir = scratch()
    const windows = (text: string): Buffer => Buffer.from(text, 'latin1')
    const texts = [[0x013b, windows('J\xfcrgen \x8aimon\0')] as const, [0x8298, windows('\xa9 J\xfcrgen\0')] as const]
    const exif = exifOf(
      exifDirectory(
        8,
        texts.map(([tag, value]) => [tag, 2, value.length, value]),
      ),
    )
    // By-line and copyright notice, said to be UTF-8 though they are not, and said to be nothing.
    const iptc = (isUtf8: boolean): Buffer =>
      photoshop([...(isUtf8 ? [[1, 90, '\x1b%G'] as const] : []), [2, 80, 'Zo\xeb \x8aimon'], [2, 116, '\xa9 Zo\xeb']])
    const [utf8, latin] = ['Jürgen Šimon', 'J\xfcrgen \x8aimon']
    const text = (author: Buffer): { name: string; data: Buffer } => ({
      name: 'tEXt',
      data: Buffer.concat([Buffer.from('Author\0'), author]),
    })
    const [header, ...rest] = [...pngChunks(await picture('png'))]
    const pngWith = (author: Buffer): Buffer => pngOf([header!, text(author), ...rest])
    const jpeg = await picture('jpg')
    const latinXmp = xmpPacket(
      'xmlns:dc="http://purl.org/dc/elements/1.1/"',
      '<dc:creator><rdf:Seq><rdf:li>Zo\xeb \x8aimon</rdf:li></rdf:Seq></dc:creator>',
    )
    for (const [name, original, credits] of [
      ['EXIF', jpegWithExif(jpeg, exif), { 'XMP-dc:Creator': utf8, 'XMP-dc:Rights': '© Jürgen' }],
      ['IPTC', withSegment(jpeg, 0xed, iptc(false)), { 'XMP-dc:Creator': 'Zoë Šimon', 'XMP-dc:Rights': '© Zoë' }],
      ['IPTC, wrongly declared', withSegment(jpeg, 0xed, iptc(true)), { 'XMP-dc:Creator': 'Zoë Šimon' }],
      ['PNG text', pngWith(windows(latin)), { 'XMP-dc:Creator': utf8 }],
      ['PNG text in UTF-8', pngWith(Buffer.from(utf8)), { 'XMP-dc:Creator': utf8 }],
      ['XMP', withXmp(jpeg, latinXmp), { 'XMP-dc:Creator': 'Zoë Šimon' }],
    ] as const) {
      for (const policy of ['keep-without-location', 'keep-all'] as const) {
        const made = await converted(original, 'webp', policy)
        expect(fieldsOf(dir, 'made.webp', made.bytes), `${name}, ${policy}`).toMatchObject(credits)
      }
      const bare = await picture(name.startsWith('PNG') ? 'png' : 'jpg')
      const back = await applied(bare, original, 'keep-without-location')
      expect(fieldsOf(dir, name.startsWith('PNG') ? 'back.png' : 'back.jpg', back.bytes), name).toMatchObject(credits)
    }
  })

  it('go into AVIF too, and the picture is still one for other programs', async () => {
    const dir = scratch()
    const taken = { 'EXIF:Make': 'Camera', 'EXIF:DateTimeOriginal': '2026:01:02 03:04:05' }
    const original = await withFields(dir, 'jpg', { ...IPTC, ...taken })
    const made = await converted(original, 'avif', 'keep-without-location')
    expect(fieldsOf(dir, 'made.avif', made.bytes)).toMatchObject({ ...AGENCY, 'IFD0:Make': 'Camera' })
    const bare = await converted(original, 'avif', 'strip')
    const pixels = (name: string, bytes: Uint8Array): Buffer => {
      run('avifdec', [written(dir, name, bytes), join(dir, 'out.png')])
      return run('convert', [join(dir, 'out.png'), '-strip', 'rgba:-'])
    }
    expect(pixels('a.avif', made.bytes).equals(pixels('b.avif', bare.bytes))).toBe(true)
  })

  it('stand in a packet that is split over segments too, and a depth map that is split is no lost credit', async () => {
    const jpeg = await picture('jpg')
    const namespaces = 'xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:g="http://ns.google.com/photos/1.0/depthmap/"'
    const rdf = (body: string): string => xmpPacket(namespaces, body)
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
    const fields = { 'XMP-dc:Creator': 'Ann', 'XMP-photoshop:Credit': 'Agency at 47.376887, 8.541694' }
    const original = await withFields(dir, 'jpg', fields)
    expect((await converted(original, 'webp', 'keep-without-location')).lost).toEqual(['credit'])
    expect((await converted(original, 'webp', 'keep-all')).lost).toEqual([])
    const odd = withXmp(await picture('jpg'), '<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF')
    expect((await converted(odd, 'webp', 'keep-without-location')).lost).toEqual(['unreadable'])
  })
})

describeWith(programs('exiftool'))('words beside the credits', () => {
  it('are named as lost where a JPEG has no room for them, and are in the converted file', async () => {
    const dir = scratch()
    const long = ['XMP-dc:Description', 'XMP-photoshop:Headline', 'XMP-photoshop:Instructions']
    const words = Object.fromEntries(long.map((field) => [field, 'word '.repeat(3950)]))
    const served = await withFields(dir, 'jpg', { ...words, 'XMP-dc:Title': 'A title' })
    const credits = { 'EXIF:Artist': 'Zoë Ånn', 'EXIF:Copyright': `© ${'Zoë '.repeat(200)}` }
    const original = await withFields(dir, 'jpg', credits)
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

/** Records, and what says the same in XMP; several records may become one field, which stands with the first. */
const EQUIVALENTS: [record: string, value: string, field?: string, said?: unknown][] = [
  ['IPTC:ObjectAttributeReference', '013:Portrait', 'XMP-iptcCore:IntellectualGenre', 'Portrait'],
  ['IPTC:ObjectName', 'Lake', 'XMP-dc:Title', 'Lake'],
  ['IPTC:Urgency#', '3', 'XMP-photoshop:Urgency', 3],
  ['IPTC:SubjectReference', 'IPR:15054000:Sport:Soccer:', 'XMP-iptcCore:SubjectCode', [15_054_000, '04000000']],
  ['IPTC:SubjectReference', 'IPR:04000000::: '],
  ['IPTC:Category', 'SPO', 'XMP-photoshop:Category', 'SPO'],
  ['IPTC:SupplementalCategories', 'Water', 'XMP-photoshop:SupplementalCategories', ['Water', 'Boats']],
  ['IPTC:SupplementalCategories', 'Boats'],
  ['IPTC:Keywords', 'lake', 'XMP-dc:Subject', ['lake', 'Übersee']],
  ['IPTC:Keywords', 'Übersee'],
  ['IPTC:ContentLocationCode', 'CHE', 'XMP-iptcExt:LocationShownCountryCode', 'CHE'],
  ['IPTC:ContentLocationName', 'Lake of Zürich', 'XMP-iptcExt:LocationShownLocationName', 'Lake of Zürich'],
  ['IPTC:SpecialInstructions', 'Not before noon', 'XMP-photoshop:Instructions', 'Not before noon'],
  ['IPTC:DateCreated', '2026:05:01', 'XMP-photoshop:DateCreated', '2026:05:01 10:30:00+02:00'],
  ['IPTC:TimeCreated', '10:30:00+02:00'],
  ['IPTC:DigitalCreationDate', '2026:05:02', 'XMP-xmp:CreateDate', '2026:05:02 11:30:00+02:00'],
  ['IPTC:DigitalCreationTime', '11:30:00+02:00'],
  ['IPTC:OriginatingProgram', 'Desk', 'XMP-xmp:CreatorTool', 'Desk 4.2'],
  ['IPTC:ProgramVersion', '4.2'],
  ['IPTC:By-lineTitle', 'Staff', 'XMP-photoshop:AuthorsPosition', 'Staff; Stringer'],
  ['IPTC:By-lineTitle', 'Stringer'],
  ['IPTC:City', 'Zürich', 'XMP-photoshop:City', 'Zürich'],
  ['IPTC:Sub-location', 'Pier 3', 'XMP-iptcCore:Location', 'Pier 3'],
  ['IPTC:Province-State', 'ZH', 'XMP-photoshop:State', 'ZH'],
  ['IPTC:Country-PrimaryLocationCode', 'CHE', 'XMP-iptcCore:CountryCode', 'CHE'],
  ['IPTC:Country-PrimaryLocationName', 'Schweiz', 'XMP-photoshop:Country', 'Schweiz'],
  ['IPTC:OriginalTransmissionReference', 'Job 7', 'XMP-photoshop:TransmissionReference', 'Job 7'],
  ['IPTC:Headline', 'A lake', 'XMP-photoshop:Headline', 'A lake'],
  ['IPTC:Caption-Abstract', 'A lake in Zürich', 'XMP-dc:Description', 'A lake in Zürich'],
  ['IPTC:Writer-Editor', 'Béa', 'XMP-photoshop:CaptionWriter', 'Béa'],
  ['IPTC:LanguageIdentifier', 'de', 'XMP-dc:Language', 'de'],
  ['Photoshop:CopyrightFlag', 'True', 'XMP-xmpRights:Marked', true],
  ['Photoshop:URL', 'https://example.org/terms', 'XMP-xmpRights:WebStatement', 'https://example.org/terms'],
]

describeWith(programs('exiftool'))('keeping all', () => {
  it('carries over every IPTC record and every field of Photoshop that has an equivalent in XMP', async () => {
    const dir = scratch()
    const lines = [...Object.entries(IPTC), ...EQUIVALENTS].map(([field, value]) => `-${field}=${value}`)
    const [original] = writtenBy(dir, [['source.jpg', await picture('jpg')]], ['-charset', 'iptc=utf8', ...lines])
    const inXmp = EQUIVALENTS.flatMap(([, , field, value]) => (field === undefined ? [] : [[field, value]]))
    for (const format of ['webp', 'avif'] as const) {
      const made = await converted(original![1], format, 'keep-all')
      expect(fieldsOf(dir, `made.${format}`, made.bytes)).toMatchObject({ ...AGENCY, ...Object.fromEntries(inXmp) })
    }
    const without = await converted(original![1], 'webp', 'keep-without-location')
    const found = fieldsOf(dir, 'without.webp', without.bytes)
    expect(found).toMatchObject({ 'XMP-photoshop:Category': 'SPO', 'XMP-xmpRights:Marked': true })
    expect(JSON.stringify(found)).not.toMatch(/Zürich|Schweiz|CHE|Pier/)
  })

  it('reads IPTC in a declared part of ISO 8859, behind long records, and behind resources of plugins', async () => {
    const dir = scratch()
    const plugin = Buffer.from('AgHg\x04\x50\0\0\0\0\0\x02ab', 'latin1')
    const long = Buffer.concat([Buffer.from([0x1c, 2, 202, 0x80, 4, 0, 0, 0, 3]), Buffer.from('abc')])
    const own = photoshop([
      [1, 90, '\x1b-L'],
      [2, 80, '\xb8\xd2\xd0\xdd'],
    ])
    // Between the resource's head and its records; the sum of their lengths is in the head.
    const at = 'Photoshop 3.0\0'.length
    const payload = Buffer.concat([own.subarray(0, at + 12), long, own.subarray(at + 12)])
    payload.writeUInt32BE(payload.readUInt32BE(at + 8) + long.length, at + 8)
    const mixed = Buffer.concat([payload.subarray(0, at), plugin, payload.subarray(at)])
    const made = await converted(withSegment(await picture('jpg'), 0xed, mixed), 'webp', 'keep-all')
    expect(fieldsOf(dir, 'made.webp', made.bytes)).toMatchObject({ 'XMP-dc:Creator': 'Иван' })
  })
})

describeWith(programs('exiftool'))('the EXIF of a converted file', () => {
  it.each(['webp', 'avif'] as const)('is one that exiftool calls proper (%s)', async (format) => {
    const dir = scratch()
    const taken = { 'EXIF:Make': 'Camera', 'EXIF:Artist': 'Ann', 'EXIF:ISO': '200' }
    const block = { ...taken, 'EXIF:Orientation#': '6', 'EXIF:GPSLatitude': '47.3' }
    const original = await withFields(dir, 'jpg', block)
    for (const policy of ['keep-without-location', 'keep-all'] as const) {
      const made = await converted(original, format, policy)
      const read = fieldsOf(dir, `made.${format}`, made.bytes)
      expect(Object.keys(read).filter((key) => /warning|error/i.test(key))).toEqual([])
      expect(read).toMatchObject({ 'IFD0:Make': 'Camera', 'ExifIFD:ISO': 200 })
      const path = written(dir, `v.${format}`, made.bytes)
      const validation = run('exiftool', ['-validate', '-warning', '-error', '-a', path])
      expect(validation.toString()).not.toMatch(/Improper EXIF|Error|Bad|offset/i)
      expect((await sharp(made.bytes).metadata()).orientation ?? 1).toBe(1)
    }
  })
})
