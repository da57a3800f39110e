import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp, { type Sharp } from 'sharp'
import { AVIF_EFFORT, avifQualityFor } from '../../src/main/images/avif-quality.ts'
import { distances, type Distances } from '../encode/distances.ts'

const QUALITIES = [60, 80, 90]
const MOST_PICTURES = 12
/** As in decision 17: large enough for the metrics, small enough for a dozen pictures in a minute. */
const CROP = { width: 448, height: 320 }

interface Look extends Distances {
  sizeBytes: number
}

/** A row of the table, of medians over the pictures. */
interface LookRow {
  quality: number
  avifQuality: number
  /** AVIF's bytes to WebP's. */
  size: number
  webp: Distances
  avif: Distances
}

/** How WebP and AVIF at the same quality of a recipe look beside their picture, in crops from the middle of pictures. */
export async function sameLook(pictures: readonly string[], scratch: string): Promise<LookRow[]> {
  const every = Math.max(1, Math.floor(pictures.length / MOST_PICTURES))
  const crops: string[] = []
  for (const path of pictures.filter((_, nth) => nth % every === 0).slice(0, MOST_PICTURES)) {
    const { width, height } = await sharp(path).metadata()
    if (width < CROP.width || height < CROP.height) continue
    const [left, top] = [(width - CROP.width) >> 1, (height - CROP.height) >> 1]
    const crop = join(scratch, `crop-${crops.length}.png`)
    await sharp(path)
      .extract({ left, top, ...CROP })
      .toColourspace('srgb')
      .removeAlpha()
      .png()
      .toFile(crop)
    crops.push(crop)
  }
  const rows: LookRow[] = []
  for (const quality of QUALITIES) {
    const avifQuality = avifQualityFor(quality)
    const webps = await looks(crops, scratch, (image) => image.webp({ quality }))
    const avifs = await looks(crops, scratch, (image) =>
      image.avif({ quality: avifQuality, effort: AVIF_EFFORT, chromaSubsampling: '4:4:4' }),
    )
    const size = median(avifs.map(({ sizeBytes }, nth) => sizeBytes / webps[nth]!.sizeBytes))
    rows.push({ quality, avifQuality, size, webp: medians(webps), avif: medians(avifs) })
  }
  return rows
}

async function looks(crops: readonly string[], scratch: string, encode: (image: Sharp) => Sharp): Promise<Look[]> {
  const all: Look[] = []
  const decoded = join(scratch, 'decoded.png')
  for (const crop of crops) {
    const encoded = await encode(sharp(crop)).toBuffer()
    writeFileSync(decoded, await sharp(encoded).png({ compressionLevel: 1 }).toBuffer())
    all.push({ sizeBytes: encoded.length, ...(await distances(crop, decoded)) })
  }
  return all
}

function medians(all: readonly Look[]): Distances {
  return {
    ssimulacra: median(all.map(({ ssimulacra }) => ssimulacra)),
    butteraugli: median(all.map(({ butteraugli }) => butteraugli)),
  }
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? NaN
}
