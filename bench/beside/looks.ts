import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { distances, type Distances } from '../encode/distances.ts'

/** As in `bench/pictures/same-look.ts`. */
const CROP = { width: 448, height: 320 }

/**
 * How far the middle of a result looks from that of its picture, both upright, in sRGB and on grey; null where their sizes differ, which
 * is a lost orientation.
 */
export async function lookBeside(original: string, result: string, scratch: string): Promise<Distances | null> {
  const [one, other] = [await upright(original), await upright(result)]
  if (one.info.width !== other.info.width || one.info.height !== other.info.height) return null
  const width = Math.min(CROP.width, one.info.width)
  const height = Math.min(CROP.height, one.info.height)
  const area = { left: (one.info.width - width) >> 1, top: (one.info.height - height) >> 1, width, height }
  const paths: [string, string] = [join(scratch, 'original.png'), join(scratch, 'result.png')]
  for (const [nth, { data, info }] of [one, other].entries()) {
    const { width: wide, height: high, channels } = info
    const image = sharp(data, { raw: { width: wide, height: high, channels } }).extract(area)
    writeFileSync(paths[nth]!, await image.png({ compressionLevel: 1 }).toBuffer())
  }
  return distances(...paths)
}

/** The pixels as a viewer shows them, 8 bits for each of red, green and blue. */
export async function upright(path: string) {
  return sharp(path, { autoOrient: true })
    .toColourspace('srgb')
    .flatten({ background: '#808080' })
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true })
}
