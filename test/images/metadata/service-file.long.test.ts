import { expect, it } from 'vitest'
import sharp from 'sharp'
import { describeWith, programs } from '../../needs.ts'
import type { MetadataPolicy } from '../../../src/shared/recipes/recipe.ts'
import { exifDirectory, exifOf, jpegWithExif, noise, withSegment } from '../pictures.ts'
import { applied, encoded } from '../tasks.ts'
import { fieldsOf, pixelsOf, scratch, tagged as withFields, written } from './judges.ts'

type Type = 'jpg' | 'png' | 'webp'

const converted = async (bytes: Buffer, longEdge?: number, metadata: MetadataPolicy = 'keep-all') =>
  (await encoded(bytes, { metadata, ...(longEdge && { longEdge }) })).bytes

const u32 = (value: number): Buffer => Buffer.from(Uint32Array.of(value).buffer)

/** Notes of a Canon: a directory in the value, with offsets from the start of the block. */
function canonBlock(): Buffer {
  const main = (exifAt: number): Buffer =>
    exifDirectory(8, [
      [0x010f, 2, 6, Buffer.from('Canon\0')],
      [0x0110, 2, 8, Buffer.from('Canon X\0')],
      [0x8769, 4, 1, u32(exifAt)],
    ])
  const exifAt = 8 + main(0).length
  const notesAt = exifAt + 2 + 12 + 4
  const notes = exifDirectory(notesAt, [[0x0009, 2, 8, Buffer.from('Ann Lee\0')]])
  return exifOf(main(exifAt), exifDirectory(exifAt, [[0x927c, 7, notes.length, notes]]))
}

const EVERYDAY = {
  'EXIF:Make': 'Camera',
  'EXIF:Model': 'One',
  'EXIF:DateTimeOriginal': '2026:05:01 10:00:00',
  'EXIF:OffsetTimeOriginal': '+02:00',
  'EXIF:ISO': '200',
  'EXIF:ExposureTime': '1/125',
  'EXIF:XResolution': '300',
  'EXIF:YResolution': '300',
  'EXIF:UserComment': 'A comment',
  'EXIF:GPSLatitude': '47.376887',
  'EXIF:GPSLatitudeRef': 'N',
  'XMP-dc:Description': 'A caption',
  'XMP-dc:Subject': 'lake',
  'XMP-xmp:Rating': '4',
  'XMP-photoshop:City': 'Canary',
  'XMP-lr:HierarchicalSubject': 'water|lake',
}
const WITHOUT_PLACE = {
  'IFD0:Make': 'Camera',
  'IFD0:Model': 'One',
  'IFD0:XResolution': 300,
  'ExifIFD:DateTimeOriginal': '2026:05:01 10:00:00',
  'ExifIFD:OffsetTimeOriginal': '+02:00',
  'ExifIFD:ISO': 200,
  'ExifIFD:ExposureTime': '1/125',
  'ExifIFD:UserComment': 'A comment',
  'XMP-dc:Description': 'A caption',
  'XMP-dc:Subject': 'lake',
  'XMP-xmp:Rating': 4,
}
const WITH_PLACE = {
  'GPS:GPSLatitude': '47 deg 22\' 36.79"',
  'XMP-photoshop:City': 'Canary',
  'XMP-lr:HierarchicalSubject': 'water|lake',
}

