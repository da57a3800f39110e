import { mkdirSync, readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect, it } from 'vitest'
import { describeWith, programs } from '../../needs.ts'
import { pngChunks, pngOf } from '../../../src/main/images/png-chunks.ts'
import { exifBlock, jpegWithExif, noise, seededRandom, withSegment } from '../pictures.ts'
import { applied, encoded } from '../tasks.ts'
import { bytesAt, everythingIn, exiftoolWith, run, scratch, withFields as withMetadata, written } from './judges.ts'

const TYPES = ['jpg', 'png', 'webp'] as const
const PLACED = [...TYPES, 'gif', 'avif'] as const

/** One place in the forms in which it is written, and what of each may be nowhere in a result. */
const FORMS = [
  '47.376887',
  '47.376887, 8.541694',
  'Lat 47.376887 Lon 8.541694',
  '47,22.6133N',
  `47° 22' 36.79" N, 8° 32' 30.1" E`,
  '+47.376887+008.541694/',
  'geo:47.376887,8.541694',
  '8FVC9GGR+QM',
  'https://www.openstreetmap.org/#map=17/47.376887/8.541694',
  'N47 22.6133 E8 32.5016',
  'TQ 38876 80098',
  '2683141 / 1247946',
  "683'141 / 247'946",
]
const TRACES = (
  "376887|541694|22.6133|36.79|8FVC9GGR|Xanaduville|Nowhereland|80098|1247946|247'946|Gondwanaville|Lemuriaville|" +
  'Atlantisville|Canary Hill|secret place'
).split('|')
const TRACE = new RegExp(TRACES.join('|').replaceAll('.', '\\.'), 'i')

interface Field {
  argument: string
  type: string
}

/** Every field that exiftool says it can write a text or a decimal number into. */
function writableFields(): Field[] {
  return ['EXIF', 'IPTC', 'XMP', 'PNG'].flatMap((group) => {
    const fields: Field[] = []
    let table = ''
    for (const line of run('exiftool', ['-listx', `-${group}:all`])
      .toString()
      .split('\n')) {
      table = /<table name='[^']*' g0='[^']*' g1='([^']*)'/.exec(line)?.[1] ?? table
      const [, name, type] = /<tag id='[^']*' name='([^']*)' type='([^']*)'.* writable='true'/.exec(line) ?? []
      // Of a number, exiftool writes only what is behind the point into these, as the fraction of a second.
      if (name === undefined || type === undefined || name.startsWith('SubSecTime')) continue
      const takesText = group === 'XMP' ? /^(?:string|lang-alt|real|\?)/ : /^(?:string|undef|digits|\?)|^int8u$/
      if (takesText.test(type)) fields.push({ argument: `-${group === 'XMP' ? table : group}:${name}`, type })
    }
    return fields
  })
}

const PLACE_FIELDS = [
  ...['City', 'Sub-location', 'Province-State', 'Country-PrimaryLocationName', 'ContentLocationName'].map(
    (name) => `IPTC:${name}`,
  ),
  ...(
    'photoshop:City photoshop:State iptcCore:Location iptcExt:LocationShownCity ' +
    'iptcExt:LocationCreatedSublocation iptcCore:CreatorCity plus:LicensorCity dwc:Locality'
  )
    .split(' ')
    .map((name) => `XMP-${name}`),
  ...'XMP-dc:Subject XMP-dc:Title XMP-dc:Description XMP-lr:HierarchicalSubject IPTC:Keywords'.split(' '),
  ...'IPTC:Caption-Abstract EXIF:ImageDescription EXIF:UserComment EXIF:XPKeywords EXIF:XPTitle'.split(' '),
  'PNG:Description',
]

/** Rationals, and names that stand in one field of location and in a caption only. */
const GPS_FIELDS = (
  'GPSLatitude=47.376887 GPSLatitudeRef=N GPSLongitude=8.541694 GPSLongitudeRef=E GPSAltitude=408 ' +
  'GPSDestLatitude=47.376887 GPSImgDirection=123.45 GPSDateStamp=2026:05:01 GPSTimeStamp=10:00:00 ' +
  'GPSAreaInformation=Gondwanaville GPSProcessingMethod=Lemuriaville'
).split(' ')
const NAMED_ELSEWHERE = [
  'XMP-dc:Title=Gondwanaville by night',
  'XMP-photoshop:Headline=A market in Gondwanaville',
  'XMP-photoshop:CaptionWriter=From Lemuriaville',
  'EXIF:ImageDescription=Morning in Lemuriaville',
]
/** A PNG text of that keyword is written by hand: exiftool does not know it. */
const PNG_PLACE = { name: 'tEXt', data: Buffer.from('Location\0Atlantisville') }

