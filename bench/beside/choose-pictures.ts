import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { seededRandom } from '../rate/seeded-random.ts'

const LEAST_BYTES = 20_000
const LEAST_PIXELS = 100_000
const MOST_PIXELS = 2_500_000

export interface Chosen {
  bytes: Buffer
  extension: 'jpg' | 'png'
}

/**
 * Up to `count` pictures below the folders, a third of them PNG where there are as many; the same for one seed and the same folders.
 * Each is a whole JPEG or PNG of 0.1 to 2.5 megapixels with 8 bits for each of its channels, which all programs of the table can
 * read: no CMYK, and no file twice.
 */
export async function choosePictures(folders: readonly string[], count: number, seed: number): Promise<Chosen[]> {
  const random = seededRandom(seed)
  const paths = folders
    .flatMap((folder) => readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)))
    .filter((path) => /\.(jpe?g|png)$/i.test(path))
    .sort()
    .map((path) => ({ path, at: random() }))
    .sort((one, other) => one.at - other.at)
  const wanted = { jpg: count - Math.floor(count / 3), png: Math.floor(count / 3) }
  const seen = new Set<string>()
  const chosen: Chosen[] = []
  for (const { path } of paths) {
    if (wanted.jpg + wanted.png === 0) break
    const picture = await usable(path)
    if (picture === null || wanted[picture.extension] === 0) continue
    const hash = createHash('sha256').update(picture.bytes).digest('hex')
    if (seen.has(hash)) continue
    seen.add(hash)
    wanted[picture.extension] -= 1
    chosen.push(picture)
  }
  return chosen
}

async function usable(path: string): Promise<Chosen | null> {
  try {
    const bytes = readFileSync(path)
    if (bytes.length < LEAST_BYTES) return null
    const image = sharp(bytes, { failOn: 'warning' })
    const { format, width, height, space, depth } = await image.metadata()
    const pixels = width * height
    if (space !== 'srgb' || depth !== 'uchar' || pixels < LEAST_PIXELS || pixels > MOST_PIXELS) return null
    if (format !== 'jpeg' && format !== 'png') return null
    await image.raw().toBuffer()
    return { bytes, extension: format === 'png' ? 'png' : 'jpg' }
  } catch {
    return null // Broken, or a folder with such a name.
  }
}
