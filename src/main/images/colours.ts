import sharp, { type Metadata, type Sharp, type SharpOptions } from 'sharp'
import type { ImageType } from '../../shared/recipes/recipe.ts'
import { withAdobeRgb } from './adobe-rgb.ts'
import { gammaToSrgb } from './png-colours.ts'

/**
 * `keep`: the pixel values stay, with the profile; without one they count as sRGB. `convert`: to sRGB, because WebP and AVIF hold RGB and the
 * profile is for another colour model. `ignore`: the profile does not fit the pixels.
 */
type ColourPlan = 'keep' | 'convert' | 'ignore'

/** A picture with its colour plan: how to open it, and which profile its results get. */
export interface ColouredPicture {
  bytes: Buffer
  metadata: Metadata
  plan: ColourPlan
  /** What its numbers have to be raised to, to be those of sRGB; null where they need not be. */
  gamma: number | null
}

/** Determines what the pixel values of a picture mean. `bytes` are those of another file where the library would not know. */
export async function resolveColours(
  bytes: Buffer,
  picture: { type: ImageType; metadata: Metadata },
): Promise<ColouredPicture> {
  const { metadata } = picture
  const labelled = withAdobeRgb(bytes, picture)
  if (labelled !== null)
    return { bytes: labelled, metadata: await sharp(labelled).metadata(), plan: 'keep', gamma: null }
  // Of a HEIC the pixels are those of a PNG.
  const gamma = metadata.format === 'png' ? gammaToSrgb(bytes) : null
  const plan = planFor(metadata)
  if (plan !== 'convert' || metadata.space !== 'grey16') return { bytes, metadata, plan, gamma }
  // The library ignores the profile of a deep grey picture.
  const shallow = await sharp(bytes).keepMetadata().toColourspace('b-w').png().toBuffer()
  return { bytes: shallow, metadata: await sharp(shallow).metadata(), plan, gamma }
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
export function openInColour(picture: ColouredPicture, options: SharpOptions): Sharp {
  if (picture.plan !== 'keep') return openInSrgb(picture, options)
  return withGamma(sharp(picture.bytes, options).keepIccProfile(), picture.gamma)
}

/** Opens a picture for a rendering without a profile, which counts as sRGB. */
export function openInSrgb({ bytes, metadata, plan, gamma }: ColouredPicture, options: SharpOptions): Sharp {
  if (plan === 'ignore') return sharp(bytes, { ...options, ignoreIcc: true })
  return withGamma(inSrgb(sharp(bytes, options), metadata), gamma)
}

/** The most that the library takes. */
const MAX_GAMMA = 3

function withGamma(image: Sharp, gamma: number | null): Sharp {
  if (gamma === null) return image
  // It darkens by the first number, then brightens by the second.
  return image.gamma(Math.min(MAX_GAMMA, Math.max(1, gamma)), Math.min(MAX_GAMMA, Math.max(1, 1 / gamma)))
}

/** The library converts deep colours with a profile to Display P3 unless sRGB is requested by name. */
function inSrgb(image: Sharp, { icc, space }: Metadata): Sharp {
  return icc !== undefined && space === 'rgb16' ? image.withIccProfile('srgb', { attach: false }) : image
}
