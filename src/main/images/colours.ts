import sharp from 'sharp'
import type { Metadata, Sharp, SharpOptions } from 'sharp'
import type { ImageType } from '../../shared/recipes/recipe.ts'
import { withAdobeRgb } from './adobe-rgb.ts'
import type { PixelLimits } from '../core/picture-tasks.ts'
import { isDeepGrey, pngColours, withColourChunks } from './png-colours.ts'

/**
 * How the colours of a picture are handled.
 * - keep: the pixel values stay, and the profile is copied byte for byte; without a profile they count as sRGB
 * - convert: converted to sRGB, because WebP and AVIF hold RGB and the profile is for another colour model, such as
 *   CMYK or grey
 * - ignore: the profile does not fit the pixels, and decoders ignore it
 */
type ColourPlan = 'keep' | 'convert' | 'ignore'

/** A picture with its colour plan: how to open it, and which profile its results get. */
export interface ColouredPicture {
  bytes: Buffer
  metadata: Metadata
  plan: ColourPlan
}

/**
 * Determines what the pixel values of a picture mean. `bytes` are unchanged unless the picture says so by other means
 * than a profile.
 */
export async function resolveColours(
  bytes: Buffer,
  picture: { type: ImageType; metadata: Metadata; frames: number },
): Promise<ColouredPicture> {
  const { metadata, frames } = picture
  // Of a HEIC the pixels are those of a PNG.
  const tagged = metadata.format === 'png' ? pngColours(bytes) : null
  if (tagged !== null) {
    const { plan } = tagged
    // Depth is only reduced after the curve was applied.
    const deep = frames === 1 && isDeepGrey(bytes) ? pngColours(bytes, await inColour(bytes)) : null
    const made = deep?.bytes ?? tagged.bytes
    return { bytes: made, metadata: await sharp(made).metadata(), plan }
  }
  const labelled = withAdobeRgb(bytes, picture)
  if (labelled !== null) return { bytes: labelled, metadata: await sharp(labelled).metadata(), plan: 'keep' }
  const plan = planFor(metadata)
  if (plan !== 'convert' || metadata.space !== 'grey16' || frames > 1) return { bytes, metadata, plan }
  // The library ignores the profile of a deep grey picture.
  const shallow = await sharp(bytes).keepMetadata().toColourspace('b-w').png().toBuffer()
  return { bytes: shallow, metadata: await sharp(shallow).metadata(), plan }
}

function inColour(bytes: Buffer): Promise<Buffer> {
  return sharp(bytes).keepMetadata().toColourspace('rgb16').png({ compressionLevel: 1 }).toBuffer()
}

function planFor({ icc, space }: Metadata): ColourPlan {
  const isCmyk = space === 'cmyk'
  if (icc === undefined) return isCmyk ? 'convert' : 'keep'
  switch (icc.toString('latin1', 16, 20)) {
    case 'RGB ':
      return isCmyk ? 'ignore' : 'keep'
    case 'GRAY':
      return space === 'b-w' || space === 'grey16' ? 'convert' : 'ignore'
    case 'CMYK':
      return isCmyk ? 'convert' : 'ignore'
    default:
      return 'ignore'
  }
}

/** Opens a picture so that its results have the colours of its plan. */
export function openInColour({ bytes, metadata, plan }: ColouredPicture, options: SharpOptions): Sharp {
  if (plan === 'ignore') return sharp(bytes, { ...options, ignoreIcc: true })
  const image = sharp(bytes, options)
  return plan === 'keep' ? image.keepIccProfile() : inSrgb(image, metadata)
}

/** Opens a picture for a rendering without a profile, which counts as sRGB. */
export function openInSrgb({ bytes, metadata, plan }: ColouredPicture, options: SharpOptions): Sharp {
  if (plan === 'ignore') return sharp(bytes, { ...options, ignoreIcc: true })
  return inSrgb(sharp(bytes, options), metadata)
}

/** The library converts deep colours with a profile to Display P3 unless sRGB is requested by name. */
function inSrgb(image: Sharp, { icc, space }: Metadata): Sharp {
  return icc !== undefined && space === 'rgb16' ? image.withIccProfile('srgb', { attach: false }) : image
}

/** The size for the comparison: many colours, and no detail that a compressor would change. */
const COMPARED_SIDE = 64

/**
 * The service's PNG with the `gAMA` and `cHRM` of its original, if it has the same pixel values but lost those chunks
 * and so would look different. The coded pixels stay byte for byte. Returns the same bytes if nothing was lost, or if
 * the service itself converted to sRGB. Throws if either cannot be decoded.
 */
export async function withLostColours(served: Buffer, original: Buffer, { framePixels }: PixelLimits): Promise<Buffer> {
  const restored = withColourChunks(served, original)
  if (restored === null) return served
  const options = { limitInputPixels: framePixels, sequentialRead: true }
  const numbers = (bytes: Buffer): Promise<Buffer> => small(sharp(bytes, { ...options, ignoreIcc: true }))
  const picture = await resolveColours(original, { type: 'png', metadata: await sharp(original).metadata(), frames: 1 })
  // Sequentially, so that they need the memory of one.
  const [made, same] = [await numbers(served), await numbers(original)]
  const inSrgb = await small(openInSrgb(picture, options))
  return distance(made, same) < distance(made, inSrgb) ? restored : served
}

function small(image: Sharp): Promise<Buffer> {
  return image.resize(COMPARED_SIDE, COMPARED_SIDE, { fit: 'fill' }).flatten().toColourspace('srgb').raw().toBuffer()
}

function distance(one: Buffer, other: Buffer): number {
  return one.reduce((sum, value, at) => sum + Math.abs(value - (other[at] ?? 0)), 0)
}
