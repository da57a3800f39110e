import { copyFile, stat } from 'node:fs/promises'
import type { Metadata } from 'sharp'
import type { ConvertFormat, UploadType } from '../shared/recipes/recipe.ts'
import { loadSharp } from './load-sharp.ts'
import { MAX_PIXELS } from './not-shown.ts'

/** Quality per encoder, chosen for web pages and not for archiving. */
const JPEG = { quality: 76, mozjpeg: true }
const PNG = { palette: true, quality: 85, effort: 7, compressionLevel: 9 }
const WEBP = { quality: 76, effort: 4 }
const GIF = { effort: 7, interFrameMaxError: 4 }
/** Only the size of a conversion is used, and more effort costs seconds per picture for a few percent. */
const CONVERTED_WEBP = { quality: 76, effort: 2 }
const CONVERTED_AVIF = { quality: 52, effort: 1 }

export interface Compression {
  /** Compress an animation into its first frame, as many services do. */
  stillsOfAnimations: boolean
}

/**
 * Compresses a picture into its own format at `target`, upright, with its colour profile and without other metadata;
 * CMYK becomes sRGB. All frames of an animation stay, unless `stillsOfAnimations`. A result that is not smaller is replaced by the
 * upload itself. Rejects when the picture cannot be decoded to its end.
 */
export async function recompressPicture(
  path: string,
  type: UploadType,
  target: string,
  { stillsOfAnimations }: Compression,
): Promise<number> {
  const moving = !stillsOfAnimations && (type === 'gif' || type === 'webp')
  const sharp = await loadSharp()
  const picture = sharp(path, { animated: moving, limitInputPixels: MAX_PIXELS, failOn: 'truncated' })
  const metadata = await picture.metadata()
  const { orientation = 1, pages = 1 } = metadata
  if (orientation > 1 && pages === 1) picture.autoOrient()
  if (keepsProfile(metadata)) picture.keepIccProfile()
  if (type === 'jpeg') picture.jpeg(JPEG)
  else if (type === 'png') picture.png(PNG)
  else if (type === 'webp') picture.webp(WEBP)
  else picture.gif(GIF)
  const { size } = await picture.toFile(target)
  const original = await stat(path)
  if (size < original.size) return size
  await copyFile(path, target)
  return original.size
}

/** The size in bytes of the picture in another format. Rejects like `recompressPicture`. */
export async function convertedSize(path: string, format: ConvertFormat): Promise<number> {
  const sharp = await loadSharp()
  const picture = sharp(path, { limitInputPixels: MAX_PIXELS, failOn: 'truncated' }).autoOrient()
  if (keepsProfile(await picture.metadata())) picture.keepIccProfile()
  const bytes = await (format === 'webp' ? picture.webp(CONVERTED_WEBP) : picture.avif(CONVERTED_AVIF)).toBuffer()
  return bytes.length
}

/**
 * The profile is kept if it describes the pixel values that are written; a CMYK picture is converted to sRGB with its
 * profile, which is then dropped.
 */
function keepsProfile({ icc, space }: Metadata): boolean {
  return icc !== undefined && space !== 'cmyk' && icc.toString('latin1', 16, 20) === 'RGB '
}
