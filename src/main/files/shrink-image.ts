import sharp from 'sharp'
import type { OutputInfo, Sharp } from 'sharp'
import { ownSentence } from '../../shared/own-sentences.ts'
import type { OutputType } from '../../shared/recipe.ts'
import type { Encoded, ImageFailure, PixelLimits } from './image-messages.ts'
import { fail, inputOptions, shortMessage, type Opened } from './open-image.ts'

/** Of JPEG and WebP copies: what is lost is not seen, and the service compresses further. */
const COPY_QUALITY = 85
/** Noise defies every estimate; each try gives up at least a tenth of the length of the sides. */
const MOST_TRIES = 24
const GREATEST_STEP = 0.9
/** Aims below the limit, so that the estimate is seldom just missed. */
const AIM = 0.95

interface Size {
  width: number
  height: number
}

/**
 * Re-encodes a still picture in its own type until it has at most `maxBytes`: first in full size, then with shorter
 * sides. The orientation is applied to the pixels, the colour profile goes along, all other metadata stays behind. The
 * same bytes give the same copy. `too_large` for an animation, and for what cannot be made to fit.
 */
export async function shrinkImage(
  bytes: Buffer,
  { type, metadata, frames }: Extract<Opened, { ok: true }>,
  maxBytes: number,
  limits: PixelLimits,
): Promise<Encoded | ImageFailure> {
  if (frames > 1) return fail('too_large', ownSentence('no_copy_of_animation'))
  if (type === 'avif') return fail('too_large', ownSentence('no_copy_of_avif'))
  const full: Size = metadata.autoOrient
  let scale = 1
  try {
    for (let nth = 0; nth < MOST_TRIES; nth += 1) {
      const { data, info } = await encodeCopy(bytes, type, scaled(full, scale), limits)
      if (data.length <= maxBytes) return { ok: true, bytes: data, width: info.width, height: info.height }
      scale *= Math.min(GREATEST_STEP, Math.sqrt((maxBytes * AIM) / data.length))
    }
  } catch (error) {
    return fail('copy_failed', shortMessage(error))
  }
  return fail('too_large', ownSentence('no_copy_small_enough'))
}

function scaled({ width, height }: Size, scale: number): Size {
  const side = (length: number): number => Math.max(1, Math.round(length * scale))
  return { width: side(width), height: side(height) }
}

function encodeCopy(
  bytes: Buffer,
  type: OutputType,
  { width, height }: Size,
  limits: PixelLimits,
): Promise<{ data: Buffer; info: OutputInfo }> {
  const image = sharp(bytes, { ...inputOptions(limits, 1), autoOrient: true })
    .resize(width, height, { fit: 'fill' })
    .keepIccProfile()
  return inType(image, type).toBuffer({ resolveWithObject: true })
}

function inType(image: Sharp, type: OutputType): Sharp {
  switch (type) {
    case 'png':
      return image.png()
    case 'gif':
      return image.gif()
    case 'webp':
      return image.webp({ quality: COPY_QUALITY })
    default:
      return image.jpeg({ quality: COPY_QUALITY })
  }
}