describeWith(programs('exiftool', 'djpeg', 'dwebp', 'convert'))("the service's file", () => {
  it.each<Type>(['jpg', 'png', 'webp'])('has what the recipe keeps of the original (%s)', async (type) => {
    const dir = scratch()
    const format = type === 'jpg' ? 'jpeg' : type
    const original = withFields(dir, type, await noise(60, 40).toFormat(format).toBuffer(), EVERYDAY)
    const bare = await noise(60, 40).toFormat(format, { quality: 60 }).toBuffer()
    const credits = { 'EXIF:Copyright': 'Ann', 'XMP-dc:Rights': 'Ann', 'XMP-dc:Title': 'T' }
    const credited = withFields(dir, type, bare, credits)
    for (const served of [bare, credited]) {
      const all = await applied(served, original, 'keep-all')
      expect(all.lost).toEqual([])
      const read = fieldsOf(dir, `all.${type}`, all.bytes)
      expect(read).toMatchObject({ ...WITHOUT_PLACE, ...WITH_PLACE })
      if (served === credited) expect(read).toMatchObject({ 'XMP-dc:Rights': 'Ann', 'XMP-dc:Title': 'T' })
      expect(pixelsOf(dir, all.bytes, type).equals(pixelsOf(dir, served, type))).toBe(true)
      // Once everything is there, nothing is written again.
      expect((await applied(all.bytes, original, 'keep-all')).bytes.equals(all.bytes)).toBe(true)
      const placeless = await applied(served, original, 'keep-without-location')
      expect(placeless.lost).toEqual([])
      const kept = fieldsOf(dir, `placeless.${type}`, placeless.bytes)
      expect(kept).toMatchObject(WITHOUT_PLACE)
      expect(Object.keys(kept).filter((key) => /GPS|City|Hierarchical/.test(key))).toEqual([])
      expect(Object.keys({ ...read, ...kept }).filter((key) => /warning|error/i.test(key))).toEqual([])
      const stripped = fieldsOf(dir, `stripped.${type}`, (await applied(served, original, 'strip')).bytes)
      expect(Object.keys(stripped).filter((key) => /^(?:XMP|IFD|ExifIFD|GPS)/.test(key))).toEqual([])
    }
  })

  it('has the EXIF of the original as its own pixels are stored', async () => {
    const dir = scratch()
    const fields = {
      ...EVERYDAY,
      'EXIF:Orientation#': '6',
      'EXIF:ExifImageWidth': '60',
      'EXIF:ExifImageHeight': '40',
      'EXIF:SubjectArea': '15 10 6 4',
      'EXIF:FocalPlaneXResolution': '6000',
      'EXIF:FocalPlaneYResolution': '5000',
      'XMP-tiff:Orientation#': '6',
      'XMP-exif:ExifImageWidth': '60',
      'XMP-exif:ExifImageHeight': '40',
    }
    const thumbnail = written(dir, 'thumbnail.jpg', await noise(16, 10, 7).jpeg().toBuffer())
    const withThumbnail = { ...fields, 'IFD1:Orientation#': '6', 'ThumbnailImage<': thumbnail }
    const plain = withFields(dir, 'jpg', await noise(60, 40).jpeg().toBuffer(), withThumbnail)
    expect(fieldsOf(dir, 'o.jpg', plain)).toHaveProperty(['IFD1:ThumbnailImage'])
    const lying = await noise(60, 40).jpeg({ quality: 60 }).toBuffer()
    const turnedTag = withFields(dir, 'jpg', lying, { 'EXIF:Orientation#': '6' })
    const kept = fieldsOf(dir, 'kept.jpg', (await applied(turnedTag, plain, 'keep-all')).bytes)
    expect(kept).toMatchObject({
      'IFD0:Orientation': 'Rotate 90 CW',
      'ExifIFD:ExifImageWidth': 60,
      'ExifIFD:SubjectArea': '15 10 6 4',
      'XMP-tiff:Orientation': 'Rotate 90 CW',
    })
    expect(kept).toHaveProperty(['IFD1:ThumbnailImage'])
    const standing = await sharp(lying).rotate(90).resize(20, 30).jpeg().toBuffer()
    for (const [name, bytes] of [
      ['upright.jpg', (await applied(standing, plain, 'keep-all')).bytes],
      ['upright.webp', await converted(plain, 30)],
    ] as const) {
      const upright = fieldsOf(dir, name, bytes)
      expect(upright, name).toMatchObject({
        'IFD0:Orientation': 'Horizontal (normal)',
        'IFD0:Make': 'Camera',
        'ExifIFD:ExifImageWidth': 20,
        'ExifIFD:ExifImageHeight': 30,
        'XMP-tiff:Orientation': 'Horizontal (normal)',
        'XMP-exif:ExifImageWidth': 20,
        'XMP-exif:ExifImageHeight': 30,
      })
      expect(
        // What counts the pixels of the original goes too.
        Object.keys(upright).filter((key) => /^IFD1|SubjectArea|FocalPlane[XY]|warning|error/i.test(key)),
        name,
      ).toEqual([])
    }
  })

  it('has the IPTC records and the density of the original', async () => {
    const dir = scratch()
    const records = ['IPTC:DocumentNotes=Roll 7', 'IPTC:City=Canary', 'IPTC:By-line=Ann', 'IPTC:UniqueDocumentID=x1']
    const assignments = Object.fromEntries(records.map((record) => record.split('=') as [string, string]))
    const jfif = Buffer.from('JFIF\0\x01\x01\x01\0\xf0\0\x78\0\0', 'latin1')
    const original = withFields(dir, 'jpg', withSegment(await noise(60, 40).jpeg().toBuffer(), 0xe0, jfif), assignments)
    const dense = { 'JFIF:XResolution': 240, 'JFIF:YResolution': 120, 'JFIF:ResolutionUnit': 'inches' }
    const served = await noise(60, 40).jpeg({ quality: 60 }).toBuffer()
    expect(fieldsOf(dir, 'served.jpg', served)).not.toHaveProperty(['JFIF:XResolution'])
    const other = withSegment(served, 0xe0, Buffer.from('JFIF\0\x01\x01\x01\0\x48\0\x48\0\0', 'latin1'))
    expect(fieldsOf(dir, 'other.jpg', (await applied(other, original, 'keep-all')).bytes)).toMatchObject(dense)
    const kept = (await applied(served, original, 'keep-all')).bytes
    const notes = { 'IPTC:DocumentNotes': 'Roll 7', 'IPTC:City': 'Canary', 'IPTC:UniqueDocumentID': 'x1' }
    expect(fieldsOf(dir, 'kept.jpg', kept)).toMatchObject({ ...dense, ...notes })
    expect((await applied(kept, original, 'keep-all')).bytes.equals(kept)).toBe(true)
    const placeless = fieldsOf(dir, 'placeless.jpg', (await applied(served, original, 'keep-without-location')).bytes)
    expect(placeless).toMatchObject(dense)
    expect(Object.keys(placeless).filter((key) => key.startsWith('IPTC:'))).toEqual([])
    const sideways = withFields(dir, 'jpg', original, { 'EXIF:Orientation#': '6' })
    const upright = await sharp(served).rotate(90).jpeg().toBuffer()
    const turned = fieldsOf(dir, 'turned.jpg', (await applied(upright, sideways, 'keep-all')).bytes)
    expect(turned).toMatchObject({ 'JFIF:XResolution': 120, 'JFIF:YResolution': 240 })

    const drawn = await noise(60, 40).withMetadata({ density: 300 }).png().toBuffer()
    const bare = await noise(60, 40).png({ palette: true }).toBuffer()
    const physical = ['PNG-pHYs:PixelsPerUnitX', 'PNG-pHYs:PixelsPerUnitY', 'PNG-pHYs:PixelUnits']
    const [before, after] = [drawn, (await applied(bare, drawn, 'keep-all')).bytes].map((bytes, n) => {
      const read = fieldsOf(dir, `${n}.png`, bytes)
      return physical.map((name) => read[name])
    })
    expect(before![0]).toBe(11_811)
    expect(after).toEqual(before)
  })

  it('keeps the maker notes, which refer to offsets of the block', async () => {
    const dir = scratch()
    const bare = await noise(60, 40).jpeg({ quality: 60 }).toBuffer()
    const block = canonBlock()
    const original = jpegWithExif(await noise(60, 40).jpeg().toBuffer(), block)
    const before = fieldsOf(dir, 'before.jpg', original)
    expect(before).toMatchObject({ 'Canon:OwnerName': 'Ann Lee' })
    const made = (await applied(bare, original, 'keep-all')).bytes
    expect(fieldsOf(dir, 'made.jpg', made)).toMatchObject({ 'Canon:OwnerName': 'Ann Lee', 'IFD0:Make': 'Canon' })
    expect(fieldsOf(dir, 'made.webp', await converted(original, 30))).toMatchObject({ 'Canon:OwnerName': 'Ann Lee' })
  })

  it.each([
    ['SHORT', 3, 2],
    ['LONG', 4, 4],
    ['ASCII', 2, 1],
  ])('has the orientation that the decoder reads from %s', async (_name, type, sizeBytes) => {
    const dir = scratch()
    const value = Buffer.from([6, 0, 0, 0]).subarray(0, sizeBytes)
    const block = exifOf(exifDirectory(8, [[0x0112, type, 1, value]]))
    const picture = await noise(60, 40).jpeg({ quality: 60 }).toBuffer()
    const original = jpegWithExif(picture, block)
    const meaning = (await sharp(original).metadata()).orientation ?? 1
    const seen = await sharp(original).autoOrient().raw().toBuffer({ resolveWithObject: true })
    for (const policy of ['keep-all', 'keep-without-location', 'strip'] as const) {
      const made = await converted(original, undefined, policy)
      const { width, height, orientation = 1 } = await sharp(made).metadata()
      expect([width, height, orientation], policy).toEqual([seen.info.width, seen.info.height, 1])
      const words = policy === 'keep-all' ? fieldsOf(dir, 'made.webp', made) : {}
      expect(words['IFD0:Orientation'] ?? 'Horizontal (normal)').toBe('Horizontal (normal)')
      // The service kept the tag with the pixels as they are.
      const back = (await applied(original, original, policy)).bytes
      expect((await sharp(back).metadata()).orientation ?? 1, policy).toBe(meaning)
      // All programs read one number of two bytes.
      const isPlain = back.includes(Buffer.from([0x12, 1, 3, 0, 1, 0, 0, 0, meaning, 0]))
      expect(isPlain || meaning === 1, policy).toBe(true)
      const degrees = meaning === 6 ? 90 : 0
      const turned = await sharp(picture).rotate(degrees).jpeg().toBuffer()
      const upright = (await applied(turned, original, policy)).bytes
      expect((await sharp(upright).metadata()).orientation ?? 1, policy).toBe(1)
    }
  })

  it('shows fields of vocabularies that nobody knows under the prefixes that they had', async () => {
    const dir = scratch()
    const plain = await noise(60, 40).jpeg().toBuffer()
    const packet =
      '<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">' +
      '<rdf:Description rdf:about="" xmlns:shop="http://shop.example/one/" xmlns:ns2="http://shop.example/two/" ' +
      `xmlns:photoshop="http://shop.example/three/" shop:Shelf="A1"><ns2:Row>7</ns2:Row><photoshop:Box>b</photoshop:Box>` +
      '</rdf:Description><rdf:Description rdf:about="" xmlns:shop="http://shop.example/four/" shop:Lamp="on"/></rdf:RDF></x:xmpmeta>'
    const original = withFields(dir, 'jpg', plain, { 'xmp<': written(dir, 'shop.xmp', Buffer.from(packet)) })
    const served = await noise(60, 40).jpeg({ quality: 60 }).toBuffer()
    const file = await applied(served, original, 'keep-all')
    for (const [name, bytes] of [
      ['served.jpg', file.bytes],
      ['converted.webp', await converted(original)],
    ] as const) {
      const fields = fieldsOf(dir, name, bytes)
      expect(fields).toMatchObject({ 'XMP-shop:Shelf': 'A1', 'XMP-ns2:Row': 7 })
      const others = Object.entries(fields).filter(([key]) => /^XMP-ns\d+:(?:Box|Lamp)$/.test(key))
      expect(others.map(([, value]) => value).sort()).toEqual(['b', 'on'])
    }
  })
})
