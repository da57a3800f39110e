import type { OutputInfo, Sharp } from 'sharp'
import { raw, say } from '../../shared/sentences/sentence.ts'
import type { UploadType } from '../../shared/recipes/recipe.ts'
import { isSentConverted } from '../core/plan-work.ts'
import { openInColour, resolveColours, type ColouredPicture } from './colours.ts'
import type { CopyOptions, Encoded, ImageFailure, PixelLimits } from '../core/picture-tasks.ts'
import { fail, inputOptions, shortMessage, type OpenedImage } from './open-image.ts'
import { hasSharpChroma } from './sharp-chroma.ts'

/** Of JPEG and WebP copies: what is lost is not seen, and the service compresses further. */
const COPY_QUALITY = 85
/** Of a copy that is made for its type alone: there is room for what the service is to compress. */
const FULL_QUALITY = 92
/** Noise defeats any estimate; each attempt reduces the sides by at least a tenth. */
const MAX_TRIES = 24
const MAX_STEP = 0.9
/** Aims below the limit, so that an estimate rarely just misses it. */
const AIM = 0.95

interface Size {
  width: number
  height: number
}

/**
 * Re-encodes a still picture until it has at most `maxBytes`: first in full size, then, unless it keeps its pixels, with shorter sides. What is
 * sent for its type alone has a higher quality where that fits. Deterministic. `too_large` for an animation, and for what cannot be made to fit.
 */
export async function shrinkImage(
  bytes: Buffer,
  opened: OpenedImage,
  { maxBytes, type: asked, keepsPixels = false, limits }: CopyOptions & { limits: PixelLimits },
): Promise<Encoded | ImageFailure> {
  const { metadata, frames } = opened
  const own = isSentConverted(opened.type) ? null : opened.type
  const type = asked ?? own ?? (metadata.hasAlpha ? 'png' : 'jpeg')
  if (frames > 1) return fail('too_large', say('no_copy_of_animation'))
  const full: Size = metadata.autoOrient
  let scale = 1
  try {
    const picture = await resolveColours(bytes, opened)
    const isSharp = await hasSharpChroma(openInColour(picture, inputOptions(limits, 1)), opened)
    for (let nth = own === null ? -1 : 0; nth < MAX_TRIES; nth += 1) {
      const made = { type, isSharp, quality: nth < 0 ? FULL_QUALITY : COPY_QUALITY }
      const { data, info } = await encodeCopy(picture, made, scaled(full, scale), limits)
      if (data.length <= maxBytes) return { ok: true, bytes: data, width: info.width, height: info.height }
      if (nth < 0) continue
      if (keepsPixels) break
      scale *= Math.min(MAX_STEP, Math.sqrt((maxBytes * AIM) / data.length))
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

interface CopyKind {
  type: UploadType
  isSharp: boolean
  quality: number
}

function encodeCopy(
  picture: ColouredPicture,
  made: CopyKind,
  { width, height }: Size,
  limits: PixelLimits,
): Promise<{ data: Buffer; info: OutputInfo }> {
  const image = openInColour(picture, { ...inputOptions(limits, 1), autoOrient: true }).resize(width, height, {
    fit: 'fill',
  })
  return inType(image, made).toBuffer({ resolveWithObject: true })
}

function inType(image: Sharp, { type, isSharp, quality }: CopyKind): Sharp {
  switch (type) {
    case 'png':
      return image.png()
    case 'gif':
      return image.gif()
    case 'webp':
      return image.webp({ quality, smartSubsample: isSharp })
    case 'jpeg':
      return image.jpeg({ quality, chromaSubsampling: isSharp ? '4:4:4' : '4:2:0' })
  }
}
