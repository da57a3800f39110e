import sharp, { type Sharp } from 'sharp'
import type { PictureFacts } from '../core/judge-served.ts'
import type { Raster } from '../core/likeness.ts'
import { openInSrgb, resolveColours } from './colours.ts'
import type { PixelLimits } from '../core/picture-tasks.ts'
import type { OpenedImage } from './open-image.ts'
import { withProfile } from './put-back.ts'

/** The small pictures by which a file is compared: in the numbers of its pixels, or in the colours that they are shown in. */

export type Grid = Pick<Raster, 'columns' | 'rows'>
type Seen = Record<'numbers' | 'shown', Raster>

export interface Picture {
  opened: OpenedImage
  /** A WebP as browsers show it, without its orientation. */
  bytes: Buffer
  facts: PictureFacts
  /** Its numbers, by the decode that inspected it. */
  raster: Raster | null
}

export async function toRaster(image: Sharp, { columns, rows }: Grid): Promise<Raster> {
  const cells = await image.resize(columns, rows, { fit: 'fill' }).toColourspace('srgb').ensureAlpha().raw().toBuffer()
  return { columns, rows, cells }
}

/** How a picture is decoded for its raster. */
export interface DecodeOptions {
  frame: number
  limits: PixelLimits
  /** A JPEG too. */
  isWhole?: boolean
}

/** Of a JPEG, decoded at an eighth of its size. */
export async function decodeRaster(
  { bytes, opened, facts }: Picture,
  grid: Grid,
  how: 'numbers' | 'shown',
  { frame, limits, isWhole = false }: DecodeOptions,
): Promise<Raster> {
  const options = {
    failOn: 'none' as const,
    limitInputPixels: limits.totalPixels,
    sequentialRead: true,
    pages: 1,
    ...(frame > 0 ? { page: frame } : {}),
  }
  const image =
    how === 'numbers'
      ? sharp(bytes, { ...options, ignoreIcc: true })
      : openInSrgb(await resolveColours(bytes, opened), options)
  // What takes a part of a picture decodes all of it.
  return toRaster(isWhole ? image.extract({ left: 0, top: 0, ...facts.size }) : image, grid)
}

const MOST_PICKED = 256

/** Single pixels instead of averages, from the same places in each picture of a size. */
export async function pickPixels({ bytes, facts }: Picture, { totalPixels }: PixelLimits): Promise<Raster> {
  const [columns, rows] = [Math.min(MOST_PICKED, facts.size.width), Math.min(MOST_PICKED, facts.size.height)]
  const cells = await sharp(bytes, { failOn: 'none', limitInputPixels: totalPixels, pages: 1, ignoreIcc: true })
    .resize(columns, rows, { fit: 'fill', kernel: 'nearest' })
    .toColourspace('srgb')
    .ensureAlpha()
    .raw()
    .toBuffer()
  return { columns, rows, cells }
}

/**
 * Both still pictures by the decodes that inspected them; null where they cannot be compared so. After a restart only the served file
 * is known: the original is decoded small. What was decoded whole and what was decoded small differ in fine detail, so that only a
 * clear likeness counts, in one orientation and the same colours.
 */
export async function seenBefore(
  original: Picture,
  served: Picture,
  { grid, servedGrids, meansSame, ...at }: SeenOptions,
): Promise<{ original: Seen; served: Seen } | null> {
  const [one, other] = [original.raster, served.raster]
  if (other === null || original.opened.frames > 1 || served.opened.frames > 1) return null
  if (!servedGrids.every((wanted) => isOf(other, wanted))) return null
  if (one === null) {
    if (!meansSame || servedGrids.length > 1) return null
    const decoded = await decodeRaster(original, grid, 'numbers', at)
    return { original: { numbers: decoded, shown: decoded }, served: { numbers: other, shown: other } }
  }
  if (!isOf(one, grid)) return null
  if (meansSame) return { original: { numbers: one, shown: one }, served: { numbers: other, shown: other } }
  const [shown, otherShown] = [await inSrgb(original, one), await inSrgb(served, other)]
  if (shown === null || otherShown === null) return null
  return { original: { numbers: one, shown }, served: { numbers: other, shown: otherShown } }
}

interface SeenOptions extends DecodeOptions {
  grid: Grid
  servedGrids: readonly Grid[]
  meansSame: boolean
}

const isOf = (raster: Raster, { columns, rows }: Grid): boolean => raster.columns === columns && raster.rows === rows

/** The cells in the colours that the picture's profile gives their numbers; null where only its pixels can be converted. */
async function inSrgb({ opened, facts }: Picture, raster: Raster): Promise<Raster | null> {
  const { icc, depth, space } = opened.metadata
  if (facts.isCmyk || facts.hasGamma || depth !== 'uchar') return null
  if (icc === undefined) return raster
  if (space !== 'srgb' || icc.toString('latin1', 16, 20) !== 'RGB ') return null
  const { columns: width, rows: height, cells } = raster
  const plain = await sharp(cells, { raw: { width, height, channels: 4 } })
    .png({ compressionLevel: 0 })
    .toBuffer()
  const labelled = withProfile(plain, 'png', icc)
  return toRaster(sharp(labelled, { failOn: 'none' }), raster)
}
