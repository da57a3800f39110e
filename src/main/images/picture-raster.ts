import sharp, { type Sharp } from 'sharp'
import type { PictureFacts } from '../core/judge-served.ts'
import type { Raster } from '../core/likeness.ts'
import { openInSrgb, resolveColours } from './colours.ts'
import type { PixelLimits } from '../core/picture-tasks.ts'
import type { OpenedImage } from './open-image.ts'

/** The small pictures by which a file is compared: in the numbers of its pixels, or in the colours that they are shown in. */

export type Grid = Pick<Raster, 'columns' | 'rows'>

export interface Picture {
  opened: OpenedImage
  /** A WebP as browsers show it, without its orientation. */
  bytes: Buffer
  facts: PictureFacts
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

const MAX_PICKED = 256

/** Single pixels instead of averages, from the same places in each picture of a size. */
export async function pickPixels({ bytes, facts }: Picture, { totalPixels }: PixelLimits): Promise<Raster> {
  const [columns, rows] = [Math.min(MAX_PICKED, facts.size.width), Math.min(MAX_PICKED, facts.size.height)]
  const cells = await sharp(bytes, { failOn: 'none', limitInputPixels: totalPixels, pages: 1, ignoreIcc: true })
    .resize(columns, rows, { fit: 'fill', kernel: 'nearest' })
    .toColourspace('srgb')
    .ensureAlpha()
    .raw()
    .toBuffer()
  return { columns, rows, cells }
}
