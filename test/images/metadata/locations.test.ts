import { readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect, it } from 'vitest'
import { describeWith, programs } from '../../needs.ts'
import { doImageTask } from '../../../src/main/images/image-work.ts'
import type { FileWithMetadata, Encoded } from '../../../src/main/images/image-messages.ts'
import { noise, seededRandom } from '../pictures.ts'
import { bytesAt, everythingIn, exiftoolWith, run, scratch, written } from './judges.ts'

const limits = { framePixels: 1_000_000, totalPixels: 2_000_000 }
const TYPES = ['jpg', 'png', 'webp'] as const

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
]
const TRACES = ['376887', '541694', '22.6133', '36.79', '8FVC9GGR', 'Xanaduville', 'Nowhereland']
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
  ...[
    'photoshop:City',
    'photoshop:State',
    'iptcCore:Location',
    'iptcExt:LocationShownCity',
    'iptcExt:LocationCreatedSublocation',
    'iptcCore:CreatorCity',
    'plus:LicensorCity',
    'dwc:Locality',
  ].map((name) => `XMP-${name}`),
  'XMP-dc:Subject',
  'XMP-dc:Title',
  'XMP-dc:Description',
  'XMP-lr:HierarchicalSubject',
  'IPTC:Keywords',
  'IPTC:Caption-Abstract',
  'EXIF:ImageDescription',
  'EXIF:UserComment',
  'EXIF:XPKeywords',
  'EXIF:XPTitle',
  'EXIF:GPSAreaInformation',
  'PNG:Description',
]

/** Pictures with the fields spread over them, each field in one, and the names of places in one of each type. */
async function plant(dir: string, seed: number, perPicture: number): Promise<string[]> {
  const random = seededRandom(seed)
  const shuffled = writableFields()
    .map((field) => ({ field, order: random() }))
    .sort((a, b) => a.order - b.order)
    .map(({ field }) => field)
  const lines: string[] = []
  const bases = {
    jpg: await noise(24, 16).jpeg().toBuffer(),
    png: await noise(24, 16).png().toBuffer(),
    webp: await noise(24, 16).webp().toBuffer(),
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
  for (const type of TYPES) {
    for (const field of PLACE_FIELDS)
      lines.push(`-${field}=${/description|caption|comment/i.test(field) ? 'A market in Xanaduville' : 'Xanaduville'}`)
    lines.push('-XMP-photoshop:Country=Nowhereland', '-XMP-dc:Subject=nowhereland')
    end(written(dir, `places.${type}`, bases[type]))
  }
  exiftoolWith(join(dir, 'arguments'), lines)
  return readdirSync(dir)
    .filter((name) => /\.(jpg|png|webp)$/.test(name))
    .map((name) => join(dir, name))
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
      const options = { quality: 50, metadata: 'keep-without-location' } as const
      for (const format of ['webp', 'avif'] as const) {
        if (format === 'avif' && !/[05]\.\w+$|places/.test(source)) continue
        const made = (await doImageTask({ kind: 'encode', bytes, limits, options: { ...options, format } })) as Encoded
        results.push(written(dir, `${basename(source)}.made.${format}`, made.bytes))
      }
      const applied = (await doImageTask({
        kind: 'applyMetadata',
        bytes,
        original: bytes,
        limits,
        metadata: options.metadata,
      })) as FileWithMetadata
      results.push(written(dir, `${basename(source)}.applied.${source.split('.').pop()}`, applied.bytes))
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
