import type { Sharp, SharpOptions } from 'sharp'
import { raw, say } from '../../shared/sentences/sentence.ts'
import type { ImageType } from '../../shared/recipes/recipe.ts'
import { AVIF_EFFORT, avifQualityFor } from './avif-quality.ts'
import { openInColour, resolveColours, type ColouredPicture } from './colours.ts'
import type { Encoded, EncodedFile, EncodeOptions, ImageFailure, PixelLimits } from '../core/picture-tasks.ts'
import { applyMetadata } from './metadata/apply-metadata.ts'
import { fitQuality } from './fit-quality.ts'
import { heicShape } from './heic.ts'
import { hasSharpChroma } from './sharp-chroma.ts'
import { fail, inputOptions, pixelsOf, shapeOf, shortMessage, type OpenedImage } from './open-image.ts'

/**
 * Encodes WebP or AVIF, upright and with its colour profile. An animation stays one in WebP. WebP of a graphic is lossless where that is
 * smaller. What is larger than the options allow, with its metadata, is encoded again at lower qualities. `original`: the file with the
 * metadata, where the pixels are in another one.
 */
export async function encodePicture(
  bytes: Buffer,
  opened: OpenedImage,
  options: EncodeOptions,
  limits: PixelLimits,
  failOn: 'warning' | 'error' = 'error',
  original = bytes,
): Promise<Encoded | ImageFailure> {
  const { type, frames } = opened
  if (frames > 1 && options.format === 'avif') return fail('encode_failed', say('no_avif_of_animation'))
  const pixels = pixelsOf(opened)
  const triesLossless = (lossyBytes: number, share: number): boolean =>
    canBeLossless(type, options) && mayBeSmallerLossless(bytes.length * share, lossyBytes, pixels * share)
  try {
    const picture = await resolveColours(bytes, opened)
    const hasProfile = picture.plan === 'keep' && picture.metadata.icc !== undefined
    const files: EncodedFile[] = []
    for (const width of options.widths ?? [null]) {
      const encode = encoderOf(picture, opened, options, width, { ...inputOptions(limits, frames), failOn })
      const withMetadata = ({ bytes: made, width: madeWidth, height }: Awaited<ReturnType<Encoder>>): EncodedFile => {
        const applied = applyMetadata(
          { bytes: made, type: options.format },
          { bytes: original, type },
          options.metadata,
          {
            original: type === 'heic' ? heicShape(original, shapeOf(opened)) : shapeOf(opened),
            result: { width: madeWidth, height, orientation: 1, hasProfile },
          },
        )
        return { width: madeWidth, height, bytes: applied.bytes, lost: applied.lost }
      }
      let made = await encode(options.quality)
      if (triesLossless(made.bytes.length, (made.width * made.height * frames) / pixels)) {
        const exact = await encode('lossless')
        if (exact.bytes.length < made.bytes.length) made = exact
      }
      const file = withMetadata(made)
      const isTooLarge = options.maxBytes != null && file.bytes.byteLength > options.maxBytes
      const encodeAt = async (quality: number) => withMetadata(await encode(quality))
      const lower = isTooLarge ? await fitQuality(encodeAt, options.quality, options.maxBytes!) : null
      // A graphic may well be smallest without losses.
      files.push(lower !== null && lower.bytes.byteLength < file.bytes.byteLength ? lower : file)
    }
    const [first, ...others] = files
    if (first === undefined) throw new RangeError('nothing to encode')
    return { ok: true, ...first, others }
  } catch (error) {
    return fail('encode_failed', raw(shortMessage(error)))
  }
}

/** Pixels and profile, and no other metadata; at this quality on WebP's scale, or as lossless WebP. */
type Encoder = (quality: number | 'lossless') => Promise<{ bytes: Buffer; width: number; height: number }>

function encoderOf(
  picture: ColouredPicture,
  opened: OpenedImage,
  { format, longEdge }: EncodeOptions,
  variant: number | null,
  input: SharpOptions,
): Encoder {
  let isSharp: boolean | null = null
  return async (quality) => {
    // Frames of an animation cannot be turned one by one; formats that animate carry no orientation in practice.
    const image = openInColour(picture, { ...input, autoOrient: opened.frames === 1 })
    fitSize(image, longEdge, variant)
    // AVIF has a colour for each pixel.
    const mayFade = format === 'webp' && quality !== 'lossless' && opened.frames === 1
    const smartSubsample = mayFade && (isSharp ??= await hasSharpChroma(image, opened))
    const { data, info } = await (
      format === 'webp'
        ? image.webp(quality === 'lossless' ? { lossless: true } : { quality, smartSubsample })
        : image.avif({ quality: avifQualityFor(quality === 'lossless' ? 100 : quality), effort: AVIF_EFFORT })
    ).toBuffer({ resolveWithObject: true })
    return { bytes: data, width: info.width, height: info.pageHeight ?? info.height }
  }
}

/** Of well-made PNGs and GIFs, lossless WebP was never smaller than this share of the file, but for flat ones. */
const MIN_SHARE = 0.4
/** A file with so little for each pixel is flat: lossless WebP then takes about as long as the lossy one. */
const FLAT_BITS_PER_PIXEL = 2

/** Whether lossless WebP is a choice at all: a photograph that was compressed with losses only grows. */
export function canBeLossless(type: ImageType, { format }: Pick<EncodeOptions, 'format'>): boolean {
  return format === 'webp' && (type === 'png' || type === 'gif' || type === 'tiff')
}

/** By sizes alone, so that a photograph in a PNG, where lossless takes five times as long, costs nothing. `pixels` counts all frames. */
function mayBeSmallerLossless(sourceBytes: number, lossyBytes: number, pixels: number): boolean {
  return lossyBytes >= MIN_SHARE * sourceBytes || (sourceBytes * 8) / pixels <= FLAT_BITS_PER_PIXEL
}

/** At most this many pixels wide and high, or as wide as `width`. Nothing is made larger. */
function fitSize(image: Sharp, longEdge: number | null = null, width: number | null = null): Sharp {
  if (width !== null) return image.resize({ width, withoutEnlargement: true })
  if (longEdge === null) return image
  return image.resize({ width: longEdge, height: longEdge, fit: 'inside', withoutEnlargement: true })
}