/** Pictures with the fields spread over them, each field in one, and the names of places in one of each type. */
async function plant(dir: string, seed: number, perPicture: number): Promise<string[]> {
  const random = seededRandom(seed)
  const shuffled = writableFields()
    .map((field) => ({ field, order: random() }))
    .sort((a, b) => a.order - b.order)
    .map(({ field }) => field)
  const lines: string[] = []
  const [header, ...chunks] = [...pngChunks(await noise(24, 16).png().toBuffer())]
  const bases = {
    jpg: await noise(24, 16).jpeg().toBuffer(),
    png: pngOf([header!, PNG_PLACE, ...chunks]),
    webp: await noise(24, 16).webp().toBuffer(),
    gif: await noise(24, 16).gif().toBuffer(),
    avif: await noise(24, 16).avif().toBuffer(),
  }
  const end = (path: string): void => {
    lines.push('-m', '-q', '-q', '-overwrite_original', path, '-execute')
  }
  for (let n = 0; n * perPicture < shuffled.length; n++) {
    const type = TYPES[n % TYPES.length]!
    for (const { argument } of shuffled.slice(n * perPicture, (n + 1) * perPicture))
      lines.push(`${argument}=${FORMS[Math.floor(random() * FORMS.length)]}`)
    end(written(dir, `${n}.${type}`, bases[type]))
  }
  const thumbnail = written(dir, 'thumbnail.part', await locatedThumbnail(join(dir, 'thumbnail')))
  for (const type of PLACED) {
    for (const field of PLACE_FIELDS)
      lines.push(`-${field}=${/description|caption|comment/i.test(field) ? 'A market in Xanaduville' : 'Xanaduville'}`)
    lines.push('-XMP-photoshop:Country=Nowhereland', '-XMP-dc:Subject=nowhereland')
    lines.push('-Comment=A market in Xanaduville, 47.376887, 8.541694', `-ThumbnailImage<=${thumbnail}`)
    end(written(dir, `places.${type}`, bases[type]))
    // A GIF has no EXIF.
    if (type === 'gif') continue
    lines.push(...GPS_FIELDS.map((field) => `-EXIF:${field}`), ...NAMED_ELSEWHERE.map((field) => `-${field}`))
    if (type === 'png') lines.push('-XMP-dc:Rights=By Ann', '-XMP-dc:Description=A fair in Atlantisville')
    end(written(dir, `named.${type}`, bases[type]))
  }
  written(dir, 'camera.jpg', withResources(jpegWithExif(bases.jpg, exifBlock(6, 'MM'))))
  exiftoolWith(join(dir, 'arguments'), lines)
  return readdirSync(dir)
    .filter((name) => /\.(jpg|png|webp|gif|avif)$/.test(name))
    .map((name) => join(dir, name))
}

/** A JPEG with a place of its own, as a thumbnail may have one. */
async function locatedThumbnail(dir: string): Promise<Buffer> {
  const fields = ['-EXIF:GPSLatitude=47.376887', '-EXIF:ImageDescription=Xanaduville', '-Comment=Xanaduville']
  const bytes = await noise(16, 12).jpeg().toBuffer()
  mkdirSync(dir)
  return withMetadata(dir, [['thumbnail.jpg', bytes]], fields)[0]![1]
}

/** Photoshop's resources with an address, with EXIF and with a caption of their own. */
function withResources(jpeg: Buffer): Buffer {
  const resource = (id: number, data: Buffer): Buffer => {
    const head = Buffer.from('8BIM\0\0\0\0\0\0\0\0', 'latin1')
    head.writeUInt16BE(id, 4)
    head.writeUInt32BE(data.length, 8)
    return Buffer.concat([head, data, Buffer.alloc(data.length & 1)])
  }
  const resources = Buffer.concat([
    Buffer.from('Photoshop 3.0\0', 'latin1'),
    // An address is a credit: those stay, even with the name of a place, but not with a coordinate.
    resource(0x040b, Buffer.from('https://example.org/47.376887/8.541694')),
    resource(0x0422, exifBlock(1, 'II').subarray(6)),
    resource(0x03f0, Buffer.from('\x0bXanaduville', 'latin1')),
  ])
  return withSegment(jpeg, 0xed, resources)
}

/** What stands around each trace, in either encoding. */
function tracesIn(bytes: Buffer): string[] {
  return TRACES.flatMap((trace) =>
    [Buffer.from(trace), Buffer.from(trace, 'utf16le')].flatMap((coded) => {
      const at = bytes.indexOf(coded)
      return at < 0 ? [] : [bytes.toString('latin1', Math.max(0, at - 60), at + 20)]
    }),
  )
}

describeWith(programs('exiftool'))('a place planted in any field that exiftool can write', () => {
  const seed = Number(process.env['HANGAR_PLACES_SEED'] ?? 20_260_723)

  it(`is in no byte of a result, and nowhere where exiftool looks (HANGAR_PLACES_SEED=${seed})`, async () => {
    const dir = scratch()
    const sources = await plant(dir, seed, 160)
    const planted = everythingIn(sources)
    const located = [...planted.values()].filter((fields) => TRACE.test(JSON.stringify(fields)))
    expect(located.length).toBe(sources.length)
    const fieldCount = [...planted.values()].flatMap((fields) =>
      Object.values(fields).filter((value) => TRACE.test(String(value))),
    ).length
    expect(fieldCount).toBeGreaterThan(1500)

    const results: string[] = []
    for (const source of sources) {
      const bytes = bytesAt(source)
      for (const format of ['webp', 'avif'] as const) {
        if (format === 'avif' && !/[05]\.\w+$|places|named|camera/.test(source)) continue
        const made = await encoded(bytes, { format, quality: 50 })
        results.push(written(dir, `${basename(source)}.made.${format}`, made.bytes))
      }
      const served = await applied(bytes, bytes, 'keep-without-location')
      results.push(written(dir, `${basename(source)}.applied.${source.split('.').pop()}`, served.bytes))
    }
    const traces = results.flatMap((path) => tracesIn(bytesAt(path)).map((around) => `${basename(path)}: ${around}`))
    expect(traces).toEqual([])
    for (const [path, fields] of everythingIn(results))
      for (const [field, value] of Object.entries(fields)) {
        expect(`${field}: ${String(value)}`, basename(path)).not.toMatch(TRACE)
        expect(field, basename(path)).not.toMatch(/GPS|latitude|longitude|city|country|location$/i)
      }
  }, 600_000)
})
