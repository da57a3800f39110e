import type { OutputInfo, Sharp } from 'sharp'
import { raw, say } from '../../shared/sentences/sentence.ts'
import type { OutputType } from '../../shared/recipes/recipe.ts'
import { openInColour, resolveColours, type ColouredPicture } from './colours.ts'
import type { Encoded, ImageFailure, PixelLimits } from '../core/picture-tasks.ts'
import { fail, inputOptions, shortMessage, type OpenedImage } from './open-image.ts'
import { hasSharpChroma, mayHaveSharpChroma, opaquePixels } from './sharp-chroma.ts'

/** Of JPEG and WebP copies: what is lost is not seen, and the service compresses further. */
const COPY_QUALITY = 85
/** Noise defeats any estimate; each attempt reduces the sides by at least a tenth. */
const MAX_TRIES = 24
const GREATEST_STEP = 0.9
/** Aims below the limit, so that an estimate rarely just misses it. */
const AIM = 0.95

interface Size {
  width: number
  height: number
}

/**
 * Re-encodes a still picture in its own type until it has at most `maxBytes`: first in full size, then with shorter
 * sides. The orientation is applied to the pixels, the colour profile is kept, all other metadata is dropped.
 * Deterministic. `too_large` for an animation, and for what cannot be made to fit.
 */
export async function shrinkImage(
  bytes: Buffer,
  opened: OpenedImage,
  maxBytes: number,
  limits: PixelLimits,
): Promise<Encoded | ImageFailure> {
  const { type, metadata, frames } = opened
  if (frames > 1) return fail('too_large', say('no_copy_of_animation'))
  if (type === 'avif') return fail('too_large', say('no_copy_of_avif'))
  const full: Size = metadata.autoOrient
  let scale = 1
  try {
    const picture = await resolveColours(bytes, opened)
    const isSharp =
      mayHaveSharpChroma(opened) && hasSharpChroma(await opaquePixels(openInColour(picture, inputOptions(limits, 1))))
    for (let nth = 0; nth < MAX_TRIES; nth += 1) {
      const { data, info } = await encodeCopy(picture, { type, isSharp }, scaled(full, scale), limits)
      if (data.length <= maxBytes) return { ok: true, bytes: data, width: info.width, height: info.height }
      scale *= Math.min(GREATEST_STEP, Math.sqrt((maxBytes * AIM) / data.length))
    }
  } catch (error) {
    return fail('copy_failed', raw(shortMessage(error)))
  }
  return fail('too_large', say('no_copy_small_enough'))
}

function scaled({ width, height }: Size, scale: number): Size {
  const side = (length: number): number => Math.max(1, Math.round(length * scale))
  return { width: side(width), height: side(height) }
}

function encodeCopy(
  picture: ColouredPicture,
  made: { type: OutputType; isSharp: boolean },
  { width, height }: Size,
  limits: PixelLimits,
): Promise<{ data: Buffer; info: OutputInfo }> {
  const image = openInColour(picture, { ...inputOptions(limits, 1), autoOrient: true }).resize(width, height, {
    fit: 'fill',
  })
  return inType(image, made).toBuffer({ resolveWithObject: true })
}

function inType(image: Sharp, { type, isSharp }: { type: OutputType; isSharp: boolean }): Sharp {
  switch (type) {
    case 'png':
      return image.png()
    case 'gif':
      return image.gif()
    case 'webp':
      return image.webp({ quality: COPY_QUALITY, smartSubsample: isSharp })
    default:
      return image.jpeg({ quality: COPY_QUALITY, chromaSubsampling: isSharp ? '4:4:4' : '4:2:0' })
  }
}
