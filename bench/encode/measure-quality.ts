/**
 * Which AVIF quality looks as good as which WebP quality: encodes each picture of a folder at a grid of qualities, asks
 * SSIMULACRA and Butteraugli (`ssimulacra_main` and `butteraugli_main`, Debian's libjxl-devtools) how far each result is
 * from its picture, and finds by interpolation the AVIF quality at the same distance. For both metrics less is better.
 * Run: node bench/encode/measure-quality.ts DIR [--json FILE]. The folder holds opaque PNGs without a colour profile.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import sharp from 'sharp'
import { AVIF_EFFORT } from '../../src/main/images/avif-quality.ts'
import { distances, type Distances } from './distances.ts'

const { values, positionals } = parseArgs({ options: { json: { type: 'string' } }, allowPositionals: true })
const dir = positionals[0]
if (dir === undefined) throw new Error('Which folder of PNG pictures?')

const WEBP = [30, 50, 60, 70, 80, 90]
const AVIF = [20, 35, 45, 55, 65, 75, 85]

const KINDS = {
  webp: { qualities: WEBP, encode: (png: Buffer, quality: number) => sharp(png).webp({ quality }) },
  'avif 4:4:4': {
    qualities: AVIF,
    encode: (png: Buffer, quality: number) =>
      sharp(png).avif({ quality, effort: AVIF_EFFORT, chromaSubsampling: '4:4:4' }),
  },
  'avif 4:2:0': {
    qualities: AVIF,
    encode: (png: Buffer, quality: number) =>
      sharp(png).avif({ quality, effort: AVIF_EFFORT, chromaSubsampling: '4:2:0' }),
  },
} as const
type Kind = keyof typeof KINDS
type Metric = keyof Distances
interface Point extends Distances {
  quality: number
  sizeBytes: number
}

const folder = mkdtempSync(join(tmpdir(), 'hangar-quality-'))

async function measure(original: string): Promise<Record<Kind, Point[]>> {
  const png = readFileSync(original)
  const points: Record<Kind, Point[]> = { webp: [], 'avif 4:4:4': [], 'avif 4:2:0': [] }
  for (const kind of Object.keys(KINDS) as Kind[]) {
    for (const quality of KINDS[kind].qualities) {
      const encoded = await KINDS[kind].encode(png, quality).toBuffer()
      const decoded = join(folder, 'decoded.png')
      writeFileSync(decoded, await sharp(encoded).png({ compressionLevel: 1 }).toBuffer())
      points[kind].push({ quality, sizeBytes: encoded.length, ...(await distances(original, decoded)) })
    }
  }
  return points
}

/** The value of `wanted` where a curve has this distance; infinite where even its best is farther. */
function atDistance(curve: Point[], metric: Metric, distance: number, wanted: 'quality' | 'sizeBytes'): number {
  for (const [index, right] of curve.entries()) {
    const left = curve[index - 1]
    if (left === undefined || left[metric] < distance || right[metric] > distance) continue
    const share = (left[metric] - distance) / (left[metric] - right[metric] || 1)
    return left[wanted] + share * (right[wanted] - left[wanted])
  }
  return (curve.at(-1)?.[metric] ?? 0) > distance ? Infinity : -Infinity
}

const quantile = (numbers: number[], share: number): number =>
  numbers.toSorted((a, b) => a - b)[Math.floor((numbers.length - 1) * share)] ?? NaN

try {
  const all: { name: string; points: Record<Kind, Point[]> }[] = []
  for (const name of readdirSync(dir).filter((found) => found.endsWith('.png'))) {
    all.push({ name, points: await measure(join(dir, name)) })
    process.stderr.write(`${name}\n`)
  }
  if (values.json !== undefined) writeFileSync(values.json, JSON.stringify(all))
  for (const kind of ['avif 4:4:4', 'avif 4:2:0'] as const) {
    for (const metric of ['ssimulacra', 'butteraugli'] as const) {
      console.log(`${kind}, ${metric}, ${all.length} pictures: quality as good as WebP's (quartiles), size to WebP's`)
      for (const [index, quality] of WEBP.entries()) {
        const matched = all.map(({ points }) =>
          atDistance(points[kind], metric, points.webp[index]![metric], 'quality'),
        )
        const ratios = all.map(
          ({ points }) =>
            atDistance(points[kind], metric, points.webp[index]![metric], 'sizeBytes') / points.webp[index]!.sizeBytes,
        )
        const shown = [0.25, 0.5, 0.75].map((share) => quantile(matched, share).toFixed(0).padStart(3))
        console.log(`  WebP ${quality}: ${shown.join(' ')}, ${quantile(ratios, 0.5).toFixed(2)}`)
      }
    }
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
