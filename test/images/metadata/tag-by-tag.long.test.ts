import { readdirSync, statSync } from 'node:fs'
import { extname, join } from 'node:path'
import { expect, it } from 'vitest'
import sharp from 'sharp'
import { describeWith, programs } from '../../needs.ts'
import { doImageTask } from '../../../src/main/images/image-work.ts'
import type { ImageAnswer } from '../../../src/main/core/picture-tasks.ts'
import { sniffImageType } from '../../../src/main/images/image-type.ts'
import { jpegWithExif, exifBlock, noise } from '../pictures.ts'
import { fateOf, strangersIn, type Fate, type Tags } from './fate-of-tags.ts'
import { bytesAt, exiftoolWith, run, scratch, written } from './judges.ts'

/** A folder of pictures: `HANGAR_METADATA_PICTURES=DIR npx vitest run tag-by-tag`. By default a few that are made here. */
const FOLDER = process.env['HANGAR_METADATA_PICTURES']
const MAX_BYTES = Number(process.env['HANGAR_METADATA_BYTES'] ?? 1_500_000)
const POLICIES = ['keep-all', 'keep-without-location', 'strip'] as const
const BATCH = 40
const limits = { framePixels: 30_000_000, totalPixels: 60_000_000 }

async function sample(dir: string): Promise<string[]> {
  const words = (
    '-EXIF:Make=Canon|-EXIF:DateTimeOriginal=2026:05:01 10:00:00|-EXIF:GPSLatitude=47.3|' +
    '-IPTC:By-line=Ann|-IPTC:Urgency=3|-IPTC:City=Zermatt|-IPTC:Contact=ann@example.org'
  ).split('|')
  const more = (
    '-XMP-dc:Title=T;-XMP-dc:Description=Evening in Zermatt;-XMP-lr:HierarchicalSubject=a|b;' +
    '-XMP-xmp:Rating=4;-XMP-mwg-coll:Collections={CollectionName=C}'
  ).split(';')
  const files = [
    written(dir, 'a.jpg', jpegWithExif(await noise(60, 40).jpeg().toBuffer(), exifBlock(6, 'MM'))),
    written(dir, 'b.jpg', await noise(60, 40).jpeg().toBuffer()),
    written(dir, 'c.png', await noise(60, 40).png().toBuffer()),
    written(dir, 'd.webp', await noise(60, 40).webp().toBuffer()),
  ]
  exiftoolWith(dir, ['-m', '-q', '-q', '-overwrite_original', ...words, ...more, ...files])
  return files
}

function picturesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /^\.(?:jpe?g|png|gif|webp)$/i.test(extname(name)))
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile() && statSync(path).size <= MAX_BYTES)
    .sort()
}

/** By family 1 and name; maker notes by family 0, since each camera has groups of its own. */
function tagsOf(paths: string[]): Map<string, Tags> {
  const args = ['-j', '-G0:1', '-struct', '-m', '-q', '-q', '-charset', 'iptc=cp1252', ...paths]
  let out: Buffer
  try {
    out = run('exiftool', ['-@', '-'], args.join('\n'))
  } catch (error) {
    out = (error as { stdout: Buffer }).stdout
  }
  const rows = JSON.parse(out.toString()) as (Tags & { SourceFile: string })[]
  const named = (row: Tags) => Object.fromEntries(Object.entries(row).map(([key, value]) => [shortened(key), value]))
  return new Map(rows.map((row) => [row.SourceFile, named(row)]))
}

function shortened(key: string): string {
  const parts = key.split(':')
  if (parts.length < 3) return key
  return parts[0] === 'MakerNotes' ? key : parts.slice(1).join(':')
}

const bytesOf = (answer: ImageAnswer): Buffer | null =>
  answer.ok && 'bytes' in answer && answer.bytes !== null ? Buffer.from(answer.bytes) : null

/** What a service that drops all metadata makes of it. */
async function compressed(bytes: Buffer): Promise<Buffer> {
  const { format, pages = 1 } = await sharp(bytes, { failOn: 'none' }).metadata()
  const image = sharp(bytes, { failOn: 'none', pages: pages > 1 ? -1 : 1 })
  return image.autoOrient().toFormat(format, { quality: 60 }).toBuffer()
}

describeWith(programs('exiftool'))('metadata under each policy', () => {
  it('is in both results, tag by tag, or is known to go and why', async () => {
    const dir = scratch()
    const paths = FOLDER === undefined ? await sample(dir) : picturesBelow(FOLDER)
    const fates = new Map<Fate, number>()
    const wrong: string[] = []
    let [pictures, refused] = [0, 0]
    for (let at = 0; at < paths.length; at += BATCH) {
      const batch: { path: string; policy: (typeof POLICIES)[number]; result: string }[] = []
      for (const [nth, path] of paths.slice(at, at + BATCH).entries()) {
        const bytes = bytesAt(path)
        const type = sniffImageType(bytes)
        const inspected = await doImageTask({ kind: 'inspect', bytes, limits })
        if (type === null || !inspected.ok) {
          refused += 1
          continue
        }
        pictures += 1
        const small = await compressed(bytes)
        for (const policy of POLICIES) {
          const options = { format: 'webp', quality: 40, metadata: policy, longEdge: 64 } as const
          const made = bytesOf(await doImageTask({ kind: 'encode', bytes, limits, options }))
          const task = { kind: 'applyMetadata', original: bytes, limits, metadata: policy } as const
          const served = bytesOf(await doImageTask({ ...task, bytes: small }))
          if (made !== null) batch.push({ path, policy, result: written(dir, `${nth}-${policy}.webp`, made) })
          if (served !== null)
            batch.push({ path, policy, result: written(dir, `${nth}-${policy}-served.${type}`, served) })
        }
      }
      if (batch.length === 0) continue
      const tags = tagsOf([...new Set(batch.map(({ path }) => path)), ...batch.map(({ result }) => result)])
      for (const { path, policy, result } of batch) {
        const [before, after] = [tags.get(path) ?? {}, tags.get(result) ?? {}]
        const where = `${path} → ${policy} ${extname(result)}`
        for (const key of strangersIn(policy, after)) wrong.push(`${where}: ${key} is in it`)
        for (const [key, value] of Object.entries(before)) {
          const fate = fateOf(policy, key, before, after)
          fates.set(`${policy}: ${fate}`, (fates.get(`${policy}: ${fate}`) ?? 0) + 1)
          if (fate === 'unexplained')
            wrong.push(
              `${where}: ${key} = ${JSON.stringify(value)?.slice(0, 60)} became ${JSON.stringify(after[key])?.slice(0, 60)}`,
            )
        }
      }
    }
    if (FOLDER !== undefined)
      console.log({ pictures, refused, ...Object.fromEntries([...fates].sort(([a], [b]) => a.localeCompare(b))) })
    expect(pictures).toBeGreaterThan(3)
    expect(wrong).toEqual([])
  }, 3_600_000)
})
