import sharp, { type Metadata, type SharpOptions } from 'sharp'
import { say, type Sentence } from '../../shared/sentences/sentence.ts'
import type { ImageType } from '../../shared/recipes/recipe.ts'
import { isAdobeRgb } from './adobe-rgb.ts'
import { jpegFrame, linesOf } from './decode-jpeg.ts'
import type { ImageFailure, PixelLimits } from '../core/picture-tasks.ts'
import { sniffImageType, sniffOtherFormat } from './image-type.ts'
import type { Shape } from './metadata/picture-fit.ts'
import { rareTiff } from './tiff-kinds.ts'
import { orNull } from './metadata/container.ts'
import { findImageEnd } from './metadata/gather.ts'
import { boxAt } from './metadata/item-boxes.ts'
import { isAnimatedPng } from './png-chunks.ts'

/** `pages: -1` makes all frames one tall picture: right for decoding and for animations, wrong otherwise. */
export function inputOptions(limits: PixelLimits, frames: number): SharpOptions {
  return { failOn: 'error', limitInputPixels: limits.totalPixels, pages: frames > 1 ? -1 : 1, sequentialRead: true }
}

/** Of 24 million pixels in 8 and 10 bits, inspecting took 19 and 26 bytes each in all. */
const AVIF_BYTES_PER_PIXEL = 20

export interface OpenedImage {
  ok: true
  type: ImageType
  metadata: Metadata
  frames: number
}

export type Opened = OpenedImage | ImageFailure

/** Of all frames together. */
export function pixelsOf({ metadata, frames }: OpenedImage): number {
  return metadata.width * (metadata.pageHeight ?? metadata.height) * frames
}

/** Reads the headers only, so that a decompression bomb is refused before any pixel is decoded. */
export async function openImage(bytes: Buffer, limits: PixelLimits): Promise<Opened> {
  const type = sniffImageType(bytes)
  if (type === null) return noImage(bytes)
  let metadata: Metadata
  try {
    const pages = mayMove(type) ? -1 : 1
    metadata = await sharp(bytes, { failOn: 'none', limitInputPixels: false, pages }).metadata()
  } catch {
    return whyUnreadable(bytes, type)
  }
  if (metadata.format !== (type === 'avif' ? 'heif' : type)) return fail('not_an_image', say('header_broken'))
  if (type === 'avif' && metadata.compression !== 'av1') return fail('other_type', say('is_format', { format: 'HEIC' }))
  const frames = mayMove(type) ? (metadata.pages ?? 1) : 1
  const framePixels = metadata.width * (metadata.pageHeight ?? metadata.height)
  if (framePixels > limits.framePixels)
    return fail('too_many_pixels', say('over_pixel_limit', { pixels: framePixels, limit: limits.framePixels }))
  if (framePixels * frames > limits.totalPixels)
    return fail('too_many_pixels', say('over_pixel_limit', { pixels: framePixels * frames, limit: limits.totalPixels }))
  return { ok: true, type, metadata, frames }
}

function noImage(bytes: Buffer): ImageFailure {
  const format = sniffOtherFormat(bytes)
  if (format === null) return fail('not_an_image', say('bytes_unknown'))
  return fail('other_type', say('is_format', { format }))
}

/** Why the header of a picture cannot be read. */
function whyUnreadable(bytes: Buffer, type: ImageType): ImageFailure {
  const rare = rareVariant(bytes, type)
  if (rare !== null) return fail('unsupported', rare)
  return fail(findImageEnd(bytes, type) === null ? 'cut_off' : 'damaged', say('header_broken'))
}

/** The pixels of a picture that has its end cannot be read. */
export const DAMAGED: ImageFailure = fail('damaged', say('pixels_broken'))

/** Of TIFF and AVIF only one picture is used. */
const mayMove = (type: ImageType): boolean => type !== 'tiff' && type !== 'avif'

/** Bytes of memory that decoding takes besides what the result does: whole strips of a TIFF, and the planes of an AVIF. */
export function decoderBytes({ type, metadata }: OpenedImage): number {
  const pixels = metadata.width * (metadata.pageHeight ?? metadata.height)
  if (type === 'avif') return pixels * AVIF_BYTES_PER_PIXEL
  return metadata.format === 'tiff' ? pixels * metadata.channels * (metadata.depth === 'ushort' ? 2 : 1) : 0
}

/** Why an intact picture is not taken in: most programs cannot decode it even where the library does, or the library cannot. */
export function rareVariant(bytes: Buffer, type: ImageType): Sentence | null {
  if (type === 'tiff') return rareTiff(bytes)
  if (type === 'avif') return isMovie(bytes) ? say('animated_type', { type: 'AVIF' }) : null
  if (type === 'png') return isAnimatedPng(bytes) ? say('animated_type', { type: 'PNG' }) : null
  const frame = type === 'jpeg' ? jpegFrame(bytes) : null
  if (frame === null) return null
  if (frame.bits !== 8) return say('jpeg_precision', { bits: frame.bits })
  return frame.isRare ? say('jpeg_process', { process: `SOF${frame.process}` }) : null
}

/** A track of pictures, of which the library decodes none. */
export function isMovie(bytes: Buffer): boolean {
  const hasTrack = (): boolean => {
    for (let at = 0, box; at + 8 <= bytes.length; at = box.end) {
      box = boxAt(bytes, at, bytes.length)
      if (box.type === 'moov') return true
    }
    return false
  }
  // What stands behind the last box may be no box.
  return orNull(hasTrack) === true
}

/** How the pixels are stored. Of a WebP they are upright whatever it says, because browsers show it so. */
export function shapeOf(picture: Pick<OpenedImage, 'type' | 'metadata'>): Shape {
  const { type, metadata } = picture
  const { width, height, pageHeight, orientation = 1, icc } = metadata
  const hasProfile = icc !== undefined || isAdobeRgb(picture)
  return { width, height: pageHeight ?? height, orientation: type === 'webp' ? 1 : orientation, hasProfile }
}

export function fail(reason: ImageFailure['reason'], detail: Sentence): ImageFailure {
  return { ok: false, reason, detail }
}

/** The library's first message, without its own names. */
export function shortMessage(error: unknown): string {
  return linesOf(error)[0] ?? 'unknown error'
}
